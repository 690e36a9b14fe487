"""How far ``probabilities_`` of SameKind can be believed, on the paper's data sets.

    SAMEKIND_DATA=... python benchmarks/calibration.py run [--trials 2]
    python benchmarks/calibration.py show

f labels for each class, the paper's smallest f; only rows without a label count. Clusters are
matched with classes first. ECE: expected calibration error over 15 bins of equal width. AUROC: of
finding the wrong labels by a low probability. Trials from 1000 on, on which nothing was chosen.
"""

import argparse
import warnings

import numpy as np
from rows import RESULTS, Rows, read
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import confusion_matrix, roc_auc_score
from untuned import PAPER, data, supervision

from samekind import SameKind

FILE = RESULTS / "calibration.jsonl"
N_BINS = 15


def measured(name, trial):
    X, y = data(name)
    pairs, known = supervision(name, y, "all", trial)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = SameKind(len(np.unique(y)), random_state=trial).fit(X, constraints=pairs)
    counts = confusion_matrix(y, model.labels_)
    classes, clusters = linear_sum_assignment(-counts)
    class_of = np.empty(len(clusters), dtype=int)
    class_of[clusters] = classes
    free = known < 0
    right = (class_of[model.labels_] == y)[free]
    sure = model.probabilities_.max(axis=1)[free]
    bins = np.minimum((sure * N_BINS).astype(int), N_BINS - 1)
    gaps = [
        abs(right[bins == b].mean() - sure[bins == b].mean()) * (bins == b).mean()
        for b in np.unique(bins)
    ]
    return {
        "ECE": round(100 * float(sum(gaps)), 2),
        "AUROC": round(100 * float(roc_auc_score(right, sure)), 2),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("run", "show"))
    parser.add_argument("--trials", type=int, default=2)
    options = parser.parse_args()
    if options.what == "run":
        rows = Rows(FILE, ("set", "trial"))
        for trial in range(1000, 1000 + options.trials):
            for name in PAPER:
                key = {"set": name, "trial": trial}
                rows.once(key, lambda name=name, trial=trial: measured(name, trial))
    found = [row for row in read(FILE) if "ECE" in row]
    for name in sorted({row["set"] for row in found}):
        of = [(row["ECE"], row["AUROC"]) for row in found if row["set"] == name]
        print(f"{name:<12} ECE {np.mean(of, axis=0)[0]:5.1f}  AUROC {np.mean(of, axis=0)[1]:5.1f}")
    if found:
        ece, auroc = np.mean([(row["ECE"], row["AUROC"]) for row in found], axis=0)
        print(f"{'mean':<12} ECE {ece:5.1f}  AUROC {auroc:5.1f}  ({len(found)} fits)")


if __name__ == "__main__":
    main()
