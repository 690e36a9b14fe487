"""A neural network of two layers on a hypergraph, its gradient, and its training by Adam.

P = softmax(O (relu(O (X W1 + b1)) W2 + b2)): both layers mix the rows of samples that share a
hyperedge, the biases included (Feng et al., 2019). Training lowers the cross-entropy on the
labeled rows plus weight_decay / 2 times the squared weights; in each epoch a random part of
the hidden entries is left out. The number of epochs is part of the method: more of them fit
the labels better, and may classify the other samples worse.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, issparse
from scipy.sparse.linalg import aslinearoperator
from scipy.special import log_softmax, softmax

from samekind._kernels.callback import ended_by
from samekind._kernels.status import Status
from samekind._typing import FloatArray, IntArray
from samekind.graph._matrices import power_of_two

# Adam: decay rates of the moment estimates, and the smallest divisor.
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8
# Labels have converged if they stay the same in the last epochs: one part of so many.
LAST_SHARE = 10


class Net(NamedTuple):
    """Weights and biases of the two layers; a gradient has the same parts."""

    W1: FloatArray  # (n_features, n_hidden)
    b1: FloatArray  # (n_hidden,)
    W2: FloatArray  # (n_hidden, n_classes)
    b2: FloatArray  # (n_classes,)


@dataclass(frozen=True)
class Training:
    """How a net is trained.

    ``tol`` is the share of samples whose label may change in the last tenth of the epochs for the
    result to count as converged, provided that the loss has fallen; all ``max_iter`` epochs are
    taken in any case.
    """

    n_hidden: int
    dropout: float
    learning_rate: float
    weight_decay: float
    max_iter: int
    tol: float


@dataclass(frozen=True)
class Epoch:
    """What is known after one epoch."""

    iteration: int
    loss: float  # before the step, with dropout
    validation_accuracy: float | None = None  # after the step, without dropout
    validation_loss: float | None = None


@dataclass(frozen=True)
class Trained:
    """The net that was kept."""

    net: Net
    F: FloatArray  # (n_samples, n_classes), rows sum to 1
    epoch: Epoch  # whose net this is
    history: tuple[Epoch, ...]
    status: Status


def random_net(
    n_features: int, n_hidden: int, n_classes: int, random_state: np.random.RandomState
) -> Net:
    """Weights and biases uniform in +-1 / sqrt(columns), as in the authors' code.

    Examples
    --------
    >>> import numpy as np
    >>> net = random_net(3, 4, 2, np.random.RandomState(0))
    >>> net.W1.shape, bool(abs(net.W1).max() <= 0.5)
    ((3, 4), True)
    """

    def uniform(*shape: int) -> FloatArray:
        bound = 1 / np.sqrt(shape[-1])
        return np.asarray(random_state.uniform(-bound, bound, shape))

    return Net(
        uniform(n_features, n_hidden),
        uniform(n_hidden),
        uniform(n_hidden, n_classes),
        uniform(n_classes),
    )


def forward(
    net: Net, O: csr_array, X: Any, keep: float | FloatArray = 1.0
) -> tuple[FloatArray, FloatArray]:
    """The two layers before their activations; ``keep`` multiplies the hidden entries.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import eye_array
    >>> net = Net(np.eye(2), np.zeros(2), np.ones((2, 1)), np.ones(1))
    >>> forward(net, eye_array(2), np.array([[3.0, -4.0], [1.0, 1.0]]))[1]
    array([[4.],
           [3.]])
    """
    Z1 = O @ (X @ net.W1 + net.b1)
    return Z1, O @ (np.maximum(Z1, 0.0) * keep @ net.W2 + net.b2)


def loss_and_gradient(
    net: Net,
    O: csr_array,
    X: Any,
    Y: FloatArray,
    *,
    weight_decay: float = 0.0,
    keep: float | FloatArray = 1.0,
) -> tuple[float, Net]:
    """Mean cross-entropy on the labeled rows plus weight decay, and the gradient.

    Parameters
    ----------
    net : Net
    O : csr_array, (n_samples, n_samples)
        Symmetric.
    X : ndarray or csr_array, (n_samples, n_features)
    Y : ndarray, (n_samples, n_classes)
        One-hot where a label is known; rows of zeros elsewhere.
    weight_decay : float
    keep : float or ndarray, (n_samples, n_hidden)
        Factors of dropout: 0, or 1 over the share that is kept.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import eye_array
    >>> net = Net(np.zeros((1, 1)), np.zeros(1), np.zeros((1, 2)), np.zeros(2))
    >>> loss, gradient = loss_and_gradient(net, eye_array(1), np.ones((1, 1)), np.eye(2)[:1])
    >>> round(loss, 3), gradient.b2
    (0.693, array([-0.5,  0.5]))
    """
    Z1, Z2 = forward(net, O, X, keep)
    log_P, n_labeled = log_softmax(Z2, axis=1), Y.sum()
    loss = -np.vdot(Y, log_P) / n_labeled
    loss += weight_decay / 2 * sum(np.vdot(part, part) for part in net)
    known = Y.sum(axis=1, keepdims=True)
    G2 = O @ ((np.exp(log_P) * known - Y) / n_labeled)  # O' = O
    G1 = O @ (G2 @ net.W2.T * keep * (Z1 > 0))
    H = np.maximum(Z1, 0.0) * keep
    gradient = Net(X.T @ G1, G1.sum(axis=0), H.T @ G2, G2.sum(axis=0))
    decayed = (g + weight_decay * p for g, p in zip(gradient, net, strict=True))
    return float(loss), Net(*decayed)


def scaled_features(X: Any) -> Any:
    """X less the mean of each feature, over the root mean square; a sparse X becomes an operator.

    Examples
    --------
    >>> scaled_features(np.array([[1e200], [3e200]]))
    array([[-1.],
           [ 1.]])
    """
    n, d = X.shape
    X = X.astype(np.float64) / power_of_two(X)
    mean = np.asarray(X.mean(axis=0)).ravel()
    if issparse(X):
        size = _root(float(X.multiply(X).sum()) / (n * d) - float(mean @ mean) / d)
        return (
            aslinearoperator(X)
            - aslinearoperator(np.ones((n, 1))) @ aslinearoperator(mean[None, :])
        ) * (1 / size)
    X -= mean
    return X / _root(float(np.vdot(X, X)) / (n * d))


def _root(mean_square: float) -> float:
    """Its root; 1 where it is rounding."""
    return float(np.sqrt(mean_square)) if mean_square > 1e-30 else 1.0


class Adam:
    """Steps along means of past gradients, each entry in units of its own size."""

    def __init__(self, net: Net, learning_rate: float) -> None:
        self._rate, self._t = learning_rate, 0
        self._mean = [np.zeros_like(part) for part in net]
        self._square = [np.zeros_like(part) for part in net]

    def step(self, net: Net, gradient: Net) -> Net:
        """The net one step further."""
        self._t += 1
        moved = []
        for at, (p, g) in enumerate(zip(net, gradient, strict=True)):
            self._mean[at] = BETA1 * self._mean[at] + (1 - BETA1) * g
            self._square[at] = BETA2 * self._square[at] + (1 - BETA2) * g**2
            mean = self._mean[at] / (1 - BETA1**self._t)
            size = np.sqrt(self._square[at] / (1 - BETA2**self._t))
            moved.append(p - self._rate * mean / (size + EPSILON))
        return Net(*moved)


def train(
    O: csr_array,
    X: Any,
    Y: FloatArray,
    how: Training,
    random_state: np.random.RandomState,
    *,
    validation: FloatArray | None = None,
    callback: Callable[[Epoch], object] | None = None,
    order: IntArray | None = None,
) -> Trained:
    """Train a net, and keep that of the last epoch, or of the best one on held-out rows.

    Parameters
    ----------
    O, X, Y : as for ``loss_and_gradient``
    how : Training
    random_state : RandomState
        For the initial weights, then for dropout.
    validation : ndarray, (n_samples, n_classes), optional
        One-hot where a label is held out: the epoch with the most of them right is kept, the
        one with the smaller cross-entropy on them among equals.
    callback : callable, optional
        Called with each Epoch.
    order : ndarray, (n_samples,), optional
        An order of the samples that does not depend on how they came, for dropout.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import eye_array
    >>> X, Y = np.array([[1.0], [-1.0]]), np.eye(2)
    >>> how = Training(4, 0.0, learning_rate=0.1, weight_decay=0.0, max_iter=50, tol=0.05)
    >>> run = train(eye_array(2), X, Y, how, np.random.RandomState(0))
    >>> run.F.argmax(axis=1), run.epoch.iteration
    (array([0, 1]), 50)
    """
    late = how.max_iter - max(how.max_iter // LAST_SHARE, 1)
    before, history, merit = np.full(len(Y), -1), list[Epoch](), (-np.inf, -np.inf)
    place = np.arange(len(Y)) if order is None else np.argsort(order)
    for record, net in _epochs(O, X, Y, how, random_state, validation, place):
        if _merit(record) > merit:
            merit, best, kept = _merit(record), record, net
        history.append(record)
        interrupted = ended_by(callback, record)
        if interrupted:
            break
        if record.iteration == late:
            before = distributions(net, O, X).argmax(axis=1)
    moved = np.mean(distributions(net, O, X).argmax(axis=1) != before)
    settled = moved <= how.tol and history[-1].loss < history[0].loss
    status = Status.CONVERGED if settled else Status.MAX_ITER
    status = Status.INTERRUPTED if interrupted else status
    return Trained(kept, distributions(kept, O, X), best, tuple(history), status)


def distributions(net: Net, O: csr_array, X: Any) -> FloatArray:
    """The output of a net, without dropout; rows sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import eye_array
    >>> net = Net(np.eye(2), np.zeros(2), np.eye(2), np.zeros(2))
    >>> distributions(net, eye_array(2), np.array([[0.0, 0.0], [0.0, 100.0]])).round(3)
    array([[0.5, 0.5],
           [0. , 1. ]])
    """
    return np.asarray(softmax(forward(net, O, X)[1], axis=1))


def _epochs(
    O: csr_array,
    X: Any,
    Y: FloatArray,
    how: Training,
    random_state: np.random.RandomState,
    validation: FloatArray | None,
    place: IntArray,
) -> Iterator[tuple[Epoch, Net]]:
    """The net after each epoch, and what is known about it."""
    net = random_net(X.shape[1], how.n_hidden, Y.shape[1], random_state)
    adam = Adam(net, how.learning_rate)
    for iteration in range(1, how.max_iter + 1):
        keep = _kept_entries((len(Y), how.n_hidden), how.dropout, random_state, place)
        decay = how.weight_decay
        loss, gradient = loss_and_gradient(net, O, X, Y, weight_decay=decay, keep=keep)
        net = adam.step(net, gradient)
        if validation is None:
            yield Epoch(iteration, loss), net
        else:
            yield Epoch(iteration, loss, *_on_held_out(net, O, X, validation)), net


def _kept_entries(
    shape: tuple[int, int], dropout: float, random_state: np.random.RandomState, place: IntArray
) -> float | FloatArray:
    """Of each entry 0 or 1 / (1 - dropout); ``place`` of each row in the order of drawing."""
    if dropout == 0:
        return 1.0
    return np.asarray((random_state.random_sample(shape)[place] >= dropout) / (1 - dropout))


def _on_held_out(net: Net, O: csr_array, X: Any, Y: FloatArray) -> tuple[float, float]:
    """Share of held-out labels that come out right, and the mean cross-entropy on them."""
    log_P, known = log_softmax(forward(net, O, X)[1], axis=1), Y.any(axis=1)
    right = log_P[known].argmax(axis=1) == Y[known].argmax(axis=1)
    return float(right.mean()), float(-np.vdot(Y, log_P) / Y.sum())


def _merit(epoch: Epoch) -> tuple[float, float]:
    """The net with the largest value is kept: the last, or the best on held-out labels."""
    if epoch.validation_accuracy is None or epoch.validation_loss is None:
        return float(epoch.iteration), 0.0
    return epoch.validation_accuracy, -epoch.validation_loss
