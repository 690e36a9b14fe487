"""The base class of self-taught methods: representation and labels in alternation.

A round represents the samples by each other, with weights that the labels known so far make
larger between samples of different classes, and spreads the given labels on the graph of the
representation. The next round takes all of these labels for known. Labels are hardened before
they are used (a sample is of one class, not of several in part), as in the public code of
structured sparse subspace clustering, whose loop this is.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Protocol

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.propagation import Propagated
from samekind._kernels.status import Status
from samekind._typing import FloatArray
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.label_method import Spread, first_largest
from samekind.estimators._base.pair_method import Callback
from samekind.estimators._base.parameters import Number, Range, Whole
from samekind.estimators._base.representation_method import RepresentationMethod
from samekind.graph._matrices import scale_rows, symmetrized

ROUNDING = 1e-10  # of the largest weight


class Represented(Protocol):
    """What a kernel returns for a representation."""

    @property
    def C(self) -> FloatArray: ...  # (n_samples, n_samples), row i for sample i
    @property
    def n_iter(self) -> int: ...
    @property
    def status(self) -> Status: ...


# From labels, one-hot with rows of zeros where unknown, to a representation. The second argument
# is the callback of the inner solver.
Represent = Callable[[FloatArray, Callback | None], Represented]


@inherit_docs
class SelfTaughtMethod(RepresentationMethod):
    """A method whose representation learns from the labels that it spreads.

    Parameters
    ----------
    label_weight : float, default=0.5
        alpha: extra penalty of a weight between samples of different classes. With 0 the
        representation ignores labels, and there is one round.
    max_rounds : int, default=10
        Most rounds of representation and propagation. A few samples can alternate
        between classes without end, which ``status_`` reports; a smaller label_weight helps.

    Attributes
    ----------
    n_rounds_ : int
        Rounds until the labels of all samples stayed as they were.
    """

    label_weight: float
    max_rounds: int

    RANGES: ClassVar[dict[str, Range]] = {
        "label_weight": Number(0, closed=True),
        "max_rounds": Whole(1),
    }

    def _representer(self, X: Any) -> Represent:
        """What is made once per fit; the answer is called once per round.

        It may start a round from where it left the last one.
        """
        raise NotImplementedError

    def _joined(self, C: FloatArray) -> csr_array:
        """The graph of a representation, on which labels spread."""
        weight = np.abs(C)
        weight[weight < ROUNDING * weight.max()] = 0.0  # else labels spread along it
        return symmetrized(scale_rows(csr_array(weight)))

    @property
    def _uses_labels(self) -> bool:
        """Whether the representation depends on labels at all."""
        return self.label_weight > 0

    def _spread(self, X: Any, Y: FloatArray, callback: Callback | None, **more: Any) -> Spread:
        self._require_memory(X.shape[0])
        represent = self._representer(X)
        hard, n_iter, settled = Y, 0, False
        for n_rounds in range(1, self.max_rounds + 1):
            found = represent(hard, _counted_on(callback, n_iter))
            n_iter += found.n_iter
            W = self._joined(found.C)
            spread = self._propagated(W, Y)
            previous, hard = hard, hardened(spread)
            settled = not self._uses_labels or np.array_equal(hard, previous)
            if settled or found.status is Status.INTERRUPTED:
                break
        status = found.status if settled or not found.status.converged else Status.MAX_ITER
        answer = self._found(spread, found.C, W, n_iter, status)
        return replace(answer, fitted=answer.fitted | {"n_rounds_": n_rounds})


def hardened(spread: Propagated) -> FloatArray:
    """The class with the largest share, one-hot; zeros where no label arrives.

    Examples
    --------
    >>> F = np.array([[0.7, 0.3], [0.2, 0.8], [0.5, 0.5]])
    >>> hardened(Propagated(F, np.array([True, True, False]), Status.CONVERGED))
    array([[1., 0.],
           [0., 1.],
           [0., 0.]])
    """
    one_hot = np.eye(spread.F.shape[1])[first_largest(spread.F)]
    return np.asarray(one_hot * spread.reached[:, None])


def different(hard: FloatArray) -> FloatArray:
    """Theta: 1 for pairs of known and different classes, 0 elsewhere.

    Equal to 0.5 |F_i - F_j|^2 where both labels are known.

    Examples
    --------
    >>> different(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]))
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 0.]])
    """
    known = hard.sum(axis=1)
    return np.asarray(np.outer(known, known) - hard @ hard.T)


def _counted_on(callback: Callback | None, done: int) -> Callback | None:
    """A callback that counts the steps of all rounds together."""
    if callback is None:
        return None
    return lambda record: callback(replace(record, iteration=done + record.iteration))
