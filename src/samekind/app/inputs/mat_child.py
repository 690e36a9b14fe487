"""The process that reads MATLAB files: scipy's reader may crash on a damaged one.

Run as a script with the bytes of memory that are left, if known. Requests come as lines of JSON,
(path, name of a variable or None for a list of them). An answer is a line of JSON, and then
arrays in NumPy's format, as many as the line says.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy_format
from scipy.io import loadmat, whosmat
from scipy.sparse import issparse


class OnlyWrites:
    """A pipe without a file's number, at which NumPy would look for a position."""

    def __init__(self, file: Any) -> None:
        self.write = file.write


def answer(path: str, name: str | None) -> tuple[dict[str, Any], list[Any]]:
    """A variable, or the list of all of them."""
    if name is None:
        found = [(name, list(shape), kind) for name, shape, kind in whosmat(path, appendmat=False)]
        return {"variables": found}, []
    array = loadmat(path, appendmat=False, variable_names=[name])[name]
    if issparse(array):
        array = array.tocsc()
        return {"shape": array.shape}, [array.data, array.indices, array.indptr]
    if array.dtype.kind == "O":
        cells = [np.asarray(cell) for cell in array.ravel()]
        return {"cells": True}, [_plain(cell) for cell in cells]
    return {}, [_plain(array)]


def _plain(array: Any) -> Any:
    """Objects are named by their kind alone."""
    return np.zeros(array.shape, "V1") if array.dtype.hasobject else array


def limit_memory(n_bytes: int) -> None:
    """Take at most so much more from here on, where the system knows such limits."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY:
            resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + n_bytes, hard))
    except (ImportError, ValueError, OSError):
        pass


def main() -> None:
    """Answer until there are no more requests."""
    if sys.argv[1].isdigit():
        limit_memory(int(sys.argv[1]))
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        try:
            said, arrays = answer(*json.loads(line))
        except MemoryError:
            said, arrays = {"memory": True}, []
        except Exception as error:  # whatever a damaged file makes scipy raise
            said, arrays = {"error": str(error) or type(error).__name__}, []
        out.write(json.dumps(said | {"arrays": len(arrays)}).encode() + b"\n")
        for array in arrays:
            npy_format.write_array(OnlyWrites(out), array, allow_pickle=False)
        out.flush()


if __name__ == "__main__":
    main()
