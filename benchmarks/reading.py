"""A mixed table from csv to results: processor time of all of it as a ratio to the fit alone.

    python benchmarks/reading.py [ROWS ...]

The table has 50 columns: 38 of numbers with blanks, 6 categories, 2 dates, 2 flags, an id and a
constant. Rows are appended to benchmarks/results/reading.jsonl, each made once.
"""

import argparse
import csv
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from rows import RESULTS, Row, Rows

USUAL = (20_000, 100_000)


def write_table(path: Path, n: int) -> None:
    """Five kinds of rows, which all columns tell apart a little."""
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 5, n)
    numbers = (2 * rng.normal(size=(5, 38)))[kind] + rng.normal(size=(n, 38))
    blank = rng.random((n, 38)) < 0.02
    noise = (rng.random((n, 6)) < 0.2) * rng.integers(0, 9, (n, 6))
    sizes = np.arange(4, 28, 4)
    levels = (kind[:, None] * np.arange(1, 7) + noise) % sizes
    days = np.datetime64("2015-01-01") + (kind[:, None] * 300 + rng.integers(0, 200, (n, 2)))
    names = [*(f"n{i}" for i in range(38)), "id", *(f"c{i}" for i in range(6)), "d0", "d1"]
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "flag", "other", "constant"])
        for i in range(n):
            cells = ["" if b else f"{x:.4f}" for x, b in zip(numbers[i], blank[i], strict=True)]
            cells += [f"row {i}", *(f"v{level}" for level in levels[i]), *map(str, days[i])]
            flags = ("yes", "no")[kind[i] % 2], ("true", "false")[kind[i] % 3 // 2]
            writer.writerow([*cells, *flags, "x"])


def measure(n: int) -> Row:
    """Seconds of the processor for each step."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        write_table(path, n)
        times = [time.process_time()]
        from samekind import SameKind, Supervision
        from samekind.app.inputs import read_samples
        from samekind.app.predict import inputs_of
        from samekind.app.results import write_results
        from samekind.app.run import run

        samples = read_samples(path, id_column="id")
        times.append(time.process_time())
        model = SameKind(5, standardize=False, random_state=0)
        outcome = run(model, samples, Supervision.from_pairs(n))
        times.append(time.process_time())
        inputs = inputs_of(samples, path, id_column="id")
        write_results(Path(folder, "out"), samples, outcome, inputs=inputs)
        times.append(time.process_time())
    read, fit, write = np.diff(times).round(2).tolist()
    ratio = round((read + fit + write) / fit, 2)
    return {"read": read, "fit": fit, "write": write, "ratio": ratio, "status": model.status_.name}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", type=int, default=USUAL)
    table = Rows(RESULTS / "reading.jsonl", ("rows",))
    for n in parser.parse_args().rows:
        print(table.once({"rows": n}, lambda n=n: measure(n)))


if __name__ == "__main__":
    main()
