"""Dialogues under torture: killed, cut, undone, answered at random.

``python benchmarks/ask_torture.py [PART ...]`` writes one line of JSON for each step of a part;
steps that the file holds are not repeated.

- kills: a child answers, is killed by the system at a random moment, and another goes on with the
  journal. Every answer that was acknowledged has to be there once.
- cuts: a journal cut at every byte is read, up to its last whole line, or refused with a sentence.
- resumed: a dialogue that is closed and opened again asks the same questions, with the same labels.
- undo: answers withdrawn one after the other, from the last and in any order, leave no trace.
- dialogues: random people (wrong number of clusters, equal rows, unsure, answers withdrawn and
  changed); nothing is asked that follows or was asked before, and everything ends.
"""

import argparse
import json
import os
import signal
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from rows import RESULTS, Rows

from samekind.asking import Questions, questions
from samekind.asking.ground import ground_of
from samekind.asking.journal import parsed, read_journal
from samekind.constraints import ConstraintConflict, InputError

MOST_QUESTIONS = 2000  # of a dialogue about a few samples


@contextmanager
def grounds_made_once():
    """What a ground costs is paid once for each set of data."""
    made = {}

    def once(X, k, seed):
        key = X.tobytes(), k, seed
        if key not in made:
            made[key] = ground_of(X, k, seed)
        return made[key]

    questions.ground_of = once
    try:
        yield
    finally:
        questions.ground_of = ground_of


def blobs(n_each, k, seed=0):
    """k groups that overlap a little."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(k), n_each)
    return rng.normal(size=(len(y), 3)) + 2.5 * rng.normal(size=(k, 3))[y], y


def truth(ask, y):
    """What a person who knows would say, as arguments of ``answer``."""
    kinds = [y[b] for b in ask.beside]
    return {"same": kinds.index(y[ask.sample])} if y[ask.sample] in kinds else {"none": True}


def shown(ask):
    """A question without its id."""
    return None if ask is None else (ask.sample, ask.beside, ask.why)


# Kills


def kills(n_kills, n_each=30, k=5, number=0):
    """Answers that were acknowledged and lost, doubled or altered, of how many."""
    X, y = blobs(n_each, k)
    rng = np.random.default_rng(number)
    wrong, acknowledged, torn = 0, 0, 0
    with grounds_made_once(), tempfile.TemporaryDirectory() as folder:
        with Questions(X, k) as q:  # makes the ground, which the children inherit
            _answer(q, y, len(y))
        nth, told = 0, []
        for _ in range(n_kills):
            path = Path(folder, f"{nth}.ask")
            said, ended = _killed(X, y, k, path, rng)
            told += said
            content = read_journal(path)
            torn += content.n_torn > 0
            wrong += _lost(told, content.lines)
            if ended:
                acknowledged += len(told)
                nth, told = nth + 1, []
        acknowledged += len(told)
    return wrong, acknowledged, torn


def _killed(X, y, k, path, rng):
    """Let a child answer for a while and kill it; what it acknowledged, and whether all was said.

    After so many answers, and a little later: anywhere in between.
    """
    n_answers, seconds, number = rng.integers(0, 12), rng.uniform(0, 0.02), rng.integers(2**31)
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        try:
            _answering(X, y, k, path, into, np.random.default_rng(number))
        finally:
            os._exit(0)
    os.close(into)
    with os.fdopen(out, "rb") as pipe:
        first = [pipe.readline() for _ in range(n_answers + 1)]  # the first says that it began
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        rest = b"".join(first[1:]) + pipe.read()
    lines = [json.loads(line) for line in rest.splitlines() if line.endswith(b"]")]
    return [line for line in lines if line[0] != "end"], ["end"] in lines


def _answering(X, y, k, path, into, rng):
    q = Questions(X, k, path)
    os.write(into, b"begin\n")
    while ask := q.next():
        if rng.random() < 0.1:
            told = ["unsure", q.unsure(ask.id), ask.id]
        elif rng.random() < 0.1 and q.answers():
            told = ["withdraw", q.withdraw(int(rng.choice([a.seq for a in q.answers()]))), ""]
        else:
            told = ["answer", q.answer(ask.id, **truth(ask, y)), ask.id]
        os.write(into, json.dumps(told).encode() + b"\n")
    os.write(into, b'["end"]\n')


def _lost(told, lines):
    """Of what was acknowledged, how much is not there exactly once."""
    wrong = 0
    for verb, seq, ask in told:
        if verb == "withdraw":
            found = [line for line in lines if line["verb"] == verb and line["of"] == seq]
        else:
            found = [line for line in lines if line.get("ask") == ask]
            found = [line for line in found if line["verb"] == verb and line["seq"] == seq] or []
            wrong += sum(line.get("ask") == ask for line in lines) != 1
        wrong += len(found) != 1
    return wrong


# Cuts


def cuts(n_answers=100):
    """Places at which a cut journal is neither read to its last whole line nor refused."""
    X, y = blobs(40, 5)
    wrong = 0
    with grounds_made_once(), tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.ask")
        with Questions(X, 5, path) as q:
            for _ in range(n_answers):
                ask = q.next()
                q.answer(ask.id, **truth(ask, y))
        data = path.read_bytes()
        for end in range(len(data)):
            try:
                found = len(parsed(data[:end], path).lines)
            except InputError:
                wrong += 1  # a cut alone is never damage
                continue
            wrong += found != max(0, data[:end].count(b"\n") - 1)
    return wrong, len(data)


# Resumed and undone


def resumed(n_answers=100, n_after=50, n_places=10):
    """Questions and labels that differ after closing and opening again."""
    X, y = blobs(60, 5)
    wrong = 0
    with grounds_made_once(), tempfile.TemporaryDirectory() as folder:
        for place in np.linspace(0, n_answers, n_places).astype(int):
            path = Path(folder, f"{place}.ask")
            with Questions(X, 5) as whole, Questions(X, 5, path) as begun:
                for q in (whole, begun):
                    _answer(q, y, place)
                begun.close()
                with Questions(X, 5, path) as again:
                    for _ in range(n_after):
                        wrong += shown(whole.next()) != shown(again.next())
                        wrong += not (whole.labels() == again.labels()).all()
                        _answer(whole, y, 1)
                        _answer(again, y, 1)
    return wrong


def _answer(q, y, n):
    for _ in range(n):
        if ask := q.next():
            q.answer(ask.id, **truth(ask, y))


def undo(depth=300):
    """Steps back after which question or labels differ from those before the answer."""
    X, y = blobs(120, 5)
    wrong = 0
    with grounds_made_once(), Questions(X, 5) as q:
        trail = []
        for _ in range(depth):
            trail.append((shown(q.next()), q.labels()))
            _answer(q, y, 1)
        lines = list(q._journal.lines)
        for seq in range(len(lines), 0, -1):
            q.withdraw(seq)
            wrong += shown(q.next()) != trail[seq - 1][0]
            wrong += not (q.labels() == trail[seq - 1][1]).all()
        with Questions(X, 5) as mixed:
            _answer(mixed, y, depth)
            for seq in np.random.default_rng(0).permutation(len(lines)).tolist():
                mixed.withdraw(seq + 1)
                lines = [line for line in lines if line["seq"] != seq + 1]
                _pretend(q, lines)
                wrong += shown(mixed.next()) != shown(q.next())
                wrong += not (mixed.labels() == q.labels()).all()
    return wrong


def _pretend(q, lines):
    """As if the journal had only these lines."""
    q._history = q._replayed(lines)
    q._situation, q._ask = q._checked(q._history), None


# Dialogues


def people():
    """Data, a number of clusters that may be wrong, and what a person does at each question."""
    worlds = st.tuples(st.integers(2, 4), st.sampled_from([1, 2, 6]))
    moves = st.lists(st.integers(0, 99), max_size=40)
    return st.tuples(worlds, st.sampled_from([None, 1, 3, 7]), moves)


def world(k):
    """A few samples, some of them equal, and what they are."""
    X, y = blobs(4, k)
    X[1], X[-1] = X[0], X[-2]
    return X, y


def converse(q, y, moves):
    """Do what a person does, then answer to the end; sentences about what is wrong."""
    wrong, seen = [], {}
    for count in range(MOST_QUESTIONS):
        ask = q.next()
        if ask is None:
            break
        wrong += _examined(q, ask, seen)
        move = moves[count] if count < len(moves) else 50
        answers = q.answers()
        try:
            if move < 10:
                q.unsure(ask.id)
            elif move < 18 and answers:
                q.withdraw(answers[move % len(answers)].seq)
                seen.clear()
            elif move < 22 and answers:
                last = answers[move % len(answers)]
                q.change(last.seq, **({"unsure": True} if last.same is None else {"none": True}))
                seen.clear()
            elif move < 27:
                q.answer(ask.id, same=move % len(ask.beside))  # a slip, perhaps
            elif move < 32:
                q.answer(ask.id, none=True)
            else:
                q.answer(ask.id, **truth(ask, y))
        except ConstraintConflict:
            assert move < 22  # answers to questions never contradict; changes may, and are refused
    else:
        wrong.append("it does not end")
    if len(q.labels()) != len(y):
        wrong.append("labels are missing")
    return wrong


def _examined(q, ask, seen):
    """Whether a question follows from the answers, or was asked before."""
    known = q._situation.known
    parts = [known.part_of.get(one, (one,)) for one in (ask.sample, *ask.beside)]
    wrong = [] if len(set(parts)) == len(parts) else [f"{ask}: the same follows, or shown twice"]
    mine = parts[0]
    if isinstance(mine, int) and any(part in known.differ[mine] for part in parts[1:]):
        wrong.append(f"{ask}: different follows")
    key = ask.sample, frozenset(ask.beside)
    seen[key] = seen.get(key, 0) + 1
    before = [a for a in q.answers() if (a.sample, frozenset(a.beside)) == key]
    if len(before) > (1 if ask.why == "unsure" else 0):
        wrong.append(f"{ask}: asked before")
    return wrong


def dialogues(n_dialogues, number=0):
    """Raise what was wrong in random dialogues; hypothesis makes the example small."""

    @seed(number)
    @settings(
        max_examples=n_dialogues, deadline=None, database=None, suppress_health_check=HealthCheck
    )
    @given(people())
    def check(person):
        (k, row), n_clusters, moves = person
        X, y = world(k)
        with Questions(X, n_clusters, row=row) as q:
            wrong = converse(q, y, moves)
        assert not wrong, wrong

    with grounds_made_once():
        check()


def _kills(number):
    wrong, acknowledged, torn = kills(100, number=number)
    return {"kills": 100, "acknowledged": acknowledged, "torn": torn, "wrong": wrong}


def _cuts(number):
    wrong, size = cuts()
    return {"bytes": size, "wrong": wrong}


def _dialogues(number):
    dialogues(1000, number)
    return {"dialogues": 1000, "wrong": 0}


PARTS = {  # with the number of steps
    "kills": (_kills, 10),
    "cuts": (_cuts, 1),
    "resumed": (lambda number: {"wrong": resumed()}, 1),
    "undo": (lambda number: {"depth": 300, "wrong": undo(300)}, 1),
    "dialogues": (_dialogues, 10),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=list(PARTS), choices=list(PARTS))
    rows = Rows(RESULTS / "ask_torture.jsonl", ("part", "step"))
    for part in parser.parse_args().parts:
        work, n_steps = PARTS[part]
        found = [
            rows.once({"part": part, "step": step}, partial(work, step)) for step in range(n_steps)
        ]
        names = [name for name in found[0] if name not in ("part", "step", "failed")]
        sums = {name: sum(row[name] for row in found if name in row) for name in names}
        failed = [row["failed"] for row in found if "failed" in row]
        print(part, sums, *failed, flush=True)


if __name__ == "__main__":
    main()
