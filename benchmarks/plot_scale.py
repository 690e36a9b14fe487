"""From rows of scale.py and cores.py to docs/images/scale.svg and to the tables of docs/scale.md.

    python benchmarks/plot_scale.py

Reads what results/scale.jsonl and cores.jsonl hold so far, and prints markdown.
"""

import argparse
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter
from plot import _plain, table
from rows import RESULTS, Row, read

matplotlib.rcParams |= {"svg.hashsalt": "samekind", "font.size": 10}  # the same file every time
PICTURE = Path(__file__).parents[1] / "docs" / "images" / "scale.svg"
NAMES = {
    "whole": "SameKind, all rows",
    "DGSL": "DGSL, all rows",
    "fit": "samekind.dask, 20,000 landmarks",
}
COLORS = {"whole": "#0b5fa5", "DGSL": "#5f8f00", "fit": "#b3261e"}
UNITS = {
    "cpu_seconds": ("CPU milliseconds per row", 1e3),
    "peak_mb": ("peak memory per row, kB, over all processes", 1e3),
}


def growth(rows: list[Row]) -> list[Row]:
    """One row for each task and size: patches, without kills, of the most workers."""
    kept = {}
    for row in sorted(rows, key=lambda row: row.get("workers", 0)):
        usable = row["data"] == "patches" and row["task"] in NAMES and "failed" not in row
        if usable and not row.get("kill"):
            kept[row["task"], row["n"]] = row
    return sorted(kept.values(), key=lambda row: (list(NAMES).index(row["task"]), row["n"]))


def fits_of_dgsl(rows: list[Row]) -> list[Row]:
    """Rows of cores.py as those of scale.py: fits of this version, to the usual goal."""
    return [
        row | {"task": "DGSL", "workers": 1}
        for row in rows
        if row["method"] == "DGSL" and "code" not in row and row.get("smaller", 1) == 1
    ]


def draw(rows: list[Row], path: Path) -> None:
    """Time and memory per row over the number of rows, both axes logarithmic."""
    figure = Figure(figsize=(9.5, 3.8), layout="constrained", facecolor="white")
    for axes, (what, (title, unit)) in zip(figure.subplots(1, 2), UNITS.items(), strict=True):
        for task, name in NAMES.items():
            _line(axes, [row for row in rows if row["task"] == task], what, unit, name, task)
        axes.set(xscale="log", yscale="log", xlabel="rows", xlim=(700, 2e7))
        axes.set_title(title, loc="left", fontsize=10)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        for scale in (axes.yaxis.set_major_formatter, axes.yaxis.set_minor_formatter):
            scale(FuncFormatter(_plain))
        axes.grid(which="major", color="#e0e0e0")
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=9)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})


def _line(axes: Axes, rows: list[Row], what: str, unit: float, name: str, task: str) -> None:
    n = [row["n"] for row in rows]
    value = [unit * row[what] / row["n"] for row in rows]
    axes.plot(n, value, marker="o", markersize=4, color=COLORS[task], label=name)


def growth_lines(rows: list[Row]) -> list[str]:
    return [
        f"| {NAMES[row['task']]} | {row['n']:,} | {row['cpu_seconds']:.0f} "
        f"| {1e3 * row['cpu_seconds'] / row['n']:.2f} | {row['peak_mb']:.0f} "
        f"| {1e3 * row['peak_mb'] / row['n']:.1f} | {row['ACC']:.1f} | {row['status']} |"
        for row in rows
    ]


def fit_lines(rows: list[Row]) -> list[str]:
    return [
        f"| {row['data']} | {row['n']:,} | {row['workers']}{', one killed' * row['n_killed']} "
        f"| {row['cpu_seconds']:.0f} | {row['peak_mb']:.0f} | {row['ACC']:.1f} "
        f"| {row['n_far']:,} | {row['labels'][:8]} |"
        for row in rows
        if row["task"] == "fit" and row["data"] == "patches" and "failed" not in row
    ]


def beside_lines(rows: list[Row]) -> list[str]:
    return [
        f"| {row['data']} | {row['n']:,} | {row['cpu_seconds']:.0f} | {row['peak_mb']:.0f} "
        f"| {row['ACC']:.1f} |"
        for row in rows
        if row["task"] == "mini-batch k-means" and "failed" not in row
    ]


def mnist_lines(rows: list[Row]) -> list[str]:
    """Landmarks and fits of all rows on the same labels."""
    some = [row for row in rows if row["data"] == "mnist" and "failed" not in row]
    lines = []
    for task in ("fit", "whole"):
        mine = [row for row in some if row["task"] == task]
        if mine:
            scores = ", ".join(f"{row['ACC']:.1f}" for row in mine)
            mean = sum(row["ACC"] for row in mine) / len(mine)
            cpu = sum(row["cpu_seconds"] for row in mine) / len(mine)
            peak = max(row["peak_mb"] for row in mine)
            lines.append(f"| {NAMES[task]} | {mean:.1f} | {scores} | {cpu:.0f} | {peak:.0f} |")
    return lines


def rare_lines(rows: list[Row]) -> list[str]:
    return [
        f"| {row['n_rare']} of {row['n']:,} | {row['recall']:.1f} | {row['precision']:.1f} "
        f"| {row['far']:.1f} | {row['n_far']:,} |"
        for row in rows
        if row["task"] == "rare" and "failed" not in row
    ]


def main() -> None:
    argparse.ArgumentParser(description=__doc__.split("\n")[0]).parse_args()
    rows = read(RESULTS / "scale.jsonl")
    chosen = growth(rows + fits_of_dgsl(read(RESULTS / "cores.jsonl")))
    if chosen:
        draw(chosen, PICTURE)
    table(
        "Growth",
        "| what | rows | CPU s | ms per row | peak MB | kB per row | ACC | status |",
        growth_lines(chosen),
    )
    head = "| data | rows | workers | CPU s | peak MB | ACC | far | labels |"
    table("Landmarks", head, fit_lines(rows))
    head = "| MNIST, 20 partitions | ACC | of each trial | CPU s | peak MB |"
    table("All rows and landmarks", head, mnist_lines(rows))
    head = "| data | rows | CPU s | peak MB | ACC |"
    table("MiniBatchKMeans by partitions", head, beside_lines(rows))
    head = "| rare kind | recall | precision | reported as far, without a label | far in all |"
    table("Rare", head, rare_lines(rows))
    for row in rows:
        if "failed" in row:
            print(f"\nfailed: {row['task']} on {row['data']}, {row['n']:,}: {row['failed']}")


if __name__ == "__main__":
    main()
