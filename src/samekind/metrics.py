"""How well labels agree with the truth, and with the pairs that were given."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment
from scipy.special import entr
from sklearn.metrics import normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

from samekind.constraints import PairConstraints

__all__ = ["clustering_accuracy", "constraint_satisfaction", "normalized_mutual_info"]


def clustering_accuracy(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """ACC: the share of samples that agree under the best matching of clusters with classes.

    Each cluster is matched with at most one class; where the numbers of clusters and classes
    differ, what is left over counts as wrong.

    Parameters
    ----------
    labels_true, labels_pred : array-like, (n_samples,)

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> clustering_accuracy([0, 0, 1, 1], [7, 7, 3, 7])
    0.75
    >>> clustering_accuracy([0, 0, 1, 1], [0, 1, 2, 3])
    0.5
    """
    return accuracy_of_counts(contingency_matrix(*_same_length(labels_true, labels_pred)))


def accuracy_of_counts(counts: NDArray[Any]) -> float:
    """ACC from the number of samples of each class (row) in each cluster (column)."""
    matched = linear_sum_assignment(counts, maximize=True)
    return float(counts[matched].sum() / counts.sum())


def normalized_mutual_info(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """NMI with the geometric mean of the entropies, as in the paper's code.

    scikit-learn's default is the arithmetic mean, which gives other numbers.

    Parameters
    ----------
    labels_true, labels_pred : array-like, (n_samples,)

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> normalized_mutual_info([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    true, pred = _same_length(labels_true, labels_pred)
    return float(normalized_mutual_info_score(true, pred, average_method="geometric"))


def mutual_info_of_counts(counts: NDArray[Any]) -> float:
    """NMI from the number of samples of each class (row) in each cluster (column)."""
    share = counts / counts.sum()
    of_class, of_cluster = share.sum(axis=1), share.sum(axis=0)
    together = float(entr(of_class).sum() + entr(of_cluster).sum() - entr(share).sum())
    scale = float(np.sqrt(entr(of_class).sum() * entr(of_cluster).sum()))
    # Without two classes or two clusters there is nothing to agree on, as in scikit-learn.
    return min(max(together / scale, 0.0), 1.0) if scale > 0 else float(counts.shape == (1, 1))


def constraint_satisfaction(constraints: PairConstraints, labels: ArrayLike) -> float:
    """The share of the given pairs that the labels satisfy; 1 without pairs.

    Parameters
    ----------
    constraints : PairConstraints
    labels : array-like, (n_samples,)

    Examples
    --------
    >>> from samekind import PairConstraints
    >>> pairs = PairConstraints(4, must_link=[(0, 1)], cannot_link=[(1, 2)])
    >>> constraint_satisfaction(pairs, [0, 0, 0, 1])
    0.5
    """
    return constraints.evaluate(np.asarray(labels)).satisfaction


def _same_length(labels_true: ArrayLike, labels_pred: ArrayLike) -> tuple[ArrayLike, ArrayLike]:
    true, pred = np.asarray(labels_true), np.asarray(labels_pred)
    if true.ndim != 1 or pred.ndim != 1 or len(true) != len(pred) or len(true) == 0:
        raise ValueError(
            f"labels_true has shape {true.shape} and labels_pred {pred.shape}; "
            "give two lists of labels of the same length, at least one each"
        )
    return true, pred
