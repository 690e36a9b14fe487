"""The main table, short enough for a README, and its place there."""

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from samekind._files import replace_file
from samekind.paper.experiments.published import PUBLISHED_NAMES
from samekind.paper.experiments.rows import Row
from samekind.paper.report.cells import is_variant
from samekind.paper.report.names import in_order
from samekind.paper.report.score_tables import TABLE2, ScoreTables
from samekind.paper.report.tables import Field, Table, markdown, method_field

BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"


def main_table(
    rows: Sequence[Row],
    interpreted: Collection[str] = (),
    missing: Mapping[str, str] | None = None,
) -> Table:
    """ACC of all methods on all data sets at the smallest f, the published number in brackets."""
    tables = ScoreTables(rows, TABLE2, missing, interpreted)
    fewest = {dataset: tables.labeled(dataset)[0] for dataset in tables.datasets}
    run = in_order({name for dataset in fewest for name in tables.methods(dataset)})
    methods = [name for name in run if not is_variant(name)]
    scores = (tables.score(name, f, method) for name, f in fewest.items() for method in methods)
    trials = max((score.count for score in scores if score is not None), default=0)
    body = [
        [method_field(method, interpreted)]
        + [_field(tables, dataset, f, method, trials) for dataset, f in fewest.items()]
        for method in methods
    ]
    columns = [
        "ACC, %",
        *(f"{PUBLISHED_NAMES.get(name, name)}, f = {f}" for name, f in fewest.items()),
    ]
    return Table("ACC at the smallest f", columns, body, notes=[_note(trials)])


def _field(tables: ScoreTables, dataset: str, labeled: int, method: str, trials: int) -> Field:
    ours = tables.score(dataset, labeled, method)
    published = tables.published(dataset, labeled, method)
    aside = "" if published is None else f"({published.mean:.1f})"
    if ours is None:
        return Field(tables.why_not(dataset, labeled, method), aside, faint=True)
    if ours.count < trials:
        aside = f"{aside} ×{ours.count}".strip()
    text = f"{ours.mean:.1f}"
    return Field(text, aside, best=text == tables.best(dataset, labeled)[0])


def _note(trials: int) -> str:
    return (
        f"Means over {trials or 'no'} random trials with f labeled samples per class (×n: over n "
        "trials); the published value in brackets, the best of ours in bold; LSGR is the best of "
        "its three variants on the mean."
    )


def main_table_markdown(rows: Sequence[Row], interpreted: Collection[str] = ()) -> str:
    """The main table as markdown.

    Parameters
    ----------
    rows : sequence of rows
    interpreted : collection of str
        Methods whose published text leaves open what they compute.

    Examples
    --------
    >>> row = {"experiment": "table2", "dataset": "orl", "setting": {"labelled": 2}}
    >>> row |= {"contender": "DGSL", "parameters": {}, "repetition": 0, "ACC": 90.0}
    >>> "| DGSL | **90.0** (90.4) |" in main_table_markdown([row])
    True
    """
    return markdown(main_table(rows, interpreted))


def fill_readme(
    path: str | os.PathLike[str], rows: Sequence[Row], interpreted: Collection[str] = ()
) -> None:
    """Put the main table between the two marks of a file, in place of what stands there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     readme = Path(folder) / "README.md"
    ...     _ = readme.write_text(f"before\\n{BEGIN}\\nold\\n{END}\\nafter\\n")
    ...     fill_readme(readme, [])
    ...     lines = readme.read_text().splitlines()
    >>> lines[0], lines[-1], "old" in lines
    ('before', 'after', False)
    """
    text = Path(path).read_text(encoding="utf-8")
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 or end < begin:
        raise ValueError(
            f"{path} has no place for the results; write the lines {BEGIN} and {END}, in this "
            "order, where the table is to stand"
        )
    table = main_table_markdown(rows, interpreted)
    replace_file(path, f"{text[: begin + len(BEGIN)]}\n{table}\n{text[end:]}")
