"""How often the number of clusters that SameKind chooses is near the true one.

    SAMEKIND_DATA=... python benchmarks/n_clusters.py run
    python benchmarks/n_clusters.py show

Settings: none; half50 and half200 (pairs, half of them must-links); half the classes with labels.
One line of JSON per run; runs that the file holds are not repeated. The rule was made on trials
below 1000 of these sets.
"""

import argparse
import warnings

import numpy as np
from rows import RESULTS, Rows, read
from threadpoolctl import threadpool_limits
from untuned import PAPER, data, supervision

from samekind.estimators._base.known_rows import KnownRows

FILE = RESULTS / "n_clusters.jsonl"
SETS = (*PAPER, "iris", "wine", "breast_cancer", "digits")
SETTINGS = ("cls0.5", "half200", "half50", "none")
NEAR = 0.25


def perform(name, setting, trial):
    X, y = data(name)
    pairs, _ = supervision(name, y, setting, trial)
    with warnings.catch_warnings(), threadpool_limits(limits=1):
        warnings.simplefilter("ignore")
        known = KnownRows(X, None, pairs, "auto")
        number = known.number_of_clusters()  # the choice without the fit
    others = [one.n_clusters for one in number.alternatives]
    return {"k": len(np.unique(y)), "chosen": number.chosen, "alternatives": others}


def run(options):
    rows = Rows(FILE, ("set", "setting", "trial"))
    for name in SETS:
        for setting in SETTINGS:
            for trial in range(1000, 1000 + (1 if setting == "none" else options.trials)):
                key = {"set": name, "setting": setting, "trial": trial}
                rows.once(key, lambda key=key: perform(*key.values()))


def show(_):
    for setting in SETTINGS:
        found = [row for row in read(FILE) if row["setting"] == setting]
        error = np.array([abs(row["chosen"] - row["k"]) / row["k"] for row in found])
        print(
            f"{setting:<8} {len(found)} runs: within {100 * NEAR:.0f} % in {(error <= NEAR).sum()} "
            f"({100 * np.mean(error <= NEAR):.0f} %), relative error {error.mean():.2f} on "
            f"average, median {np.median(error):.2f}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("run", "show"))
    parser.add_argument("--trials", type=int, default=5)
    options = parser.parse_args()
    {"run": run, "show": show}[options.what](options)


if __name__ == "__main__":
    main()
