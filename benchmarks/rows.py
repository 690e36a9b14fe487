"""Results as lines of JSON: each run is written as it ends, and made once.

A run is named by a few fields, such as data set and seed. What the file holds already is not run
again; a run that failed is a row with its reason. To repeat a run, remove its line, or name
another folder for the results by SAMEKIND_RESULTS.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path

RESULTS = Path(os.environ.get("SAMEKIND_RESULTS") or Path(__file__).parent / "results")

Row = dict[str, object]


class Rows:
    """The rows of one file."""

    def __init__(self, path: Path, names: tuple[str, ...]) -> None:
        self.path, self.names = path, names
        self._rows = {self._key(row): row for row in read(path)}

    def _key(self, row: Row) -> tuple[object, ...]:
        return tuple(row.get(name) for name in self.names)

    def once(self, run: Row, work: Callable[[], Row]) -> Row:
        """The row of a run: from the file, or made now by ``work`` and written."""
        key = self._key(run)
        if key not in self._rows:
            try:
                result = work()
            except Exception as error:
                result = {"failed": f"{type(error).__name__}: {error}"}
            self._rows[key] = run | result
            append(self.path, self._rows[key])
        return self._rows[key]


def append(path: Path, row: Row) -> None:
    """Write one row behind the others."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write(json.dumps(row) + "\n")


def read(path: Path) -> list[Row]:
    """All rows of a file; none where there is no file."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
