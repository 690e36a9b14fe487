"""MNIST: 70000 handwritten digits, 28 x 28, and the 1000 of them that the paper's authors drew.

All of the 1000 are from the last 10000, the test set.
"""

from collections.abc import Sequence
from pathlib import Path

from samekind._typing import IntArray
from samekind.paper.datasets.content import remembered_rows
from samekind.paper.datasets.formats.idx import read_pictures_and_labels
from samekind.paper.datasets.formats.mat import read_rows
from samekind.paper.datasets.formats.npz import read_npz
from samekind.paper.datasets.records import GRAY, Arrays, File, Files, OpenML, Part, Record

_IDX = "https://ossci-datasets.s3.amazonaws.com/mnist"
_NPZ = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/mnist.npz"
_MAT = (
    "https://raw.githubusercontent.com/linghm/DGSL/"
    "ec01538a2e633d57f41196c45e0467611092b098/dataset/MNIST_1000.mat"
)
_DIGESTS = {
    "train-images-idx3-ubyte": "md5:f68b3c2dcbeaaa9fbdd348bbdeb94873",
    "train-labels-idx1-ubyte": "md5:d53e105ee54ea40749a09fcbcd1e9432",
    "t10k-images-idx3-ubyte": "md5:9fb629c4189551a2d022fa330f9573f3",
    "t10k-labels-idx1-ubyte": "md5:ec29112dd5afa0611ce80d1b7f02629c",
}


def _read_npz(paths: Sequence[Path]) -> Arrays:
    return read_npz(paths[0])


def _read_drawn(paths: Sequence[Path]) -> Arrays:
    """The authors' file counts the digits from 1 to 10, and 10 stands for 0."""
    arrays = read_rows(paths[0])
    return Arrays(arrays.X, arrays.y % 10)


def _drawn(_: Arrays) -> IntArray:
    return remembered_rows("mnist_1000")


RECORDS = (
    Record(
        "mnist",
        about="handwritten digits",
        shape=(70000, 784),
        n_classes=10,
        scale=GRAY,
        source="MNIST, 60000 training samples, then 10000 test samples, in their own order",
        sha256="eb76937163b5eed27912cc0a4556f5a4706bda200f21b98ae375318843459a71",
        image_shape=(28, 28),
        sources=(
            OpenML(554),
            Files(
                (
                    File(
                        "mnist.npz",
                        _NPZ,
                        "sha256:731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1",
                    ),
                ),
                _read_npz,
            ),
            Files(
                tuple(
                    File(f"{name}.gz", f"{_IDX}/{name}.gz", digest)
                    for name, digest in _DIGESTS.items()
                ),
                read_pictures_and_labels,
            ),
            Files(tuple(File(name) for name in _DIGESTS), read_pictures_and_labels),
        ),
        by_hand=f"download the four files {', '.join(f'{name}.gz' for name in _DIGESTS)} from "
        "http://yann.lecun.com/exdb/mnist/",
    ),
    Record(
        "mnist_1000",
        about="100 of each digit of mnist",
        shape=(1000, 784),
        n_classes=10,
        scale=GRAY,
        source="MNIST, the 1000 test samples drawn by the authors of the paper",
        sha256="ce677cdddfe30dd831aa7e279ac2c9c007b91ad2c015217c67f9daa4ec791eae",
        image_shape=(28, 28),
        sources=(
            Files(
                (File("MNIST_1000.mat", _MAT, "git:044277613a925f988ca06c4520dfc700df9bd184"),),
                _read_drawn,
            ),
        ),
        part=Part("mnist", _drawn),
        by_hand="download dataset/MNIST_1000.mat from https://github.com/linghm/DGSL",
    ),
)
