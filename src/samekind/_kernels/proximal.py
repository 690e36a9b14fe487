"""Proximal operators that several methods share: shrink entries, rows or singular values."""

import numpy as np
from scipy.linalg import eigh

from samekind._typing import FloatArray


def soft(A: FloatArray, t: float | FloatArray) -> FloatArray:
    """sgn(A) max(|A| - t, 0), the minimizer of t |Z|_1 + |Z - A|^2 / 2; t may be a matrix.

    Examples
    --------
    >>> import numpy as np
    >>> soft(np.array([3.0, -0.5, -2.0]), 1.0)
    array([ 2., -0., -1.])
    """
    return np.asarray(np.copysign(np.maximum(np.abs(A) - t, 0.0), A))


def shrink_rows(E: FloatArray, t: float) -> FloatArray:
    """Rows shortened by t, the minimizer of t sum_i |e_i| + |E - A|^2 / 2 (the l21 norm).

    Row i belongs to sample i; with samples as columns this is the step on columns.

    Examples
    --------
    >>> import numpy as np
    >>> shrink_rows(np.array([[3.0, 4.0], [0.3, 0.4]]), 1.0)
    array([[2.4, 3.2],
           [0. , 0. ]])
    """
    norm = np.linalg.norm(E, axis=1, keepdims=True)
    return np.asarray(E * np.maximum(1 - t / np.where(norm > 0, norm, 1.0), 0.0))


def shrink_singular_values(A: FloatArray, t: float) -> FloatArray:
    """Singular values lowered by t, the minimizer of t |Z|_* + |Z - A|^2 / 2.

    From the eigenvectors of the smaller gram matrix whose eigenvalues exceed t^2: no singular
    value below t is computed. Squaring costs digits of the small ones only, and those vanish.

    Examples
    --------
    >>> import numpy as np
    >>> shrink_singular_values(np.diag([3.0, 1.0]), 2.0).round(12)
    array([[1., 0.],
           [0., 0.]])
    """
    if np.linalg.norm(A) <= t:
        return np.zeros_like(A)  # no singular value is larger
    if A.shape[0] < A.shape[1]:
        return np.asarray(shrink_singular_values(A.T, t).T)
    values, V = _eigenvectors_above(A.T @ A, t**2)
    s = np.sqrt(values)
    return np.asarray((A @ V) * (1 - t / s) @ V.T)


def _eigenvectors_above(gram: FloatArray, least: float) -> tuple[FloatArray, FloatArray]:
    try:
        values, V = eigh(gram, subset_by_value=(least, np.inf), check_finite=False)
    except np.linalg.LinAlgError:  # the partial solver can fail where eigenvalues coincide
        values, V = np.linalg.eigh(gram)
        above = values > least
        values, V = values[above], V[:, above]
    return values, V
