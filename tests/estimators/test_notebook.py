"""What a model shows in a notebook: its status, lines while it runs, and the report."""

import html
import re
import sys

import numpy as np
import pandas as pd
import pytest
import sklearn
from contract import fit, made
from sklearn.exceptions import NotFittedError

from problems import blobs
from samekind import DGSL, SC, SameKind, Status, sample_labels
from samekind.app.notebook import _rows
from samekind.estimators._base.html import status_html


@pytest.fixture(scope="module")
def data():
    X, y = blobs(3, n_per_class=12, k=3, d=6, spread=0.6)
    return X, y, sample_labels(y, 3, random_state=0)


def test_the_diagram_of_a_fitted_model_tells_its_status(data):
    X, _, known = data
    model = SameKind(3, random_state=0)
    assert "samples in" not in model._repr_mimebundle_()["text/html"] + model._repr_html_()
    model.fit(X, known)
    bundle = model._repr_mimebundle_()
    shown = bundle["text/html"]
    assert bundle["text/plain"] == repr(model)
    assert all(text.endswith(status_html(model)) for text in (model._repr_html_(), shown))
    assert f">{model.status_.name}.<" in shown
    assert "36 samples in 3 groups" in shown
    assert str(model.constraint_report_) in shown
    model.status_ = Status.COLLAPSED
    assert ">COLLAPSED, do not rely on these labels.<" in model._repr_html_()
    with sklearn.config_context(display="text"):
        assert not hasattr(model, "_repr_html_")
        assert "text/html" not in model._repr_mimebundle_()


@pytest.mark.parametrize("cls", [SameKind, DGSL])
def test_verbose_writes_a_line_for_each_iteration(data, cls, capsys):
    X, _, known = data
    states = []
    quiet = cls(3, random_state=0).fit(X / 2, known, callback=states.append)
    assert capsys.readouterr().out == ""
    loud = cls(3, random_state=0, verbose=1).fit(X / 2, known, callback=states.append)
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith(f"[{cls.__name__}] ") for line in lines)
    told = [line for line in lines if "] iteration" in line]
    assert len(told) == loud.n_iter_ == quiet.n_iter_
    assert len(states) == 2 * loud.n_iter_
    np.testing.assert_array_equal(loud.labels_, quiet.labels_)


@pytest.mark.parametrize("name", ["samekind", "dgsl", "sc", "hi", "nnlrs"])
@pytest.mark.filterwarnings("ignore")
def test_every_kind_of_method_has_a_report(data, name):
    X, _, known = data
    model = fit(made(name), X, np.where(known >= 0, known + 4, -1))
    page = model.report().html
    assert f"Status.{model.status_.name}" not in page
    assert type(model).__name__ in page
    assert model.labels_.max() > 3 or not hasattr(model, "classes_")  # the model keeps its own


def test_the_report_is_shown_in_a_frame_and_saved(data, tmp_path):
    X, _, known = data
    frame = pd.DataFrame(X * [1, 10, 100, 1, 1, 1], columns=["tall & <b>wide</b>", *"bcdef"])
    names = [f"person {i}" for i in range(len(X))]
    labels = np.array(["ant", "bee", "<i>cow</i>", None], dtype=object)[known]
    model = SameKind(3, random_state=0).fit(frame, labels)
    report = model.report(names=names, height=300)
    assert "36 rows in 3 clusters" in repr(report)
    shown = report._repr_html_()
    assert re.fullmatch(r"<iframe [^<>]*></iframe>", shown)
    assert html.unescape(re.search(r'srcdoc="([^"]*)"', shown).group(1)) == report.html
    assert 'height="300"' in shown
    assert "allow-same-origin" not in shown
    for word in ("person 35", "tall &amp; &lt;b&gt;wide", "ant", "&lt;i&gt;cow"):
        assert word in report.html
    assert "labels.csv" not in report.html
    report.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text() == report.html


def test_the_report_speaks_of_rows_as_they_came(data):
    """SameKind compares scaled rows; the page shows the user's units."""
    X, _, known = data
    model = SameKind(3, random_state=0, standardize=True).fit(1000 + 7 * X, known)
    np.testing.assert_allclose(_rows(model), 1000 + 7 * X, rtol=1e-12)


def test_what_the_report_cannot_use_is_refused(data, monkeypatch):
    X = data[0]
    model = SC(3, random_state=0)
    with pytest.raises(NotFittedError):
        model.report()
    model.fit(X)
    with pytest.raises(ValueError, match="a different name for each row"):
        model.report(names=["a"] * 36)
    with pytest.raises(ValueError, match="product is 6"):
        model.report(image_shape=(2, 2))
    assert "2 x 3 pixels" in model.report(image_shape=(2, 3)).html
    monkeypatch.setitem(sys.modules, "samekind.app.notebook", None)
    with pytest.raises(ImportError, match=r'pip install "\.\[app\]"'):
        model.report()


def test_rows_come_in_their_own_units_from_components_and_learned_distances():
    rng, y = np.random.default_rng(0), np.arange(160) % 2
    X = rng.standard_normal((160, 9))
    X[:, 0] = 0.6 * (2 * y - 1) + 0.1 * rng.standard_normal(160)
    X = 7 + 3 * X
    model = SameKind(2, random_state=0).fit(X, sample_labels(y, 12, random_state=0))
    assert model.choice_.metric_learned
    np.testing.assert_allclose(_rows(model), X, atol=1e-6)
    centers = np.random.default_rng(8).normal(size=(6, 500))
    X = np.repeat(centers, 50, axis=0) * 5 / 22 + rng.normal(size=(300, 500))
    model = SameKind(6, random_state=0).fit(X)
    assert model.choice_.n_components == 6
    along = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][:6]
    kept = X.mean(axis=0) + (X - X.mean(axis=0)) @ along.T @ along
    np.testing.assert_allclose(_rows(model), kept, atol=1e-6)
