"""Simulated people, and small data to ask them about."""

import numpy as np


def blobs(n_each=8, k=3, seed=0):
    """k groups that overlap a little."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(k), n_each)
    return rng.normal(size=(len(y), 3)) + 3.0 * rng.normal(size=(k, 3))[y], y


def reply(q, ask, y):
    """The true answer to a question; its number."""
    return q.answer(ask.id, **ask.reply(y))


def answer(q, y, n):
    """Up to n true answers; the questions."""
    asks = []
    while len(asks) < n and (ask := q.next()):
        asks.append(ask)
        reply(q, ask, y)
    return asks


def shown(ask):
    """A question without its id."""
    return None if ask is None else (ask.sample, ask.beside, ask.why)
