"""Numbers as people read them, and the table of scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

SHARES = ("ACC", "NMI")


@dataclass(frozen=True)
class Cell:
    """One cell: its text, whether it is a number, the best of its column, and its share."""

    text: str
    number: bool = False
    best: bool = False
    share: float | None = None


def number(value: object) -> str:
    """A plain value as text: at most four digits where there is a fraction.

    Examples
    --------
    >>> number(1797), number(0.123456), number(1e-9), number(float("inf")), number(None)
    ('1,797', '0.1235', '1e-09', 'infinite', 'none')
    """
    if value is None:
        return "none"
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return f"{value:,}"
    if isinstance(value, float | np.floating):
        return _fraction(float(value))
    return str(value)


def _fraction(value: float) -> str:
    if np.isinf(value):
        return "infinite" if value > 0 else "minus infinite"
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.4g}"


def seconds(value: float) -> str:
    """A duration with as many digits as it deserves.

    Examples
    --------
    >>> seconds(0.0123), seconds(3.21), seconds(75.0)
    ('0.01 s', '3.2 s', '75 s')
    """
    digits = 2 if value < 1 else 1 if value < 60 else 0
    return f"{value:,.{digits}f} s"


def score_table(rows: Sequence[Mapping[str, object]]) -> tuple[list[str], list[list[Cell]]]:
    """Columns and cells: shares as percent, deviations beside them, the best marked.

    Examples
    --------
    >>> columns, cells = score_table([{"method": "k-means", "ACC": 0.791, "ACC std": 0.02}])
    >>> columns, [cell.text for cell in cells[0]]
    (['method', 'ACC, %'], ['k-means', '79.1 ± 2.0'])
    """
    names = dict.fromkeys(key for row in rows for key in row)
    names = {key: None for key in names if not key.endswith(" std")}
    best = {key: _best(rows, key) for key in names if key in SHARES}
    cells = [[_score_cell(row, key, best.get(key)) for key in names] for row in rows]
    return [f"{key}, %" if key in SHARES else key for key in names], cells


def _score_cell(row: Mapping[str, object], key: str, best: float | None) -> Cell:
    value = row.get(key)
    if value is None:
        return Cell("–")
    if not isinstance(value, int | float | np.number) or isinstance(value, bool):
        return Cell(str(value))
    if key == "seconds":
        return Cell(seconds(float(value)), number=True)
    deviation = row.get(f"{key} std")
    if key in SHARES:
        text = f"{100 * float(value):.1f}"
        if isinstance(deviation, int | float | np.number):
            text += f" ± {100 * float(deviation):.1f}"
        return Cell(text, True, value == best, min(max(float(value), 0.0), 1.0))
    text = number(value) if deviation is None else f"{number(value)} ± {number(deviation)}"
    return Cell(text, number=True)


def _best(rows: Sequence[Mapping[str, object]], key: str) -> float | None:
    found = (row.get(key) for row in rows)
    values = [float(value) for value in found if isinstance(value, int | float | np.floating)]
    return max(values) if len(values) > 1 else None  # a single one is not worth a mark
