"""The paper's experiments as data: data sets, methods, parameters, supervision, repetitions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from samekind.estimators._base.registry import METHODS
from samekind.paper.experiments.parameters import (
    AUTHORS,
    DEFAULT_SPARSITY,
    FEW_PAIRS,
    GRAPH_SPARSITY,
    LABELED,
    MANY_PAIRS,
    OTHERWISE,
    Chosen,
    Origin,
    dgsl_parameters,
    found_parameters,
)
from samekind.paper.experiments.runs import Run

Setting = Mapping[str, Any]
Choose = Callable[[str, Setting], Chosen]
COMPARING = ("cluster", "seconds")  # tasks that any method can be asked to do
REPETITIONS = 20
FOUR = ("orl", "yale", "mnist_1000", "isolet1")
NINE = tuple(LABELED)


@dataclass(frozen=True)
class Contender:
    """A method as an experiment runs it."""

    label: str  # what the tables call it
    method: str  # its name in the registry
    choose: Choose = lambda dataset, setting: Chosen()  # its parameters there
    only: Sequence[str] = ()  # data sets, where not all
    max_hours: float | None = None  # of one core, for all its runs in an experiment; except for
    in_full: Sequence[str] = ("yale",)  # all repetitions on these data sets, and
    at_least: int = 3  # repetitions of the first setting on the others
    at_most: int = REPETITIONS  # repetitions, where fewer than the experiment's will do
    settings: Sequence[Setting] | None = None  # where the experiment's do not apply

    def runs_on(self, dataset: str) -> bool:
        return not self.only or dataset in self.only

    def hours_for(self, dataset: str, at: int, repetition: int) -> float | None:
        """What limits a run of the setting with this number."""
        whatever_it_takes = dataset in self.in_full or (at == 0 and repetition < self.at_least)
        return None if whatever_it_takes else self.max_hours


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
    first: int = 0  # its first repetition, where the ones before are those of other experiments

    def runs(
        self,
        datasets: Sequence[str] | None = None,
        methods: Sequence[str] | None = None,
        repetitions: int | None = None,
    ) -> Iterator[Run]:
        """All runs, first those of the first repetition; or those that were asked for."""
        count = self.repetitions if repetitions is None else min(repetitions, self.repetitions)
        for repetition in range(count):
            for dataset in self.datasets:
                if datasets is not None and dataset not in datasets:
                    continue
                for one in self.contenders:
                    if methods is not None and one.method not in methods:
                        continue
                    if repetition < one.at_most and one.runs_on(dataset):
                        yield from self._runs(dataset, one, repetition)

    def joined_by(self, datasets: Sequence[str], methods: Sequence[str]) -> "Experiment":
        """With data sets and methods that it does not have; these run with their defaults."""
        if self.task not in COMPARING:
            return self
        newcomers = [Contender(METHODS[name].estimator.__name__, name) for name in methods]
        return replace(
            self,
            datasets=(*self.datasets, *datasets),
            contenders=(*self.contenders, *newcomers),
        )

    def _runs(self, dataset: str, one: Contender, repetition: int) -> Iterator[Run]:
        for at, setting in enumerate(one.settings or self.settings(dataset)):
            chosen = one.choose(dataset, setting)
            yield Run(
                experiment=self.name,
                dataset=dataset,
                task=self.task,
                setting=setting,
                contender=one.label,
                method=one.method,
                parameters=chosen.parameters,
                repetition=self.first + repetition,
                origin=chosen.origin,
                max_hours=one.hours_for(dataset, at, repetition),
            )


def _on_the_papers_graph(**more: Any) -> Choose:
    """The graph that the paper's baselines use: self-representation for faces, else neighbors."""

    def choose(dataset: str, _: Setting) -> Chosen:
        if dataset in GRAPH_SPARSITY:
            graph = {"affinity": "self_representation", "sparsity": GRAPH_SPARSITY[dataset]}
            default = GRAPH_SPARSITY[dataset] == DEFAULT_SPARSITY
            return Chosen(graph | more, Origin.DEFAULTS if default else Origin.GRAPH)
        if dataset not in AUTHORS:
            return Chosen(more)
        neighbors = {name: AUTHORS[dataset][name] for name in ("n_neighbors", "scale_neighbor")}
        return Chosen(neighbors | more, Origin.NEIGHBORS)

    return choose


def _dgsl(**more: Any) -> Choose:
    return lambda dataset, setting: dgsl_parameters(dataset, setting).but(**more)


def _always(origin: str = Origin.DEFAULTS, **parameters: Any) -> Choose:
    return lambda dataset, setting: Chosen(parameters, origin)


def _moved_beside(words: str, only: Sequence[str], **moved: float) -> tuple[Contender, Contender]:
    """DGSL and DGSL-spread with a logged parameter replaced, for the data sets that need it."""
    plain, spread = (
        _dgsl(origin=Origin.GRID, **moved),
        _dgsl(**GROUPED, origin=Origin.GRID, **moved),
    )
    return (
        Contender(f"DGSL {words}", "dgsl", plain, only=only),
        Contender(f"DGSL-spread {words}", "dgsl", spread, only=only),
    )


GROUPED: Setting = {"spread_weight": None, "assign_labels": "group"}
DGSL = Contender("DGSL", "dgsl", _dgsl())
SL = Contender("SL", "sl", _on_the_papers_graph())
CSP = Contender("CSP", "csp", _on_the_papers_graph())
CSCAP = Contender("CSCAP", "cscap", _on_the_papers_graph())
LSGR = tuple(
    Contender(f"LSGR-{variant}", "lsgr", _on_the_papers_graph(variant=variant))
    for variant in ("adj", "lap", "nlap")
)
SC = Contender("SC", "sc", _on_the_papers_graph())
E2CP = Contender("E2CP", "e2cp", _on_the_papers_graph())
SEEDED = Contender("DGSL-seeded", "dgsl", _dgsl(assign_labels="seeded"))
CHOSEN = Contender("DGSL-chosen", "dgsl", found_parameters)
SPREAD = Contender("DGSL-spread", "dgsl", _dgsl(**GROUPED))
SAMEKIND = Contender("SameKind", "samekind")  # the same for all data sets: nothing to choose
# One logged parameter moved where it does not suit random pairs: a must-link weight of 1 beside
# degrees of about 18, and a sparsity of 0.25 where that of the baselines' graph is 1.
MOVED = (
    *_moved_beside("weight 10", ("isolet1", "isolet2"), must_link_weight=10.0),
    *_moved_beside("sparsity 1", ("yaleb18",), sparsity=DEFAULT_SPARSITY),
)
SSCTLRR = Contender("SSCTLRR", "ssctlrr", only=("yale", "orl", "coil20"), max_hours=0.05)
FIVE = (SL, CSP, CSCAP, *LSGR, DGSL)
PARTIAL_LABELS = tuple(
    Contender(name.upper(), name, max_hours=0.25)
    for name in ("nnlrs", "s2lrr", "s3r", "nnlrr", "dcssc")
)


def _labeled(dataset: str) -> Sequence[Setting]:
    return [{"labelled": count} for count in LABELED.get(dataset, OTHERWISE)]


def _fewest(dataset: str) -> Sequence[Setting]:
    return _labeled(dataset)[:1]


def _pairs(shares: Sequence[float]) -> Sequence[Setting]:
    return [{"must_links_per_sample": share} for share in shares]


def _varied(name: str, values: Sequence[float]) -> tuple[Contender, ...]:
    """DGSL with one parameter moved, the others as the authors had them."""
    return tuple(
        Contender(f"DGSL {name}={value:g}", "dgsl", _dgsl(origin=Origin.GRID, **{name: value}))
        for value in values
    )


def _on_graphs(*sparsities: float) -> tuple[Contender, ...]:
    """The baselines on self-representations from dense to sparse."""
    return tuple(
        replace(one, choose=_with_graph(one.choose, sparsity))
        for sparsity in sparsities
        for one in (SL, CSP, CSCAP, *LSGR)
    )


def _with_graph(choose: Choose, sparsity: float) -> Choose:
    return lambda dataset, setting: choose(dataset, setting).but(Origin.SEARCH, sparsity=sparsity)


def _points(grid: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


def _around(**factors: Sequence[float]) -> tuple[Contender, ...]:
    """DGSL with what the authors logged, times some factors."""
    return tuple(Contender("DGSL", "dgsl", _times(point)) for point in _points(factors))


def _moved(**grid: Sequence[float]) -> tuple[Contender, ...]:
    """DGSL with some of what the authors logged replaced."""
    return tuple(Contender("DGSL", "dgsl", _with(point)) for point in _points(grid))


def _with(point: Mapping[str, float]) -> Choose:
    return lambda dataset, _: Chosen({**AUTHORS[dataset], **point}, Origin.SEARCH)


def _times(factors: Mapping[str, float]) -> Choose:
    def choose(dataset: str, _: Setting) -> Chosen:
        known = AUTHORS[dataset]
        moved = {name: float(f"{known[name] * factor:g}") for name, factor in factors.items()}
        return Chosen({**known, **moved}, Origin.SEARCH)

    return choose


GAMMAS = (0.1, 1.0, 10.0, 100.0)  # weight of the hypergraph beside the neighbors


def _hyper(
    label: str, method: str, at_most: int = 3, **grid: Sequence[Any]
) -> tuple[Contender, ...]:
    """A method on the hypergraph, once for each point of a grid.

    Methods on labels use the hypergraph alone, the others beside a graph of neighbors. Little
    but the start of k-means is random on a fixed split, so that few repetitions will do.
    """
    return tuple(
        Contender(
            label,
            method,
            _always(Origin.VALIDATION, **point),
            at_most=at_most,
            settings=({},) if method in ("hi", "hgnn") else None,
        )
        for point in _points(grid)
    )


TABLES_2_AND_3 = Experiment(
    "table2",
    "Tables 2 and 3: f labeled samples per class, ACC and NMI",
    NINE,
    (*FIVE, SC, E2CP, SEEDED, SSCTLRR),
    _labeled,
)
EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        Experiment(
            "table1",
            "Table 1: the data sets",
            ("yale", "orl", "umist", "mnist", "usps", "coil20", "isolet", "yaleb"),
            (Contender("", ""),),
            task="facts",
            repetitions=1,
        ),
        Experiment(
            "figure-samples",
            "Ten pictures of each set of pictures",
            ("yale", "orl", "umist", "mnist", "usps", "coil20", "yaleb"),
            (Contender("", ""),),
            task="pictures",
            repetitions=1,
        ),
        TABLES_2_AND_3,
        Experiment(
            "search-graph",
            "Sparsity of the graph of the baselines, on trials outside those of the tables",
            tuple(GRAPH_SPARSITY),
            _on_graphs(0.25, 0.5, 0.75, 1.0, 2.0, 4.0, 8.0),
            _fewest,
            repetitions=5,
            first=REPETITIONS,
        ),
        Experiment(
            "search-dgsl",
            "Parameters of DGSL at larger f, on trials outside those of the tables",
            ("coil20", "isolet1", "yaleb18"),
            _around(feedback=(0.5, 1.0), must_link_weight=(1.0, 10.0), local_ratio=(0.2, 1.0)),
            lambda dataset: _labeled(dataset)[1:],
            repetitions=5,
            first=REPETITIONS,
        ),
        Experiment(
            "search-constraints",
            "Parameters of DGSL for random pairs, on trials outside those of the figure",
            NINE,
            _around(feedback=(1.0, 3.0), must_link_weight=(1.0, 10.0, 100.0)),
            lambda dataset: _pairs((0.25, 1.0)),
            repetitions=3,
            first=REPETITIONS,
        ),
        Experiment(
            "search-classes",
            "Parameters of DGSL with labels of some classes, on trials outside those of the figure",
            FOUR,
            _moved(
                feedback=(0.02, 0.1, 0.3), sparsity=(0.0, 1.0, 2.0), must_link_weight=(1.0, 10.0)
            ),
            lambda dataset: [{**_fewest(dataset)[0], "class_share": share} for share in (0.4, 0.8)],
            repetitions=3,
            first=REPETITIONS,
        ),
        Experiment(
            "table4",
            "Table 4: partial labels",
            ("yale", "coil20", "yaleb18"),
            (*PARTIAL_LABELS, DGSL),
            _labeled,
        ),
        Experiment(
            "figure-constraints",
            "Growing numbers of random pairs",
            NINE,
            (
                *(*FIVE, SPREAD, *MOVED),
                replace(CHOSEN, settings=_pairs(MANY_PAIRS)),
                SAMEKIND,
            ),
            lambda dataset: _pairs(FEW_PAIRS + MANY_PAIRS),
        ),
        Experiment(
            "figure-classes",
            "Labels of some of the classes",
            FOUR,
            (*FIVE, SPREAD, CHOSEN, SAMEKIND),
            lambda dataset: [
                {**_fewest(dataset)[0], "class_share": share} for share in (0.2, 0.4, 0.6, 0.8, 1.0)
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
            (Contender("DGSL", "dgsl", _dgsl(max_iter=30, tol=0.0)),),
            _fewest,
            task="matrices",
            repetitions=1,
        ),
        Experiment(
            "figure-hypergraph",
            "Cora with its hypergraph, 140 labeled nodes",
            ("cora",),
            (
                *_hyper("SL", "sl"),
                *_hyper("CSP", "csp"),
                *_hyper("CSCAP", "cscap"),
                *_hyper(
                    "LSGR", "lsgr", variant=("adj", "lap", "nlap"), must_link_weight=(1.0, 10.0)
                ),
                *_hyper(
                    "DGSL",
                    "dgsl",
                    at_most=1,
                    feedback=(0.05, 0.2),
                    sparsity=(0.2, 0.5),
                    must_link_weight=(1.0, 10.0),
                ),
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
                Contender("Algorithm 2", "dgsl", _dgsl(algorithm="plain")),
                Contender("Algorithm 3", "dgsl", _dgsl()),
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
                Contender("DGSL", "dgsl", _always(solver="exact")),
                *(
                    replace(one, max_hours=None, at_most=1)
                    for one in PARTIAL_LABELS
                    if one.method != "s2lrr"
                ),
                # Timed before class mass normalization, which takes no time to speak of.
                Contender("S2LRR", "s2lrr", _always(propagation="harmonic"), at_most=1),
            ),
            lambda dataset: [{"labelled": 5, "n": n} for n in (250, 500, 1000, 2000)],
            task="seconds",
            repetitions=3,
        ),
    )
}
EXPERIMENTS["table3"] = TABLES_2_AND_3  # the same runs, another score
