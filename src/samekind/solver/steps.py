"""What tells Algorithm 2 (plain) from Algorithm 3 (normalised): three steps, nothing else."""

from collections.abc import Callable
from dataclasses import dataclass

from scipy.sparse import csr_array

from samekind.graph import laplacian, normalised_laplacian, scale_rows
from samekind.kernels.shrink import unit_rows
from samekind.typing import FloatArray


@dataclass(frozen=True)
class Steps:
    """The three places where the two algorithms differ."""

    spread: Callable[[csr_array], csr_array]  # |Z| as it enters the fused graph
    laplacian: Callable[[csr_array], csr_array]  # of the fused graph
    rows: Callable[[FloatArray], FloatArray]  # of H, whose distances raise the thresholds
    normalised: bool


PLAIN = Steps(lambda Z: Z, laplacian, lambda H: H, normalised=False)  # (15), (16), (21)
NORMALISED = Steps(scale_rows, normalised_laplacian, unit_rows, normalised=True)  # (23) to (25)
