"""Rows as experiments write them, with scores that nobody computed."""

import zlib

import numpy as np

from samekind.paper.experiments.published import published_scores
from samekind.paper.experiments.runs import Run

LABELED = {one.dataset: one.labeled for one in reversed(published_scores())}  # the smallest
FIVE = ("SL", "CSP", "CSCAP", "LSGR-adj", "LSGR-lap", "LSGR-nlap", "DGSL")
ADDED = ("SC", "E2CP", "DGSL-seeded")
LABELS = ("NNLRS", "S2LRR", "S3R", "NNLRR", "DCSSC")
_LEVEL = {"DGSL": 85, "DGSL-seeded": 87, "SC": 60, "SL": 70, "CSP": 74, "CSCAP": 77}


def fake_row(experiment, dataset, setting, contender, repetition=0, *, parameters=None, **more):
    """A row with everything that is known before the run, and what is handed over."""
    run = Run(
        experiment,
        dataset,
        more.pop("task", "cluster"),
        setting,
        contender,
        contender.partition("-")[0].partition(" ")[0].lower(),
        parameters or {},
        repetition,
    )
    return (
        run.row()
        | {"seed": run.seed, "versions": {"samekind": "0", "numpy": "2"}, "machine": "a machine"}
        | {"ended": f"2026-01-01T00:00:{repetition:02d}Z", "status": "CONVERGED", "seconds": 1.0}
        | more
    )


def scored(experiment, dataset, setting, contender, repetition, lift=0.0, **more):
    """A row with scores around a level that depends on the contender."""
    words = f"{experiment} {dataset} {setting} {contender} {repetition}"
    rng = np.random.default_rng(zlib.crc32(words.encode()))
    accuracy = min(_LEVEL.get(contender, 72) + lift + 2 * rng.standard_normal(), 100.0)
    scores = {"ACC": accuracy, "NMI": min(accuracy + 3, 100.0), "ACC unlabelled": accuracy - 4}
    more = {"seconds": float(rng.uniform(0.5, 2)), "peak_mb": 80.0, "origin": "made up"} | more
    return fake_row(experiment, dataset, setting, contender, repetition, **scores | more)


def table_rows(datasets=("yale", "orl"), repetitions=3, experiment="table2", methods=FIVE + ADDED):
    return [
        scored(experiment, dataset, {"labelled": f}, method, at, 2 * place)
        for dataset in datasets
        for place, f in enumerate(
            sorted({one.labeled for one in published_scores() if one.dataset == dataset})
        )
        for method in methods
        for at in range(repetitions)
    ]


def curve_rows(datasets, repetitions=2):
    """figure-constraints and figure-classes."""
    settings = [
        ("figure-constraints", {"must_links_per_sample": s}, 6 * s) for s in (0.25, 0.5, 1, 1.5, 2)
    ]
    settings += [
        ("figure-classes", {"labelled": 2, "class_share": s}, 15 * s)
        for s in (0.2, 0.4, 0.6, 0.8, 1)
    ]
    return [
        scored(experiment, dataset, setting, method, at, lift)
        for experiment, setting, lift in settings
        for dataset in datasets
        for method in FIVE
        for at in range(repetitions)
    ]


def sensitivity_rows(datasets, repetitions=2):
    grids = {
        "feedback": (0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.3),
        "sparsity": (0.0, 0.5, 1.0, 1.5, 2.0),
        "local_ratio": (0.002, 0.02, 0.1, 0.2, 0.5, 1.0, 2.0),
        "must_link_weight": (0.1, 1.0, 10.0, 100.0, 1000.0),
    }
    return [
        scored(
            "figure-sensitivity",
            dataset,
            {"labelled": 2},
            f"DGSL {name}={value:g}",
            at,
            parameters={"feedback": 0.02, "sparsity": 1.0} | {name: value},
        )
        for name, values in grids.items()
        for value in values
        for dataset in datasets
        for at in range(repetitions)
    ]


def picture_rows(names=("yale", "usps")):
    """table1 and figure-samples: a bright upper left corner, so that upright can be seen."""
    facts = {"samples": 165, "dimensions": 1024, "classes": 15, "source": "made up"}
    picture = np.full((16, 12), 40)
    picture[:6, :4] = 255
    rows = [fake_row("table1", name, {}, "", task="facts", **facts) for name in names]
    return rows + [
        fake_row("figure-samples", name, {}, "", task="pictures", pictures=[picture.tolist()] * 10)
        for name in names
    ]


def inside_rows(datasets):
    """figure-matrices and convergence."""
    squares = np.kron(np.eye(8), np.ones((5, 5)))
    blurred = 0.5 * squares + 0.3 * np.random.default_rng(0).random((40, 40))
    maps = {"weights_1": blurred, "weights_30": squares, "distances_1": 1.4 - blurred}
    maps |= {"distances_30": 1.4 * (1 - squares)}
    kept = {name: values.round(4).tolist() for name, values in maps.items()}
    rows = [fake_row("figure-matrices", "orl", {"labelled": 2}, "DGSL", task="matrices", **kept)]
    for dataset in datasets:
        for name, speed in (("Algorithm 2", 0.2), ("Algorithm 3", 0.3)):
            at = np.arange(1, 31)
            way = {
                "objective": (100 + 50 * np.exp(-speed * at)).tolist(),
                "rho": [*(5 - 4 * np.exp(-speed * at[:-1])).tolist(), float("inf")],
                "change_A": np.exp(-speed * at).tolist(),
                "change_Z": (2 * np.exp(-speed * at)).tolist(),
            }
            rows.append(
                fake_row("convergence", dataset, {"labelled": 2}, name, task="convergence", **way)
            )
    return rows


def time_rows(repetitions=2):
    """complexity: powers of n that are known."""
    powers = {name: 1.5 + 0.1 * at for at, name in enumerate((*FIVE, "E2CP", *LABELS))}
    return [
        fake_row(
            "complexity",
            "mnist",
            {"labelled": 5, "n": n},
            name,
            at,
            task="seconds",
            seconds=(1 + at) * (n / 1000) ** power,
            ACC=80.0,
        )
        for name, power in powers.items()
        for n in (250, 500, 1000, 2000)
        for at in range(repetitions)
    ]


def cora_rows(repetitions=2):
    """figure-hypergraph: validation is best at gamma2 = 1 and feedback = 0.02."""
    grid = [(gamma, feedback) for gamma in (0.1, 1.0, 10.0) for feedback in (0.01, 0.02)]
    rows = []
    for name in (*FIVE, "HI", "HGNN"):
        for gamma, feedback in grid:
            for at in range(repetitions):
                near = 10 * (gamma == 1.0) + 2 * (feedback == 0.02)
                level = _LEVEL.get(name, 72) - 20 + near + at
                scores = {"ACC validation": level, "ACC test": level - 1.5, "ACC": level + 1}
                setting, parameters = {"gamma2": gamma}, {"feedback": feedback}
                row = fake_row(
                    "figure-hypergraph", "cora", setting, name, at, parameters=parameters
                )
                rows.append(row | {"task": "hypergraph"} | scores)
    return rows


def all_rows(datasets=("yale", "orl"), repetitions=2):
    """Something of every experiment."""
    return [
        *picture_rows(),
        *table_rows(datasets, repetitions),
        *table_rows(("yale",), repetitions, "table4", (*LABELS, "DGSL")),
        *curve_rows(datasets, repetitions),
        *sensitivity_rows(datasets, repetitions),
        *inside_rows(datasets),
        *time_rows(repetitions),
        *cora_rows(repetitions),
    ]
