"""Cora: 2708 papers by the words in them, and who cites whom, with the split of Planetoid.

Of 5429 citations 151 are mutual and stand in the files twice; there are 5278 links.
"""

from samekind.paper.datasets.formats.planetoid import PARTS, read_planetoid
from samekind.paper.datasets.records import File, Files, Record, Scale

_PLANETOID = (
    "https://raw.githubusercontent.com/kimiyoung/planetoid/"
    "af6abf468a772cc055bec88c52e4d6f51b7c37e3/data"
)
_NAMES = tuple(f"ind.cora.{part}" for part in PARTS)

RECORDS = (
    Record(
        "cora",
        about="papers by words and citations",
        shape=(2708, 1433),
        n_classes=7,
        scale=Scale("1 for a word that occurs, 0 for others, as published", "uint8", steps=1),
        source="Cora as prepared for Planetoid, links counted once",
        sha256="bd1a00601696ce3c4c0b58483c275eecd827d90611e6f8638677ed18102eb1d9",
        extras=("edges_unique", "train_idx", "val_idx", "test_idx"),
        sources=(
            Files(tuple(File(name, f"{_PLANETOID}/{name}") for name in _NAMES), read_planetoid),
        ),
        by_hand=(
            f"download the eight files {_NAMES[0]} to {_NAMES[-1]} from the folder data of "
            "https://github.com/kimiyoung/planetoid"
        ),
    ),
)
