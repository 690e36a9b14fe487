"""A fit that went wrong says so, and a fit that failed leaves nothing behind."""

import re
import warnings
from dataclasses import replace

import contract
import numpy as np
import pytest
from contract import CLUSTERING, LABEL_METHODS, PAIR_METHODS, fit, made
from scipy.sparse import csr_array
from sklearn.cluster import KMeans
from sklearn.datasets import make_moons
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import StandardScaler

from golden_files import DATA_SETS, golden
from problems import blobs
from samekind import DGSL, SC, PairConstraints, SameKind, Status, TraceRatioLDA, sample_labels
from samekind._solver import solve
from samekind.estimators._base.collapse import collapsed, cuts_equal_rows, stranded
from samekind.estimators._base.few_samples import beside_k_means
from samekind.estimators._base.validation import warn_of_merged
from samekind.graph import hypergraph_operator, local_graph
from samekind.metrics import clustering_accuracy


def six_groups(d, separation, n, *, standardize, seed=0):
    rng, y = np.random.default_rng(seed), np.arange(n) % 6
    centers = rng.normal(size=(6, d))
    centers *= separation / np.linalg.norm(centers, axis=1, keepdims=True)
    X = centers[y] + rng.normal(size=(n, d))
    return (StandardScaler().fit_transform(X) if standardize else X), y


@pytest.fixture
def groups():
    return contract.groups()


@pytest.fixture
def few():
    return contract.groups(n_per_class=8)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("d", [30, 100])
@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize("n_labels", [1, 5])
def test_a_collapse_has_its_status(d, standardize, n_labels):
    """Where labels are 20 points below k-means, the status says so; else it does not."""
    X, y = six_groups(d, 8, 120, standardize=standardize)
    known = sample_labels(y, n_labels, random_state=0)
    model = DGSL(6, random_state=0).fit(X, constraints=PairConstraints.from_labels(known))
    k_means = KMeans(6, n_init=10, random_state=0).fit(X).labels_
    behind = clustering_accuracy(y, k_means) - clustering_accuracy(y, model.labels_)
    assert behind <= 0.2 or not model.status_.usable
    assert behind >= 0.05 or model.status_ is not Status.COLLAPSED


@pytest.mark.filterwarnings("ignore")
def test_a_collapse_is_found_at_all():
    X, y = six_groups(100, 8, 300, standardize=True)
    known = sample_labels(y, 2, random_state=0)
    model = DGSL(6, random_state=0).fit(X, constraints=PairConstraints.from_labels(known))
    assert clustering_accuracy(y, model.labels_) < 0.5
    assert model.status_ is Status.COLLAPSED


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in CLUSTERING if name != "samekind"])
def test_every_method_looks_for_a_collapse(few, monkeypatch, name):
    X, _, known = few
    for module in ("pair_method", "label_method"):
        place = f"samekind.estimators._base.{module}.collapsed"
        monkeypatch.setattr(place, lambda labels, *_: len(labels) == len(X))
    assert fit(made(name), X, known).status_ is Status.COLLAPSED


@pytest.mark.filterwarnings("ignore")
def test_samekind_says_where_k_means_is_better(few, monkeypatch):
    X, _, known = few
    assert fit(made("samekind"), X, known).status_.converged
    monkeypatch.setattr("samekind.estimators._samekind.beside_k_means", lambda *_: "worse")
    assert fit(made("samekind"), X, known).status_ is Status.UNDECIDED


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in PAIR_METHODS if name not in ("ssc", "ssctlrr")])
def test_more_clusters_than_different_rows_are_not_called_converged(name):
    X = np.repeat(np.eye(3), 6, axis=0)
    model = made(name, 5).fit(X, cannot_link=[(0, 6)])
    assert not model.status_.converged
    assert made(name, 3).fit(X, cannot_link=[(0, 6)]).status_ is not Status.COLLAPSED


def test_equal_rows_may_be_told_apart_by_pairs():
    X, labels = np.ones((20, 2)), np.arange(20) % 2
    pairs = PairConstraints.from_labels(labels)
    assert cuts_equal_rows(X, labels, PairConstraints(20))
    assert cuts_equal_rows(csr_array(X), labels, PairConstraints(20))
    assert not cuts_equal_rows(X, labels, pairs)


def test_labels_are_worse_than_k_means_where_they_are_and_nowhere_else():
    """Two groups, and two moons, which the local graph separates and k-means does not."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    pairs = PairConstraints.from_labels(np.where(np.arange(60) < 6, y, -1))
    halves = np.where(np.arange(60) < 30, y, 1 - y)
    X = 8.0 * y[:, None] + rng.standard_normal((60, 5))
    assert beside_k_means(X, halves, pairs, local_graph(X), 2) == "worse"
    assert beside_k_means(X, y, pairs, local_graph(X), 2) == "alike"
    moons = make_moons(60, noise=0.05, random_state=0)
    X, y = moons[0], moons[1]
    assert beside_k_means(X, y, PairConstraints(60), local_graph(X), 2) == "other"


def test_parallel_lines_need_not_be_the_clusters_of_k_means():
    """The graph objects to k-means, which leaves a quarter of the variance and no less."""
    y = np.arange(80) % 2
    X = np.column_stack([np.arange(80) // 2, 5.0 * y])
    assert beside_k_means(X, y, PairConstraints(80), local_graph(X, 5, 3), 2) == "other"
    assert SC(2, n_neighbors=5, scale_neighbor=3, random_state=0).fit(X).status_.converged


def test_a_graph_cannot_object_to_groups_that_lie_apart():
    """Four samples beside sixteen: each has neighbors in the other group."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [4, 16])
    X = 30.0 * y[:, None] + rng.standard_normal((20, 2))
    halves = np.where(np.argsort(np.argsort(X[:, 0])) < 10, 0, 1)
    assert beside_k_means(X, halves, PairConstraints(20), local_graph(X), 2) == "worse"


@pytest.mark.parametrize("name", PAIR_METHODS)
@pytest.mark.filterwarnings("ignore")
def test_empty_clusters_are_not_called_converged(few, monkeypatch, name):
    X, _, known = few
    model = made(name)
    method = type(model)
    _fit = method._fit

    def without_the_last(self, given):
        _fit(self, given)
        self.labels_ = np.minimum(self.labels_, self.n_clusters - 2)
        self.status_ = Status.CONVERGED

    monkeypatch.setattr(method, "_fit", without_the_last)
    monkeypatch.setattr(method, "_collapsed", lambda *_: False)
    assert fit(model, X, known).status_ is Status.EMPTY_CLUSTERS
    assert model.status_.usable


@pytest.mark.filterwarnings("ignore")
def test_a_class_that_no_sample_got_is_not_called_converged(few, monkeypatch):
    X, _, known = few
    monkeypatch.setattr("samekind.estimators._base.label_method.collapsed", lambda *_: False)
    known = known.copy()
    known[np.flatnonzero(known == 0)[0]] = 7  # amid others that say 0
    known[np.flatnonzero(known == -1)[:1]] = 0
    model = fit(made("hi"), X, known)
    assert 7 not in model.labels_
    assert model.status_ is Status.EMPTY_CLUSTERS


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CLUSTERING)
@pytest.mark.usefixtures("few_starts")
def test_equal_rows_that_only_pairs_tell_apart_are_not_called_converged(name):
    """Which of the two the others belong to is arbitrary, and changes with their order."""
    known = np.where(np.arange(12) < 4, np.arange(12) % 2, -1)
    assert not fit(made(name, 2), np.ones((12, 3)), known).status_.converged


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["s3r", "ssc"])
def test_a_collapse_has_its_status_where_most_samples_are_labeled(name):
    """Of the other samples hardly half are right, where k-means has all."""
    X, y = six_groups(100, 8, 420, standardize=False)
    known = sample_labels(y, 40, random_state=0)
    model, free = fit(made(name, 6), X, known), known == -1
    assert clustering_accuracy(y[free], model.labels_[free]) < 0.6
    assert model.status_ is Status.COLLAPSED


def test_most_samples_in_pairs_may_overrule_the_local_graph():
    """The neighbors speak of the first feature, the pairs of the second."""
    rng, every = np.random.default_rng(0), np.arange(420)
    y, other = every % 2, every // 2 % 2
    X = np.column_stack([8.0 * other, 3.0 * y]) + 0.3 * rng.standard_normal((420, 2))
    pairs, W = PairConstraints.from_labels(np.where(every < 280, y, -1)), local_graph(X)
    assert not collapsed(y, pairs, W, 2, X=X)
    assert not collapsed(np.where(every < 280, y, other), pairs, W, 2, X=X)


def planted_hyperedges(seed, n=120, m=200, size=4, purity=0.9):
    """Hyperedges that follow three classes, and rows that do not."""
    rng = np.random.default_rng(seed)
    y, U = rng.integers(3, size=n), np.zeros((n, m))
    for column in range(m):
        weight = np.where(y == rng.integers(3), purity, (1 - purity) / 2)
        U[rng.choice(n, size, replace=False, p=weight / weight.sum()), column] = 1.0
    return rng.standard_normal((n, 5)), y, U, sample_labels(y, 5, random_state=seed)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["hi", "hgnn"])
def test_given_hyperedges_are_not_asked_to_agree_with_x(name, seed):
    X, y, U, known = planted_hyperedges(seed)
    model = made(name).fit(X, known, incidence=U)
    assert clustering_accuracy(y, model.labels_) > 0.7
    assert model.status_ is not Status.COLLAPSED


def test_a_graph_of_small_parts_alone_has_no_clusters_to_compare_with():
    W = csr_array(np.kron(np.eye(40), [[0.0, 1.0], [1.0, 0.0]]))
    assert not collapsed(np.arange(80) % 2, PairConstraints(80), W, 2)
    model = SC(2, random_state=0).fit(np.random.default_rng(0).standard_normal((80, 3)), graph=W)
    assert model.labels_.shape == (80,)


@pytest.mark.parametrize("alone", [0, 12])
def test_labels_that_ignore_given_hyperedges_have_collapsed(alone):
    """Also where some samples are in no hyperedge, which are clusters to spectral clustering."""
    _, y, U, known = planted_hyperedges(0)
    U[:alone] = 0.0
    pairs = PairConstraints.from_labels(known)
    O = hypergraph_operator(U[:, U.sum(axis=0) > 0])
    O.setdiag(0.0)
    shuffled = np.where(known >= 0, known, np.random.default_rng(1).integers(3, size=len(y)))
    assert collapsed(shuffled, pairs, csr_array(O), 3)
    assert not collapsed(y, pairs, csr_array(O), 3)


@pytest.mark.golden
@pytest.mark.parametrize("name", ["digits600_0", *DATA_SETS])
def test_the_inputs_of_the_authors_do_not_collapse(name):
    case = golden(name)
    pairs = PairConstraints.from_labels(case.labels)
    model = DGSL(case.k, random_state=0, **case.parameters()).fit(case.X, constraints=pairs)
    assert model.status_.converged


def test_pairs_that_overrule_the_local_graph_are_no_collapse():
    """The neighbors speak of the first feature, the pairs of the second."""
    rng = np.random.default_rng(0)
    y, other = np.arange(120) % 2, np.arange(120) // 2 % 2
    X = np.column_stack([8.0 * other, 3.0 * y]) + 0.3 * rng.standard_normal((120, 2))
    pairs = PairConstraints.from_labels(np.where(np.arange(120) < 60, y, -1))
    model = made("sl", 2).fit(X, constraints=pairs)
    assert model.status_ is not Status.COLLAPSED


def test_vanished_is_usable_and_says_what_the_labels_come_from(groups):
    X, y, known = groups
    with pytest.warns(UserWarning, match="clustered by the local graph and the pairs alone"):
        model = fit(made("dgsl"), X / 1000, known)
    assert model.status_ is Status.VANISHED
    assert model.status_.usable
    assert clustering_accuracy(y, model.labels_) == 1


@pytest.mark.parametrize(("residual", "unfit"), [(0.09, False), (0.11, True)])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_an_embedding_far_from_its_graph_is_not_called_converged(
    groups, monkeypatch, residual, unfit
):
    X, _, known = groups

    def with_residual(*args, **options):
        run = solve(*args, **options)
        return replace(run, optimality=replace(run.optimality, H=residual))

    monkeypatch.setattr("samekind.estimators._dgsl.solve", with_residual)
    assert (fit(made("dgsl"), X, known).status_ is Status.UNVERIFIED) == unfit


def test_rows_that_are_merged_with_other_labels_are_warned_of():
    X = np.array([[1.0, 2.0], [1.0, 2.0 + 4e-16], [3.0, 4.0]])
    merged = np.round(X, 9)
    with pytest.warns(UserWarning, match="SC: rows 0 and 1 differ by rounding alone"):
        warn_of_merged(X, merged, np.array([0, 1, 1]), "SC")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_merged(X, merged, np.array([0, 0, 1]), "SC")


def test_every_pair_method_looks_for_merged_rows(groups, monkeypatch):
    X, _, known = groups
    looked = []
    monkeypatch.setattr(
        "samekind.estimators._base.pair_method.warn_of_merged", lambda *given: looked.append(given)
    )
    fit(made("sc"), X, known)
    assert len(looked) == 1


def test_clusters_of_known_rows_alone_are_stranded():
    pairs = PairConstraints.from_labels(np.where(np.arange(60) < 6, np.arange(60) % 3, -1))
    true = np.arange(60) % 3
    wrong = np.where(np.arange(60) < 6, true, 0)
    assert stranded(wrong, pairs)
    assert not stranded(true, pairs)


@pytest.mark.parametrize("name", PAIR_METHODS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:.*ignores")
def test_samples_without_edges_are_named(groups, name):
    X, _, known = groups
    W = local_graph(X).toarray()
    alone = [3, 17]  # not in pairs
    assert (known[alone] == -1).all()
    W[alone] = W[:, alone] = 0.0
    if name in ("ssctlrr", "dgsl"):
        pytest.skip("makes edges of its own")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        made(name).fit(X, constraints=PairConstraints.from_labels(known), graph=csr_array(W))
    found = [str(one.message) for one in seen if "not fully connected" in str(one.message)]
    assert re.search(r"2 samples have no edges, rows 3, 17;", found[0])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_samples_that_no_label_reaches_are_named(groups):
    X, _, known = groups
    U = np.eye(len(X))
    U[known != -1, 0] = 1.0
    with pytest.warns(UserWarning, match=r"HI: no label reaches 48 of 60 samples .* rows \d"):
        made("hi").fit(X, known, incidence=U)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CLUSTERING)
def test_masked_entries_are_not_taken_for_numbers(few, name):
    X, _, known = few
    masked = np.ma.masked_array(X, np.arange(X.size).reshape(X.shape) == 3 * X.shape[1])
    with pytest.raises(ValueError, match=r"X has 1 masked entry, the first in row 3; .* fill"):
        fit(made(name), masked, known)
    model = fit(made(name), np.ma.masked_array(X), known)  # no entry is masked
    with pytest.raises(ValueError, match="X has 1 masked entry"):
        model.predict(masked)


def test_masked_labels_and_weights_are_not_taken_for_numbers(few):
    X, _, known = few
    masked, W = np.ma.masked_array(known, known == 2), local_graph(X).toarray()
    for model in (made("hi"), TraceRatioLDA()):
        with pytest.raises(ValueError, match=r"y has 4 masked entries.*filled\(-1\)"):
            model.fit(X, masked)
    with pytest.raises(ValueError, match=r"graph has \d+ masked entries.*filled\(0\)"):
        made("sc").fit(X, graph=np.ma.masked_equal(W, W.max()))
    lda = TraceRatioLDA().fit(X, known)
    for ask in (lda.transform, lambda X: lda.fit(X, known)):
        with pytest.raises(ValueError, match="X has 1 masked entry, the first in row 3"):
            ask(np.ma.masked_array(X, np.arange(X.size).reshape(X.shape) == 3 * X.shape[1]))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CLUSTERING)
def test_a_refit_that_fails_leaves_nothing(few, name):
    X, _, known = few
    model = fit(made(name), X, known)
    with pytest.raises((ValueError, TypeError)):
        fit(model, X[:, :5], known[:-1])
    for ask in (lambda: model.predict(X), lambda: model.predict(X[:, :5])):
        with pytest.raises(NotFittedError):
            ask()
    assert not [one for one in vars(model) if one.endswith("_")]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [KeyboardInterrupt, RuntimeError])
@pytest.mark.parametrize("name", ["dgsl", "samekind", "s2lrr", "hgnn"])
def test_an_interrupted_refit_leaves_nothing(few, name, kind):
    X, _, known = few

    def interrupt(record):
        raise kind

    model = fit(made(name), X, known)
    given = (
        {"y": known}
        if name in LABEL_METHODS
        else {"constraints": PairConstraints.from_labels(known)}
    )
    with pytest.raises(kind):
        model.fit(X, **given, callback=interrupt)
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_a_transformer_that_fails_leaves_nothing(groups):
    X, _, known = groups
    model = TraceRatioLDA().fit(X, known)
    with pytest.raises(ValueError, match="all equal"):
        model.fit(np.ones_like(X[:, :5]), known)
    with pytest.raises(NotFittedError):
        model.transform(X)


@pytest.mark.parametrize("method", [DGSL, SameKind])
def test_a_callback_can_end_the_run(groups, method):
    X, y, known = groups
    pairs, seen = PairConstraints.from_labels(known), []

    def stop(state):
        seen.append(state.iteration)
        raise StopIteration

    model = method(3, random_state=0)
    with pytest.warns(UserWarning, match="ended by the callback"):
        model.fit(X, constraints=pairs, callback=stop)
    assert seen == [1]
    assert model.status_ is Status.INTERRUPTED
    assert not model.status_.usable
    assert clustering_accuracy(y, model.labels_) == 1
    assert (model.predict(X) == model.labels_).all()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CLUSTERING)
@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e200])
@pytest.mark.usefixtures("few_starts")
def test_rows_that_differ_by_rounding_keep_their_labels(name, scale):
    rng = np.random.default_rng(0)
    centers = np.repeat(rng.standard_normal((3, 20)) * 4, 8, axis=0)
    X = np.nextafter(centers, np.inf) * np.where(rng.random(centers.shape) < 0.5, 1, 1 + 1e-15)
    X = np.unique(scale * X, axis=0)
    y = np.arange(len(X)) % 3
    known = np.where(np.arange(len(X)) < 6, y, -1)
    model = fit(made(name), X, known)
    np.testing.assert_array_equal(model.predict(X), model.labels_)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CLUSTERING)
@pytest.mark.parametrize(
    "X",
    [
        np.ones((12, 3)),
        np.zeros((12, 3)),
        np.eye(4)[np.arange(12) % 4],
        np.arange(12.0)[:, None],
        np.repeat(np.arange(4.0), 3)[:, None],
        np.full((12, 2), 1e280),
        1e200 * np.eye(12),
        1e-250 * np.eye(12, 3),
    ],
    ids=["ones", "zeros", "one-hot", "column", "repeated", "huge", "huge eye", "tiny"],
)
@pytest.mark.usefixtures("few_starts")
def test_degenerate_rows_end_well(name, X):
    known = np.where(np.arange(12) < 6, np.arange(12) % 3, -1)
    model = fit(made(name), X, known)
    assert model.labels_.shape == (12,)
    assert isinstance(model.status_, Status)
    for k in (1, 11, 12) if name in PAIR_METHODS else ():
        assert len(made(name, k).fit(X, cannot_link=[(0, 1)]).labels_) == 12


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [x for x in PAIR_METHODS if x not in ("dgsl", "ssctlrr")])
def test_a_given_graph_without_edges_is_not_usable(few, name):
    """DGSL and SSCTLRR make edges of their own."""
    X, y, _ = few
    known = sample_labels(y, 2, random_state=0)
    W = np.zeros((len(X), len(X)))
    W[:3, :3] = 1.0
    for given in ({}, {"constraints": PairConstraints.from_labels(known)}):
        for graph in (csr_array(0 * W), csr_array(W)):
            assert not made(name).fit(X, graph=graph, **given).status_.usable


@pytest.mark.filterwarnings("ignore")
def test_a_graph_that_vanished_is_not_usable():
    X = 1e-6 * blobs(3, n_per_class=20, k=3, d=20, spread=0.6)[0]
    model = SC(3, affinity="self_representation", random_state=0).fit(X)
    assert model.status_ is Status.EDGELESS
    assert not model.status_.usable


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_rows_that_scaling_makes_equal_are_warned_of():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.standard_normal(8), 3)[:, None] + 3
    X = X * (1 + 2.3e-16 * rng.integers(3, size=X.shape))
    pairs = PairConstraints(24, cannot_link=[(3 * i, 3 * i + 1) for i in range(8)])
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        model = SameKind(3, random_state=0).fit(X, constraints=pairs)
    distinct = np.unique(X, return_index=True)[1]
    said = any("differ by rounding" in str(one.message) for one in seen)
    assert said or (model.predict(X[distinct]) == model.labels_[distinct]).all()
