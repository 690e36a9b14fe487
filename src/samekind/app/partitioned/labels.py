"""The labels of a partition, written by the worker that has computed them."""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

import numpy as np

from samekind._typing import BoolArray, FloatArray, IntArray
from samekind.app.results_table import confidence


@dataclass(frozen=True)
class Labeled:
    """What there is to say of labels that were written, of one partition or of several."""

    sizes: IntArray  # rows in each cluster
    confidence: float  # sum over the rows
    truth: Counter[tuple[str, int]]  # rows of each true class in each cluster

    @classmethod
    def sum(cls, parts: Sequence[Self]) -> Self:
        """All of them together."""
        truth = Counter[tuple[str, int]]()
        for part in parts:
            truth.update(part.truth)
        sizes: IntArray = np.sum([part.sizes for part in parts], axis=0)
        return cls(sizes, sum(part.confidence for part in parts), truth)


def write_part(
    start: int,
    labels: IntArray,
    probabilities: FloatArray,
    far: BoolArray,
    ids: Any,
    truth: Any,
    folder: str,
    names: Sequence[str] | None,
) -> Labeled:
    """Write the labels of a partition, whole or not at all, as a file named by its first row.

    A function for ``SameKind.map_partitions``: it may be called more than once for a partition.
    """
    import pyarrow as pa
    from pyarrow import parquet

    share, second = confidence(probabilities, labels)
    clusters = [str(i) for i in range(probabilities.shape[1])] if names is None else list(names)
    called = pa.array(clusters, pa.string())
    runner_up = pa.array(second, pa.int32(), mask=second < 0)
    named = pa.nulls(len(labels), pa.string())
    if names is not None:
        named = pa.DictionaryArray.from_arrays(pa.array(labels, pa.int32()), called)
    row = np.arange(start, start + len(labels)) if ids is None else [str(one) for one in ids]
    table = pa.table(
        {
            "row": pa.array(row),
            "cluster": pa.array(labels, pa.int32()),
            "name": named.cast(pa.string()),
            "confidence": pa.array(share, pa.float32()),
            "runner_up": pa.DictionaryArray.from_arrays(runner_up, called).cast(pa.string()),
            "far": pa.array(far),
        }
    )
    path = Path(folder, f"part-{start:012d}.parquet")  # so sorted, they are in the order of rows
    temporary = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        parquet.write_table(table, temporary)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    classes = [] if truth is None else [str(one) for one in truth]
    counts = Counter(zip(classes, labels.tolist(), strict=False))
    return Labeled(np.bincount(labels, minlength=len(clusters)), float(share.sum()), counts)
