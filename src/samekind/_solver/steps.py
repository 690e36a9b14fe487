"""Where Algorithms 2 (plain) and 3 (normalized) and its scale-free form differ: three steps.

With row maxima, as in the paper, a row of Z with many small entries has a large sum and outweighs
everything beside it; with row sums, weights are shares.
"""

from collections.abc import Callable
from dataclasses import dataclass

from scipy.sparse import csr_array

from samekind._kernels.shrink import unit_rows
from samekind._typing import FloatArray
from samekind.graph import laplacian, normalized_laplacian
from samekind.graph._matrices import row_shares, scale_rows


@dataclass(frozen=True)
class Steps:
    """The three places where the algorithms differ."""

    spread: Callable[[csr_array], csr_array]  # |Z| as it enters the fused graph
    laplacian: Callable[[csr_array], csr_array]  # of the fused graph
    rows: Callable[[FloatArray], FloatArray]  # of H, whose distances raise the thresholds
    normalized: bool


PLAIN = Steps(lambda Z: Z, laplacian, lambda H: H, normalized=False)  # (15), (16), (21)
NORMALIZED = Steps(scale_rows, normalized_laplacian, unit_rows, normalized=True)  # (23) to (25)
SHARES = Steps(row_shares, normalized_laplacian, unit_rows, normalized=True)
