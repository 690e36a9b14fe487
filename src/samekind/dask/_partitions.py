"""The rows of a dask array or dataframe as partitions of known sizes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import dask.array as da
import numpy as np
from dask.delayed import delayed

from samekind._typing import FloatArray, IntArray
from samekind.dask._running import OnProgress, run

IN_MEMORY = "for rows in memory use samekind.SameKind"


@dataclass(frozen=True)
class Block:
    """What a partition has to be: its number, its first row, its rows and features."""

    number: int
    start: int
    size: int
    n_features: int
    names: tuple[str, ...] | None  # of the features, where rows come as frames

    def rows(self, block: Any) -> FloatArray:
        """The rows as floats; a ValueError says what is wrong with them."""
        if self.names is not None and tuple(map(str, block.columns)) != self.names:
            raise ValueError(self._differs(f"the columns {', '.join(map(str, block.columns))}"))
        if isinstance(block, np.ma.MaskedArray) and np.ma.is_masked(block):
            block = np.ma.filled(block.astype(np.float64), np.nan)  # np.asarray would drop the mask
        rows = np.asarray(block if self.names is None else _numbers(block))
        if rows.ndim != 2 or rows.shape[1] != self.n_features:
            raise ValueError(self._differs(f"the shape {rows.shape}"))
        if len(rows) != self.size:
            raise ValueError(
                f"partition {self.number} has {len(rows)} rows, but was announced with "
                f"{self.size}; make X anew, its source seems to have changed"
            )
        if rows.dtype != np.float32:
            try:
                rows = rows.astype(np.float64)
            except (TypeError, ValueError):
                raise ValueError(
                    f"partition {self.number} holds {rows.dtype} values that are no numbers; "
                    "encode them as numbers, or leave these columns out"
                ) from None
        if not np.isfinite(rows).all():
            row = self.start + int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
            raise ValueError(
                f"row {row} of X (partition {self.number}) holds NaN or infinity; fill it in or "
                "leave the row out"
            )
        return np.asarray(rows)

    def _differs(self, came: str) -> str:
        names = "" if self.names is None else f", {', '.join(self.names)}"
        return (
            f"partition {self.number} of X has {came}, but X has {self.n_features} features"
            f"{names}; every partition needs the same features in the same order"
        )


def _numbers(frame: Any) -> Any:
    """The cells of a frame; blank ones, whatever its types call them, as NaN."""
    if any(not isinstance(kind, np.dtype) for kind in frame.dtypes):
        return frame.to_numpy(dtype=np.float64, na_value=np.nan)
    return frame


@dataclass(frozen=True)
class Partitions:
    """Delayed blocks of rows, and what each has to be."""

    data: tuple[Any, ...]
    blocks: tuple[Block, ...]

    @property
    def n_rows(self) -> int:
        return sum(block.size for block in self.blocks)

    @property
    def n_features(self) -> int:
        return self.blocks[0].n_features

    @property
    def names(self) -> tuple[str, ...] | None:
        return self.blocks[0].names

    def tasks(self, work: Callable[..., Any], *shared: Any) -> list[Any]:
        """``work(block, data, *shared)`` for every partition; shared values are sent once."""
        one = [delayed(value, traverse=False) for value in shared]
        call = delayed(work, pure=True)
        return [call(block, data, *one) for block, data in zip(self.blocks, self.data, strict=True)]

    def take(
        self, rows: IntArray, what: str, on_progress: OnProgress, *, all_parts: bool = False
    ) -> FloatArray:
        """Some rows, by rising row numbers; partitions that hold none are not read.

        ``all_parts``: they are, too, so that the first one that cannot be used is refused.
        """
        rows = np.asarray(rows)
        ends = np.searchsorted(rows, [block.start + block.size for block in self.blocks])
        parts = np.split(rows, ends[:-1])
        tasks = [
            delayed(_taken, pure=True)(block, data, part)
            for block, data, part in zip(self.blocks, self.data, parts, strict=True)
            if all_parts or len(part)
        ]
        found = run(tasks, what, on_progress)
        for one in found:
            if isinstance(one, str):
                raise ValueError(one)
        return np.concatenate([np.empty((0, self.n_features)), *found])


def _taken(block: Block, data: Any, rows: IntArray) -> FloatArray | str:
    # A problem as a value: what cannot be used is no failure of a worker, and is not retried.
    try:
        return np.asarray(block.rows(data)[rows - block.start], dtype=np.float64)
    except ValueError as error:
        return str(error)


def partitions_of(
    X: Any,
    on_progress: OnProgress,
    n_features: int | None = None,
    names: Sequence[str] | None = None,
) -> Partitions:
    """The partitions of a dask array or dataframe.

    ``n_features`` and ``names``: those that a model was fitted with, and needs.

    Examples
    --------
    >>> import dask.array as da
    >>> parts = partitions_of(da.ones((10, 2), chunks=(4, 2)), lambda what, share: None)
    >>> [block.start for block in parts.blocks], parts.n_rows
    ([0, 4, 8], 10)
    """
    if isinstance(X, da.Array):
        data, sizes, found, width = _of_array(X)
    elif hasattr(X, "to_delayed") and hasattr(X, "columns"):
        if names is not None:
            _check_names(list(map(str, X.columns)), list(names))
        data, sizes, found, width = _of_frame(X, on_progress)
    else:
        raise TypeError(
            f"X is a {type(X).__name__}; expected a dask array or dataframe; {IN_MEMORY}"
        )
    if n_features is not None and width != n_features:
        raise ValueError(f"X has {width} features, but the model was fitted with {n_features}")
    starts = np.concatenate([[0], np.cumsum(sizes)]).tolist()
    blocks = tuple(
        Block(i, start, size, width, found)
        for i, (start, size) in enumerate(zip(starts, sizes, strict=False))
    )
    return Partitions(tuple(data), blocks)


def _check_names(came: list[str], expected: list[str]) -> None:
    """Refuse columns that are not those of the fit, in their order."""
    if came == expected:
        return
    missing = [name for name in expected if name not in came]
    new = [name for name in came if name not in expected]
    what = "their order differs" if not missing + new else ""
    what += f"missing: {', '.join(missing[:10])}" if missing else ""
    what += f"{'; ' if missing and new else ''}new: {', '.join(new[:10])}" if new else ""
    raise ValueError(
        f"X has other columns than the model was fitted with ({what}); select them by "
        "X[model.feature_names_in_]"
    )


Found = tuple[list[Any], list[int], tuple[str, ...] | None, int]


def _of_array(X: Any) -> Found:
    if X.ndim != 2:
        raise ValueError(f"X has the shape {X.shape}; expected rows and features, two dimensions")
    if np.isnan(X.shape).any():
        raise ValueError(
            "X has chunks of unknown size; call X.compute_chunk_sizes() first, or make it by "
            "frame.to_dask_array(lengths=True)"
        )
    whole = X.rechunk({1: -1})  # a row is never split
    return list(whole.to_delayed().ravel()), list(whole.chunks[0]), None, int(X.shape[1])


def _of_frame(X: Any, on_progress: OnProgress) -> Found:
    other = [str(name) for name, kind in X.dtypes.items() if kind.kind not in "iufb"]
    if other:
        raise ValueError(
            f"X has columns that are no numbers: {', '.join(other[:10])}; encode them, or leave "
            "them out"
        )
    data = list(X.to_delayed())
    sizes = run([delayed(len)(one) for one in data], "counting rows", on_progress)
    return data, sizes, tuple(map(str, X.columns)), len(X.columns)
