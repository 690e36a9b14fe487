"""ISOLET: the letters of the alphabet, spoken twice by 150 speakers in five groups of 30.

isolet1 and isolet2 are the first two groups. Rows are sorted by group, then by letter, then by
speaker; the original files go speaker by speaker through the alphabet.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from samekind._typing import IntArray
from samekind.paper.datasets.convert import numbered
from samekind.paper.datasets.formats.mat import read_one, read_rows
from samekind.paper.datasets.records import Arrays, File, Files, OpenML, Part, Record, Scale

GROUP_SIZES = (1560, 1560, 1560, 1558, 1559)  # three recordings are missing
_GROUPS = (
    "https://raw.githubusercontent.com/ma-xu/L21FS/b9d4e8eb7f6d7b5ccc62f9e638bdaef798b62e5e/data"
)
_FILES = ("Isolet1.mat", "Isolet2.mat", "Isolet3.mat", "Isolet4.mat", "isolet5.mat")
_DIGESTS = {
    "Isolet1.mat": "git:58d1938747e6502302b05288b7d71f3db08eeebb",
    "Isolet2.mat": "git:1f8d9d4b8b3a875f9ced3b5aa0a9941d7fa80af3",
}
_PAGE = "http://www.cad.zju.edu.cn/home/dengcai/Data/MLData.html"
_SCALE = Scale("features from -1 to 1, as published", "float32", steps=1e4)


def in_groups(arrays: Arrays) -> Arrays:
    """Rows that go speaker by speaker, sorted by group and letter."""
    if len(arrays.y) != sum(GROUP_SIZES):
        return arrays  # of another size: refused when it is compared
    group = np.repeat(np.arange(1, 6), GROUP_SIZES)
    order = np.lexsort((numbered(arrays.y), group))  # stable: speakers keep their order
    return Arrays(arrays.X[order], arrays.y[order], {"group": group})


def _read_groups(paths: Sequence[Path]) -> Arrays:
    parts = [read_rows(path) for path in paths]
    group = np.repeat(np.arange(1, len(parts) + 1), [len(part.y) for part in parts])
    X, y = np.vstack([part.X for part in parts]), np.concatenate([part.y for part in parts])
    return Arrays(X, y, {"group": group})


def _file(name: str) -> File:
    return File(name, f"{_GROUPS}/{name}", _DIGESTS.get(name))


def _group(number: int) -> Part:
    def rows(arrays: Arrays) -> IntArray:
        return np.flatnonzero(arrays.extras["group"] == number)

    return Part("isolet", rows)


def _of_group(number: int, sha256: str) -> Record:
    name = f"Isolet{number}.mat"
    return Record(
        f"isolet{number}",
        about=f"group {number} of isolet",
        shape=(1560, 617),
        n_classes=26,
        scale=_SCALE,
        source=f"ISOLET, group {number} of its speakers",
        sha256=sha256,
        sources=(Files((_file(name),), read_one),),
        part=_group(number),
        by_hand=f"download {name} from {_PAGE}",
    )


RECORDS = (
    Record(
        "isolet",
        about="spoken letters",
        shape=(7797, 617),
        n_classes=26,
        scale=_SCALE,
        source="ISOLET of the UCI repository, five groups of speakers one after the other",
        sha256="236763f0e3f1cad42f018fe9bd2c5b9567251b44e76622924665577bdace4454",
        extras=("group",),
        sources=(OpenML(300, in_groups), Files(tuple(map(_file, _FILES)), _read_groups)),
        by_hand=f"download {', '.join(_FILES)} from {_PAGE}",
    ),
    _of_group(1, "60c0f6ff7f2491493d3b8c74cca2485e7bb572363d3e42e7d2d1df4becd73b98"),
    _of_group(2, "9ae8b250e2655103df43f72b4afa3434988d0f56a9e9b0021409ede0c22d0a05"),
)
