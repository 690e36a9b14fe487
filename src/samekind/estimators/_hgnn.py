"""HGNN: a small neural network whose layers mix the samples of a hyperedge (Feng et al.)."""

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from sklearn.utils.validation import check_consistent_length

from samekind._kernels.hypergraph_network import Training, scaled_features, train
from samekind._kernels.propagation import one_hot
from samekind._selection.scaling import own_order
from samekind._typing import FloatArray, RandomState
from samekind.estimators._base.docs import inherit_docs
from samekind.estimators._base.hypergraph_method import HypergraphMethod
from samekind.estimators._base.label_method import UNKNOWN, Spread, checked_labels
from samekind.estimators._base.pair_method import Callback
from samekind.estimators._base.parameters import Number, Range, TrueOrFalse, Whole


@inherit_docs
class HGNN(HypergraphMethod):
    """Hypergraph neural network: two layers that mix the features of samples in a hyperedge.

    P = softmax(O (relu(O (X W1 + b1)) W2 + b2)) with O = Dv^-1/2 U We De^-1 U' Dv^-1/2, trained by
    Adam on the mean cross-entropy of the given labels plus weight_decay / 2 times all squared
    weights and biases; ``dropout`` leaves out hidden entries while training, never in the
    answer. X is first centered and divided by its root mean square, so that the answer does not
    depend on its units; ``scale_features=False`` is the published form.

    The layers, with the bias before the mixing, the first weights and the settings for Cora are
    those of the authors' public code and of their later library; the gradient is verified by
    differences of the loss. Differs from their code: it kept dropout on when it was tested, and
    reported the best accuracy of all epochs on the test samples. Here the last epoch is kept, or
    the best one on rows that are held out by ``fit(..., validation=...)``.

    The number of epochs is part of the method and all of them are taken. ``status_`` tells
    whether the labels settled: converged if the loss has fallen and at most the share ``tol`` of
    the labels changed in the last tenth of the epochs (dropout alone keeps a few per cent
    moving). It does not mean that the loss is at its minimum. Cost: a few products with X and
    with O in each epoch, n_samples times the entries of a row; 3 s for the 2,708 papers of Cora.

    Samples in no hyperedge are the only ones counted in ``n_unreached_``: all others get an
    answer from their features, whether a label can reach them or not. This, the choice among
    epochs and the meaning of converged are chosen here.

    Parameters
    ----------
    n_hidden : int, default=16
        Hidden entries of each sample.
    scale_features : bool, default=True
        Whether the mean of each feature is subtracted and all are divided by one number, the
        root mean square of what is left. Else X should be of about unit size.
    dropout : float, default=0.5
        Share of the hidden entries left out in each epoch, below 1.
    learning_rate : float, default=0.01
        Step of Adam.
    weight_decay : float, default=5e-4
        Weight of half the squared weights and biases. The published value is meant for rows of X
        that sum to 1; longer rows need smaller weights for the same output, hence a larger value.
    max_iter : int, default=200
        Epochs: steps of Adam, each on all given labels.
    tol : float, default=0.05
        Share of labels that may change in the last tenth of the epochs.

    Attributes
    ----------
    coefs_ : list of two ndarrays
        W1 of shape (n_features, n_hidden), for features as they were scaled, and W2 of shape
        (n_hidden, n_classes).
    intercepts_ : list of two ndarrays
        b1 and b2.
    loss_curve_ : ndarray of shape (max_iter,)
        The loss before each epoch's step, with dropout.
    n_iter_ : int
        The epoch whose weights were kept.
    validation_score_ : float or None
        Share of the held-out labels that it gets right, where some were given.

    References
    ----------
    Y. Feng, H. You, Z. Zhang, R. Ji and Y. Gao, "Hypergraph neural networks", 2019.

    Examples
    --------
    >>> from samekind import HGNN
    >>> X = [[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]]
    >>> HGNN(n_neighbors=3, random_state=0).fit(X, [0, -1, -1, 1, -1, -1]).labels_
    array([0, 0, 0, 1, 1, 1])
    """

    SUPERVISION: ClassVar[str] = "labels"

    RANGES: ClassVar[dict[str, Range]] = {
        "n_hidden": Whole(1),
        "scale_features": TrueOrFalse(),
        "dropout": Number(0, closed=True, below=1),
        "learning_rate": Number(0),
        "weight_decay": Number(0, closed=True),
        "max_iter": Whole(1),
        "tol": Number(0, closed=True),
    }

    def __init__(
        self,
        *,
        n_neighbors: int = 7,
        scale_neighbor: int = 5,
        random_state: RandomState = None,
        memory_limit: float | None = None,
        n_hidden: int = 16,
        scale_features: bool = True,
        dropout: float = 0.5,
        learning_rate: float = 0.01,
        weight_decay: float = 5e-4,
        max_iter: int = 200,
        tol: float = 0.05,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.scale_neighbor = scale_neighbor
        self.random_state = random_state
        self.memory_limit = memory_limit
        self.n_hidden = n_hidden
        self.scale_features = scale_features
        self.dropout = dropout
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.max_iter = max_iter
        self.tol = tol

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        incidence: Any = None,
        validation: Any = None,
        weights: ArrayLike | None = None,
        callback: Callback | None = None,
    ) -> Self:
        """Train the net, and give all rows of X a label.

        Parameters
        ----------
        X, y, incidence, weights, callback : as for HI
            The callback receives an Epoch (iteration, loss, validation_accuracy,
            validation_loss).
        validation : array-like of shape (n_samples,), optional
            Labels that choose the epoch and are not trained on; -1 for all other rows. Of equally
            good epochs the one with the smaller cross-entropy on these rows is kept.

        Returns
        -------
        self : the fitted estimator
        """
        more = {"incidence": incidence, "weights": weights, "validation": validation}
        return self._fit_labels(X, y, callback, **more)

    def _spread_on(
        self, O: csr_array, X: Any, Y: FloatArray, callback: Callback | None, **more: Any
    ) -> Spread:
        held_out = self._held_out(more["validation"], Y)
        names = ("n_hidden", "dropout", "learning_rate", "weight_decay", "max_iter", "tol")
        how = Training(**{name: getattr(self, name) for name in names})
        state = more["random_state"]
        order = own_order(X, list(Y.T))
        X = scaled_features(X) if self.scale_features else X
        run = train(O, X, Y, how, state, validation=held_out, callback=callback, order=order)
        if not np.isfinite(run.F).all():
            raise ValueError(
                "the weights of HGNN grew beyond all bounds in training; bring the features of X "
                "to about unit size, or lower learning_rate"
            )
        reached = O.diagonal() > 0
        F = np.where(reached[:, None], run.F, Y.sum(axis=0) / Y.sum())
        fitted = {
            "coefs_": [run.net.W1, run.net.W2],
            "intercepts_": [run.net.b1, run.net.b2],
            "loss_curve_": np.array([epoch.loss for epoch in run.history]),
            "n_iter_": run.epoch.iteration,
            "validation_score_": run.epoch.validation_accuracy,
        }
        return Spread(F, reached, run.status, fitted)

    def _held_out(self, validation: Any, Y: FloatArray) -> FloatArray | None:
        """The held-out labels in the form of Y, checked."""
        if validation is None:
            return None
        labels = checked_labels(validation, f"validation of {type(self).__name__}")
        check_consistent_length(Y, labels)
        held = labels != UNKNOWN
        if not held.any():
            raise ValueError("validation holds no label, only -1; leave it out, or hold some out")
        both = np.flatnonzero(held & Y.any(axis=1))
        if len(both):
            raise ValueError(
                f"row {both[0]} has a label in y and in validation; a row that chooses the epoch "
                "must not be trained on: set one of the two to -1"
            )
        foreign = np.setdiff1d(labels[held], self.classes_)
        if len(foreign):
            raise ValueError(
                f"validation holds label {foreign[0]}, which y does not; no epoch can get it right"
            )
        return one_hot(labels, self.classes_)
