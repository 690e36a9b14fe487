"""Which solver a fit uses, over all pairs of samples or over candidates, and its memory."""

from dataclasses import dataclass

from samekind._kernels.candidates import DOUBLE_UP_TO
from samekind._kernels.trace_ratio import block_width
from samekind._memory import available_memory, require_memory
from samekind._threads import n_threads

# Up to so many samples "auto" looks at all pairs, and candidates come from all samples; beyond,
# coefficients shared among all samples fall below any fixed threshold.
WHOLE_UP_TO = 5000
# Others that a sample may use: chosen among all samples, or its nearest.
AMONG_ALL, AMONG_NEAREST = 100, 20
# What the exact solver needs at the same time: n x n matrices of float64 (P, also in single
# precision, A, both while they are made or sorted, and Z). Measured at 5,000 samples: up to 8.4
# where two fifths of Z are not zero, 13.1 where nothing is; see benchmarks/memory.py.
MATRICES = 14
# Beside them, copies of blocks of rows of so many numbers; of fewer samples, of whole matrices.
COPIES, BLOCK_NUMBERS = 3, 1 << 22
# The sparse solver beside its responses: A, Z, columns and graphs, in bytes for each candidate, and
# blocks of vectors as wide as the solver of H makes them. Also measured there.
BYTES_PER_CANDIDATE, BLOCKS = 180, 4
# Of a search among very many samples, and of systems solved together, for each thread.
AT_ONCE, AT_ONCE_PER_SAMPLE = 60_000_000, 1000


@dataclass(frozen=True)
class Plan:
    """How the samples are represented."""

    solver: str  # "exact" or "sparse"
    dictionary: str  # "all" samples or "neighbors": what represents a sample
    n_candidates: int  # others that a sample may use
    n_bytes: int  # needed at the same time


def plan(
    n: int,
    solver: str,
    n_candidates: int | None,
    limit: float | None,
    *,
    n_clusters: int = 8,
    beside: int = 0,
) -> Plan:
    """The plan for n samples; refused where it does not fit in memory.

    ``beside``: bytes for each sample that a method keeps while the sparse solver runs.

    Examples
    --------
    >>> plan(1000, "auto", None, None).solver, plan(100_000, "auto", None, 1e10).solver
    ('exact', 'sparse')
    >>> plan(100_000, "sparse", None, 1e10)
    Plan(solver='sparse', dictionary='neighbors', n_candidates=20, n_bytes=678400000)
    """
    n_bytes = 8 * (MATRICES * n * n + COPIES * min(n * n, BLOCK_NUMBERS))
    whole = Plan("exact", "all", n - 1, n_bytes)
    if solver == "auto":
        left = available_memory() if limit is None else limit
        solver = (
            "exact" if n <= WHOLE_UP_TO and (left is None or whole.n_bytes <= left) else "sparse"
        )
    chosen = whole if solver == "exact" else _on_candidates(n, n_candidates, n_clusters, beside)
    advice = " with solver='sparse'" if solver == "exact" else ""
    require_memory(chosen.n_bytes, limit, f"the {solver} solver for {n} samples", advice)
    return chosen


def _on_candidates(n: int, n_candidates: int | None, n_clusters: int, beside: int) -> Plan:
    among_all = n <= WHOLE_UP_TO
    wanted = (AMONG_ALL if among_all else AMONG_NEAREST) if n_candidates is None else n_candidates
    width = min(wanted, n - 1) + 1
    numbers = n * width**2
    per_sample = BYTES_PER_CANDIDATE * width + BLOCKS * 8 * block_width(n_clusters) + beside
    if among_all:
        return Plan("sparse", "all", width - 1, 8 * numbers + per_sample * n + 3 * 8 * n * n)
    n_bytes = numbers * (8 if numbers <= DOUBLE_UP_TO else 4)
    n_bytes += per_sample * n + n_threads() * min(AT_ONCE, AT_ONCE_PER_SAMPLE * n)
    return Plan("sparse", "neighbors", width - 1, n_bytes)
