"""Folders of texts."""

import numpy as np
import pytest
from PIL import Image

from samekind.app.inputs import InputError, encoder_from_state, read_samples

FRUIT, CARS = ["apple", "pear", "plum", "juice"], ["engine", "wheel", "brake", "road"]


@pytest.fixture
def texts(tmp_path):
    rng = np.random.default_rng(0)
    for i in range(24):
        kind, words = (("fruit", FRUIT), ("cars", CARS))[i % 2]
        folder = tmp_path / (kind if i < 8 else "unsorted")
        folder.mkdir(exist_ok=True)
        (folder / f"{i:02d}.txt").write_text(" ".join(rng.choice(words, 8)))
    return tmp_path


def test_a_folder_of_texts_is_read(texts):
    samples = read_samples(texts, labels_from_folders=True)
    assert samples.ids[0] == "cars/01.txt"
    assert samples.folder == texts
    is_car = np.array([int(name[-6:-4]) % 2 for name in samples.ids]) == 1
    distances = np.linalg.norm(samples.X[:, None] - samples.X, axis=2)
    same = is_car[:, None] == is_car
    assert distances[same].mean() < 0.7 * distances[~same].mean()
    assert samples.known.count(None) == 16
    again = encoder_from_state(samples.encoder.state())
    np.testing.assert_allclose(read_samples(texts, encoder=again).X, samples.X)


def test_a_text_that_cannot_be_read_is_skipped_by_name(texts):
    (texts / "bad.txt").write_bytes(b"\xff\xfe\xff")
    (texts / "gone.txt").symlink_to("nowhere")
    (texts / "table.csv").write_text("a\n")
    samples = read_samples(texts)
    assert samples.skipped[0].startswith("bad.txt: it cannot be read as text in UTF-8")
    assert samples.skipped[1].startswith("gone.txt: there is no such file")
    assert samples.notes[-1].endswith("(hidden, linked or not a text): 1 (1 .csv).")


def test_texts_of_older_windows_programs_are_read(texts):
    (texts / "a.txt").write_bytes("Äpfel und Möhren, über Köln".encode("cp1252"))
    (texts / "b.txt").write_bytes("Äpfel und Möhren, über Köln".encode())
    samples = read_samples(texts)
    assert samples.skipped == ()
    a, b = (samples.ids.index(name) for name in ("a.txt", "b.txt"))
    np.testing.assert_array_equal(samples.X[a], samples.X[b])
    assert "a.txt was read as Windows-1252, as the text is not UTF-8." in samples.notes


def test_a_logo_among_texts_is_left_out(texts):
    Image.new("L", (8, 8)).save(texts / "logo.png")
    samples = read_samples(texts)
    assert len(samples.ids) == 24
    assert samples.notes[-1].endswith("(hidden, linked or not a text): 1 (1 .png).")
    for i in range(3):  # pictures with a text beside them are pictures
        Image.new("L", (8, 8), i).save(texts / f"{i}.png")
    assert len(read_samples(texts).ids) == 4


def test_texts_without_words_are_refused(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("... !")
    with pytest.raises(InputError, match="has no words to compare"):
        read_samples(tmp_path)
