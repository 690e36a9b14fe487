"""UMIST: 20 persons from profile to front, 19 to 48 photographs each, 112 x 92.

Values are those of Sam Roweis' file, one above those of the original pictures. Ten pictures of
the second person are there twice, in the original too.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from samekind.paper.datasets.convert import numbered
from samekind.paper.datasets.formats.mat import read_cells, read_one
from samekind.paper.datasets.records import GRAY, Arrays, File, Files, OpenML, Record

_ADDRESS = "https://cs.nyu.edu/~roweis/data/umist_cropped.mat"


def _person_by_person(arrays: Arrays) -> Arrays:
    order = np.argsort(numbered(arrays.y), kind="stable")
    return Arrays(arrays.X[order], arrays.y[order])


def _read_cells(paths: Sequence[Path]) -> Arrays:
    return read_cells(paths[0], "facedat")


RECORDS = (
    Record(
        "umist",
        about="faces, 20 persons turning their heads",
        shape=(575, 10304),
        n_classes=20,
        scale=GRAY,
        source="UMIST faces, cropped to 112 x 92, values as in Sam Roweis' umist_cropped.mat",
        sha256="6199df25da4d1b75e19571f63188bc82483b1ba2e9f9681e626450d480acc515",
        image_shape=(112, 92),
        sources=(
            OpenML(41084, _person_by_person),
            Files((File("umist_cropped.mat", _ADDRESS),), _read_cells),
            Files((File("Umist.mat"),), read_one),
        ),
        by_hand=f"download umist_cropped.mat from {_ADDRESS}",
    ),
)
