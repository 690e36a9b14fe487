"""The lasso form of a sparse self-representation: the problem, its scale and its factors.

For rows of X at unit length it minimizes, over C with zero diagonal,

    sum_ij w_ij |C_ij| + (l/2) |X - C X|^2 + b sum_i |c_i - mean of the rows of its class|^2

with weights w and l = noise_weight / mu_0, where mu_0 = min_i max_{j != i} |x_i'x_j|. The last
term, absent by default, keeps the rows of a class alike: with T_ij = 1 / n_c inside a class of
n_c samples it is (b/2) sum_ij T_ij |c_i - c_j|^2.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from samekind._kernels.unit_gram import factors, unit_gram
from samekind._typing import FloatArray


@dataclass(frozen=True)
class Lasso:
    """All of the problem but the weights, with l X X' = gram = U diag(s) U'."""

    gram: FloatArray  # (n_samples, n_samples)
    U: FloatArray  # (n_samples, rank)
    s: FloatArray  # (rank,), positive
    hard: FloatArray  # (n_samples, n_classes), one-hot; zeros where the class is unknown
    coherence: float = 0.0  # b

    @classmethod
    def of(cls, X: Any, noise_weight: float) -> "Lasso":
        """The problem without classes; all that is factorized is so here."""
        gram = unit_gram(X)
        gram *= noise_weight / smallest_peak(gram)
        return cls(gram, *factors(gram), hard=np.zeros((len(gram), 0)))

    def coherent(self, hard: FloatArray, coherence: float) -> "Lasso":
        """The same samples, with classes."""
        return replace(self, hard=hard, coherence=coherence)

    @property
    def pull(self) -> FloatArray:
        """2 b for samples of known class, 0 for the others; as a column."""
        return np.asarray(2 * self.coherence * self.hard.any(axis=1, keepdims=True))

    def means(self, Y: FloatArray) -> FloatArray:
        """For each row of Y the mean of its class; zeros where the class is unknown."""
        shares = self.hard / np.maximum(self.hard.sum(axis=0), 1.0)
        return np.asarray(self.hard @ (shares.T @ Y))

    def descent(self, C: FloatArray) -> FloatArray:
        """What the smooth terms gain by an entry; w sgn(C) where C is not zero at the optimum."""
        return np.asarray(self.gram - C @ self.gram - self.pull * (C - self.means(C)))

    def smooth_step(self, B: FloatArray, mu: float) -> FloatArray:
        """A that solves A (gram + mu I) + 2 b Q A = gram + B.

        Q takes from each row of known class the mean of its class, and the others away. It is a
        projection (the Laplacian of T), so that its eigenvectors are known, and U holds those of
        the gram matrix: in both bases this Sylvester equation is a division.
        """
        BU = B @ self.U
        inside = self._divided(self.U * self.s + BU, self.s + mu) - self._divided(BU, mu)
        return np.asarray(self._divided(B, mu) + inside @ self.U.T)

    def _divided(self, Y: FloatArray, shift: float | FloatArray) -> FloatArray:
        """(shift I + 2 b Q)^-1 Y, where each column of Y may have a shift of its own."""
        if self.coherence == 0:
            return np.asarray(Y / shift)
        means = self.means(Y)
        return np.asarray(means / shift + (Y - means) / (shift + self.pull))


def smallest_peak(gram: FloatArray) -> float:
    """mu_0: the largest product of a sample with another, for the sample where it is smallest.

    Samples that are orthogonal to all others are left out: no weight would reach them.

    Examples
    --------
    >>> smallest_peak(np.array([[9.0, 2.0, 0.0], [2.0, 9.0, -3.0], [0.0, -3.0, 9.0]]))
    2.0
    """
    others = np.abs(gram)
    rounding = len(gram) * np.finfo(np.float64).eps * float(others.max())
    np.fill_diagonal(others, 0.0)
    peaks = others.max(axis=1)
    return float(min(peaks[peaks > rounding], default=1.0))
