"""Find: where a data set lies, as its own file, as the public files, or as rows of another."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import file_digest
from pathlib import Path

from samekind.paper.datasets.convert import belonging, read_as
from samekind.paper.datasets.errors import MissingDataset, RefusedDataset
from samekind.paper.datasets.formats.npz import read_npz
from samekind.paper.datasets.places import cache_folder, folders
from samekind.paper.datasets.records import Arrays, Files, OpenML, Part, Record
from samekind.paper.datasets.table import record_of


@dataclass(frozen=True)
class Found:
    """A data set that is there, not yet read.

    Attributes
    ----------
    where : str
        Path of the file or files, or a sentence.
    read : callable
        Gives the arrays, checked; raises RefusedDataset if they are others.
    is_certain : bool
        Whether its digest vouches for it, so that reading it cannot end in a refusal.
    is_own_file : bool
        Whether it is a file NAME.npz, or needs none.
    """

    where: str
    read: Callable[[], Arrays]
    is_certain: bool = False
    is_own_file: bool = False


def find(name: str) -> Found:
    """Where a data set lies.

    It is looked for in the folder named by SAMEKIND_DATA, then in the cache: as NAME.npz, as
    the public files it is made from, or as part of another data set.

    Raises
    ------
    UnknownDataset, MissingDataset
        With the names there are; with where it was looked for and how to get it.

    Examples
    --------
    >>> find("digits").where
    "scikit-learn's load_digits"
    """
    record = record_of(name)
    found = look_for(record)
    if found is None:
        raise MissingDataset(
            f"the data set '{name}' is not there; looked for {name}.npz in {_looked_in()}; "
            f"{how_to_get(record)}"
        )
    return found


def look_for(record: Record) -> Found | None:
    """Where it lies, or None."""
    if record.embedded is not None:
        return Found(record.source, record.embedded, is_certain=True, is_own_file=True)
    for name, folder in folders().items():
        try:
            found = next(_in_folder(record, folder), None)
        except OSError as error:
            raise RefusedDataset(
                f"{folder} ({name}) cannot be looked into: {error.strerror}; check its permissions"
            ) from error
        if found is not None:
            return found
    return None if record.part is None else _in_parent(record, record.part)


def how_to_get(record: Record) -> str:
    """A sentence without its full stop."""
    ways = [way] if (way := how_by_hand(record)) else []
    if sources := public_sources(record):
        untried = "" if sources[0].tried else ", untried"
        place = f"from {sources[0].place}{untried}"
        ways.insert(0, f"get it with: samekind datasets get {record.name} ({place})")
    return ", or ".join(ways) or "put it into one of these folders"


def how_by_hand(record: Record) -> str:
    """A sentence without its full stop, "" if there is nothing to say."""
    untried = " (untried)" if "://" in record.by_hand else ""
    return record.by_hand and f"{record.by_hand}{untried} into {cache_folder()}"


def public_sources(record: Record) -> list[Files | OpenML]:
    """The public places of a data set, and of the one that it is a part of."""
    own = [source for source in record.sources if source.place is not None]
    return own + ([] if record.part is None else public_sources(record_of(record.part.parent)))


def _in_folder(record: Record, folder: Path) -> Iterator[Found]:
    path = folder / f"{record.name}.npz"
    if path.is_file():
        yield _own_file(record, path)
    # Copies of public files are named in small or capital letters.
    files = filter(Path.is_file, folder.iterdir()) if folder.is_dir() else ()  # no pipes
    there = {path.name.lower(): path for path in files}
    for source in record.sources:
        if isinstance(source, Files):
            paths = [there[key] for file in source.files if (key := file.name.lower()) in there]
            if len(paths) == len(source.files):
                where = ", ".join(map(str, paths))
                yield Found(where, _reader(record, where, partial(source.read, paths)))


def _own_file(record: Record, path: Path) -> Found:
    def read_known() -> Arrays:
        return belonging(record, read_npz(path))

    is_certain = _sha256(path) == record.sha256
    read = read_known if is_certain else _reader(record, str(path), partial(read_npz, path))
    return Found(str(path), read, is_certain, is_own_file=True)


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""  # of nothing; why it cannot be read is said when it is


def _in_parent(record: Record, part: Part) -> Found | None:
    parent = look_for(record_of(part.parent))
    if parent is None:
        return None

    def read() -> Arrays:
        arrays = parent.read()
        rows = part.rows(arrays)
        return Arrays(arrays.X[rows], arrays.y[rows])

    where = f"rows of {parent.where}"
    remedy = how_to_get(record)
    return Found(where, partial(read_as, record, where, read, remedy), parent.is_certain)


def _reader(record: Record, where: str, read: Callable[[], Arrays]) -> Callable[[], Arrays]:
    return partial(read_as, record, where, read, f"remove it, then {how_to_get(record)}")


def _looked_in() -> str:
    return " and in ".join(
        f"{folder} ({name}{'' if folder.is_dir() else ', no such folder'})"
        for name, folder in folders().items()
    )
