"""Pictures: folders of image files of many kinds."""

import io
import os
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from samekind.app.inputs import InputError, read_samples

GRAY = np.random.default_rng(0).integers(0, 256, (8, 8), dtype=np.uint8)


@pytest.fixture
def folder(tmp_path):
    """A folder with one gray picture of 8 x 8 pixels, which comes first."""
    place = tmp_path / "faces"
    place.mkdir()
    Image.fromarray(GRAY).save(place / "a.png")
    return place


def second(folder, image, name="b.png", **options):
    """Gray values of a picture beside the one of the fixture, in its own size."""
    image.save(folder / name, **options)
    return read_samples(folder, image_size=8).X[1].reshape(8, 8) * 255


def test_values_and_names_are_kept(folder):
    (folder / "sub").mkdir()
    Image.fromarray(GRAY.T).save(folder / "sub" / "a.bmp")
    Image.fromarray(GRAY[::-1]).save(folder / "Z.PNG")
    samples = read_samples(folder, image_size=8)
    assert samples.ids == ("Z.PNG", "a.png", "sub/a.bmp")
    assert samples.image_shape == (8, 8)
    assert samples.source == "faces"
    assert samples.X.dtype == np.float64
    assert samples.name_of(2) == "sub/a.bmp"
    for row, expected in zip(samples.X, (GRAY[::-1], GRAY, GRAY.T), strict=True):
        np.testing.assert_array_equal(row.reshape(8, 8), expected / 255)
    assert samples.notes == (
        "3 pictures were turned to gray and resized to 8 x 8 pixels; "
        "their values, 0 to 255, were divided by 255.",
    )


def test_a_relative_folder_has_a_name(folder, monkeypatch):
    Image.fromarray(GRAY).save(folder / "b.png")
    monkeypatch.chdir(folder)
    assert read_samples(".").source == "faces"


@pytest.mark.parametrize("suffix", ["png", "bmp", "gif", "tif", "tiff", "pgm", "webp"])
def test_lossless_formats_agree(folder, suffix):
    options = {"lossless": True} if suffix == "webp" else {}
    np.testing.assert_array_equal(
        second(folder, Image.fromarray(GRAY), f"b.{suffix}", **options), GRAY
    )


@pytest.mark.parametrize("suffix", ["jpg", "jpeg"])
def test_jpeg_agrees_up_to_its_losses(folder, suffix):
    smooth = Image.fromarray(np.add.outer(np.arange(8), np.arange(8)).astype(np.uint8) * 15)
    values = second(folder, smooth, f"b.{suffix}", quality=95)
    np.testing.assert_allclose(values, np.asarray(smooth), atol=6)


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA", "LA", "P"])
def test_modes_of_the_same_gray_agree(folder, mode):
    np.testing.assert_array_equal(second(folder, Image.fromarray(GRAY).convert(mode)), GRAY)


def test_black_and_white_covers_the_range(folder):
    values = second(folder, Image.fromarray(GRAY > 127))
    np.testing.assert_array_equal(values, 255 * (GRAY > 127))


def test_the_first_frame_of_an_animation_is_taken(folder):
    frames = [Image.fromarray(GRAY), Image.fromarray(255 - GRAY)]
    values = second(folder, frames[0], "b.gif", save_all=True, append_images=frames[1:])
    np.testing.assert_array_equal(values, GRAY)


def test_transparent_parts_are_white(folder):
    black = np.zeros((8, 8, 4), dtype=np.uint8)
    black[:4, :, 3] = 255  # the upper half is there, the lower is not
    values = second(folder, Image.fromarray(black))
    assert (values[:4] == 0).all()
    assert (values[4:] == 255).all()

    palette = Image.fromarray(np.tile(np.uint8([0, 1]), (8, 4)), mode="L").convert("P")
    values = second(folder, palette, transparency=1)
    assert (values[:, ::2] == 0).all()
    assert (values[:, 1::2] == 255).all()


@pytest.mark.parametrize(("name", "order"), [("b.png", "<"), ("b.tif", "<"), ("b.tif", ">")])
def test_sixteen_bits_are_scaled(folder, name, order):
    deep = Image.fromarray((GRAY.astype(np.uint16) * 257).astype(f"{order}u2"))
    np.testing.assert_array_equal(second(folder, deep, name), GRAY)


def test_sixteen_bits_of_a_pgm_are_scaled(folder):
    content = b"P5\n8 8\n65535\n" + (GRAY.astype(">u2") * 257).tobytes()
    (folder / "b.pgm").write_bytes(content)
    values = read_samples(folder, image_size=8).X[1].reshape(8, 8) * 255
    np.testing.assert_array_equal(values, GRAY)


@pytest.mark.parametrize("dtype", [np.int32, np.float32])
def test_thirty_two_bits_are_refused(folder, dtype):
    with pytest.raises(InputError, match=r"b\.tif: .*32-bit numbers of unknown range; save"):
        second(folder, Image.fromarray(GRAY.astype(dtype)), "b.tif")


def test_a_photograph_is_turned_upright(folder):
    exif = Image.Exif()
    exif[0x0112] = 6  # to be shown a quarter turn clockwise
    values = second(folder, Image.fromarray(GRAY), exif=exif)
    np.testing.assert_array_equal(values, np.rot90(GRAY, -1))


@pytest.mark.parametrize("size", [(1, 1), (1, 50), (31, 7), (200, 3)])
def test_odd_sizes_are_stretched(folder, size):
    Image.new("RGB", size, (51, 51, 51)).save(folder / "b.png")
    samples = read_samples(folder, image_size=5)
    assert samples.X.shape == (2, 25)
    assert samples.image_shape == (5, 5)
    np.testing.assert_array_equal(samples.X[1], 51 / 255)


def test_the_default_size_is_32(folder):
    Image.fromarray(GRAY).save(folder / "b.png")
    samples = read_samples(folder)
    assert samples.image_shape == (32, 32)
    assert samples.X.min() >= 0
    assert samples.X.max() <= 1


def test_other_entries_are_skipped_and_counted(folder):
    Image.fromarray(GRAY).save(folder / "b.png")
    (folder / "readme.txt").write_text("not a picture")
    (folder / "._a.png").write_bytes(b"hidden")
    (folder / ".cache").mkdir()
    (folder / ".cache" / "c.png").write_bytes(b"hidden")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    samples = read_samples(folder)
    assert samples.ids == ("a.png", "b.png")
    assert samples.notes[1] == "Skipped in the folder (hidden, linked or not a picture): 4."


def test_progress_is_reported(folder):
    Image.fromarray(GRAY).save(folder / "b.png")
    seen = []
    read_samples(folder, on_progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_one_picture_or_none_is_refused(folder):
    with pytest.raises(InputError, match="faces: it holds only 1 row"):
        read_samples(folder)
    (folder / "a.png").unlink()
    with pytest.raises(InputError, match=r"faces: the folder holds no pictures .png, jpg"):
        read_samples(folder)


@pytest.mark.parametrize("content", [b"", b"just text", b"%!PS-Adobe-3.0 EPSF-3.0\n"])
def test_a_file_that_is_no_picture_is_named(folder, content):
    (folder / "b.jpg").write_bytes(content)
    with pytest.raises(InputError, match=r"b\.jpg: it is not a picture of a known kind .*; save"):
        read_samples(folder)


def test_a_broken_link_is_named(folder):
    (folder / "b.png").symlink_to(folder / "gone.png")
    with pytest.raises(InputError, match=r"b\.png: there is no such file"):
        read_samples(folder)


def test_a_flipped_bit_is_noticed(folder):
    content = bytearray((folder / "a.png").read_bytes())
    content[content.index(b"IDAT") + 20] ^= 1
    (folder / "b.png").write_bytes(content)
    with pytest.raises(InputError, match=r"b\.png: it cannot be read as a picture"):
        read_samples(folder)


def bomb(side):
    """The head of a png that promises side x side pixels."""
    head = b"IHDR" + struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    data = b"IDAT" + zlib.compress(b"")
    chunks = [head, data, b"IEND"]
    out = io.BytesIO(b"\x89PNG\r\n\x1a\n")
    out.seek(0, io.SEEK_END)
    for chunk in chunks:
        out.write(struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)))
    return out.getvalue()


@pytest.mark.parametrize("side", [10_000, 50_000])  # Pillow warns of one, refuses the other
def test_a_picture_too_large_is_refused(folder, side):
    (folder / "b.png").write_bytes(bomb(side))
    with pytest.raises(InputError, match=r"b\.png: the picture is too large .*; make it smaller"):
        read_samples(folder)


@pytest.mark.parametrize("size", [0, -3])
def test_a_size_below_one_is_refused(folder, size):
    with pytest.raises(InputError, match=f"--image-size is {size}; use 1 pixel or more"):
        read_samples(folder, image_size=size)


@pytest.mark.parametrize("option", ["id_column", "truth_column"])
def test_a_folder_has_no_columns(folder, option):
    with pytest.raises(InputError, match="a folder of pictures has none; leave it out"):
        read_samples(folder, **{option: "name"})


def test_a_name_that_is_no_text_is_refused(folder):
    with open(os.fsencode(folder) + b"/b\xff.png", "wb") as file:
        file.write((folder / "a.png").read_bytes())
    with pytest.raises(InputError, match="cannot be written as text; rename the file"):
        read_samples(folder)


def test_a_folder_that_cannot_be_listed_is_named(folder, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", os.fspath(path))

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(InputError, match=r"faces: .*cannot be listed .Permission denied"):
        read_samples(folder)
