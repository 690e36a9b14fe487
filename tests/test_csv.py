"""Cells that are written for spreadsheets, and read back as they were."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from samekind import PairConstraints
from samekind._csv import guarded, unguarded

TEXT = st.text(alphabet=st.one_of(st.sampled_from("=+-@'\\x0aun\n\t\x1b\u2028 1"), st.characters()))


@given(TEXT)
@example("'=x")
@example("''=x")
@example("=\\x0a")
@example("a\n\\x0a")
@example("'a\\x0a")
def test_a_guarded_cell_is_read_back(text):
    assert unguarded(guarded(text)) == text


@given(TEXT, TEXT)
def test_two_texts_have_two_cells(a, b):
    assert (guarded(a) == guarded(b)) == (a == b)


@given(TEXT)
def test_a_guarded_cell_is_no_formula_and_has_no_control_characters(text):
    cell = guarded(text)
    if cell[:1] in set("=+-@"):
        float(cell)
    assert not any(letter < " " or "\x7f" <= letter < "\xa0" for letter in cell)


@pytest.mark.parametrize("text", ["ant", "-1", "+2.5e3", "0", "'tis", "a\\b", "a=b", "", "C:\\x0a"])
def test_a_harmless_cell_stays_as_it_is(text):
    assert guarded(text) == unguarded(text) == text


def test_pairs_of_rows_with_such_ids_come_back(tmp_path):
    ids = ["=1+1", "'=1+1", "-x", "two\nlines", "'tis"]
    pairs = PairConstraints(5, must_link=[(0, 1), (2, 4)], cannot_link=[(0, 3)])
    pairs.to_csv(tmp_path / "pairs.csv", ids=ids)
    assert "\n'=1+1,''=1+1,must-link" in (tmp_path / "pairs.csv").read_text()
    assert PairConstraints.from_csv(tmp_path / "pairs.csv", 5, ids=ids) == pairs
    (tmp_path / "raw.csv").write_text("a,b,kind\n=1+1,-x,must-link\n")
    by_hand = PairConstraints.from_csv(tmp_path / "raw.csv", 5, ids=ids)
    assert by_hand.must_link.tolist() == [[0, 2]]
