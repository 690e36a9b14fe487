"""Displays of fitted models: what is drawn, and what is refused."""

import sys

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from problems import blobs
from samekind import DGSL, SC, SL, SameKind, TraceRatioLDA
from samekind.inspection import (
    AffinityDisplay,
    ConvergenceDisplay,
    EmbeddingDisplay,
    NClustersDisplay,
)

ALL = [AffinityDisplay, ConvergenceDisplay, EmbeddingDisplay]


@pytest.fixture(autouse=True)
def _closed():
    with matplotlib.rc_context({"backend": "Agg"}):
        yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def model():
    X, y = blobs(3, n_per_class=15, k=3, d=6, spread=0.6)
    a, b = (int(np.flatnonzero(y == k)[0]) for k in (0, 1))
    return DGSL(3, sparsity=0.1, random_state=0).fit(X, cannot_link=[(a, b)])


@pytest.mark.parametrize("display", ALL)
def test_a_display_draws_on_new_or_given_axes(model, display):
    first = display.from_estimator(model)
    assert first.ax_.figure is first.figure_
    _, axes = pyplot.subplots()
    assert display.from_estimator(model, ax=axes).ax_ is axes
    again = first.plot()
    assert again is first
    assert again.ax_ is not axes
    assert type(model).__name__ in first.ax_.get_title()
    first.figure_.canvas.draw()


def test_points_have_the_color_of_their_cluster(model):
    display = EmbeddingDisplay.from_estimator(model, alpha=0.5)
    drawn = display.ax_.collections
    sizes = np.bincount(model.labels_)
    assert [len(one.get_offsets()) for one in drawn] == sizes.tolist()
    assert len({tuple(one.get_facecolor()[0][:3]) for one in drawn}) == 3
    assert all(one.get_alpha() == 0.5 for one in drawn)
    for cluster, one in enumerate(drawn):
        np.testing.assert_array_equal(one.get_offsets(), display.points[model.labels_ == cluster])


def test_the_graph_is_ordered_by_cluster(model):
    display = AffinityDisplay.from_estimator(model, cmap="viridis")
    order = np.argsort(model.labels_, kind="stable")
    W = abs(model.affinity_matrix_.toarray())
    expected = (W / W.max(axis=1, keepdims=True))[order][:, order]
    np.testing.assert_allclose(display.image_.get_array(), expected, atol=1e-12)
    assert [tick.get_text() for tick in display.ax_.get_xticklabels()] == ["0", "1", "2"]


def test_changes_are_drawn_with_the_tolerance(model):
    display = ConvergenceDisplay.from_estimator(model)
    changes = [record.change_Z for record in model.history_]
    np.testing.assert_array_equal(display.lines_[1].get_ydata(), changes)
    assert display.ax_.get_yscale() == "log"
    assert display.tol == model.tol


def test_the_model_may_be_in_a_pipeline_or_a_search(model):
    X = model._fit_X
    pipeline = make_pipeline(StandardScaler(), SL(3, random_state=0)).fit(X)
    points = EmbeddingDisplay.from_estimator(pipeline).points
    assert points.shape == (45, 2)
    y = np.where(np.arange(45) < 30, model.labels_, -1)
    search = GridSearchCV(pipeline, {"sl__n_neighbors": [7]}, cv=2).fit(X, y)
    shown = EmbeddingDisplay.from_estimator(search).labels
    np.testing.assert_array_equal(shown, search.best_estimator_[-1].labels_)


@pytest.mark.parametrize("display", ALL)
def test_models_that_have_nothing_to_show_are_refused(model, display):
    with pytest.raises(NotFittedError):
        display.from_estimator(SC())
    bare = TraceRatioLDA().fit(model._fit_X, np.where(np.arange(45) < 30, model.labels_, -1))
    with pytest.raises(AttributeError, match="TraceRatioLDA has no"):
        display.from_estimator(bare)


def test_without_matplotlib_the_command_that_installs_it_is_named(monkeypatch):
    display = EmbeddingDisplay(points=np.zeros((1, 2)), labels=np.zeros(1))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r'pip install "\.\[app\]"'):
        display.plot()


def test_the_legend_has_the_names_that_were_given():
    X, _ = blobs(3, n_per_class=15, k=3, d=6, spread=0.6)
    known = np.full(45, None)
    known[[0, 1]] = "cat", "cat"
    model = SC(3, random_state=0)
    with pytest.warns(UserWarning, match="ignores"):
        model.fit(X, known)
    cluster = model.labels_[0]
    assert model.cluster_names_[cluster] == "cat"
    legend = EmbeddingDisplay.from_estimator(model).ax_.get_legend()
    assert tuple(text.get_text() for text in legend.get_texts()) == model.cluster_names_
    assert legend.get_title().get_text() == "label"


def test_the_chosen_number_of_clusters_is_marked():
    X, _ = blobs(3, n_per_class=15, k=3, d=6, spread=0.2)
    model = SameKind(n_clusters=None, random_state=0).fit(X, cannot_link=[(0, 20)])
    display = NClustersDisplay.from_estimator(model)
    number = model.choice_.n_clusters
    np.testing.assert_array_equal(display.line_.get_xydata()[:, 1], number.total)
    assert display.ax_.lines[1].get_xdata()[0] == model.n_clusters_
    assert number.plain
    assert "plainly apart" in display.ax_.get_title()
    noise = np.random.default_rng(0).standard_normal((90, 3))
    guessed = NClustersDisplay.from_estimator(SameKind(None, random_state=0).fit(noise))
    assert "a guess" in guessed.ax_.get_title()
    with pytest.raises(ValueError, match="SameKind\\(n_clusters=None\\)"):
        NClustersDisplay.from_estimator(SameKind(2, random_state=0).fit(X))
