"""Labels: a csv file that says the class of some rows."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from samekind.app.inputs.columns import check_names, closest, listed
from samekind.app.inputs.errors import InputError
from samekind.app.inputs.records import read_records
from samekind.app.inputs.samples import Samples


@dataclass(frozen=True, eq=False)
class PartialLabels:
    """Classes of some rows.

    Attributes
    ----------
    y : ndarray of int, (n_samples,)
        Position of the row's class in `names`, or -1 where it is unknown.
    names : tuple of str
        The classes, sorted.
    """

    y: NDArray[np.int64]
    names: tuple[str, ...]


def read_labels(path: str | PathLike[str], samples: Samples) -> PartialLabels:
    """Read a csv file with the columns row and label.

    Parameters
    ----------
    path : str or path
        `row` is the id of a row if the samples have ids, and otherwise its number,
        counted from 0. `label` is any text; blank is unknown, as are rows not named.
        Blank lines are skipped.
    samples : Samples
        The rows that the file speaks of.

    Returns
    -------
    PartialLabels

    Raises
    ------
    InputError
        With file, line and reason.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> samples = Samples(np.zeros((3, 1)), ids=("ant", "bee", "cat"), source="animals.csv")
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "labels.csv")
    ...     _ = file.write_text("row,label\\ncat,mammal\\nant,insect\\n")
    ...     labels = read_labels(file, samples)
    >>> labels.y, labels.names
    (array([ 0, -1,  1]), ('insect', 'mammal'))
    """
    path = Path(path)
    try:
        said = _statements(path, samples)
    except OSError as error:
        raise InputError(path, f"it cannot be read ({error.strerror})", "check the name") from error
    if not said:
        raise InputError(path, "no row has a label", "label at least one row")
    names = tuple(sorted({label for label, _ in said.values()}))
    y = np.full(samples.X.shape[0], -1, dtype=np.int64)
    for row, (label, _) in said.items():
        y[row] = names.index(label)
    return PartialLabels(y, names)


def _statements(path: Path, samples: Samples) -> dict[int, tuple[str, int]]:
    """Label of each labeled row, and the line that says so first."""
    records = read_records(path, skip_blank=True)
    header_line, header = next(records)
    columns = [name.strip() for name in header]
    check_names(path, columns, header_line)
    if not {"row", "label"} <= set(columns):
        reason = f"the columns are {listed(columns)}, expected 'row' and 'label'"
        raise InputError(path, reason, "name the columns in the first line", line=header_line)
    row_at, label_at = columns.index("row"), columns.index("label")
    positions = None if samples.ids is None else {name: i for i, name in enumerate(samples.ids)}
    said: dict[int, tuple[str, int]] = {}
    for line, cells in records:
        row = _row(path, line, cells[row_at].strip(), samples, positions)
        label = cells[label_at].strip()
        if label == "-1":
            raise _unknown_or_class(path, line)
        if label:
            earlier, earlier_line = said.setdefault(row, (label, line))
            if label != earlier:
                raise _contradiction(path, line, samples.name_of(row), label, earlier, earlier_line)
    return said


def _row(
    path: Path, line: int, text: str, samples: Samples, positions: Mapping[str, int] | None
) -> int:
    n = samples.X.shape[0]
    if positions is not None:
        if text not in positions:
            remedy = closest(text, list(positions), f"use the ids of {samples.source}")
            raise InputError(path, f"no row has the id '{text}'", remedy, line=line)
        return positions[text]
    if not re.fullmatch("[0-9]+", text) or int(text) >= n:
        raise InputError(
            path,
            f"there is no row '{text}' in {samples.source}, expected 0 to {n - 1}",
            "count rows from 0, or name them with --id",
            line=line,
        )
    return int(text)


def _unknown_or_class(path: Path, line: int) -> InputError:
    # Taken as a class by mistake, it would declare all unknown rows to be the same kind.
    return InputError(
        path,
        "the label '-1' may mean a class or 'unknown'",
        "leave it blank for unknown, or give the class another name",
        line=line,
    )


def _contradiction(
    path: Path, line: int, name: str, label: str, earlier: str, earlier_line: int
) -> InputError:
    return InputError(
        path,
        f"{name} is labeled '{label}' here and '{earlier}' in line {earlier_line}",
        "keep one of the two lines",
        line=line,
    )
