"""The examples run; `make docs` runs all, and looks at their pages."""

import os
import sys
from pathlib import Path

import pytest
import sklearn

from libraries import ROUTED_SCORES

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("plot_*.py"))
# Three seconds or more of CPU, or run as notebooks below.
ELSEWHERE = ("digits", "photos", "compare_methods", "many_rows", "customer_table", "n_clusters")
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
QUICK = [path for path in EXAMPLES if path.stem.removeprefix("plot_") not in ELSEWHERE]


@pytest.fixture(autouse=True)
def away(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))


@pytest.mark.no_cover
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("path", QUICK, ids=lambda path: path.stem)
def test_an_example_runs_without_a_warning_prints_and_draws(path, capsys):
    if path.stem == "plot_grid_search" and not ROUTED_SCORES:
        pytest.skip("needs scikit-learn 1.8")
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    with sklearn.config_context():  # an example may change the configuration
        exec(compile(path.read_text(), path, "exec"), {})
    assert capsys.readouterr().out.strip()
    assert plt.get_fignums()
    plt.close("all")


def test_the_gallery_has_ten_to_twelve_examples_that_fit_on_a_screen():
    assert 10 <= len(EXAMPLES) <= 12
    for path in EXAMPLES:
        assert len(path.read_text().splitlines()) <= 70, path.name


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_its_script(path):
    pytest.importorskip("sphinx_gallery")
    sys.path.insert(0, str(ROOT / "tools"))
    from make_notebooks import NAMES, notebook

    assert len(NOTEBOOKS) == len(NAMES) == 2
    assert path.read_text() == notebook(f"plot_{path.stem}"), "run tools/make_notebooks.py"


@pytest.mark.no_cover
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path):
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient").NotebookClient
    book = nbformat.read(path, as_version=4)
    client(book, timeout=120, resources={"metadata": {"path": os.getcwd()}}).execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", ())]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert any(output.get("name") == "stdout" for output in outputs)
