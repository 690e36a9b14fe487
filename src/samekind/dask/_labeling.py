"""Labels of rows from a model of the landmarks, partition by partition."""

# mypy: allow-untyped-calls

import copy
from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np
from dask.delayed import delayed

from samekind import estimators
from samekind._typing import FloatArray, IntArray
from samekind.dask._cells import Cells
from samekind.dask._partitions import Block, Partitions
from samekind.dask._running import OnProgress, run

# What labels of other rows do not need, and no worker has to receive.
NOT_SENT = ("embedding_", "affinity_matrix_", "representation_", "history_", "choice_")


class Labeler:
    """Labels by the nearest landmarks; those that are landmarks have their own."""

    def __init__(self, model: estimators.SameKind) -> None:
        lean = copy.copy(model)
        for name in NOT_SENT:
            delattr(lean, name)
        self._n_clusters = model.n_clusters_
        # One name for all time, so that tasks that do the same are known as the same.
        self._model = delayed(lean, traverse=False)

    def lazy(self, parts: Partitions, which: int, landmarks: IntArray | None = None) -> Any:
        """Labels (0) or probabilities (1) as one dask array; asked together, the work is shared."""
        shape = ((), (self._n_clusters,))[which]
        dtype = (np.int64, np.float64)[which]
        each = zip(parts.blocks, self._tasks(parts, landmarks), strict=True)
        return da.concatenate(
            [da.from_delayed(task[which], (one.size, *shape), dtype=dtype) for one, task in each]
        )

    def map(
        self,
        function: Callable[..., Any],
        parts: Partitions,
        landmarks: IntArray,
        cells: Cells | None,
        args: tuple[Any, ...],
        on_progress: OnProgress,
    ) -> list[Any]:
        """What a function makes of labels, probabilities and far rows of each partition."""
        columns = [_by_partition(arg, len(parts.blocks)) for arg in args]
        call, cells = delayed(_call), delayed(cells, traverse=False)
        each = zip(parts.blocks, parts.data, self._tasks(parts, landmarks), *columns, strict=True)
        return run([call(function, cells, *one) for one in each], "labeling", on_progress)

    def _tasks(self, parts: Partitions, landmarks: IntArray | None) -> list[Any]:
        """For every partition a task that gives labels and probabilities."""
        call = delayed(_label, pure=True, nout=2)
        return [
            call(block, data, self._model, _positions(block, landmarks))
            for block, data in zip(parts.blocks, parts.data, strict=True)
        ]


def _positions(block: Block, landmarks: IntArray | None) -> tuple[IntArray, IntArray]:
    """Rows of a partition that are landmarks, and which."""
    if landmarks is None:
        landmarks = np.empty(0, dtype=np.int64)
    first, last = np.searchsorted(landmarks, [block.start, block.start + block.size])
    return landmarks[first:last] - block.start, np.arange(first, last)


def _label(
    block: Block, data: Any, model: estimators.SameKind, own: tuple[IntArray, IntArray]
) -> tuple[IntArray, FloatArray]:
    if not block.size:
        return np.empty(0, dtype=np.int64), np.empty((0, model.n_clusters_))
    probabilities = model.predict_proba(block.rows(data))
    labels = probabilities.argmax(axis=1)
    at, landmark = own
    probabilities[at], labels[at] = model.probabilities_[landmark], model.labels_[landmark]
    return labels, probabilities


def _by_partition(arg: Any, n: int) -> list[Any]:
    """Partitions of a dask collection; all else as often as it is needed."""
    if not hasattr(arg, "to_delayed"):
        return [arg] * n
    parts = list(np.ravel(arg.to_delayed()))
    if len(parts) != n:
        raise ValueError(f"an argument has {len(parts)} partitions, but X has {n}")
    return parts


def _call(
    function: Callable[..., Any],
    cells: Cells | None,
    block: Block,
    data: Any,
    found: tuple[IntArray, FloatArray],
    *args: Any,
) -> Any:
    far = np.zeros(block.size, dtype=bool)
    if cells is not None:
        far = cells.find(block.rows(data))[1] > 1
    return function(block.start, *found, far, *args)
