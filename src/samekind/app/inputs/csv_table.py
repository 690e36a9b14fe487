"""Csv: a text file with a header line becomes a table of text."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from samekind._csv import SEPARATORS, Decoder, ends_inside_a_line, separated
from samekind.app.inputs.amounts import bare_numbers
from samekind.app.inputs.columns import Columns, check_names
from samekind.app.inputs.decimals import decimals_of, with_points
from samekind.app.inputs.encoding import TableEncoder
from samekind.app.inputs.errors import require_memory
from samekind.app.inputs.header_line import check_header, first_names
from samekind.app.inputs.samples import Samples
from samekind.app.inputs.table import samples_of_table

if TYPE_CHECKING:
    from pandas import DataFrame

LINES_AT_ONCE = 20_000
MOST_NAMED = 12  # columns with a unit

Progress = Callable[[int, int], None]


def read_csv(
    path: Path,
    columns: Columns,
    *,
    scale: str = "auto",
    encoder: TableEncoder | None = None,
    stream: IO[bytes] | None = None,
    on_progress: Progress | None = None,
) -> Samples:
    """Read a file with commas, semicolons, tabs or vertical bars between the columns."""
    decoder = Decoder()
    separator, records = separated(path, stream=stream, decoder=decoder)
    (header_line, header), titles = first_names(records, "line")
    names = [name.strip() for name in header]
    above = (*titles, *check_header(path, header_line, names))
    if all(names):
        check_names(path, names, header_line)
    texts, lines, n_blank = _columns(path, records, len(names), on_progress)
    if not all(names):
        names, texts = _without_blank(names, texts)
    original = _frame(names, texts, lines)
    if names[:1] == [""] and _is_index(texts[0]):
        above += ("The first column has no name and counts or names the rows; it was left out.",)
        names, texts = names[1:], texts[1:]
    check_names(path, names, header_line)
    as_text = columns.among(names).read_as_text
    if encoder is not None:  # a category may look like a number in a few new rows
        as_text |= {one.name for one in encoder.columns_ if one.kind in ("category", "words")}
    numbers = [i for i, name in enumerate(names) if name not in as_text]
    units: dict[str, str] = {}
    for i in numbers:
        texts[i], units[names[i]] = bare_numbers(texts[i])
    decimal = decimals_of([texts[i] for i in numbers], separator)
    # For who writes it again.
    original.attrs.update(separator=separator, decimal=decimal, encoding=decoder.encoding)
    if decimal is not None:
        for i in numbers:
            texts[i] = with_points(texts[i], decimal)
    return samples_of_table(
        path,
        _frame(names, texts, lines),
        columns,
        scale=scale,
        encoder=encoder,
        original=original,
        notes=(*above, *_notes(path, original.attrs, units, n_blank, stream)),
        header_line=header_line,
    )


def _columns(
    path: Path, records: Any, width: int, on_progress: Progress | None
) -> tuple[list[Any], list[int], int]:
    """Each column as an arrow array of text, the line of each row, and how many were blank."""
    total = path.stat().st_size if path.suffix.lower() in (".csv", ".tsv") else 0
    chunks: list[list[Any]] = [[] for _ in range(width)]
    lines: list[int] = []
    rows: list[list[str]] = []
    size = n_blank = 0

    def pack() -> None:
        for kept, cells in zip(chunks, zip(*rows, strict=True), strict=True):
            kept.append(pa.array(cells, pa.string()))
        rows.clear()

    for line, cells in records:
        if not any(map(str.strip, cells)):  # spreadsheets write some at the end
            n_blank += 1
            continue
        lines.append(line)
        rows.append(cells)
        size += sum(map(len, cells)) + 4 * width
        if len(rows) == LINES_AT_ONCE:  # a few bytes of gzip may hold any number of lines
            pack()
            require_memory(path, size, f"the table, up to line {line},")
            if on_progress is not None and total:
                on_progress(min(size - 3 * width * len(lines), total), total)
    if rows:
        pack()
    return [pa.chunked_array(kept, pa.string()) for kept in chunks], lines, n_blank


def _without_blank(names: list[str], columns: list[Any]) -> tuple[list[str], list[Any]]:
    """Names and columns but for those with neither a name nor a cell, as spreadsheets write."""
    kept = [
        i
        for i, (name, column) in enumerate(zip(names, columns, strict=True))
        if name or pc.any(pc.not_equal(pc.utf8_trim_whitespace(column), "")).as_py()
    ]
    return [names[i] for i in kept], [columns[i] for i in kept]


def _is_index(column: Any) -> bool:
    """Whether cells are whole numbers that are all different, as pandas writes its index."""
    whole = pc.all(pc.match_substring_regex(column, r"^\s*[0-9]+\s*$")).as_py()
    return bool(whole) and pc.count_distinct(column).as_py() == len(column)


def _frame(names: Sequence[str], columns: Sequence[Any], lines: Sequence[int]) -> "DataFrame":
    import pandas as pd

    arrays = {
        name: pd.arrays.ArrowExtensionArray(column)
        for name, column in zip(names, columns, strict=True)
    }
    return pd.DataFrame(arrays, index=pd.Index(lines, name="line"), copy=False)


def _notes(
    path: Path,
    written: Mapping[Any, Any],
    units: Mapping[str, str],
    n_blank: int,
    stream: IO[bytes] | None,
) -> tuple[str, ...]:
    """What was found out about a file that is written as ``written`` says."""
    notes, separator, decimal = [], written["separator"], written["decimal"]
    if written["encoding"] == "cp1252":
        notes.append("The text was read as Windows-1252, as it is not UTF-8.")
    usual = "\t" if path.name.lower().endswith((".tsv", ".tsv.gz")) else ","
    if separator != usual:
        notes.append(f"The columns are separated by {SEPARATORS[separator]}.")
    if decimal == ",":
        notes.append(
            "Numbers were read with a decimal comma, 1,5 as one and a half and 1.500 as 1500."
        )
    elif decimal == ".":
        notes.append("Commas in numbers were read as thousands separators, 1,500 as 1500.")
    if named := [f"{unit} in '{name}'" for name, unit in units.items() if unit]:
        more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
        shown = ", ".join(named[:MOST_NAMED])
        notes.append(f"Numbers were read without their units: {shown}{more}.")
    if n_blank:
        lines = "1 line" if n_blank == 1 else f"{n_blank} lines"
        notes.append(f"{lines} with blank cells alone left out.")
    if stream is None and ends_inside_a_line(path):
        notes.append(
            "The last line of the file does not end with a line break; "
            "if it was still being written, its last number may be cut short."
        )
    return tuple(notes)
