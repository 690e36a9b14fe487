"""USPS: 9298 handwritten digits, 16 x 16, and the 1000 of them that the paper's authors drew.

There are two data sets of this name with the same samples and labels. This is libsvm's, which
the paper uses: the one of "The Elements of Statistical Learning" (zip.train, zip.test, usps.h5),
smoothed. The two give different clusters, so the other one is refused by name.
"""

from samekind._typing import IntArray
from samekind.paper.datasets.content import remembered_rows
from samekind.paper.datasets.formats.libsvm import read_libsvm
from samekind.paper.datasets.formats.mat import read_one
from samekind.paper.datasets.records import Arrays, File, Files, OpenML, Part, Record, Scale

_LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/multiclass"
_MAT = (
    "https://raw.githubusercontent.com/linghm/DGSL/"
    "ec01538a2e633d57f41196c45e0467611092b098/dataset/USPS_1000.mat"
)
_SCALE = Scale("gray levels from -1 to 1, as published", "float32", steps=1e6)


def _drawn(_: Arrays) -> IntArray:
    return remembered_rows("usps_1000")


RECORDS = (
    Record(
        "usps",
        about="handwritten digits",
        shape=(9298, 256),
        n_classes=10,
        scale=_SCALE,
        source="USPS in libsvm's variant to 1e-6, 7291 training samples, then 2007 test samples",
        sha256="5652b8b4a7205b07638d70566272f581779b0123193fa5ea40de62a788715b3c",
        image_shape=(16, 16),
        sources=(
            OpenML(41082),
            Files(
                (
                    File("usps.bz2", f"{_LIBSVM}/usps.bz2", "md5:ec16c51db3855ca6c91edd34d0e9b197"),
                    File(
                        "usps.t.bz2",
                        f"{_LIBSVM}/usps.t.bz2",
                        "md5:8ea070ee2aca1ac39742fdd1ef5ed118",
                    ),
                ),
                read_libsvm,
            ),
            Files((File("usps"), File("usps.t")), read_libsvm),
        ),
        by_hand=f"download usps.bz2 and usps.t.bz2 from {_LIBSVM}.html",
        mistaken=(
            "usps_esl",
            'it is the USPS of "The Elements of Statistical Learning" (zip.train, usps.h5); the '
            "paper uses libsvm's, whose pictures are smoothed, and results on the two differ",
        ),
    ),
    Record(
        "usps_1000",
        about="100 of each digit of usps",
        shape=(1000, 256),
        n_classes=10,
        scale=_SCALE,
        source="USPS in libsvm's variant, the 1000 samples drawn by the authors of the paper",
        sha256="74bafe859979375e5ac612340ddcd7ab12731d937ac70b19b2cfefb5eed549bb",
        image_shape=(16, 16),
        sources=(
            Files(
                (File("USPS_1000.mat", _MAT, "git:8cf0d1f5aa712730d1fdd8f0d3a7383a0f66f9d4"),),
                read_one,
            ),
        ),
        part=Part("usps", _drawn),
        by_hand="download dataset/USPS_1000.mat from https://github.com/linghm/DGSL",
    ),
)
