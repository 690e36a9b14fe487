"""Image encoders that the user brings."""

import sys

import numpy as np
import pytest
from PIL import Image

from samekind.app.inputs import InputError, encoder_from_state, read_samples

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")


def model(path, shape, *, kind="mean", dtype=None, output=None):
    """A tiny model: the mean of each color, all values in a row, or the picture itself."""
    helper, proto = onnx.helper, onnx.TensorProto
    dtype = dtype or proto.FLOAT
    nodes = {
        "mean": helper.make_node("GlobalAveragePool", ["x"], ["y"]),
        "flat": helper.make_node("Flatten", ["x"], ["y"]),
        "sum": helper.make_node("ReduceSum", ["x"], ["y"], keepdims=0),
    }
    graph = helper.make_graph(
        [nodes[kind]],
        "tiny",
        [helper.make_tensor_value_info("x", dtype, shape)],
        [helper.make_tensor_value_info("y", dtype, output)],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    made.ir_version = 8
    onnx.save(made, path)
    return f"onnx:{path}"


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    folder = tmp_path_factory.mktemp("photos")
    for i, color in enumerate([(255, 0, 0), (0, 255, 0), (0, 0, 255)] * 6 + [(255, 0, 0)]):
        Image.new("RGB", (20 + i, 30), color).save(folder / f"{i:02d}.png")
    return folder


@pytest.mark.parametrize(
    ("shape", "size"),
    [
        (["N", 3, 8, 8], 8),
        (["N", 3, "H", "W"], 224),
        ([1, 3, 8, 8], 8),
        ([4, 3, 8, 8], 8),
    ],
)
def test_rows_are_what_the_model_says(photos, tmp_path, shape, size):
    features = model(tmp_path / "m.onnx", shape)
    samples = read_samples(photos, image_features=features)
    assert samples.X.shape == (19, 3)
    assert samples.encoder.size == size
    np.testing.assert_allclose(np.linalg.norm(samples.X, axis=1), 1)
    red = (np.array([1, 0, 0]) - (0.485, 0.456, 0.406)) / (0.229, 0.224, 0.225)
    np.testing.assert_allclose(
        samples.X[0], red / np.linalg.norm(red), atol=1e-3
    )  # sums of 32 bits
    np.testing.assert_allclose(samples.X[18], samples.X[0], atol=1e-3)


def test_mean_and_deviation_can_be_given(photos, tmp_path):
    features = model(tmp_path / "m.onnx", ["N", 3, 4, 4], kind="flat")
    given = {"image_mean": (0, 0, 0), "image_std": (1, 1, 1)}
    samples = read_samples(photos, image_features=features, **given)
    np.testing.assert_allclose(samples.X[1] * 4, np.repeat([0, 1, 0], 16), atol=1e-6)


def test_new_pictures_need_the_same_model(photos, tmp_path):
    features = model(tmp_path / "m.onnx", ["N", 3, 4, 4])
    old = read_samples(photos, image_features=features)
    again = encoder_from_state(old.encoder.state())
    assert (read_samples(photos, encoder=again).X == old.X).all()
    model(tmp_path / "m.onnx", ["N", 3, 8, 8])
    with pytest.raises(InputError, match=r"m\.onnx: it is another encoder .*put that file back"):
        encoder_from_state(old.encoder.state())


@pytest.mark.parametrize(
    ("shape", "options", "reason"),
    [
        (["N", 10], {"kind": "flat"}, r"tensor\(float\), N x 10; expected one input of float32"),
        (["N", 8, 8, 3], {}, "N x 8 x 8 x 3; expected .* N x 3 x H x W"),
        (["N", 3, 8, 6], {}, "N x 3 x 8 x 6; expected"),
        (
            ["N", 3, 8, 8],
            {"kind": "flat", "dtype": 11},
            r"tensor\(double\), N x 3 x 8 x 8; expected",
        ),
        (["N", 3, 8, 8], {"kind": "sum"}, "its output is .*expected N x features"),
    ],
)
def test_a_wrong_shape_gets_one_sentence(photos, tmp_path, shape, options, reason):
    features = model(tmp_path / "m.onnx", shape, **options)
    with pytest.raises(InputError, match=rf"m\.onnx: .*{reason}.*; \w+"):
        read_samples(photos, image_features=features)


def test_what_is_no_model_is_refused(photos, tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"gone\.onnx: there is no such file"):
        read_samples(photos, image_features=f"onnx:{tmp_path}/gone.onnx")
    (tmp_path / "m.onnx").write_bytes(b"no model")
    with pytest.raises(InputError, match=r"m\.onnx: it cannot be read as an ONNX model"):
        read_samples(photos, image_features=f"onnx:{tmp_path}/m.onnx")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(InputError, match=r'package onnxruntime.*pip install "\.\[photos\]"'):
        read_samples(photos, image_features=f"onnx:{tmp_path}/m.onnx")
