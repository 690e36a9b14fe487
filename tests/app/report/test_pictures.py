"""PNG files written by hand, read by another library."""

import base64
import io

import numpy as np
import pytest
from matplotlib.image import imread

from samekind.app.report.pictures import LARGEST_SIDE, Gallery, gray_levels, png_uri


def read(uri):
    kind, _, body = uri.partition(",")
    assert kind == "data:image/png;base64"
    return np.round(255 * imread(io.BytesIO(base64.b64decode(body)), format="png")).astype(int)


@pytest.mark.parametrize("shape", [(1, 1), (8, 8), (3, 17)])
def test_a_picture_comes_back_as_it_was(shape):
    gray = np.random.default_rng(0).integers(256, size=shape).astype(np.uint8)
    np.testing.assert_array_equal(read(png_uri(gray)), gray)


def test_all_pictures_share_one_scale_whatever_the_range():
    images = np.array([[[-5.0, 0.0]], [[5.0, 10.0]]])
    gallery = Gallery(images)
    assert read(gallery.uri(0)).tolist() == [[0, 85]]
    assert read(gallery.uri(1)).tolist() == [[170, 255]]
    assert Gallery(100 * images - 7).uri(1) == gallery.uri(1)


def test_large_pictures_are_averaged_to_a_small_size():
    image = np.zeros((1, 100, 60))
    image[0, :3, :3] = 9.0  # one cell of three by three
    small = read(Gallery(image).uri(0))
    assert small.shape == (34, 20)
    assert max(small.shape) <= LARGEST_SIDE
    assert small[0, 0] == 255
    assert small.sum() == 255


def test_constant_and_missing_values_are_black():
    assert gray_levels(np.full((2, 2), 3.0), 3.0, 3.0).tolist() == [[0, 0], [0, 0]]
    image = np.array([[[0.0, np.nan, 2.0]]])
    assert read(Gallery(image).uri(0)).tolist() == [[0, 0, 255]]
    assert read(Gallery(np.full((1, 1, 2), np.nan)).uri(0)).tolist() == [[0, 0]]
