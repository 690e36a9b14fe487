"""Tables as text: nothing in a cell can break out of it."""

from samekind.paper.report.tables import Field, Table, html, markdown

NASTY = "<script>alert(1)</script> a|b *c* `d`"


def nasty():
    rows = [[Field(NASTY), Field(NASTY, NASTY, best=True), Field(NASTY, faint=True, prose=True)]]
    return Table(NASTY, [NASTY, NASTY, NASTY], rows, [(NASTY, 2)], [NASTY])


def test_html_is_escaped():
    text = str(html(nasty()))
    assert "<script" not in text
    assert text.count("&lt;script&gt;") == 10


def test_markdown_keeps_its_cells():
    head, rule, row, *_ = markdown(nasty()).splitlines()
    assert [line.replace("\\|", "").count("|") for line in (head, rule, row)] == [4, 4, 4]
    assert "<script" not in markdown(nasty())


def test_the_best_is_bold_in_both():
    table = Table("", ["m", "a"], [[Field("x"), Field("1.0", "± 2", best=True)]])
    assert "<strong>1.0</strong> <small>± 2</small>" in html(table)
    assert "**1.0** ± 2" in markdown(table)
