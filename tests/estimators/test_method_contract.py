"""What holds for every method, whatever it computes."""

import inspect
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from contract import (
    CLUSTERING,
    LABEL_METHODS,
    NAMES,
    PAIR_METHODS,
    SUPERVISED,
    UNSUPERVISED,
    fit,
    fitted,
    groups,
    made,
)
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from samekind import ConstraintConflict, PairConstraints, Status
from samekind.estimators._base.registry import METHODS
from samekind.graph import local_graph

pytestmark = pytest.mark.filterwarnings("ignore:.*ignores:UserWarning")


def short(name):
    """Few steps: scikit-learn's checks fit some hundred times and look at no optimum."""
    few = {"max_rounds": 1, "max_iter": {"hgnn": 50, "ssctlrr": 50}.get(name, 8)}
    return {one: few[one] for one in signature_of(name) & set(few)}


def signature_of(name):
    return set(inspect.signature(METHODS[name].estimator).parameters)


TOUCHING = 3.0


@pytest.fixture
def separated():
    return groups()


@pytest.fixture
def touching():
    return groups(TOUCHING)


@pytest.fixture
def few():
    """Rows for fits of which no test needs to know how good they are."""
    return groups(n_per_class=8)


@parametrize_with_checks(
    # With four clusters, as scikit-learn's checks take predict_proba to have four columns.
    [
        made(name, n_clusters=4, random_state=None, **short(name))
        for name in NAMES
        if name != "dgsl"
    ],
    expected_failed_checks=lambda model: (
        {"check_classifiers_classes": "uses -1, which means unknown, as a class"}
        if type(model).__name__.lower() in LABEL_METHODS
        else {}
    ),
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.usefixtures("few_starts")
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", CLUSTERING)
def test_separated_data_are_separated(separated, name):
    y, model = separated[1], fitted(name)
    assert adjusted_rand_score(y, model.labels_) == 1
    assert model.constraint_report_.violated == 0
    assert model.constraint_report_.satisfied > 0


@pytest.mark.parametrize("name", CLUSTERING)
def test_permuting_samples_permutes_the_partition(separated, name):
    X, _, known = separated
    order = np.random.default_rng(0).permutation(len(X))
    labels = fitted(name).labels_
    moved = fit(made(name), X[order], known[order]).labels_
    assert adjusted_rand_score(moved, labels[order]) == 1


@pytest.mark.parametrize("name", CLUSTERING)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_same_seed_same_labels(touching, name):
    X, _, known = touching
    assert_array_equal(fit(made(name), X, known).labels_, fitted(name, TOUCHING).labels_)


@pytest.mark.parametrize("name", CLUSTERING)
@pytest.mark.parametrize("kind", [np.random.default_rng, np.random.RandomState])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_random_state_may_be_a_generator(few, name, kind):
    """The same seed gives the same labels; a generator moves on where it is used."""
    X, _, known = few
    generators = kind(7), kind(7)
    first, second = (
        fit(made(name, random_state=generator), X, known).labels_ for generator in generators
    )
    assert_array_equal(first, second)
    if kind is np.random.default_rng:
        following = {int(generator.integers(2**31)) for generator in (*generators, kind(7))}
        assert len(following) == 2


@pytest.mark.parametrize("name", CLUSTERING)
def test_random_state_of_another_kind_is_refused(separated, name):
    X, _, known = separated
    with pytest.raises(ValueError, match="'seven' cannot be used to seed"):
        fit(made(name, random_state="seven"), X, known)


@pytest.mark.parametrize("name", SUPERVISED)
@pytest.mark.filterwarnings("ignore")
def test_pairs_change_the_result(touching, name):
    X, _, known = touching
    alone, told = made(name).fit(X), fitted(name, TOUCHING)
    share = PairConstraints.from_labels(known).evaluate(alone.labels_).satisfaction
    assert told.constraint_report_.satisfaction >= share
    H = [model.embedding_ @ model.embedding_.T for model in (alone, told)]
    assert np.abs(H[0] - H[1]).max() > 1e-3


@pytest.mark.parametrize("name", UNSUPERVISED)
def test_methods_without_supervision_warn_that_pairs_are_ignored(touching, name):
    X, _, known = touching
    pairs = PairConstraints.from_labels(known)
    with pytest.warns(UserWarning, match="ignores must-links and cannot-links") as seen:
        told = made(name).fit(X, constraints=pairs)
    assert len([one for one in seen if "ignores" in str(one.message)]) == 1
    assert_array_equal(told.labels_, made(name).fit(X).labels_)
    assert told.constraint_report_.n_must_link == len(pairs.must_link)


@pytest.mark.parametrize("name", LABEL_METHODS)
def test_names_of_classes_do_not_matter(separated, name):
    X, y, known = separated
    renamed = np.array([30, 7, -5, -1])[known]  # the last is for the unknown
    model = fit(made(name), X, renamed)
    assert model.classes_.tolist() == [-5, 7, 30]
    assert_array_equal(model.labels_, np.array([30, 7, -5])[y])


@pytest.mark.parametrize("name", PAIR_METHODS)
@pytest.mark.filterwarnings("ignore")
def test_every_violated_pair_is_reported(separated, name):
    X, y, _ = separated
    first, second = (np.flatnonzero(y == label) for label in (0, 1))
    pairs = PairConstraints(len(X), [(first[0], second[0])], [(first[1], first[2])])
    model = made(name).fit(X, constraints=pairs)
    report, labels = model.constraint_report_, model.labels_
    must = [p.tolist() for p in pairs.must_link if labels[p[0]] != labels[p[1]]]
    cannot = [p.tolist() for p in pairs.cannot_link if labels[p[0]] == labels[p[1]]]
    assert report.violated_must_link.tolist() == must
    assert report.violated_cannot_link.tolist() == cannot
    assert report.violated == len(must) + len(cannot)


@pytest.mark.parametrize("name", LABEL_METHODS)
@pytest.mark.filterwarnings("ignore")
def test_every_overruled_label_is_reported(separated, name):
    X, y, known = separated
    wrong = known.copy()
    wrong[np.flatnonzero((known == -1) & (y == 0))[0]] = 1  # a wrong label amid another class
    model = fit(made(name), X, wrong)
    overruled = np.flatnonzero((wrong != -1) & (model.labels_ != wrong))
    assert_array_equal(model.constraint_report_.overruled, overruled)
    if getattr(model, "propagation", None) in ("harmonic", "class_mass"):
        assert model.constraint_report_.violated == 0  # given labels are kept


@pytest.mark.parametrize("name", LABEL_METHODS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_label_methods_answer_like_those_of_scikit_learn(few, name):
    X, _, known = few
    model = fit(made(name), X, known)
    assert model.transduction_ is model.labels_
    assert model.label_distributions_.shape == (len(X), len(model.classes_))
    assert_allclose(model.label_distributions_.sum(axis=1), 1)
    assert (model.label_distributions_ >= 0).all()
    assert_array_equal(model.classes_[model.label_distributions_.argmax(axis=1)], model.labels_)
    assert_array_equal(model.predict(X), model.labels_)
    for as_other in (float, object, np.int8):
        assert_array_equal(fit(made(name), X, known.astype(as_other)).labels_, model.labels_)


@pytest.mark.parametrize("name", CLUSTERING)
@pytest.mark.filterwarnings("ignore")
def test_running_out_of_iterations_is_reported(touching, name):
    X, _, known = touching
    if not {"max_iter", "tol"} <= signature_of(name):
        pytest.skip(f"{name} does not iterate")
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        model = fit(made(name, max_iter=1, tol=1e-12), X, known)
    assert model.status_ is Status.MAX_ITER


@pytest.mark.parametrize("name", CLUSTERING)
@pytest.mark.filterwarnings("ignore")
def test_input_is_left_as_it_was(few, name):
    X, _, known = few
    copies = X.copy(), known.copy()
    fit(made(name), X, known)
    assert_array_equal(X, copies[0])
    assert_array_equal(known, copies[1])


@pytest.mark.parametrize("name", CLUSTERING)
@pytest.mark.parametrize("kind", ["float32", "sparse", "pandas"])
@pytest.mark.filterwarnings("ignore")
def test_every_container_of_samples_gives_the_same(few, name, kind):
    X, y, known = few
    made_of = {"float32": np.float32, "sparse": csr_array, "pandas": pd.DataFrame}[kind](X)
    if kind == "pandas":
        made_of.columns = [f"f{i}" for i in range(X.shape[1])]
    model = fit(made(name), made_of, known)
    assert adjusted_rand_score(y, model.labels_) == 1
    assert_array_equal(model.predict(made_of), model.labels_)


@pytest.mark.parametrize("name", PAIR_METHODS)
@pytest.mark.filterwarnings("ignore")
def test_a_ready_graph_is_used(separated, name):
    X, y, known = separated
    noise = 1e-3 * np.random.default_rng(0).standard_normal(X.shape)  # no use to any method
    if "graph" in unusable(name):
        pytest.skip(f"{name} makes its graph itself")
    pairs = PairConstraints.from_labels(known)
    model = made(name).fit(noise, constraints=pairs, graph=local_graph(X))
    assert adjusted_rand_score(y, model.labels_) > 0.9


def unusable(name):
    """Arguments of fit that a method takes for the sake of the others, and says so."""
    return getattr(METHODS[name].estimator, "unused", ())


@pytest.mark.parametrize("name", PAIR_METHODS)
@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"must_link": [(0, 5), (5, 9)], "cannot_link": [(0, 9)]}, "0 = 5 = 9"),
        ({"constraints": PairConstraints(50)}, "cover 50 samples but X has 60 rows"),
        ({"must_link": [(0, 60)]}, "60"),
        ({"graph": -np.ones((60, 60))}, "negative"),
        ({"graph": np.ones((3, 3))}, r"shape \(3, 3\) but X has 60 rows"),
    ],
)
def test_bad_pairs_and_graphs_get_the_same_answers(separated, name, call, message):
    with pytest.raises((ValueError, ConstraintConflict), match=message):
        made(name).fit(separated[0], **call)


@pytest.mark.parametrize("name", PAIR_METHODS)
@pytest.mark.filterwarnings("ignore")
def test_odd_numbers_of_clusters(few, name):
    X = few[0]
    with pytest.raises(ValueError, match="n_samples=24 should be >= n_clusters=25"):
        made(name, 25).fit(X)
    with pytest.raises(ValueError, match=r"an int in the range \[1, inf\)( or None)?\. Got 0"):
        made(name, 0).fit(X)
    assert set(made(name, 1).fit(X, cannot_link=[(0, 1)]).labels_) == {0}
    with pytest.warns(UserWarning, match="samples 0, 1, 2 are all marked different"):
        made(name, 2).fit(X, cannot_link=[(0, 1), (0, 2), (1, 2)])


@pytest.mark.parametrize("name", PAIR_METHODS)
@pytest.mark.filterwarnings("ignore")
def test_pairs_of_any_shape_are_no_trouble(few, name):
    """None, only one kind, and samples that are all the same."""
    X = few[0]
    for call in ({}, {"must_link": [(0, 1)]}, {"cannot_link": [(0, 1), (2, 3)]}):
        labels = made(name).fit(X, **call).labels_
        assert labels.shape == (24,)
        assert set(labels) <= {0, 1, 2}
    model = made(name).fit(np.ones((12, 3)), must_link=[(0, 1)], cannot_link=[(0, 2)])
    assert set(model.labels_) <= {0, 1, 2}


@pytest.mark.parametrize("name", [name for name in NAMES if METHODS[name].takes_labels])
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.full(60, -1), "no label"),
        (np.where(np.arange(60) < 5, 2, -1), "one class only"),
        (np.linspace(0, 1, 60), r"Unknown label type.*integers"),
        (np.array(["a", "b"] * 30), "integers"),
        (np.arange(59), "inconsistent|60"),
        (None, "requires y"),
    ],
)
def test_labels_that_cannot_be_used_are_refused(separated, name, y, message):
    with pytest.raises(ValueError, match=message):
        METHODS[name].estimator().fit(separated[0], y)


@pytest.mark.parametrize("name", NAMES)
def test_every_method_has_a_summary_references_and_an_example(name):
    manual = inspect.getdoc(METHODS[name].estimator)
    assert "References\n---" in manual
    assert "Examples\n---" in manual
    assert METHODS[name].summary.endswith(".")


@pytest.mark.parametrize("name", CLUSTERING)
@pytest.mark.filterwarnings("ignore")
def test_every_attribute_is_in_the_docstring(few, name):
    X, _, known = few
    frame = pd.DataFrame(X, columns=[f"f{i}" for i in range(X.shape[1])])
    model = fit(made(name), frame, known)
    manual = inspect.getdoc(type(model))
    entries = re.findall(r"^([\w, ]+_) : ", manual, re.M)
    documented = {one for entry in entries for one in entry.split(", ")}
    assert {
        attribute for attribute in dir(model) if re.fullmatch(r"[a-z]\w*_", attribute)
    } == documented


@pytest.mark.parametrize("name", NAMES)
def test_an_interpretation_is_marked_as_such_and_nothing_else_is(name):
    """Titles mark it, the docstring says what of the method it is, the summary is free of it."""
    method = METHODS[name]
    manual = inspect.getdoc(method.estimator).lower()
    assert ("(our interpretation)" in method.title) == method.interpretation
    assert ("our interpretation" in manual) == method.interpretation
    assert "interpretation" not in method.summary


@pytest.mark.parametrize("name", PAIR_METHODS)
def test_y_is_ignored_and_nothing_warns_without_a_reason(separated, name):
    X, y, known = separated
    pairs = PairConstraints.from_labels(known)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*ignores")
        told = made(name).fit(X, y, constraints=pairs).labels_
    assert_array_equal(told, fitted(name).labels_)


@pytest.mark.parametrize("name", CLUSTERING)
def test_too_little_memory_is_refused_before_anything_is_made(separated, name):
    X, _, known = separated
    model = made(name, memory_limit=10.0)
    if not needs_squares(model):
        pytest.skip(f"{name} holds nothing as large as all pairs")
    with pytest.raises(MemoryError, match="memory_limit"):
        fit(model, X, known)


def needs_squares(model):
    return getattr(model, "DENSE_ARRAYS", 1) > 0
