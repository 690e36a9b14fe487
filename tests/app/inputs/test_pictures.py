"""Pictures: folders of image files of many kinds."""

import io
import os
import struct
import sys
import zlib

import numpy as np
import pytest
from PIL import Image

from samekind.app.inputs import InputError, encoder_from_state, read_samples

GRAY = np.random.default_rng(0).integers(0, 256, (8, 8), dtype=np.uint8)


@pytest.fixture
def folder(tmp_path):
    """A folder with one gray picture of 8 x 8 pixels, which comes first."""
    place = tmp_path / "faces"
    place.mkdir()
    Image.fromarray(GRAY).save(place / "a.png")
    return place


def skipped(folder):
    """What is said of a picture b that cannot be read, beside two that can."""
    Image.fromarray(GRAY).save(folder / "c.png")
    samples = read_samples(folder)
    assert samples.ids == ("a.png", "c.png")
    assert len(samples.X) == len(samples.thumbnails) == 2
    assert len(samples.skipped) == 1
    assert any(note.startswith(f"Skipped {samples.skipped[0]}; ") for note in samples.notes)
    return samples.skipped[0]


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
        "The pictures were turned to gray and resized to 8 x 8 pixels; "
        "their values, 0 to 255, were divided by 255.",
    )
    assert samples.folder == folder
    assert samples.thumbnails.shape == (3, 80, 80, 3)


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
def test_thirty_two_bits_are_skipped(folder, dtype):
    Image.fromarray(GRAY.astype(dtype)).save(folder / "b.tif")
    assert skipped(folder) == "b.tif: it holds 32-bit numbers of unknown range"


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
    assert (
        samples.notes[1] == "Skipped in the folder (hidden, linked or not a picture): 4 (1 .txt)."
    )


def test_progress_is_reported(folder):
    Image.fromarray(GRAY).save(folder / "b.png")
    seen = []
    read_samples(folder, on_progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_one_picture_or_none_is_refused(folder):
    with pytest.raises(InputError, match="faces: it holds only 1 row"):
        read_samples(folder)
    (folder / "a.png").unlink()
    with pytest.raises(InputError, match=r"faces: the folder holds no pictures or texts .png"):
        read_samples(folder)
    (folder / "a.png").write_bytes(b"")
    (folder / "b.png").write_bytes(b"")
    with pytest.raises(InputError, match=r"a\.png: it is not a picture of a known kind"):
        read_samples(folder)


@pytest.mark.parametrize("content", [b"", b"just text", b"%!PS-Adobe-3.0 EPSF-3.0\n"])
def test_a_file_that_is_no_picture_is_skipped_by_name(folder, content):
    (folder / "b.jpg").write_bytes(content)
    assert skipped(folder).startswith("b.jpg: it is not a picture of a known kind")


def test_a_broken_link_is_skipped_by_name(folder):
    (folder / "b.png").symlink_to(folder / "gone.png")
    assert skipped(folder) == "b.png: there is no such file"


def test_a_flipped_bit_is_noticed(folder):
    content = bytearray((folder / "a.png").read_bytes())
    content[content.index(b"IDAT") + 20] ^= 1
    (folder / "b.png").write_bytes(content)
    assert skipped(folder).startswith("b.png: it cannot be read as a picture")


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
def test_a_picture_too_large_is_skipped_by_name(folder, side):
    (folder / "b.png").write_bytes(bomb(side))
    assert skipped(folder).startswith("b.png: the picture is too large")


@pytest.mark.parametrize("size", [0, -3])
def test_a_size_below_one_is_refused(folder, size):
    with pytest.raises(InputError, match=f"--image-size is {size}; use 1 pixel or more"):
        read_samples(folder, image_size=size)


@pytest.mark.parametrize("option", ["id_column", "truth_column"])
def test_a_folder_has_no_columns(folder, option):
    with pytest.raises(InputError, match="a folder has none; leave it out"):
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


def test_photos_are_compared_by_their_edges(tmp_path):
    x, y = np.meshgrid(np.arange(120), np.arange(90))
    for i in range(3):
        for name, stripes in (("across", y), ("down", x)):
            color = np.zeros((90, 120, 3), np.uint8)
            color[..., i] = 255 * ((stripes + 3 * i) // 12 % 2)
            Image.fromarray(color).save(tmp_path / f"{name}{i}.jpg")
    samples = read_samples(tmp_path)
    assert "(hog)" in samples.notes[0]
    assert samples.image_shape is None
    distances = np.linalg.norm(samples.X[:, None] - samples.X, axis=2)
    same = np.arange(6)[:, None] // 3 == np.arange(6) // 3
    assert distances[same].max() < distances[~same].min()
    assert samples.thumbnails[2].mean(axis=(0, 1)).argmax() == 2  # color is kept
    again = encoder_from_state(samples.encoder.state())
    assert (read_samples(tmp_path, encoder=again).X == samples.X).all()
    assert read_samples(tmp_path, image_features="pixels").X.shape == (6, 32 * 32)
    assert read_samples(tmp_path, image_size=64).X.shape == (6, 64 * 64)


def test_without_scikit_image_small_pictures_are_compared(tmp_path, monkeypatch):
    for name in "ab":
        Image.new("RGB", (100, 100), "red").save(tmp_path / f"{name}.png")
    monkeypatch.setitem(sys.modules, "skimage.feature", None)
    samples = read_samples(tmp_path)
    assert samples.X.shape == (2, 32 * 32)
    assert 'pip install ".[photos]"' in samples.notes[1]
    with pytest.raises(InputError, match=r'scikit-image, .*run: pip install "\.\[photos\]"'):
        read_samples(tmp_path, image_features="hog")


def test_heic_is_read_where_its_package_is(folder, monkeypatch):
    pillow_heif = pytest.importorskip("pillow_heif")
    pillow_heif.from_pillow(Image.new("RGB", (64, 64), (200, 30, 30))).save(folder / "b.heic")
    samples = read_samples(folder)
    assert samples.ids == ("a.png", "b.heic")
    assert abs(samples.thumbnails[1].mean(axis=(0, 1)) - (200, 30, 30)).max() < 12
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    assert skipped(folder).startswith("b.heic: reading HEIC pictures needs the package pillow-heif")


@pytest.fixture
def sorted_in_part(tmp_path):
    for name in ("cats/a.png", "cats/far/b.png", "Dogs/c.png", "d.png", "Unsorted/e.png"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(GRAY).save(path)
    return tmp_path


def test_folders_are_labels(sorted_in_part):
    samples = read_samples(sorted_in_part, labels_from_folders=True)
    known = dict(zip(samples.ids, samples.known, strict=True))
    assert known == {
        "Dogs/c.png": "Dogs",
        "Unsorted/e.png": None,
        "cats/a.png": "cats",
        "cats/far/b.png": "cats",
        "d.png": None,
    }
    with pytest.raises(
        InputError, match=r"2 files, such as Unsorted/e\.png.*--labels-from-folders"
    ):
        read_samples(sorted_in_part, truth_from_folders=True)
    for name in ("d.png", "Unsorted/e.png"):
        (sorted_in_part / name).unlink()
    assert read_samples(sorted_in_part, truth_from_folders=True).truth.tolist() == [
        "Dogs",
        "cats",
        "cats",
    ]
    with pytest.raises(InputError, match=r"nothing is unknown .*--truth-from-folders.*unsorted/"):
        read_samples(sorted_in_part, labels_from_folders=True)
    Image.fromarray(GRAY).save(sorted_in_part / "Dogs" / "z.png")
    with pytest.raises(InputError, match="so that none has a label"):
        read_samples(sorted_in_part / "Dogs", labels_from_folders=True)
