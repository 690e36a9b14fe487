"""SameKind with one part taken out at a time: what each of them is worth.

    SAMEKIND_DATA=... python benchmarks/ablation.py run [--trials 3] [--sets yale,iris]
    python benchmarks/ablation.py show

Parts: the prior (all candidates alike until the pairs speak), the judge (pairs do not choose the
graph), distances (rows as they are), learning (labels from the chosen graph), spreading (k-means on
the embedding instead), gamma (the numerator as in the paper). One line of JSON per run; what the
file holds is not repeated.
"""

import argparse
from contextlib import contextmanager
from unittest import mock

import numpy as np
from rows import RESULTS, Rows, read
from untuned import perform

from samekind._selection import choice, labels, learning
from samekind.estimators import _samekind
from samekind.estimators._base import known_rows

FILE = RESULTS / "ablation.jsonl"
SETS = (
    *("yale", "orl", "umist", "usps_1000", "mnist_1000", "yaleb18"),
    *("iris", "wine", "breast_cancer_std", "classification"),
)
GROUP = dict.fromkeys(SETS[:6], "paper") | dict.fromkeys(SETS[6:], "tables")
SETTINGS = ("none", "half20", "cls0.6", "all")


def _first_proposal(W, H, n_clusters, **options):
    """Labels of the best start of k-means as they are."""
    R = labels.unit_rows(H)
    state, groups, named = (options[name] for name in ("random_state", "group_of", "named"))
    best = labels.grouped_k_means(R, n_clusters, groups, named, state)[0]
    shares = np.eye(n_clusters)[best.labels]
    return labels.Spread(best.labels, shares, labels.modularity(W, best.labels), best.start, 1)


def _nothing_tested(must_link, cannot_link, group_of):
    none = np.empty((0, 2), dtype=np.int64)
    return choice_evidence(none, none, group_of)


choice_evidence = known_rows.evidence_of
PARTS = {
    "everything": (),
    "no prior": ((choice, "_clarity", lambda *_: 0.0),),
    "no judge": ((known_rows, "evidence_of", _nothing_tested),),
    "no distances": ((known_rows.KnownRows, "_distances", lambda *_, **__: None),),
    "no learning": ((_samekind, "learn", lambda *_, **__: None),),
    "no spreading": ((_samekind, "spread_labels", _first_proposal),),
    "no gamma": ((learning, "SMOOTHNESS", 0.0),),
}


@contextmanager
def without(part):
    patches = [mock.patch.object(*patch) for patch in PARTS[part]]
    for patch in patches:
        patch.start()
    try:
        yield
    finally:
        for patch in patches:
            patch.stop()


def run(options):
    rows = Rows(FILE, ("part", "set", "setting", "trial"))
    for name in options.sets.split(",") if options.sets else SETS:
        for setting in SETTINGS:
            for trial in range(2000, 2000 + options.trials):
                for part in PARTS:
                    key = {"part": part, "set": name, "setting": setting, "trial": trial}
                    work = ("samekind", GROUP[name], name, setting, trial)
                    with without(part):
                        rows.once(key, lambda work=work: perform(*work))


def show(options):
    """Mean ACC for each part and setting, over the sets that all parts have."""
    rows = [row for row in read(FILE) if "ACC" in row]
    complete = {
        name
        for name in SETS
        if all(
            any((r["set"], r["setting"], r["part"]) == (name, s, p) for r in rows)
            for s in SETTINGS
            for p in PARTS
        )
    }
    print("| part taken out |", " | ".join(SETTINGS), "|")
    print("|---" * (1 + len(SETTINGS)) + "|")
    for part in PARTS:
        cells = []
        for setting in SETTINGS:
            means = [
                np.mean(
                    [
                        r["ACC"]
                        for r in rows
                        if (r["set"], r["setting"], r["part"]) == (name, setting, part)
                    ]
                )
                for name in complete
            ]
            cells.append(f"{np.mean(means):.1f}" if means else "")
        print(f"| {part} |", " | ".join(cells), "|")
    print(f"{len(complete)} data sets")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("run", "show"))
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--sets", default="")
    options = parser.parse_args()
    {"run": run, "show": show}[options.what](options)


if __name__ == "__main__":
    main()
