"""The paper's experiments as data: data sets, methods, parameters, supervision, repetitions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from samekind.experiments.parameters import AUTHORS, FACES, Origin, authors_parameters
from samekind.experiments.runs import Run

Setting = Mapping[str, Any]
REPETITIONS = 20
FOUR = ("orl", "yale", "mnist_1000", "isolet1")
# Labelled samples per class, the paper's f.
LABELLED = {
    "orl": (2, 3, 4),
    "yale": (2, 3, 4),
    "coil20": (2, 6, 10),
    "umist": (2, 3, 4),
    "isolet1": (5, 7, 10),
    "isolet2": (5, 7, 10),
    "yaleb18": (4, 7, 10),
    "mnist_1000": (5, 7, 10),
    "usps_1000": (5, 7, 10),
}

NINE = tuple(LABELLED)


@dataclass(frozen=True)
class Contender:
    """A method as an experiment runs it."""

    label: str  # what the tables call it
    method: str  # its name in the registry
    parameters: Callable[[str], Mapping[str, Any]]  # of a data set
    origin: str = Origin.DEFAULTS
    only: Sequence[str] = ()  # data sets, where not all
    max_hours: float | None = None  # of one core, for all its runs in an experiment
    at_least: int = 3  # repetitions that are made whatever they take
    at_most: int = REPETITIONS  # repetitions, where fewer than the experiment's will do
    settings: Sequence[Setting] | None = None  # where the experiment's do not apply

    def runs_on(self, dataset: str) -> bool:
        return not self.only or dataset in self.only


@dataclass(frozen=True)
class Experiment:
    """What is compared on what."""

    name: str
    title: str
    datasets: Sequence[str]
    contenders: Sequence[Contender]
    settings: Callable[[str], Sequence[Setting]] = field(default=lambda dataset: ({},))
    task: str = "cluster"
    repetitions: int = REPETITIONS

    def runs(
        self,
        datasets: Sequence[str] | None = None,
        methods: Sequence[str] | None = None,
        repetitions: int | None = None,
    ) -> Iterator[tuple[Run, Contender]]:
        """All runs, first those of the first repetition; or those that were asked for."""
        count = self.repetitions if repetitions is None else min(repetitions, self.repetitions)
        for repetition in range(count):
            for dataset in self.datasets:
                if datasets is not None and dataset not in datasets:
                    continue
                for one in self.contenders:
                    if repetition >= one.at_most or not one.runs_on(dataset):
                        continue
                    if methods is not None and one.method not in methods:
                        continue
                    for setting in one.settings or self.settings(dataset):
                        yield self._run(dataset, setting, one, repetition), one

    def _run(self, dataset: str, setting: Setting, one: Contender, repetition: int) -> Run:
        return Run(
            experiment=self.name,
            dataset=dataset,
            task=self.task,
            setting=setting,
            contender=one.label,
            method=one.method,
            parameters=one.parameters(dataset),
            repetition=repetition,
            origin=one.origin,
        )


def _on_the_papers_graph(**more: Any) -> Callable[[str], Mapping[str, Any]]:
    """The graph that the paper's baselines use: self-representation for faces, else neighbours."""

    def parameters(dataset: str) -> Mapping[str, Any]:
        if dataset in FACES:
            return {"affinity": "self-representation", "sparsity": 1.0} | more
        known = AUTHORS.get(dataset, {})
        graph = {name: known[name] for name in ("n_neighbors", "scale_neighbor") if name in known}
        return graph | more

    return parameters


def _dgsl(**more: Any) -> Callable[[str], Mapping[str, Any]]:
    return lambda dataset: {**authors_parameters(dataset), **more}


def _plain(**more: Any) -> Callable[[str], Mapping[str, Any]]:
    return lambda dataset: more


DGSL = Contender("DGSL", "dgsl", _dgsl(), Origin.AUTHORS)
SL = Contender("SL", "sl", _on_the_papers_graph())
CSP = Contender("CSP", "csp", _on_the_papers_graph())
CSCAP = Contender("CSCAP", "cscap", _on_the_papers_graph())
LSGR = tuple(
    Contender(f"LSGR-{variant}", "lsgr", _on_the_papers_graph(variant=variant))
    for variant in ("adj", "lap", "nlap")
)
SC = Contender("SC", "sc", _on_the_papers_graph())
E2CP = Contender("E2CP", "e2cp", _on_the_papers_graph())
SEEDED = Contender("DGSL-seeded", "dgsl", _dgsl(assign="seeded"), Origin.AUTHORS)
SSCTLRR = Contender("SSCTLRR", "ssctlrr", _plain(), only=("yale", "orl", "coil20"), max_hours=2.0)
FIVE = (SL, CSP, CSCAP, *LSGR, DGSL)
PARTIAL_LABELS = tuple(
    Contender(name.upper(), name, _plain(), max_hours=2.0)
    for name in ("nnlrs", "s2lrr", "s3r", "nnlrr", "dcssc")
)


def _labelled(dataset: str) -> Sequence[Setting]:
    return [{"labelled": count} for count in LABELLED[dataset]]


def _fewest(dataset: str) -> Sequence[Setting]:
    return [{"labelled": LABELLED[dataset][0]}]


def _varied(name: str, values: Sequence[float]) -> tuple[Contender, ...]:
    """DGSL with one parameter moved, the others as the authors had them."""
    return tuple(
        Contender(f"DGSL {name}={value:g}", "dgsl", _dgsl(**{name: value}), Origin.GRID)
        for value in values
    )


GAMMAS = (0.1, 1.0, 10.0)  # weight of the hypergraph beside the neighbours


def _hyper(
    label: str, method: str, at_most: int = 3, **grid: Sequence[Any]
) -> tuple[Contender, ...]:
    """A method on the hypergraph, once for each point of a grid.

    Methods on labels use the hypergraph alone, the others beside a graph of neighbours. Little
    but the start of k-means is random on a fixed split, so that few repetitions will do.
    """
    points: list[dict[str, Any]] = [{}]
    for name, values in grid.items():
        points = [point | {name: value} for point in points for value in values]
    return tuple(
        Contender(
            label,
            method,
            _plain(**point),
            Origin.VALIDATION,
            at_most=at_most,
            settings=({},) if method in ("hi", "hgnn") else None,
        )
        for point in points
    )


TABLES_2_AND_3 = Experiment(
    "table2",
    "Tables 2 and 3: f labelled samples per class, ACC and NMI",
    NINE,
    (*FIVE, SC, E2CP, SEEDED, SSCTLRR),
    _labelled,
)
EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        Experiment(
            "table1",
            "Table 1: the data sets",
            ("yale", "orl", "umist", "mnist", "usps", "coil20", "isolet", "yaleb"),
            (Contender("", "", _plain()),),
            task="facts",
            repetitions=1,
        ),
        Experiment(
            "figure-samples",
            "Ten pictures of each set of pictures",
            ("yale", "orl", "umist", "mnist", "usps", "coil20", "yaleb"),
            (Contender("", "", _plain()),),
            task="pictures",
            repetitions=1,
        ),
        TABLES_2_AND_3,
        Experiment(
            "table4",
            "Table 4: partial labels",
            ("yale", "coil20", "yaleb18"),
            (*PARTIAL_LABELS, DGSL),
            _labelled,
        ),
        Experiment(
            "figure-constraints",
            "Growing numbers of random pairs",
            NINE,
            FIVE,
            lambda dataset: [
                {"must_links_per_sample": share} for share in (0.25, 0.5, 1.0, 1.5, 2.0)
            ],
        ),
        Experiment(
            "figure-classes",
            "Labels of some of the classes",
            FOUR,
            FIVE,
            lambda dataset: [
                {"labelled": LABELLED[dataset][0], "class_share": share}
                for share in (0.2, 0.4, 0.6, 0.8, 1.0)
            ],
        ),
        Experiment(
            "figure-sensitivity",
            "One parameter moved at a time",
            FOUR,
            (
                *_varied("feedback", (0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.3)),
                *_varied("sparsity", (0.0, 0.5, 1.0, 1.5, 2.0)),
                *_varied("local_ratio", (0.002, 0.02, 0.1, 0.2, 0.5, 1.0, 2.0)),
                *_varied("must_link_weight", (0.1, 1.0, 10.0, 100.0, 1000.0)),
            ),
            _fewest,
        ),
        Experiment(
            "figure-matrices",
            "|Z| and the distances of H at iterations 1 and 30",
            ("orl",),
            (Contender("DGSL", "dgsl", _dgsl(max_iter=30, tol=0.0), Origin.AUTHORS),),
            _fewest,
            task="matrices",
            repetitions=1,
        ),
        Experiment(
            "figure-hypergraph",
            "Cora with its hypergraph, 140 labelled nodes",
            ("cora",),
            (
                *_hyper("SL", "sl"),
                *_hyper("CSP", "csp"),
                *_hyper("CSCAP", "cscap"),
                *_hyper("LSGR", "lsgr", variant=("adj", "lap", "nlap")),
                *_hyper("DGSL", "dgsl", feedback=(0.01, 0.05, 0.2), sparsity=(0.0, 0.1, 0.5)),
                *_hyper("HI", "hi", 1, smoothness=(0.5, 0.9, 0.99)),
                *_hyper("HGNN", "hgnn", REPETITIONS, weight_decay=(5e-4, 5e-3)),
            ),
            lambda dataset: [{"gamma2": gamma} for gamma in GAMMAS],
            task="hypergraph",
        ),
        Experiment(
            "convergence",
            "Objective, changes and trace ratio of both algorithms",
            FOUR,
            (
                Contender("Algorithm 2", "dgsl", _dgsl(algorithm="plain"), Origin.AUTHORS),
                Contender("Algorithm 3", "dgsl", _dgsl(), Origin.AUTHORS),
            ),
            _fewest,
            task="convergence",
            repetitions=1,
        ),
        Experiment(
            "complexity",
            "Seconds over the number of samples",
            ("mnist",),
            (
                *(SL, CSP, CSCAP, *LSGR, E2CP),
                Contender("DGSL", "dgsl", _plain(solver="exact")),
                *PARTIAL_LABELS,
            ),
            lambda dataset: [{"labelled": 5, "n": n} for n in (250, 500, 1000, 2000)],
            task="seconds",
            repetitions=3,
        ),
    )
}
EXPERIMENTS["table3"] = TABLES_2_AND_3  # the same runs, another score
