"""The thresholds of the Z-step (22): Theta_ij = factor_i |h_i - h_j|^2 + floor_i.

With the rows h of H this is (21), with these rows at unit length (25). In the paper factor and
floor are the same for all samples. Theta is never whole in memory: it is evaluated for whole
rows, inside groups of samples, or at some columns of each row.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from samekind._typing import FloatArray, IntArray


@dataclass(frozen=True)
class Thresholds:
    """Theta for the rows of an embedding.

    Parameters
    ----------
    rows : ndarray, (n_samples, n_components)
    factor, floor : float, or ndarray of shape (n_samples,)
        Non-negative; a vector holds one entry for each row of Theta.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.array([[0.0], [1.0], [3.0]])
    >>> Thresholds(rows, 0.5, 1.0).of(np.arange(3))
    array([[1. , 1.5, 5.5],
           [1.5, 1. , 3. ],
           [5.5, 3. , 1. ]])
    >>> Thresholds(rows, np.array([0.5, 1.0, 2.0]), 1.0).of(np.arange(3))
    array([[ 1. ,  1.5,  5.5],
           [ 2. ,  1. ,  5. ],
           [19. ,  9. ,  1. ]])
    """

    rows: FloatArray
    factor: float | FloatArray
    floor: float | FloatArray

    @cached_property
    def largest(self) -> float:
        """A bound: no threshold is larger."""
        return 4 * float(np.max(self.factor) * self._squares.max()) + float(np.max(self.floor))

    def of(self, samples: IntArray) -> FloatArray:
        """The rows of Theta of these samples."""
        left, right = self._thin
        return np.asarray(left[samples] @ right)

    def single(self, samples: IntArray) -> FloatArray:
        """The rows of Theta of these samples, in single precision."""
        return np.asarray(self._thin[0][samples].astype(np.float32) @ self._right_single)

    def inside(self, groups: IntArray) -> FloatArray:
        """Theta among the samples of each group.

        ``groups`` has shape (n_groups, size), the result (n_groups, size, size).
        """
        factor, floor = _of(self.factor, groups), _of(self.floor, groups)
        h, square = self.rows[groups], self._squares[groups]
        theta = (-2 * factor * h) @ h.transpose(0, 2, 1)
        theta += factor * square[:, :, None]
        theta += factor * square[:, None, :] + floor
        return np.asarray(theta)

    def at(self, block: slice, columns: IntArray) -> FloatArray:
        """Theta of a block of samples, each at its own ``columns`` (n_block, n_columns)."""
        square = self._squares
        inner = np.matmul(self.rows[columns], self.rows[block, :, None])[:, :, 0]
        distance = square[block, None] + square[columns] - 2 * inner
        return np.asarray(_of(self.factor, block) * distance + _of(self.floor, block))

    @cached_property
    def _squares(self) -> FloatArray:
        return np.asarray(np.einsum("ij,ij->i", self.rows, self.rows))

    @cached_property
    def _thin(self) -> tuple[FloatArray, FloatArray]:
        """Two thin matrices whose product is Theta."""
        rows, square, factor, floor = self.rows, self._squares, self.factor, self.floor
        ones = np.ones(len(rows))
        if np.ndim(factor) == np.ndim(floor) == 0:
            square = factor * square
            left = [-2 * factor * rows, square, ones]
            right = [rows, ones, square + floor]
        else:
            factor = np.broadcast_to(factor, len(rows))
            left = [-2 * factor[:, None] * rows, factor * square + floor, factor]
            right = [rows, ones, square]
        return np.column_stack(left), np.column_stack(right).T.copy()

    @cached_property
    def _right_single(self) -> FloatArray:
        return self._thin[1].astype(np.float32)


def _of(value: float | FloatArray, samples: IntArray | slice) -> float | FloatArray:
    """The number for all samples, or a column with the entries of these."""
    return np.asarray(value)[samples][..., None] if np.ndim(value) else value
