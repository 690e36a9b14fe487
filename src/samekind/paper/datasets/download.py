"""Download: from a public place to arrays, with nothing left behind when it fails.

The only file that reaches for the network. Files go to a temporary folder that ends with the
download, whether it succeeds or not.
"""

import logging
import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha1
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, BinaryIO

from scipy.sparse import issparse

from samekind._memory import at_most, human
from samekind.paper.datasets.errors import DatasetError
from samekind.paper.datasets.records import Arrays, File, Files, OpenML

PATIENCE = 60  # seconds without a word from a server
LONGEST = 3600  # seconds for one file
MOST_MEMORY = 6 * 10**9  # bytes while OpenML's text becomes arrays
LARGEST = 500 * 10**6  # bytes of one file: several times the largest that is known


def download(source: Files | OpenML) -> Arrays:
    """The arrays at a public place, as they are there.

    Raises
    ------
    DatasetError
        With the address and the reason: no connection, no file, one cut off or altered.
    InputError
        If a file cannot be read.
    """
    if isinstance(source, OpenML):
        return source.arrange(_from_openml(source))
    with TemporaryDirectory(prefix="samekind-") as folder:
        paths = [_fetch(file, Path(folder)) for file in source.files]
        return source.read(paths)


def _from_openml(source: OpenML) -> Arrays:
    from sklearn.datasets import fetch_openml

    # It unpacks whatever the server sends, so that memory is the only bound.
    with _failures(source.place), warnings.catch_warnings(), _patient(), at_most(MOST_MEMORY):
        warnings.simplefilter("ignore")  # of tries that failed; the last one raises
        bunch = fetch_openml(
            data_id=source.data_id,
            as_frame=False,
            parser="liac-arff",  # slower than pandas, which need not be installed
            cache=False,
            n_retries=1,
        )
    X = bunch.data.toarray() if issparse(bunch.data) else bunch.data
    return Arrays(X, bunch.target)


def _fetch(file: File, folder: Path) -> Path:
    """Download one file, whole and with the right digest where one is known."""
    if file.address is None:
        raise DatasetError(f"{file.name} has no public address")
    try:
        import pooch
    except ImportError as error:
        raise DatasetError(
            "downloading needs the package pooch, which is not installed; install it by "
            'pip install ".[paper]" in the folder of the source'
        ) from error
    kind, _, digest = (file.checksum or "").partition(":")
    with _failures(file.address), _quiet(pooch.get_logger()):
        pooch.retrieve(
            file.address,
            known_hash=file.checksum if kind not in ("", "git") else None,
            fname=file.name,
            path=folder,
            downloader=_bounded,
        )
    path = folder / file.name
    if kind == "git" and (came := git_name(path.read_bytes())) != digest:
        raise DatasetError(
            f"{file.address}: the file is not the one that is known from there; "
            f"its git digest is {came}, expected {digest}"
        )
    return path


def _bounded(address: str, path: str, pooch: Any) -> None:
    """Download into a file, up to a size and for a time."""
    from pooch.downloaders import choose_downloader

    with open(path, "wb") as file:
        choose_downloader(address)(address, _Bounded(file), pooch)


class _Bounded:
    """A file that refuses to become too large, or to grow for too long."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._until = file, monotonic() + LONGEST
        self.flush = file.flush

    def write(self, content: bytes) -> int:
        if self._file.tell() + len(content) > LARGEST:
            raise OSError(f"the file is larger than {human(LARGEST)}, as none of the data sets is")
        if monotonic() > self._until:
            raise OSError(f"the file has not come to its end within {LONGEST} seconds")
        return self._file.write(content)


def git_name(content: bytes) -> str:
    """The name under which git keeps a file, a digest of its content.

    Examples
    --------
    >>> git_name(b"")
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


@contextmanager
def _failures(address: str) -> Iterator[None]:
    """Report whatever a library raises inside as a DatasetError of this address.

    Connections break in a dozen ways, each with its own exception; hence the broad clause.
    """
    try:
        yield
    except Exception as error:
        cause: BaseException = error
        while cause.__context__ is not None:  # libraries wrap it, and each repeats the address
            cause = cause.__context__
        if isinstance(cause, MemoryError):
            cause = MemoryError(f"it stands for more than {human(MOST_MEMORY)}, or memory is short")
        raise DatasetError(f"{address}: {str(cause).strip() or type(cause).__name__}") from error


@contextmanager
def _patient() -> Iterator[None]:
    """A limit to waiting, for libraries that set none."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(PATIENCE)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)


@contextmanager
def _quiet(logger: logging.Logger) -> Iterator[None]:
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)
