"""Every block of code in README and documentation is run, or says why not."""

import re
from contextlib import chdir

import click
import pytest
import sklearn
import typer
from typer.testing import CliRunner

from code_blocks import CODE, OTHER, PAGES, ROOT, blocks_of, commands_of, run_page
from libraries import ROUTED_SCORES
from samekind.app.cli import app


def check_readme(out):
    (lines,) = (block.splitlines() for block in out)
    example = next(b.code for b in blocks_of(ROOT / "README.md") if b.language == "python")
    assert len(example.strip().splitlines()) <= 12
    stated = float(re.search(r"# (0\.\d\d)", example).group(1))
    assert float(lines[0]) == pytest.approx(stated, abs=0.02)
    assert lines[1].startswith("converged | ")


def check_index(out):
    assert out[0].endswith("converged\n")


def check_samekind(out):
    chosen, *others = out[0].splitlines()
    assert chosen == "5 True"
    assert len(others) == 2
    accuracy, choice, end = out[1].splitlines()
    assert float(accuracy) > 0.9
    assert "standardized" in choice
    assert end.startswith("True 3 of 3 pairs")


def check_model_selection(out):
    kept, best = out[0].splitlines()
    assert float(kept.split()[2]) > 0.7
    assert best.startswith("{'sl__n_clusters': 3}")
    assert "of 80 pairs satisfied" in best


def check_data(out):
    *sentences, label, pairs = "".join(out).splitlines()
    assert len(sentences) == 3
    assert label in ("[0]", "[1]")
    assert "2 of 2 pairs satisfied" in pairs


def check_models(out):
    same, first, *_, last = out[0].splitlines()
    assert same == "True"
    assert first.startswith("row 7 is in cluster ")
    assert last.startswith("The way to the nearest given label, ")


def check_asking(out):
    progress, result = out[0].splitlines()
    assert progress.startswith("29 answers, 4 groups")
    assert result.split(" | ")[0] in ("fit", "steady")


def check_start(out):
    assert out[0].startswith("3 clusters; ")


def check_constraints(out):
    assert "must_link=3 pairs" in out[0]
    assert "3 = 7 = 12 follows from the must-links" in out[0]
    assert out[1] == "('cat', 'dog', 'cluster 2')\n"


def check_status(out):
    assert out[0].startswith("SameKind CONVERGED usable: True\nDGSL ")


def check_large(out):
    assert out[0].endswith("| True\n")


def check_scale(out):
    assert "landmarks in" in out[0]


def check_extend_graph(out):
    assert out[1].startswith("1 connected component")
    in_x, on_circle = (int(found) for found in re.findall(r"(\d+)% right, CONVERGED", out[2]))
    assert on_circle > in_x + 20


def check_extend_strategy(out):
    own, ours = (list(map(int, re.findall(r"\d+", line))) for line in out[1].splitlines())
    assert len(own) == len(ours) == 3
    assert ours[-1] >= max(own[-1], 95)


def check_extend_format(out):
    assert "2 categories" in out[0]


def check_own_data(out):
    assert out == [""]


# A page of which every block is marked needs none; where nothing is asserted, it has to run.
CHECKS = {
    name.removeprefix("check_"): check
    for name, check in list(globals().items())
    if name.startswith("check_")
}
RUN = [
    page
    for page in PAGES
    if any(block.language == "python" and not block.mark for block in blocks_of(page))
]


@pytest.mark.no_cover
@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_the_python_of_a_page_runs(page, tmp_path):
    if page.stem == "model_selection" and not ROUTED_SCORES:
        pytest.skip("needs scikit-learn 1.8")
    with sklearn.config_context():  # an example may change the configuration
        out = run_page(page, tmp_path)
    CHECKS[page.stem.lower()](out)
    if page.stem == "own_data":
        run_commands(page, tmp_path)


def run_commands(page, folder):
    """The commands of the page, one after the other, on the files that its Python made."""
    with chdir(folder):
        for block in blocks_of(page):
            for arguments in commands_of(block):
                done = CliRunner().invoke(app, arguments)
                assert done.exit_code == 0, f"{block} {arguments}: {done.output} {done.exception}"
    for made in (
        "customers-clusters/report.html",
        "customers-clusters/customers-labeled.csv",
        "with-pairs/model.skops",
        "labels-of-new.csv",
        "sorted",
        "tickets-clusters/labels.csv",
    ):
        assert (folder / made).exists(), made


def test_the_quick_start_is_the_same_everywhere():
    first = [
        next(block for block in blocks_of(ROOT / name) if block.language == "python")
        for name in ("README.md", "docs/start.md")
    ]
    assert first[0].code == first[1].code


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_is_run_or_says_why_not(page):
    for block in blocks_of(page):
        assert block.language in CODE | OTHER, f"{block}: name the language, or text"
        if block.mark == "run":
            test = ROOT / block.why
            assert test.exists(), str(block)
            assert page.name in test.read_text(), str(block)
        elif block.language == "bash" and page.stem != "own_data":
            assert block.mark == "not run", f"{block}: <!-- not run: why -->"


COMMANDS = [
    pytest.param(arguments, id=f"{block}")
    for page in PAGES
    for block in blocks_of(page)
    if block.language == "bash"
    for arguments in commands_of(block)
]


@pytest.mark.parametrize("arguments", COMMANDS)
def test_every_command_that_is_shown_is_one(arguments):
    command = typer.main.get_command(app)
    name, *rest = arguments
    if name in ("--install-completion", "--version"):
        return
    if isinstance(command.commands[name], click.Group):
        return
    with command.commands[name].make_context(name, rest, resilient_parsing=True) as context:
        assert not context.args


def test_a_block_that_is_neither_run_nor_marked_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- not run: a -->\n```bash\nls\n```\n\n```python\nprint(1)\n```\n")
    marked, plain = blocks_of(page)
    assert (marked.mark, marked.why, marked.language) == ("not run", "a", "bash")
    assert (plain.mark, plain.line) == ("", 6)
    assert run_page(page, tmp_path) == ["1\n"]
    page.write_text("```python\nprint(1 / 0)\n```\n")
    with pytest.raises(ZeroDivisionError):
        run_page(page, tmp_path)
