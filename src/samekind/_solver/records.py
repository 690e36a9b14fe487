"""Input, state and result of a run."""

from dataclasses import dataclass
from functools import cached_property
from math import nan

from scipy.sparse import csr_array

from samekind._kernels.candidates import Candidates
from samekind._kernels.status import Status
from samekind._solver.representation import Representation
from samekind._solver.restricted import RestrictedRepresentation
from samekind._solver.steps import NORMALIZED, PLAIN, SHARES, Steps
from samekind._typing import FloatArray
from samekind.graph import laplacian
from samekind.graph._matrices import compact


@dataclass(frozen=True)
class ScaleFree:
    """Thresholds by row and weights that are shares: nothing here has the units of X.

    Theta_ij = floor_i + tau / 2 (t1 / t) largest_i |h_i - h_j|^2, t the trace of the numerator.
    """

    largest: FloatArray  # (n_samples,), largest coefficient of each row of P
    floor: FloatArray  # (n_samples,), what a coefficient has to exceed
    beside: csr_array  # the graph beside |Z| with rows that sum to 1


@dataclass(frozen=True)
class Problem:
    """What stays the same during a run. Letters as in the paper; row i belongs to sample i."""

    P: FloatArray | Candidates  # gram (gram + lam I)^-1, whole; or on candidates alone
    local: csr_array  # W + lam_m M: the graph that is given
    L_cannot: csr_array | None  # Laplacian of the cannot-links; None without any
    n_components: int
    tau: float
    lam: float
    lam_z: float
    local_ratio: float
    normalized: bool = True
    shift: float = 0.0  # gamma: the numerator is L_cannot + gamma I
    scale_free: "ScaleFree | None" = None  # in place of lam_z / lam, local_ratio and row maxima

    @property
    def steps(self) -> Steps:
        if self.scale_free is not None:
            return SHARES
        return NORMALIZED if self.normalized else PLAIN

    @cached_property
    def L_local(self) -> csr_array:
        return laplacian(compact(self.local))

    @cached_property
    def twice_local(self) -> csr_array:
        """2 alpha2 / alpha1 times the local graph: its share in twice the fused graph."""
        if self.scale_free is not None:
            return compact(csr_array(2 * self.scale_free.beside))
        return compact(csr_array(2 * self.local_ratio * self.local))


@dataclass(frozen=True)
class Embedding:
    """H with what is known of it."""

    H: FloatArray
    rho: float  # nan without cannot-links
    trace: float  # Tr(H'L_C H); 1 without cannot-links
    status: Status
    block: FloatArray | None  # where the next H starts from, rows as the embedder orders them
    rough: bool = False  # intermediate: low accuracy, not verified
    rho_change: float = nan  # of its last step, relative
    angle: float = nan  # between H and the solution for this graph, estimated


@dataclass(frozen=True)
class Iteration:
    """One line of the history."""

    objective: float  # (13); proved to fall for Algorithm 2 only
    rho: float
    change_A: float  # largest absolute change of an entry
    change_Z: float
    nonzeros_per_row: float
    seconds: float  # since the start of the run


@dataclass(frozen=True)
class State:
    """Where the run stands; a callback receives it after each iteration."""

    iteration: int
    embedding: Embedding
    representation: Representation | RestrictedRepresentation
    Z: csr_array
    record: Iteration

    @property
    def A(self) -> FloatArray | csr_array:
        """A, as it stands while the callback runs; sparse where it is kept on candidates."""
        return self.representation.A

    @property
    def H(self) -> FloatArray:
        return self.embedding.H


@dataclass(frozen=True)
class Optimality:
    """How far each block is from optimal, the other two given (Theorem 1); zero at a limit."""

    H: float  # |(I - HH')(L_C - rho E)H| relative to |L_C - rho E|
    A: float  # largest distance of an entry of A from its update
    Z: float  # largest distance of an entry of Z from its update
    # How the last H-step ended; nan where it does not say. Of more than 20,000 samples it is done
    # once these are 1e-6 and 1e-2.
    rho_change: float = nan  # how far rho moved last, relative
    angle: float = nan  # between H and the solution for its graph, estimated


@dataclass(frozen=True)
class Solution:
    """What a run found."""

    H: FloatArray
    first_H: FloatArray  # of the graph that is given
    Z: csr_array
    W_fused: csr_array  # the learned graph, symmetric
    rho: float
    alpha1: float
    history: tuple[Iteration, ...]
    optimality: Optimality
    status: Status

    @property
    def n_iter(self) -> int:
        return len(self.history)
