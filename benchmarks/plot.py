"""From rows to docs/images/growth.svg and to the tables of docs/performance.md.

    python benchmarks/plot.py

Reads the rows that the other benchmarks have written so far, and prints markdown.
"""

import argparse
import json
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter
from rows import RESULTS, Row, read

matplotlib.rcParams |= {"svg.hashsalt": "samekind", "font.size": 10}  # the same file every time
PICTURE = Path(__file__).parents[1] / "docs" / "images" / "growth.svg"
COLORS = {
    "exact": "#0b5fa5",
    "sparse": "#b3261e",
    "textbook": "#5f6368",
    "SpectralClustering": "#2e7d32",
    "PCKMeans": "#8e5a00",
}


def draw(rows: list[Row], path: Path) -> None:
    """Time and memory over n, both axes logarithmic, each line with its name at its end."""
    figure = Figure(figsize=(9.5, 4.2), layout="constrained", facecolor="white")
    left, right = figure.subplots(1, 2)
    for axes, what, title in (
        (left, "rest_seconds", "seconds without the search for neighbors"),
        (right, "peak_mb", "peak memory in MB"),
    ):
        for method, color in COLORS.items():
            _line(axes, [row for row in rows if row["method"] == method], what, method, color)
        axes.set(xscale="log", yscale="log", xlabel="samples", xlim=(800, 400_000))
        axes.set_title(title, loc="left", fontsize=10)
        for scale in (axes.yaxis.set_major_formatter, axes.yaxis.set_minor_formatter):
            scale(FuncFormatter(_plain if what == "peak_mb" else _plain_powers))
        axes.grid(which="major", color="#e0e0e0")
        axes.spines[["top", "right"]].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})


def _plain(value: float, _: object) -> str:
    """1, 2 and 5 times a power of ten."""
    return f"{value:g}" if f"{value:e}"[0] in "125" else ""


def _plain_powers(value: float, _: object) -> str:
    return f"{value:g}" if f"{value:e}"[0] == "1" else ""


def _line(axes: Axes, rows: list[Row], what: str, method: str, color: str) -> None:
    rows = sorted((row for row in rows if "failed" not in row), key=lambda row: row["n"])
    if rows:
        n, value = [row["n"] for row in rows], [row[what] for row in rows]
        axes.plot(n, value, marker="o", markersize=4, color=color)
        axes.annotate(
            method,
            (n[-1], value[-1]),
            xytext=(-6, 9) if method == "SpectralClustering" else (6, 0),
            textcoords="offset points",
            va="center",
            ha="right" if method == "SpectralClustering" else "left",
            color=color,
        )


def table(title: str, head: str, lines: list[str]) -> None:
    if lines:
        rule = "|---" * (head.count("|") - 1) + "|"
        print("\n".join([f"\n{title}\n", head, rule, *lines]))


def speed_lines(rows: list[Row]) -> list[str]:
    latest = {row["data"]: row for row in rows}
    return [
        f"| {row['data']} | {row['n']} | {row['textbook_per_solver']:.1f} "
        f"| {row['solver_per_spectral']:.0f} | {row['textbook_seconds']:.2f} "
        f"| {row['solver_seconds']:.2f} | {row['spectral_seconds']:.3f} "
        f"| {row['difference']:.0e} |"
        for row in latest.values()
    ]


def growth_lines(rows: list[Row]) -> list[str]:
    return [
        f"| {row['method']} | {row['n']:,} | {row['failed']} | | | | |"
        if "failed" in row
        else f"| {row['method']} | {row['n']:,} | {row['seconds']:.1f} "
        f"| {row['rest_seconds']:.1f} | {row['peak_mb']:.0f} | {row['ACC']:.1f} "
        f"| {row.get('n_iter', '')} |"
        for row in rows
    ]


def exponent_lines(path: Path) -> list[str]:
    fitted = json.loads(path.read_text()) if path.exists() else {}
    return [
        f"| {method} | {slope['rest_seconds']:.2f} | {slope['peak_mb']:.2f} "
        f"| {slope['n'][0]:,} to {slope['n'][-1]:,} ({len(slope['n'])}) |"
        for method, slope in fitted.items()
    ]


def large_lines(rows: list[Row]) -> list[str]:
    return [
        f"| {row['data']} | {row['n']:,} | {row['seed']} | {row['ACC']:.1f} / {row['NMI']:.1f} "
        f"| {row['seeded']['ACC']:.1f} / {row['seeded']['NMI']:.1f} "
        f"| {row['spread']['ACC']:.1f} / {row['spread']['NMI']:.1f} "
        f"| {row['spreading_0.2']:.1f} / {row['spreading_0.99']:.1f} | {row['recall']:.3f} "
        f"| {row['seconds']:.0f} | {row['peak_mb']:.0f} | {row['status']} |"
        for row in rows
        if row["task"] == "fit" and "failed" not in row
    ]


def beside_lines(rows: list[Row]) -> list[str]:
    lines = []
    for row in (row for row in rows if "failed" not in row):
        of = f"{row['data']}, {row['n']:,}"
        if row["task"] == "k-means":
            lines.append(f"| {of} | k-means | {row['ACC']:.1f} | {row['seconds']:.0f} | |")
        elif row["task"] == "faiss":
            for threads in (1, 2):
                lines.append(
                    f"| {of} | faiss, all pairs, threads: {threads} | "
                    f"| {row[f'faiss_seconds_{threads}']:.0f} | {row[f'ratio_{threads}']:.2f} |"
                )
    return lines


def main() -> None:
    argparse.ArgumentParser(description=__doc__.split("\n")[0]).parse_args()
    growth, large = read(RESULTS / "growth.jsonl"), read(RESULTS / "large.jsonl")
    growth.sort(key=lambda row: (list(COLORS).index(row["method"]), row["n"]))
    if growth:
        draw(growth, PICTURE)
    table(
        "Ratios",
        "| data | n | textbook / exact | exact / spectral embedding | textbook s | exact s "
        "| embedding s | difference of Z |",
        speed_lines(read(RESULTS / "speed.jsonl")),
    )
    table("Exponents", "| method | time | memory | n |", exponent_lines(RESULTS / "exponents.json"))
    table(
        "Growth",
        "| method | n | seconds | without search | peak MB | ACC | iterations |",
        growth_lines(growth),
    )
    table(
        "Large",
        "| data | n | trial | ACC / NMI | seeded | spread | spreading 0.2 / 0.99 | recall "
        "| seconds | peak MB | status |",
        large_lines(large),
    )
    table("Beside", "| samples | what | ACC | seconds | fit / this |", beside_lines(large))
    for row in large:
        if "failed" in row:
            print(f"\nfailed: {row['task']} on {row['data']}, {row['n']:,}: {row['failed']}")


if __name__ == "__main__":
    main()
