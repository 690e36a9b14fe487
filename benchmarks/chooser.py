"""The figures of docs/choose.md: which method does best by what is known.

    python benchmarks/chooser.py

Means of ACC in percent over the nine tables of untuned.py, from its rows; and for a ready graph and
a hypergraph over ten random graphs of three kinds of 100 samples each (trials from 1000 on), made
here: about a minute. Rows that the file holds are not made again.
"""

import warnings

import numpy as np
from rows import RESULTS, Rows, read
from scipy.sparse import csr_array
from untuned import FILE, TABLES

import samekind
from samekind.metrics import clustering_accuracy

NAMES = {
    "samekind": "SameKind",
    "e2cp": "E2CP",
    "lsgr-nlap": "LSGR",
    "sc": "SC",
    "kmeans": "k-means",
    "spreading": "LabelSpreading",
    "propagation": "LabelPropagation",
}
SETTINGS = {
    "none": "nothing",
    "half20": "20 pairs",
    "half200": "200 pairs",
    "cls0.6": "labels of three fifths of the classes",
    "all": "five labels of every class",
}
ON_GRAPH = ("SC, X alone", "SC", "SL", "CSP", "CSCAP", "LSGR", "E2CP", "SameKind")
ON_HYPERGRAPH = ("HI", "HGNN")
KIND = np.repeat(np.arange(3), 100)


def tables():
    """One row for each setting: mean over the tables of the mean over the trials."""
    score = {}
    for row in read(FILE):
        if row.get("ACC") is not None and row["trial"] >= 1000:
            score.setdefault((row["setting"], row["method"], row["set"]), []).append(row["ACC"])
    print("| you know |", " | ".join(NAMES.values()), "|\n|---|" + "---|" * len(NAMES))
    for setting, known in SETTINGS.items():
        means = [
            np.mean([np.mean(score[setting, method, name]) for name in TABLES])
            if all((setting, method, name) in score for name in TABLES)
            else np.nan
            for method in NAMES
        ]
        print(f"| {known} |", " | ".join("" if np.isnan(m) else f"{m:.1f}" for m in means), "|")


def problem(trial):
    """Features that say little, a graph with more edges inside of a kind, and 300 groups."""
    rng = np.random.default_rng(trial)
    X = rng.normal(size=(300, 8)) + 0.6 * np.eye(3, 8)[KIND]
    upper = np.triu(rng.random((300, 300)) < np.where(KIND[:, None] == KIND, 0.05, 0.008), 1)
    incidence = np.zeros((300, 300))
    for group in incidence.T:
        near = np.where(rng.integers(3) == KIND, 0.9, 0.1)
        group[rng.choice(300, rng.integers(4, 11), replace=False, p=near / near.sum())] = 1
    return X, csr_array((upper | upper.T).astype(float)), csr_array(incidence)


def fitted(method, trial):
    """ACC of a method on the graph with 30 pairs, or on the hypergraph with five labels each."""
    X, graph, incidence = problem(trial)
    estimator = getattr(samekind, method.split(",")[0])
    with warnings.catch_warnings(action="ignore"):
        if method in ON_HYPERGRAPH:
            known = samekind.sample_labels(KIND, 5, random_state=trial)
            model = estimator(random_state=trial).fit(X, known, incidence=incidence)
        else:
            pairs = samekind.sample_pairs(KIND, 15, 15, random_state=trial)
            model = estimator(n_clusters=3, random_state=trial)
            model.fit(X, constraints=pairs, graph=None if "alone" in method else graph)
    score = 100 * clustering_accuracy(KIND, model.labels_)
    return {"ACC": round(score, 1), "status": model.status_.name}


def graphs():
    """Mean ACC over ten graphs, and how many fits said that their labels are not to be used."""
    rows = Rows(RESULTS / "chooser.jsonl", ("method", "trial"))
    print("\n| method | ACC | fits that say: do not use |\n|---|---|---|")
    for method in (*ON_GRAPH, *ON_HYPERGRAPH):
        runs = [
            rows.once({"method": method, "trial": t}, lambda m=method, t=t: fitted(m, t))
            for t in range(1000, 1010)
        ]
        unusable = sum(not samekind.Status[run["status"]].usable for run in runs)
        print(f"| {method} | {np.mean([run['ACC'] for run in runs]):.1f} | {unusable} of 10 |")


if __name__ == "__main__":
    tables()
    graphs()
