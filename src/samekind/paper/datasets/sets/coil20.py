"""COIL20: 20 objects on a turntable, 72 pictures each, 32 x 32.

Values are means of 4 x 4 pixels over 255, that is, multiples of 1/4080.
"""

from samekind.paper.datasets.formats.mat import read_one
from samekind.paper.datasets.records import File, Files, Record, Scale

_ADDRESS = (
    "https://raw.githubusercontent.com/jundongl/scikit-feature/"
    "48cffad4e88ff4b9d2f1c7baffb314d1b3303792/skfeature/data/COIL20.mat"
)

RECORDS = (
    Record(
        "coil20",
        about="objects from all sides",
        shape=(1440, 1024),
        n_classes=20,
        scale=Scale("gray levels from 0 to 1, as published", "float32", steps=4080),
        source="COIL-20 of Columbia University, 32 x 32 by Deng Cai, in the copy of scikit-feature",
        sha256="c294807e996b92a45ccfd41e64c1619bc37498cb202fc669be4aebcc3a57fce1",
        image_shape=(32, 32),
        column_major=True,
        sources=(
            Files(
                (File("COIL20.mat", _ADDRESS, "git:8f374909e08bf45766a0ec763923d955543006fd"),),
                read_one,
            ),
        ),
        by_hand="download COIL20.mat from http://www.cad.zju.edu.cn/home/dengcai/Data/MLData.html",
    ),
)
