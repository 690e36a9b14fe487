"""Copies are sorted; originals stay, and nothing is written over."""

import os

import pytest

from samekind.app.results_sorted import check_sorted, copy_sorted, places

PICTURES = {"a/x.png": b"1", "b/x.png": b"2", "b/c/X.PNG": b"3", "y.png": b"4"}
CLUSTERS = [0, 0, 0, 1]


@pytest.fixture
def source(tmp_path):
    for name, content in PICTURES.items():
        path = tmp_path / "photos" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        os.utime(path, (1e9, 1e9))
    return tmp_path / "photos"


def content(folder):
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_copies_are_in_the_folders_of_their_clusters_and_originals_as_they_were(source, tmp_path):
    before, out = content(source), tmp_path / "deep" / "sorted"
    copy_sorted(source, out, list(PICTURES), CLUSTERS, then=lambda: None)
    assert content(source) == before
    assert {name: data for name, (data, _) in content(out).items()} == {
        "cluster 0/x.png": b"1",
        "cluster 0/x (2).png": b"2",
        "cluster 0/X (3).PNG": b"3",
        "cluster 1/y.png": b"4",
    }
    assert {time for _, time in content(out).values()} == {1e9}


@pytest.mark.parametrize("broken", ["then", "picture"])
def test_a_failure_leaves_nothing(source, tmp_path, broken):
    def then():
        if broken == "then":
            raise OSError("disk full")

    names = [*PICTURES, "gone.png"] if broken == "picture" else list(PICTURES)
    with pytest.raises(OSError, match=r"disk full|gone\.png"):
        copy_sorted(source, tmp_path / "out" / "s", names, [0] * len(names), then)
    assert os.listdir(tmp_path) == ["photos"]


def test_a_folder_with_anything_in_it_is_refused(source, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    for name, match in {
        "full": "not empty",
        "file": "is a file",
        "photos/sorted": "inside of",
        "photos": "not empty",
    }.items():
        with pytest.raises((OSError, ValueError), match=match):
            check_sorted(source, tmp_path / name)
    check_sorted(source, tmp_path / "empty")
    check_sorted(source, tmp_path / "new")
    with pytest.raises(ValueError, match="no folder of pictures"):
        check_sorted(tmp_path / "file", tmp_path / "new")


def test_names_that_are_no_folders_are_changed_and_stay_apart():
    names = ["a/b", "a:b", "..", "", "CON", "x" * 300, "Cat", "cat", "end. "]
    folders = [
        place.split("/")[0] for place in places([f"{i}.png" for i in range(9)], names).values()
    ]
    assert folders[:5] == ["a_b", "a_b (2)", "_", "_ (2)", "_CON"]
    assert len(folders[5]) == 80
    assert folders[6:] == ["Cat", "cat (2)", "end"]
