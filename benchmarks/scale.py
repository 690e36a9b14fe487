"""SameKind on landmarks of rows in many files: time, memory, workers, a killed worker, rare kinds.

    SAMEKIND_DATA=... python benchmarks/scale.py mnist [--trials 5] [--whole]
    python benchmarks/scale.py patches [--rows 1000000] [--workers 1 2] [--kill]
    python benchmarks/scale.py patches --rows 10000000 --workers 2
    python benchmarks/scale.py rare [--rows 1000000] [--rare 200]
    python benchmarks/scale.py growth [--rows 100000]; python benchmarks/plot_scale.py

Rows are npy files of 100,000 (MNIST: 3,500), made partition by partition, in the folder named by
TMPDIR. ``patches`` are those of samples.py; MiniBatchKMeans reads the same partitions. ``rare``: 20
kinds and a rare one, the centers of all equally far from each other, once with one labeled row of
the rare kind and once with none. Each run has a process of its own; peak memory is the largest sum
over it and its workers, shared pages counted once. ``growth``: fits of all rows from 1,000 up to
--rows, at most 100,000, and fits of landmarks beyond 30,000. What is in results/scale.jsonl is not
run again.
"""

import argparse
import hashlib
import json
import os
import signal
import threading
import time
from collections import Counter
from pathlib import Path

import dask.array as da
import numpy as np
import psutil
from dask.delayed import delayed
from own_process import asked, in_own_process
from rows import RESULTS, Row, Rows
from samples import (
    BETWEEN_CLASSES,
    BETWEEN_PATCHES,
    CLASSES,
    DIMENSIONS,
    FEATURES,
    FOLDER,
    NOISE,
    PATCHES,
    WITHIN,
    _mnist,
)
from sklearn.cluster import MiniBatchKMeans

from samekind import SameKind, sample_labels
from samekind.dask import SameKind as SameKindOfDask
from samekind.dask._scheduler import connected
from samekind.metrics import accuracy_of_counts, clustering_accuracy

PART = 100_000
N_LABELED = 10
APART = 12.0  # distance of the centers of two kinds, whose rows are 8 from their center


def patches_part(number: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of one partition, whatever the number of partitions."""
    rng = np.random.default_rng(0)
    center = BETWEEN_PATCHES * rng.standard_normal((CLASSES, PATCHES, FEATURES))
    center += BETWEEN_CLASSES * rng.standard_normal((CLASSES, 1, FEATURES))
    frame = WITHIN * rng.standard_normal((CLASSES, PATCHES, DIMENSIONS, FEATURES))
    rng = np.random.default_rng([1, number])
    kind = rng.integers(CLASSES, size=size), rng.integers(PATCHES, size=size)
    place = rng.uniform(-1, 1, (size, DIMENSIONS))
    X = center[kind] + np.einsum("ir,irf->if", place, frame[kind])
    return (X + NOISE * rng.standard_normal(X.shape)).astype(np.float32), kind[0]


def rare_part(number: int, size: int, n_rare: int) -> tuple[np.ndarray, np.ndarray]:
    """Kinds that are all equally far from each other, the last one with ``n_rare`` rows here."""
    axes = np.linalg.qr(np.random.default_rng(0).standard_normal((FEATURES, FEATURES)))[0]
    rng = np.random.default_rng([2, number])
    y = rng.integers(CLASSES, size=size)
    y[rng.permutation(size)[:n_rare]] = CLASSES
    X = APART / np.sqrt(2) * axes[y] + rng.standard_normal((size, FEATURES))
    return X.astype(np.float32), y


def prepare(run: Row) -> Path:
    """The folder with the partitions, X in npy files and y beside them."""
    data, n = run["data"], run["n"]
    folder = FOLDER / f"{data}-{n}"
    if (folder / "y.npy").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    y = np.empty(n, dtype=np.int8)
    size = 3500 if data == "mnist" else PART
    whole = _mnist(n) if data == "mnist" else None
    n_parts = -(-n // size)
    for number, start in enumerate(range(0, n, size)):
        stop = min(start + size, n)
        if whole is not None:
            X, y[start:stop] = whole[0][start:stop], whole[1][start:stop]
        elif data == "patches":
            X, y[start:stop] = patches_part(number, stop - start)
        else:
            # Shares of the rare rows that add up.
            n_rare = run["n_rare"] * (number + 1) // n_parts - run["n_rare"] * number // n_parts
            X, y[start:stop] = rare_part(number, stop - start, n_rare)
        np.save(folder / f"{number}.npy", X)
    np.save(folder / "y.npy", y)
    return folder


def rows_in(folder: Path) -> da.Array:
    """A dask array of the partitions, mapped from the disk."""
    names = sorted((p for p in folder.glob("*.npy") if p.stem != "y"), key=lambda p: int(p.stem))
    load, blocks = delayed(np.load, pure=True), []
    for name in names:
        seen = np.load(name, mmap_mode="r")
        blocks.append(da.from_delayed(load(str(name)), seen.shape, seen.dtype))
    return da.concatenate(blocks)


class Watch(threading.Thread):
    """The most memory, and the CPU time, of this process and those it has started."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._most, self._cpu, self._end = 0.0, dict[int, float](), threading.Event()

    def run(self) -> None:
        while not self._end.wait(1.0):
            self._look()

    def _look(self) -> None:
        own, total = psutil.Process(), 0
        for one in (own, *own.children(recursive=True)):
            try:
                total += one.memory_full_info().pss
                self._cpu[one.pid] = sum(one.cpu_times()[:2])
            except psutil.Error:
                continue
        self._most = max(self._most, total / 1e6)

    def row(self) -> Row:
        return {"peak_mb": self._most, "cpu_seconds": sum(self._cpu.values())}

    def __enter__(self) -> "Watch":
        self._look()
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._look()
        self._end.set()


def known_of(y: np.ndarray, seed: int, n_labeled: int = N_LABELED) -> dict[int, int]:
    known = sample_labels(y.astype(np.int64), n_labeled, random_state=seed)
    return {int(row): int(known[row]) for row in np.flatnonzero(known >= 0)}


def told(start, labels, probabilities, far, file):
    """Of a partition: counts of classes in clusters, a digest of the labels, far rows."""
    y = np.load(file, mmap_mode="r")[start : start + len(labels)]
    counts = Counter(zip(y.tolist(), labels.tolist(), strict=True))
    return counts, hashlib.sha256(labels.astype(np.int64).tobytes()).hexdigest(), int(far.sum())


def accuracy(counts: Counter) -> float:
    table = np.zeros([1 + max(key[i] for key in counts) for i in (0, 1)])
    for key, n in counts.items():
        table[key] = n
    return 100 * accuracy_of_counts(table)


def fit(run: Row) -> Row:
    """A fit on landmarks and the labels of all rows; a worker killed half way, if asked."""
    folder = prepare(run)
    y = np.load(folder / "y.npy")
    known = known_of(y, run["seed"])
    seconds: dict[str, float] = {}
    before = [time.perf_counter(), ""]
    killed = []

    with connected("local", run["workers"]) as client, Watch() as watch:
        workers = list(client.run(os.getpid).values())

        def on_progress(what: str, share: float) -> None:
            now = time.perf_counter()
            if what != before[1]:
                before[:] = [now, what]
            seconds[what] = round(now - before[0], 1)
            if run["kill"] and what == "labeling" and share >= 0.5 and not killed:
                killed.append(workers[0])
                os.kill(workers[0], signal.SIGKILL)

        began = time.perf_counter()
        model = SameKindOfDask(len(np.unique(y)), random_state=run["seed"])
        model.fit(rows_in(folder), known, on_progress=on_progress)
        fitted = time.perf_counter() - began
        parts = model.map_partitions(told, str(folder / "y.npy"), on_progress=on_progress)
        whole = time.perf_counter() - began
    counts = sum((one[0] for one in parts), Counter())
    return {
        "seconds": whole,
        "fit_seconds": fitted,
        "steps": seconds,
        **watch.row(),
        "ACC": accuracy(counts),
        "status": model.status_.name,
        "n_landmarks": model.coverage_.n_landmarks,
        "n_far": model.coverage_.n_far,
        "n_killed": len(killed),
        "labels": hashlib.sha256("".join(one[1] for one in parts).encode()).hexdigest(),
    }


def mini_batch(run: Row) -> Row:
    """k-means by partitions, which nobody tells anything."""
    folder = prepare(run)
    y, X = np.load(folder / "y.npy"), rows_in(folder)
    began = time.perf_counter()
    with Watch() as watch:
        model = MiniBatchKMeans(len(np.unique(y)), batch_size=10_000, random_state=run["seed"])
        for block in X.blocks:
            model.partial_fit(block.compute(scheduler="synchronous"))
        found = [model.predict(block.compute(scheduler="synchronous")) for block in X.blocks]
    seconds = time.perf_counter() - began
    return {
        "seconds": seconds,
        **watch.row(),
        "ACC": 100 * clustering_accuracy(y, np.concatenate(found)),
    }


def whole(run: Row) -> Row:
    """A fit of all rows in this process, with the labels of ``fit``."""
    folder = prepare(run)
    y = np.load(folder / "y.npy")
    X = rows_in(folder).compute(scheduler="synchronous")
    known = sample_labels(y.astype(np.int64), N_LABELED, random_state=run["seed"])
    began = time.perf_counter()
    with Watch() as watch:
        model = SameKind(len(np.unique(y)), random_state=run["seed"]).fit(X, known)
    return {
        "seconds": time.perf_counter() - began,
        **watch.row(),
        "ACC": 100 * clustering_accuracy(y, model.labels_),
        "status": model.status_.name,
    }


def rare(run: Row) -> Row:
    """How much of a rare kind is found by one label, and is far where there is none."""
    folder = prepare(run)
    y, X = np.load(folder / "y.npy"), rows_in(folder)
    known = {row: kind for row, kind in known_of(y, run["seed"]).items() if kind != CLASSES}
    members = np.flatnonzero(y == CLASSES)
    row: Row = {}
    with connected("local", run["workers"]), Watch() as watch:
        began = time.perf_counter()
        without = SameKindOfDask(CLASSES, random_state=run["seed"]).fit(X, known)
        row["seconds_without"] = time.perf_counter() - began
        row["far"] = 100 * float(np.isin(members, without.coverage_.far_rows).mean())
        row["n_far"] = without.coverage_.n_far
        label = {int(np.random.default_rng(run["seed"]).choice(members)): CLASSES}
        model = SameKindOfDask(CLASSES + 1, random_state=run["seed"]).fit(X, known | label)
        labels = model.labels_.compute()
        row["seconds_with"] = time.perf_counter() - began - row["seconds_without"]
    found = np.flatnonzero(labels == labels[next(iter(label))])
    row["recall"] = 100 * float(np.isin(members, found).mean())
    row["precision"] = 100 * float(np.isin(found, members).mean())
    row["ACC"] = 100 * clustering_accuracy(y, labels)
    row["status"] = model.status_.name
    return row | watch.row()


TASKS = {"fit": fit, "mini-batch k-means": mini_batch, "whole": whole, "rare": rare}


def runs_of(options: argparse.Namespace) -> list[Row]:
    data = options.data
    if data == "rare":
        run = {"task": "rare", "data": data, "n": options.rows, "n_rare": options.rare}
        return [run | {"seed": 1000, "workers": options.workers[-1]}]
    if data == "mnist":
        tasks = ("fit", "whole") if options.whole else ("fit",)
        return [
            {"task": task, "data": data, "n": 70_000, "seed": seed, "workers": 2, "kill": False}
            for seed in range(1000, 1000 + options.trials)
            for task in tasks
        ]
    if data == "growth":
        one = {"data": "patches", "seed": 1000, "kill": False}
        sizes = [10**i * j for i in range(3, 8) for j in (1, 3) if 10**i * j <= options.rows]
        return [
            *(one | {"task": "whole", "n": n, "workers": 1} for n in sizes if n <= 100_000),
            *(one | {"task": "fit", "n": n, "workers": 2} for n in sizes if n > 30_000),
        ]
    one = {"data": data, "n": options.rows, "seed": 1000}
    fits = [one | {"task": "fit", "workers": n, "kill": False} for n in options.workers]
    if options.kill:
        fits.append(fits[-1] | {"kill": True})
    return [*fits, one | {"task": "mini-batch k-means", "workers": 1, "kill": False}]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", choices=("mnist", "patches", "rare", "growth"))
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rare", type=int, default=200, help="rows of the rare kind")
    parser.add_argument("--workers", type=int, nargs="+", default=[2])
    parser.add_argument("--kill", action="store_true", help="once more, with a worker killed")
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--whole", action="store_true", help="beside it, fits of all rows")
    rows = Rows(RESULTS / "scale.jsonl", ("task", "data", "n", "seed", "workers", "kill", "n_rare"))
    for run in runs_of(parser.parse_args()):
        row = rows.once(run, lambda: in_own_process(__file__, run))  # noqa: B023
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    if (run := asked()) is not None:
        print(json.dumps(TASKS[run["task"]](run)))
    else:
        main()
