"""Extended Yale B: 38 persons under some 64 lights each, cut to 32 x 32; the first 18 of them."""

import numpy as np

from samekind._typing import IntArray
from samekind.paper.datasets.formats.mat import read_one
from samekind.paper.datasets.records import GRAY, Arrays, File, Files, Part, Record

_ADDRESS = (
    "https://raw.githubusercontent.com/linghm/DGSL/"
    "ec01538a2e633d57f41196c45e0467611092b098/dataset/YaleB_32x32.mat"
)
_HAND = "download YaleB_32x32.mat from http://www.cad.zju.edu.cn/home/dengcai/Data/FaceData.html"


def _first_18(arrays: Arrays) -> IntArray:
    return np.flatnonzero(arrays.y < 18)


RECORDS = (
    Record(
        "yaleb",
        about="faces, 38 persons in changing light",
        shape=(2414, 1024),
        n_classes=38,
        scale=GRAY,
        source="Extended Yale B, 32 x 32 by Deng Cai",
        sha256="362ee277e5b8eb7b8b0cd6ecb4bb48aec218472d4446b560d8ccf3612df31c86",
        image_shape=(32, 32),
        column_major=True,
        sources=(
            Files(
                (
                    File(
                        "YaleB_32x32.mat", _ADDRESS, "git:cb46e1db16ee99cbe1af507149fb0b55ce9160c5"
                    ),
                ),
                read_one,
            ),
        ),
        by_hand=_HAND,
    ),
    Record(
        "yaleb18",
        about="the first 18 persons of yaleb",
        shape=(1134, 1024),
        n_classes=18,
        scale=GRAY,
        source="Extended Yale B, 32 x 32 by Deng Cai, the first 18 persons",
        sha256="e8cd5f39a39aca9309fe2e901ecc7ea345d8e7db2f80dc55296f1a73d27caa69",
        image_shape=(32, 32),
        column_major=True,
        part=Part("yaleb", _first_18),
        by_hand=_HAND,
    ),
)
