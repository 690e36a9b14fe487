"""Where Algorithms 2 (plain) and 3 (normalized) differ: three steps."""

from collections.abc import Callable
from dataclasses import dataclass

from scipy.sparse import csr_array

from samekind._kernels.shrink import unit_rows
from samekind._typing import FloatArray
from samekind.graph import laplacian, normalized_laplacian
from samekind.graph._matrices import scale_rows


@dataclass(frozen=True)
class Steps:
    """The three places where the two algorithms differ."""

    spread: Callable[[csr_array], csr_array]  # |Z| as it enters the fused graph
    laplacian: Callable[[csr_array], csr_array]  # of the fused graph
    rows: Callable[[FloatArray], FloatArray]  # of H, whose distances raise the thresholds
    normalized: bool


PLAIN = Steps(lambda Z: Z, laplacian, lambda H: H, normalized=False)  # (15), (16), (21)
NORMALIZED = Steps(scale_rows, normalized_laplacian, unit_rows, normalized=True)  # (23) to (25)
