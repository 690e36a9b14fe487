"""Files are written as a whole or not at all, and killed writers leave nothing for long."""

import fcntl
import os

import pytest

from samekind import _files
from samekind._files import replace_file


def killed_at(monkeypatch, name, path):
    """The file is replaced in a child that is killed where it calls a function of os."""
    child = os.fork()
    if child == 0:
        monkeypatch.setattr(os, name, lambda *_: os._exit(9))
        replace_file(path, "new")
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_killed_write_leaves_the_old_file_and_nothing_for_the_next(tmp_path, monkeypatch, step):
    path = tmp_path / "a[1].txt"
    replace_file(path, "old")
    killed_at(monkeypatch, step, path)
    assert path.read_text() == "old"
    assert len(os.listdir(tmp_path)) == 2
    replace_file(path, "newer")
    assert path.read_text() == "newer"
    assert os.listdir(tmp_path) == [path.name]


def test_the_content_is_on_the_disk_before_the_old_file_goes(tmp_path, monkeypatch):
    steps = []
    for name in ("fsync", "replace"):
        made = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *a, f=made, n=name: (steps.append(n), f(*a))[1])
    replace_file(tmp_path / "a", "x")
    assert steps == ["fsync", "replace"]


def test_a_file_that_another_writes_now_stays(tmp_path):
    beside = tmp_path / ".a.0123.tmp"
    with beside.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        replace_file(tmp_path / "a", "x")
        assert beside.exists()


def test_a_file_taken_for_a_leftover_is_written_again(tmp_path, monkeypatch):
    lock, taken = fcntl.flock, []

    def take_first(file, kind):
        if not taken:
            taken.append(file.name)
            os.unlink(file.name)
        lock(file, kind)

    monkeypatch.setattr(_files.fcntl, "flock", take_first)
    replace_file(tmp_path / "a", "x")
    assert taken
    assert (tmp_path / "a").read_text() == "x"
    assert os.listdir(tmp_path) == ["a"]
