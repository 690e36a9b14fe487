"""Variables of a MATLAB file, read in a process of its own, which a damaged file may crash."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numpy.lib import format as npy_format
from scipy.sparse import csc_array

from samekind._memory import available_memory
from samekind.app.inputs import mat_child
from samekind.app.inputs.errors import InputError, reading

_KIND = "a MATLAB file"
_local = threading.local()  # answers of two threads would get mixed up


@contextmanager
def mat_reader() -> Iterator["_Reader"]:
    """The process that reads; an outer call of this keeps it for all inner ones."""
    if getattr(_local, "reader", None) is not None:
        yield _local.reader
        return
    _local.reader = reader = _Reader()
    try:
        yield reader
    finally:
        _local.reader = None
        reader.close()


class _Reader:
    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def variables(self, path: Path) -> list[tuple[str, tuple[int, ...], str]]:
        """Name, shape and class of each variable."""
        said, _ = self._ask(path, None)
        return [(name, tuple(shape), kind) for name, shape, kind in said["variables"]]

    def load(self, path: Path, name: str) -> Any:
        """An array, a sparse matrix, or a list of the cells of a cell array."""
        said, arrays = self._ask(path, name)
        if "cells" in said:
            return arrays
        if "shape" in said:
            with reading(path, _KIND):
                matrix = csc_array(tuple(arrays), shape=tuple(said["shape"]))
                matrix.check_format(full_check=True)  # before compiled code follows its indices
                return matrix
        return arrays[0]

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _ask(self, path: Path, name: str | None) -> tuple[dict[str, Any], list[Any]]:
        process = self._process = self._process or _started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps([str(path.absolute()), name]).encode() + b"\n")
            process.stdin.flush()
            said = json.loads(process.stdout.readline())
            pipe = _OnlyReads(process.stdout)
            arrays = [
                npy_format.read_array(pipe, allow_pickle=False) for _ in range(said["arrays"])
            ]
        except (ValueError, OSError) as error:  # no answer, or half of one
            self.close()
            raise InputError(
                path,
                "the reader of MATLAB files crashed on it",
                "it seems damaged or half-written: save or copy it again",
            ) from error
        except BaseException:
            self.close()  # an answer that was not read to its end
            raise
        with reading(path, _KIND):
            if "memory" in said:
                raise MemoryError
            if "error" in said:
                raise ValueError(said["error"])
        return said, arrays


class _OnlyReads:
    """A pipe without a file's number, at which NumPy would look for a position."""

    def __init__(self, file: Any) -> None:
        self.read = file.read


def _started() -> subprocess.Popen[bytes]:
    # By its path and without ours, so that only scipy is imported there.
    command = [sys.executable, "-P", mat_child.__file__, str(available_memory())]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
