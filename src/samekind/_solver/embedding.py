"""The H-step of a run, which starts from the previous H."""

import numpy as np
from scipy.sparse import csr_array

from samekind._kernels.eigen import largest_eigenvalue
from samekind._kernels.status import Status
from samekind._kernels.subspace import extrapolated
from samekind._kernels.trace_ratio import MANY, bottom_eigenvectors, bottom_from_nearby, trace_ratio
from samekind._solver.records import Embedding, Problem
from samekind._solver.steps import NORMALIZED, Steps
from samekind._typing import FloatArray
from samekind.graph._components import count_components, null_space
from samekind.graph._matrices import compact, in_order, order_in_memory


class Embedder:
    """H for one graph after the other, each near to the last."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._order = order_in_memory(problem.local, many_products=True)
        L_cannot = problem.L_cannot
        self._L_cannot = None if L_cannot is None else in_order(compact(L_cannot), self._order)
        self._first_trace = 1.0
        self._before: FloatArray | None = None
        self._steps, self._share = 0, 1.0
        # H1, whose trace sets the scale of the thresholds: (24) in either algorithm.
        self.first = self._embed(compact(problem.local), NORMALIZED, None, None)
        self._first_trace, self._now = self.first.trace, self.first.block

    def step(self, W_fused: csr_array, *, rough: float | None = None) -> Embedding:
        """(24), or (16) with the plain steps; see ``rough`` of trace_ratio."""
        start = self._start()
        self._before = None  # of many samples memory is short
        found = self._embed(W_fused, self._problem.steps, start, rough)
        self._now, self._before = found.block, self._now
        return found

    def polished(self, W_fused: csr_array, rough: Embedding) -> Embedding:
        """The same H as ``rough``, to full accuracy and verified."""
        self._before = None
        start = None if rough.block is None else rough.block.copy()
        return self._embed(W_fused, self._problem.steps, start, None)

    def _start(self) -> FloatArray | None:
        """The last block, its first columns moved on; of it nothing else has the memory."""
        if self._now is None:
            return None
        start, k = self._now.copy(), self._problem.n_components
        if self._before is not None:
            start[:, :k] = extrapolated(self._now[:, :k], self._before[:, :k])
        return start

    def _embed(
        self, W_fused: csr_array, steps: Steps, start: FloatArray | None, rough: float | None
    ) -> Embedding:
        L_cannot, k = self._L_cannot, self._problem.n_components
        W_fused = in_order(W_fused, self._order)
        E = steps.laplacian(W_fused)
        in_parts = count_components(W_fused, normalized=steps.normalized) >= k
        bound = self._bound(E, safe=rough is None or in_parts)
        if L_cannot is None:
            return self._bottom(E, None if in_parts else start, bound, rough, in_parts)
        Q = null_space(W_fused, normalized=steps.normalized) if in_parts else None
        del W_fused
        found = trace_ratio(
            L_cannot,
            E,
            k,
            null_space=Q,
            start=start,
            overwrite_start=E.shape[0] > MANY,
            bound=bound,
            rough=rough,
            shift=self._problem.shift,
            order=self._order,
        )
        trace = self._trace(L_cannot, found.H)
        status = _seen(found.status, k)
        return Embedding(
            self._back(found.H),
            found.rho,
            trace,
            status,
            found.block,
            found.rough,
            found.rho_change,
            found.angle,
        )

    def _bottom(
        self,
        E: csr_array,
        start: FloatArray | None,
        bound: float,
        rough: float | None,
        in_parts: bool,
    ) -> Embedding:
        """H without cannot-links; its ratio is not a number, and its trace counts as 1."""
        k = self._problem.n_components
        if start is None and E.shape[0] > MANY and not in_parts:
            start = np.empty((E.shape[0], 0))
        near = None if start is None else bottom_from_nearby(E, k, start, bound, rough, self._order)
        if near is not None:
            status, H = _seen(near.status, k), self._back(near.H)
            return Embedding(
                H, np.nan, 1.0, status, near.block, near.rough, near.rho_change, near.angle
            )
        found = bottom_eigenvectors(E, k)
        settled = Status.UNBOUNDED if in_parts else Status.CONVERGED
        status = _seen(settled if found.verified else Status.UNVERIFIED, k)
        return Embedding(self._back(found.vectors), np.nan, 1.0, status, found.vectors)

    def _back(self, H: FloatArray) -> FloatArray:
        """Rows as the samples come."""
        if self._order is None:
            return H
        rows = np.empty_like(H)
        rows[self._order] = H
        return rows

    def _bound(self, E: csr_array, *, safe: bool) -> float:
        """A bound of the eigenvalues of E; a recent, closer estimate where it need not be safe."""
        bound = 2 * float(E.diagonal().max())
        if safe:
            return bound
        self._steps += 1
        if self._steps & (self._steps - 1) == 0:  # at 1, 2, 4, 8: E moves less and less
            self._share = min(largest_eigenvalue(E, self._order) / bound, 1.0)
        return self._share * bound

    def _trace(self, L_cannot: csr_array, H: FloatArray) -> float:
        """Tr(H'(L_C + shift I)H).

        Where every cannot-link lies inside a component that H maps to one point, it is zero: then
        the factor of the thresholds is 1, as without cannot-links.
        """
        trace = float(np.vdot(H, L_cannot @ H) + self._problem.shift * H.shape[1])
        if trace > 1e-12 * float(L_cannot.diagonal().max()):
            return trace
        return self._first_trace


def _seen(status: Status, k: int) -> Status:
    """The status of an eigenproblem as that of a step."""
    if k == 1 and status is Status.UNBOUNDED:
        return Status.CONVERGED  # one cluster is one component: nothing to separate
    if status is Status.MAX_ITER:
        return Status.UNVERIFIED  # the caller's max_iter is another one
    return status
