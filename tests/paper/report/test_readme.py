"""The main table in a README: generated between two marks, the rest untouched."""

from pathlib import Path

import pytest

from fake_rows import table_rows
from samekind.paper.cli import _interpreted
from samekind.paper.report import fill_readme, main_table_markdown
from samekind.paper.report.readme import BEGIN, END

ROOT = Path(__file__).parents[3]


def test_only_what_stands_between_the_marks_is_replaced(tmp_path):
    readme, rows = tmp_path / "README.md", table_rows(("yale",), 2)
    readme.write_text(f"# before\n\n{BEGIN}\nold table\n{END}\n\nafter\n")
    fill_readme(readme, rows)
    text = readme.read_text()
    assert text.startswith(f"# before\n\n{BEGIN}\n")
    assert text.endswith(f"\n{END}\n\nafter\n")
    assert "old table" not in text
    assert main_table_markdown(rows) in text


def test_filling_twice_is_filling_once(tmp_path):
    readme, rows = tmp_path / "README.md", table_rows(("yale",), 2)
    readme.write_text(f"{BEGIN}{END}")
    fill_readme(readme, rows)
    once = readme.read_text()
    fill_readme(readme, rows)
    assert readme.read_text() == once


@pytest.mark.parametrize("text", ["nothing", BEGIN, END, f"{END}{BEGIN}"])
def test_a_file_without_marks_is_refused_and_kept(tmp_path, text):
    readme = tmp_path / "README.md"
    readme.write_text(text)
    with pytest.raises(ValueError, match="has no place for the results; write the lines"):
        fill_readme(readme, [])
    assert readme.read_text() == text


@pytest.mark.parametrize("name", ["README.md", "results/tables.md"])
def test_the_table_in_the_repository_is_that_of_its_rows(stored_rows, name):
    """Renew it by `samekind report results --readme README.md`."""
    assert main_table_markdown(stored_rows, _interpreted()) in (ROOT / name).read_text()
