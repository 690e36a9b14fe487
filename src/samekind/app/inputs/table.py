"""A table, from whatever file, becomes Samples: ids, classes, and X from the rest."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from samekind.app.inputs.column_kinds import Places
from samekind.app.inputs.column_messages import grouped
from samekind.app.inputs.columns import (
    Columns,
    assign_roles,
    check_filled,
    check_truth,
    check_unique,
)
from samekind.app.inputs.encoded_column import rows
from samekind.app.inputs.encoding import TableEncoder
from samekind.app.inputs.samples import Samples, require_rows

if TYPE_CHECKING:
    from pandas import DataFrame

# In a column of labels; none may well be a class.
UNKNOWN = {"?", "na", "n/a", "#n/a", "<na>", "nan", "null", "unknown", "unlabeled"}


def samples_of_table(
    path: Path,
    frame: "DataFrame",
    columns: Columns,
    *,
    scale: str = "auto",
    encoder: TableEncoder | None = None,
    original: "DataFrame | None" = None,
    notes: Sequence[str] = (),
    header_line: int | None = None,
) -> Samples:
    """Samples of a frame whose index says where the rows are.

    ``original`` are the cells as they were, if some were read otherwise; an ``encoder`` that is
    given is that of earlier rows.
    """
    columns = columns.among(list(frame.columns))
    if encoder is not None:
        columns = columns.there(list(frame.columns))
    features = assign_roles(path, list(frame.columns), columns, header_line)
    require_rows(path, len(frame), least=2 if encoder is None else 1)
    place = Places(frame)
    ids = truth = known = None
    if columns.id is not None:
        cells = _texts(frame[columns.id])
        check_filled(path, columns.id, cells, place.numbers, place.unit)
        ids = tuple(map(str, cells))
        check_unique(path, columns.id, ids, place.numbers, place.unit)
    if columns.truth is not None:
        check_truth(path, columns.truth, _texts(frame[columns.truth]), place.numbers, place.unit)
        truth = np.array(_cells(frame[columns.truth]))
    if columns.labels is not None:
        known, unknown = _known(columns.labels, _cells(frame[columns.labels]))
        notes = (*notes, *unknown)
    if encoder is None:
        encoder = TableEncoder(
            scale, text=columns.text, category=columns.category, keep=columns.use
        )
        X = encoder.fit_transform(frame[features], source=path)
        notes = (*notes, *_summary(encoder))
    else:
        X = encoder.transform(frame[features], source=path)
    return Samples(
        X=X,
        source=path.name,
        ids=ids,
        feature_names=encoder.feature_names_,
        truth=truth,
        known=known,
        notes=tuple(notes),
        encoder=encoder,
        table=frame if original is None else original,
    )


def _summary(encoder: TableEncoder) -> tuple[str, ...]:
    """What the terminal says of the columns; nothing if all are plain numbers."""
    kinds = [column.kind for column in encoder.columns_]
    out = [column.name for column in encoder.columns_ if column.kind == "none"]
    if not encoder.encoded_ and not out and not any(c.marks_blanks for c in encoder.columns_):
        return ()
    names = {"number": "number", "date": "date", "category": "category", "words": "text"}
    counted = [(kinds.count(kind), name) for kind, name in names.items() if kind in kinds]
    plural = {"category": "categories"}
    listed = ", ".join(
        f"1 {name}" if n == 1 else f"{n} {plural.get(name, name + 's')}" for n, name in counted
    )
    n, many = len(encoder.feature_names_), len(encoder.columns_) > len(out) + 1
    blanks = sum(column.marks_blanks for column in encoder.columns_)
    said = f"The columns ({listed}) became {n} feature{'' if n == 1 else 's'}"
    said += f"; blanks in {blanks} filled by the median" if blanks else ""
    said += (
        ", scaled so that every column counts the same" if encoder.standardized_ and many else ""
    )
    left_out = grouped([column for column in encoder.columns_ if column.kind == "none"])
    return (f"{said}.", *left_out)


def _known(name: str, cells: list[Any]) -> tuple[list[Any], tuple[str, ...]]:
    """Labels with None for words that mean that there is none, and what to say of these.

    Examples
    --------
    >>> _known("kind", ["cat", "?", "?"])
    (['cat', None, None], ("Labels in 'kind' that mean unknown: '?' in 2 rows.",))
    """
    words = Counter(cell for cell in cells if str(cell).lower() in UNKNOWN)
    if not words:
        return cells, ()
    said = ", ".join(f"'{word}' in {rows(n)}" for word, n in words.items())
    known = [None if cell in words else cell for cell in cells]
    return known, (f"Labels in '{name}' that mean unknown: {said}.",)


def _cells(column: Any) -> list[Any]:
    """Plain values, None where missing, texts without blanks around them."""
    return [_cell(value) for value in column.astype(object).where(column.notna(), None).tolist()]


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return value.strip()
    return None if value != value else value  # NaN is no value


def _texts(column: Any) -> list[str | None]:
    return [None if value is None else _text(value) for value in _cells(column)]


def _text(value: Any) -> str:
    # Whole numbers, which a blank elsewhere in the column has turned into floats.
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
