"""Two people who work in Python, from data to a result: a research script and a notebook."""

import html

import nbformat
import numpy as np
import pytest
import sklearn
from nbclient import NotebookClient
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import samekind
from libraries import needs_routed_scores
from samekind.metrics import clustering_accuracy, normalized_mutual_info
from samekind.model_selection import PairShuffleSplit


@pytest.mark.filterwarnings("ignore")
@pytest.mark.no_cover
@needs_routed_scores
def test_a_research_script_compares_all_methods_and_tunes_one():
    """All methods on the same pairs and labels, a pipeline with routing, a grid over pairs."""
    X, y = load_iris(return_X_y=True)
    rows = np.arange(0, 150, 4)
    X, y = X[rows], y[rows]
    known = samekind.sample_labels(y, 4, random_state=0)
    pairs = samekind.PairConstraints.from_labels(known)
    table = {}
    for name in samekind.estimators.__all__:
        model = getattr(samekind, name)()
        if not hasattr(model, "predict"):
            assert model.fit(X, known).transform(X).shape[0] == len(X)
            continue
        if "n_clusters" in model.get_params():
            model.set_params(n_clusters=3, random_state=0).fit(X, constraints=pairs)
        else:
            model.set_params(random_state=0).fit(X, known)
        found = model.labels_
        table[name] = {
            "ACC": clustering_accuracy(y, found),
            "NMI": normalized_mutual_info(y, found),
            "kept": model.constraint_report_.satisfaction,
            "usable": model.status_.usable,
        }
    assert set(table) == set(samekind.estimators.__all__) - {"TraceRatioLDA"}
    assert table["SameKind"]["usable"]
    assert table["SameKind"]["ACC"] > 0.85
    assert all(0.5 < row["ACC"] <= 1 for row in table.values() if row["usable"])

    more = samekind.sample_pairs(y, 40, 40, random_state=1)
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(
            StandardScaler(),
            samekind.SameKind(random_state=0)
            .set_fit_request(constraints=True)
            .set_score_request(constraints=True),
        )
        cv = PairShuffleSplit(2, test_size=0.3, random_state=0)
        pipeline.set_params(samekind__n_clusters=3)
        held_out = cross_validate(pipeline, X, cv=cv, params={"constraints": more.indexable()})
        assert held_out["test_score"].mean() > 0.7
        search = GridSearchCV(
            make_pipeline(StandardScaler(), samekind.E2CP(random_state=0)),
            {"e2cp__n_clusters": [2, 3]},
            cv=cv,
        ).fit(X, constraints=more.indexable())
    assert search.best_score_ > 0.7
    assert search.best_estimator_[-1].constraint_report_.given == 80
    assert search.predict(X[:5]).shape == (5,)


CELLS = """
%matplotlib inline
import numpy as np
from sklearn.datasets import load_iris
from samekind import DGSL, SameKind
from samekind.inspection import AffinityDisplay, ConvergenceDisplay, EmbeddingDisplay
X, y = load_iris(return_X_y=True, as_frame=True)
X, known = X[::3], np.where(np.arange(50) % 5, -1, y[::3])
model = SameKind(3, random_state=0, verbose=1).fit(X, known)
---
model
---
AffinityDisplay.from_estimator(model)
EmbeddingDisplay.from_estimator(model);
---
def enough(state):
    if state.iteration == 2:
        raise StopIteration
short = DGSL(3, sparsity=0.1, tol=1e-9, random_state=0).fit(X, known, callback=enough)
ConvergenceDisplay.from_estimator(short);
print(short.status_.name, short.n_iter_)
---
model.report(names=[f"iris {i}" for i in X.index])
"""


def test_a_notebook_shows_progress_status_drawings_and_the_report(tmp_path):
    cells = [nbformat.v4.new_code_cell(text.strip()) for text in CELLS.split("---")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    outputs = [cell["outputs"] for cell in notebook.cells]
    told = "".join(one.get("text", "") for one in outputs[0])  # on a busy machine in pieces
    assert told.startswith("[SameKind] ")
    assert "iteration 1, change" in told
    shown = outputs[1][0]["data"]["text/html"]
    assert "50 samples in 3 groups" in shown
    assert sum("image/png" in one.get("data", {}) for one in outputs[2]) == 2
    assert any(one.get("text") == "INTERRUPTED 2\n" for one in outputs[3])
    assert any("image/png" in one.get("data", {}) for one in outputs[3])
    frame = outputs[4][0]["data"]
    assert frame["text/plain"].startswith("<Report: 50 rows in 3 clusters")
    assert "iris 147" in html.unescape(frame["text/html"])
    assert frame["text/html"].startswith("<iframe srcdoc=")
