"""ORL: 40 persons, 10 photographs each, cut to 32 x 32.

scikit-learn's Olivetti faces are the same photographs cut to 64 x 64 by somebody else, so they
cannot stand in for these.
"""

from samekind.paper.datasets.formats.mat import read_one
from samekind.paper.datasets.records import GRAY, File, Files, Record

_ADDRESS = (
    "https://raw.githubusercontent.com/jundongl/scikit-feature/"
    "48cffad4e88ff4b9d2f1c7baffb314d1b3303792/skfeature/data/ORL.mat"
)

RECORDS = (
    Record(
        "orl",
        about="faces, 40 persons",
        shape=(400, 1024),
        n_classes=40,
        scale=GRAY,
        source="ORL faces, 32 x 32 by Deng Cai, in the copy of scikit-feature",
        sha256="8dd715dcf659f172b9bf16710c1b71de68d5252bf776914d617f0e5acc80fc2c",
        image_shape=(32, 32),
        column_major=True,
        sources=(
            Files(
                (File("ORL.mat", _ADDRESS, "git:5bb172ddf6a66ea79277c430f1a7060314824943"),),
                read_one,
            ),
            Files((File("ORL_32x32.mat"),), read_one),
        ),
        by_hand=(
            "download ORL_32x32.mat from http://www.cad.zju.edu.cn/home/dengcai/Data/FaceData.html"
        ),
    ),
)
