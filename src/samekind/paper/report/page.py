"""The report of a reproduction: one self-contained page, the tables as text, figures as files."""

import os
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, Template

from samekind._files import replace_file
from samekind._folder import replace_together
from samekind.app.report.palette import PAIRS
from samekind.paper.experiments.rows import KEY, Row, undisturbed
from samekind.paper.report.cells import cells_of, tidy
from samekind.paper.report.gaps import gaps
from samekind.paper.report.provenance import environments, seeds_in_words
from samekind.paper.report.readme import main_table
from samekind.paper.report.score_tables import TABLE2, TABLE3, ScoreTables, attained
from samekind.paper.report.sections import Section, Source, sections_of
from samekind.paper.report.tables import html, markdown, safe

PAGE, TABLES, FIGURES = "report.html", "tables.md", "figures"


def write_report(
    rows: Sequence[Row],
    out: str | os.PathLike[str],
    *,
    notes: Sequence[str] = (),
    missing: Mapping[str, str] | None = None,
    interpreted: Collection[str] = (),
) -> list[Path]:
    """Write report.html, tables.md and figures/*.svg into a folder, all of them or none.

    The same rows give the same bytes, in whatever order they come.

    Parameters
    ----------
    rows : sequence of rows
        As ``experiments.rows.read_rows`` gives them.
    out : path
        The folder; made where it is not there.
    notes : sequence of str
        Remarks on the rows that the reader should not miss, such as a torn line.
    missing : mapping of str to str, optional
        Data sets that are not there, and a sentence on how to get each.
    interpreted : collection of str
        Contenders whose published text leaves open what they compute.

    Returns
    -------
    list of Path
        The files written, the page last.
    """
    source = _checked(rows, missing or {}, interpreted)
    sections = sections_of(source)
    texts = {
        f"{FIGURES}/{figure.name}.svg": figure.file
        for section in sections
        for figure in section.figures
    }
    texts[TABLES] = tables_markdown(source, sections)
    texts[PAGE] = render(source, sections, notes)

    def fill(new: Path) -> None:
        (new / FIGURES).mkdir()
        for name, text in texts.items():
            replace_file(new / name, text)

    with undisturbed(out):
        replace_together(out, texts, fill, wait=True)
    return [Path(out) / name for name in texts]


def _checked(
    rows: Sequence[Row], missing: Mapping[str, str], interpreted: Collection[str]
) -> Source:
    for number, row in enumerate(rows, start=1):
        lacking = [name for name in KEY if name not in row]
        if lacking:
            raise ValueError(
                f"row {number} lacks {', '.join(lacking)}, which every row of a run has; make the "
                "rows with samekind reproduce, or remove this one"
            )
    return Source(tidy(rows), missing, interpreted)


def render(source: Source, sections: Sequence[Section], notes: Sequence[str] = ()) -> str:
    """The page as text."""
    return _template().render(
        sections=sections,
        cards=_cards(source),
        notes=notes,
        main=main_table(source.rows, source.interpreted, source.missing),
        gaps=gaps(source),
        seeds=seeds_in_words(source.rows),
        environments=environments(source.rows),
        ended=_ended(source.rows),
        html=html,
        palette=PAIRS,
        legend=(),
    )


def tables_markdown(source: Source, sections: Sequence[Section]) -> str:
    """All tables as one markdown text."""
    main = main_table(source.rows, source.interpreted, source.missing)
    parts = ["# Tables", "## Main table", markdown(main)]
    for section in sections:
        tables = [*section.tables, *section.numbers, *([section.made] if section.made else ())]
        if tables:
            parts += [f"## {safe(section.title)}", *section.texts]
        for table in tables:
            parts += [f"### {safe(table.title)}", markdown(table)]
    return "\n\n".join(parts) + "\n"


def _cards(source: Source) -> list[tuple[str, str]]:
    rows = source.rows
    failed = sum("failed" in row for row in rows)
    cells = [cell for name in {row["experiment"] for row in rows} for cell in cells_of(rows, name)]
    hours = sum(float(row.get("seconds", 0.0)) for row in rows) / 3600
    found = attained([ScoreTables(rows, paper) for paper in (TABLE2, TABLE3)])
    return [
        (
            f"{sum(one.near for one in found)} of {len(found)}",
            "DGSL cells at most one published deviation below",
        ),
        (f"{len(rows):,}", "runs"),
        (f"{failed:,}", "failed"),
        (f"{sum(cell.not_converged for cell in cells):,}", "ended without having converged"),
        (f"{hours:,.1f}", "hours of one core in fits"),
    ]


def _ended(rows: Sequence[Row]) -> tuple[str, str] | None:
    times = sorted(str(row["ended"]) for row in rows if "ended" in row)
    return (times[0], times[-1]) if times else None


@cache
def _template() -> Template:
    environment = Environment(
        loader=ChoiceLoader(
            [PackageLoader("samekind.paper.report"), PackageLoader("samekind.app.report")]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("reproduction.html")
