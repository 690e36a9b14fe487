"""A table as a value, and as the text of a markdown or an HTML file."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from markupsafe import Markup

NONE = "–"


@dataclass(frozen=True)
class Field:
    """One cell of a table: its text, what stands small beside it, whether it is the best."""

    text: str
    aside: str = ""
    best: bool = False
    faint: bool = False  # no result, but a word why
    prose: bool = False  # words, which may take several lines

    @property
    def words(self) -> str:
        return f"{self.text} {self.aside}".strip()


@dataclass(frozen=True)
class Table:
    """Columns below their groups, rows that begin with a name, remarks below.

    Parameters
    ----------
    title : str
    columns : sequence of str
        The first one is that of the names.
    rows : sequence of sequences of Field
    groups : sequence of (str, int), optional
        Heads over the columns after the first, each with how many it spans.
    notes : sequence of str
        Sentences below the table.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Field]]
    groups: Sequence[tuple[str, int]] = ()
    notes: Sequence[str] = ()


def method_field(name: str, interpreted: Collection[str]) -> Field:
    """A method's name, marked where the published text leaves open what it computes.

    Examples
    --------
    >>> method_field("CSCAP", {"CSCAP"}).words
    'CSCAP (our interpretation)'
    """
    return Field(name, "(our interpretation)" if name in interpreted else "")


def markdown(table: Table) -> str:
    """The table as GitHub shows it, with heads of groups written into those of the columns.

    Examples
    --------
    >>> rows = [[Field("SL"), Field("66.8", "± 2.9", best=True)]]
    >>> print(markdown(Table("ORL", ["method", "ours"], rows, [("f = 2", 1)])))
    | method | f = 2: ours |
    |---|---|
    | SL | **66.8** ± 2.9 |
    """
    heads = [name for name, span in table.groups for _ in range(span)]
    heads = [name and f"{name}: " for name in heads] or [""] * (len(table.columns) - 1)
    columns = [head + name for head, name in zip(["", *heads], table.columns, strict=True)]
    lines = [_line([safe(name) for name in columns]), "|" + "---|" * len(columns)]
    lines += [_line([_in_markdown(field) for field in row]) for row in table.rows]
    return "\n".join([*lines, *(f"\n{safe(note)}" for note in table.notes)])


def html(table: Table) -> Markup:
    """The table for a page; every text is escaped.

    Examples
    --------
    >>> "a &lt; b" in html(Table("", ["name"], [[Field("a < b")]]))
    True
    """
    body = Markup("\n").join(_html_row(row) for row in table.rows)
    notes = Markup("").join(Markup('<p class="hint">{}</p>').format(note) for note in table.notes)
    spans = Markup("").join(
        Markup('<colgroup span="{}"></colgroup>').format(span)
        for span in (1, *(span for _, span in table.groups))
    )
    return Markup(
        '<div class="scroll"><table class="results"><caption>{}</caption>{}\n'
        "<thead>{}</thead>\n<tbody>\n{}\n</tbody></table></div>{}"
    ).format(table.title, spans, _html_head(table), body, notes)


def _html_head(table: Table) -> Markup:
    name, *columns = table.columns
    first = table.rows[0][1:] if table.rows else ()
    kinds = [_kind(field).split()[0] for field in first] or ["number"] * len(columns)
    cells = (
        # "f = 2" stays on one line
        Markup('<th class="{}" scope="col">{}</th>').format(
            kind, text.replace(" = ", "\u00a0=\u00a0")
        )
        for kind, text in zip(kinds, columns, strict=True)
    )
    heads = (
        Markup('<th class="group" scope="colgroup" colspan="{}">{}</th>').format(span, text)
        for text, span in table.groups
    )
    groups = Markup("<tr><td></td>{}</tr>").format(Markup("").join(heads)) if table.groups else ""
    return Markup('{}<tr><th scope="col">{}</th>{}</tr>').format(
        groups, name, Markup("").join(cells)
    )


def _html_row(row: Sequence[Field]) -> Markup:
    name, *fields = row
    cells = Markup("").join(
        Markup('<td class="{}">{}</td>').format(_kind(field), _in_html(field)) for field in fields
    )
    return Markup('<tr><th class="whole" scope="row">{}</th>{}</tr>').format(_in_html(name), cells)


def _kind(field: Field) -> str:
    kind = "prose" if field.prose else "number"
    return f"{kind} faint" if field.faint else kind


def _in_html(field: Field) -> Markup:
    text = Markup("<strong>{}</strong>" if field.best else "{}").format(field.text)
    aside = Markup(" <small>{}</small>").format(field.aside) if field.aside else ""
    return Markup("{}{}").format(text, aside)


def _in_markdown(field: Field) -> str:
    text = f"**{safe(field.text)}**" if field.best else safe(field.text)
    return f"{text} {safe(field.aside)}".strip()


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def safe(text: str) -> str:
    """Text for markdown that ends no cell, opens no tag and leaves the face of what follows."""
    for mark, written in (("\\", "\\\\"), ("|", "\\|"), ("<", "&lt;"), ("*", "\\*"), ("`", "\\`")):
        text = text.replace(mark, written)
    return " ".join(text.split())
