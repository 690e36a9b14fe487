"""Excel: the first sheet of a workbook with a table becomes Samples."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from samekind.app.inputs.columns import Columns, check_names, listed
from samekind.app.inputs.encoding import TableEncoder
from samekind.app.inputs.errors import InputError, needs_extra, reading, require_memory
from samekind.app.inputs.header_line import check_header, first_names
from samekind.app.inputs.samples import Samples
from samekind.app.inputs.table import samples_of_table

CELLS_PER_BYTE = 1 / 16  # of xml, at most
BYTES_OF_A_CELL = 100
LEAST_ROWS = 3  # with more than one cell each, of a table: its names and two rows


def read_excel(
    path: Path,
    columns: Columns,
    *,
    scale: str = "auto",
    encoder: TableEncoder | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Samples:
    """Read the first sheet with a table: a row of names, then values as Excel shows them."""
    try:
        import pandas as pd
        from openpyxl import load_workbook  # type: ignore[import-untyped]
    except ImportError as error:
        raise needs_extra(path, "xlsx files", "openpyxl") from error
    with reading(path, "an xlsx file"):
        with zipfile.ZipFile(path) as archive:
            size = sum(member.file_size for member in archive.infolist())
        require_memory(path, size * CELLS_PER_BYTE * BYTES_OF_A_CELL, "the workbook")
        workbook = load_workbook(path, read_only=True, data_only=True)
        try:
            title, rows = _first_sheet(path, workbook, on_progress)
            others = [sheet.title for sheet in workbook.worksheets if sheet.title != title]
        finally:
            workbook.close()
    (at, header), titles = first_names(iter(rows), "row")
    rows = [row for row in rows if row[0] >= at]
    names = ["" if name is None else str(name).strip() for name in header]
    width = max(i + 1 for i in range(len(names)) if any(row[i] is not None for _, row in rows))
    names = names[:width]
    titles += check_header(path, at, names)
    check_names(path, names, at)
    cells = {name: [row[i] for _, row in rows[1:]] for i, name in enumerate(names)}
    index = pd.Index([n for n, _ in rows[1:]], name="row")
    original = pd.DataFrame(cells, index=index, dtype=object)
    original.attrs["encoding"] = "utf-8-sig"  # for a csv file that Excel can read
    frame = original.infer_objects()  # a blank turns whole numbers into floats
    sheet = (f"Sheet '{title}' was read, and not {listed(others)}.",) if others else ()
    return samples_of_table(
        path,
        frame,
        columns,
        scale=scale,
        encoder=encoder,
        original=original,
        notes=(*sheet, *titles),
    )


def _first_sheet(
    path: Path, workbook: Any, on_progress: Callable[[int, int], None] | None
) -> tuple[str, list[tuple[int, tuple[Any, ...]]]]:
    """The rows of the first sheet with a table, or else with anything, and their numbers."""
    filled = []
    for sheet in workbook.worksheets:
        rows = _rows(sheet, on_progress)
        if sum(sum(cell is not None for cell in row) > 1 for _, row in rows) >= LEAST_ROWS:
            return sheet.title, rows
        filled += [(sheet.title, rows)] if rows else []
    if not filled:
        raise InputError(path, "the workbook is empty", "a row of names and rows are expected")
    return filled[0]


def _rows(
    sheet: Any, on_progress: Callable[[int, int], None] | None
) -> list[tuple[int, tuple[Any, ...]]]:
    """The rows of a sheet that are not empty, all of one width, with their numbers."""
    rows = []
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        if any(value is not None for value in row):
            rows.append((number, tuple(_cell(value) for value in row)))
        if on_progress is not None and not number % 1000 and sheet.max_row:
            on_progress(number, sheet.max_row)
    width = max((len(row) for _, row in rows), default=0)
    return [(number, row + (None,) * (width - len(row))) for number, row in rows]


def _cell(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value
