"""SameKind without a single parameter beside the best baselines, for every kind of supervision.

    SAMEKIND_DATA=... python benchmarks/untuned.py run --methods baselines --group paper
    SAMEKIND_DATA=... python benchmarks/untuned.py run --methods samekind --group all
    python benchmarks/untuned.py show

One line of JSON per run; runs that the file holds are not repeated. On the paper's sets the
baselines get the graph parameters of the paper's experiments, which were chosen with the true
labels; on tables everything has its defaults and the same X.

Settings: none; halfN (N pairs, half of them must-links); clsS (f labels for a share S of the
classes); mlS (S n must-links and 3 S n cannot-links at random); all (f labels for each class);
wrong200 (200 pairs, half of them must-links, 5 % of which contradict the truth, not each other);
right200 (the same pairs, all right).
Trials from 1000 on are for reporting; constants were chosen on trials below.
"""

import argparse
import time
import warnings
import zlib
from functools import lru_cache

import numpy as np
from rows import RESULTS, Rows, read
from sklearn.cluster import KMeans
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_classification,
)
from sklearn.semi_supervised import LabelPropagation, LabelSpreading
from threadpoolctl import threadpool_limits

import samekind
from samekind import PairConstraints, sample_labels, sample_pairs
from samekind.metrics import clustering_accuracy

FILE = RESULTS / "untuned.jsonl"
PAPER = (
    "yale",
    "orl",
    "umist",
    "usps_1000",
    "mnist_1000",
    "coil20",
    "isolet1",
    "yaleb18",
    "isolet2",
)
TABLES = (
    "iris",
    "wine",
    "wine_std",
    "breast_cancer",
    "breast_cancer_std",
    "digits",
    "digits_16",
    "digits_255",
    "classification",
)
UNEQUAL = ("unequal_mnist", "unequal_usps", "unequal_digits")
SIX = tuple(f"six_{d}_{unit}" for d in (30, 100, 384) for unit in ("1e-3", "1", "1e3"))
GROUPS = {"paper": PAPER, "tables": TABLES, "unequal": UNEQUAL, "six": SIX}
SETTINGS = ("none", "half20", "half50", "half200", "cls0.2", "cls0.6", "ml0.25", "all")
LSGR = ("lsgr-adj", "lsgr-lap", "lsgr-nlap")
BASELINES = {
    "paper": ("sl", "cscap", *LSGR, "e2cp", "sc"),
    "tables": ("kmeans", "sc", "e2cp", *LSGR, "spreading", "propagation"),
}
BASELINES |= {"unequal": BASELINES["tables"], "six": ("kmeans",)}
LABELS = 5  # per class, where the paper has no number of its own


@lru_cache(maxsize=1)
def data(name):
    """X and y."""
    if name in PAPER:
        from samekind.paper.datasets import load

        found = load(name)
        return found.X, found.y
    if name in ("unequal_mnist", "unequal_usps", "unequal_digits"):
        return _unequal(*data({"mnist": "mnist_1000", "usps": "usps_1000"}.get(name[8:], name[8:])))
    if name.startswith("six"):
        _, d, unit = name.split("_")
        return _six_groups(int(d), float(unit))
    base, _, form = (
        name.rpartition("_") if name.endswith(("_std", "_16", "_255")) else (name, 0, "")
    )
    X, y = {
        "iris": lambda: load_iris(return_X_y=True),
        "wine": lambda: load_wine(return_X_y=True),
        "breast_cancer": lambda: load_breast_cancer(return_X_y=True),
        "digits": lambda: load_digits(return_X_y=True),
        "classification": lambda: make_classification(
            600,
            20,
            n_informative=6,
            n_redundant=4,
            n_classes=4,
            n_clusters_per_class=1,
            class_sep=1.5,
            random_state=0,
        ),
    }[base]()
    if form == "std":
        X = (X - X.mean(axis=0)) / X.std(axis=0)
    return (X / float(form) if form in ("16", "255") else X), y


def _unequal(X, y):
    """Classes whose sizes fall by a quarter from one to the next."""
    rng = np.random.default_rng(5)
    kept = [
        rng.permutation(np.flatnonzero(y == c))[: max(8, int((y == c).sum() * 0.75**c))]
        for c in np.unique(y)
    ]
    rows = np.sort(np.concatenate(kept))
    return X[rows], y[rows]


def _six_groups(d, unit):
    rng = np.random.default_rng(d)
    y = np.arange(600) % 6
    centers = rng.normal(size=(6, d))
    centers *= 8 / np.linalg.norm(centers, axis=1, keepdims=True)
    return unit * (centers[y] + rng.normal(size=(600, d))), y


def labels_per_class(name):
    if name in PAPER:
        from samekind.paper.experiments.parameters import LABELED as PER_CLASS

        return PER_CLASS[name][0]
    return LABELS


def supervision(name, y, setting, trial):
    """Pairs, and the labels they come from or None."""
    seed = zlib.crc32(f"{name}/{setting}/{trial}".encode())
    n, f = len(y), labels_per_class(name)
    if setting == "none":
        return PairConstraints(n), None
    if setting.startswith("half"):
        half = int(setting[4:]) // 2
        return sample_pairs(y, half, half, random_state=seed), None
    if setting in ("wrong200", "right200"):
        seed = zlib.crc32(f"{name}/wrong200/{trial}".encode())
        pairs = sample_pairs(y, 100, 100, random_state=seed)
        return (_wrong(y, pairs, seed) if setting == "wrong200" else pairs), None
    if setting.startswith("ml"):
        return sample_pairs(y, round(float(setting[2:]) * n), random_state=seed), None
    n_classes = None
    if setting != "all":
        n_classes = max(1, round(float(setting[3:]) * len(np.unique(y))))
    known = sample_labels(y, f, n_classes, random_state=seed)
    return PairConstraints.from_labels(known), known


def _wrong(y, pairs, seed, share=0.05):
    """Swap the kind of some pairs, such that no contradiction arises."""
    rng = np.random.default_rng(seed)
    kinds = [(tuple(p), True) for p in pairs.must_link] + [
        (tuple(p), False) for p in pairs.cannot_link
    ]
    swapped, wanted = set(), round(share * len(kinds))
    for at in rng.permutation(len(kinds)):
        if len(swapped) == wanted:
            break
        trial = swapped | {int(at)}
        is_must = [must ^ (i in trial) for i, (_, must) in enumerate(kinds)]
        try:
            made = PairConstraints(
                len(y),
                [p for (p, _), must in zip(kinds, is_must, strict=True) if must],
                [p for (p, _), must in zip(kinds, is_must, strict=True) if not must],
            )
        except ValueError:
            continue
        swapped, pairs = trial, made
    return pairs


@lru_cache(maxsize=1)
def papers_graph(name):
    """The graph of the paper's baselines: self-representation for faces, else neighbors."""
    from samekind._kernels.representation_graph import representation_graph
    from samekind.graph import local_graph
    from samekind.paper.experiments.parameters import AUTHORS, GRAPH_SPARSITY

    X = data(name)[0]
    if name in GRAPH_SPARSITY:
        return representation_graph(np.asarray(X, float), 100.0, GRAPH_SPARSITY[name]).W
    return local_graph(X, AUTHORS[name]["n_neighbors"], AUTHORS[name]["scale_neighbor"])


def labels_of(method, group, name, setting, trial):
    """Labels, or None where the method does not apply; and what else the row tells."""
    X, y = data(name)
    k = len(np.unique(y))
    pairs, known = supervision(name, y, setting, trial)
    if method == "kmeans":
        return KMeans(k, n_init=10, random_state=trial).fit(X).labels_, {}
    if method in ("spreading", "propagation"):
        if known is None:
            return None, {}
        kind = LabelSpreading if method == "spreading" else LabelPropagation
        return kind(kernel="knn", max_iter=1000).fit(X, known).transduction_, {}
    if method == "samekind":
        model = samekind.SameKind(k, random_state=trial).fit(X, constraints=pairs)
        report = model.constraint_report_
        return model.labels_, {"status": model.status_.name, "violated": report.violated}
    base, _, variant = method.partition("-")
    parameters = {"variant": variant} if variant else {}
    if base == "dgsl":
        from samekind.paper.experiments.parameters import dgsl_parameters

        setting = {"labelled": labels_per_class(name)}
        parameters = dict(dgsl_parameters(name, setting).parameters)
    model = getattr(samekind, base.upper())(k, random_state=trial, **parameters)
    graph = papers_graph(name) if group == "paper" and base != "dgsl" else None
    return model.fit(X, constraints=pairs, graph=graph).labels_, {}


def perform(method, group, name, setting, trial):
    began = time.perf_counter()
    with warnings.catch_warnings(), threadpool_limits(limits=1):
        warnings.simplefilter("ignore")
        labels, more = labels_of(method, group, name, setting, trial)
    seconds = round(time.perf_counter() - began, 3)
    if labels is None:
        return {"ACC": None}
    return {
        "ACC": round(100 * clustering_accuracy(data(name)[1], labels), 2),
        "seconds": seconds,
    } | more


def run(options):
    rows = Rows(
        FILE if not options.out else RESULTS / options.out, ("method", "set", "setting", "trial")
    )
    groups = GROUPS if options.group == "all" else options.group.split(",")
    for group in groups:
        for name in GROUPS[group]:
            if options.sets and name not in options.sets.split(","):
                continue
            for setting in options.settings.split(",") if options.settings else SETTINGS:
                first, count = (
                    options.first,
                    1 if setting == "none" and group != "six" else options.trials,
                )
                for trial in range(first, first + count):
                    for method in (
                        BASELINES[group]
                        if options.methods == "baselines"
                        else options.methods.split(",")
                    ):
                        key = {"method": method, "set": name, "setting": setting, "trial": trial}
                        work = (method, group, name, setting, trial)
                        rows.once(key, lambda work=work: perform(*work))


def show(options):
    """The mean of a method at each point beside the best baseline there."""
    rows = [
        row
        for row in read(FILE if not options.out else RESULTS / options.out)
        if row.get("ACC") is not None
    ]
    score = {}
    for row in rows:
        if row["trial"] >= options.first:
            score.setdefault((row["set"], row["setting"], row["method"]), []).append(row["ACC"])
    for group, names in GROUPS.items():
        for setting in (*SETTINGS, "wrong200"):
            differences = []
            for name in names:
                ours = score.get((name, setting, options.methods))
                others = [
                    np.mean(score[name, setting, m])
                    for m in BASELINES[group]
                    if (name, setting, m) in score
                ]
                if not ours or not others:
                    continue
                differences.append(np.mean(ours) - max(others))
                if options.points:
                    scores = np.mean(ours), max(others), differences[-1]
                    print(f"{name:<18} {setting:<8}", *(f"{score:6.1f}" for score in scores))
            if differences:
                d = np.array(differences)
                print(
                    f"{group:<8} {setting:<8} mean difference to the best baseline "
                    f"{d.mean():6.2f}, worst {d.min():6.1f}, "
                    f"lost by more than 5: {(d < -5).sum()} of {len(d)}"
                )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("run", "show"))
    parser.add_argument("--methods", default="samekind")
    parser.add_argument("--group", default="all")
    parser.add_argument("--sets", default="")
    parser.add_argument("--settings", default="")
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--out", default="")
    parser.add_argument("--points", action="store_true")
    options = parser.parse_args()
    {"run": run, "show": show}[options.what](options)


if __name__ == "__main__":
    main()
