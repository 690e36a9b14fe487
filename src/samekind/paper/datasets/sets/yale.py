"""Yale: 15 persons, 11 photographs each, cut to 32 x 32."""

from samekind.paper.datasets.formats.mat import read_one
from samekind.paper.datasets.records import GRAY, File, Files, Record

_ADDRESS = (
    "https://raw.githubusercontent.com/linghm/DGSL/"
    "ec01538a2e633d57f41196c45e0467611092b098/dataset/Yale_32x32.mat"
)

RECORDS = (
    Record(
        "yale",
        about="faces, 15 persons",
        shape=(165, 1024),
        n_classes=15,
        scale=GRAY,
        source="Yale faces, 32 x 32 by Deng Cai",
        sha256="9e9ae2445b3f2194438ab4fddc0457aac32164cf239db1db0b96f89f9e1a814b",
        image_shape=(32, 32),
        column_major=True,
        sources=(
            Files(
                (File("Yale_32x32.mat", _ADDRESS, "git:841c13fb34e3b4d3d350684f8f01624da6171dfc"),),
                read_one,
            ),
        ),
        by_hand=(
            "download Yale_32x32.mat from http://www.cad.zju.edu.cn/home/dengcai/Data/FaceData.html"
        ),
    ),
)
