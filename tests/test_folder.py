"""A folder of results is old or new as a whole, wherever its writer is killed."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from samekind import _folder
from samekind._folder import replace_together, reserved

NAMES = ("a.csv", "sub/b.svg", "c.html")
OLD = dict.fromkeys(NAMES[:2], "old")
NEW = dict.fromkeys(NAMES[1:], "new")
MINE = {"notes.txt": "mine", "deep/er/notes.txt": "mine too"}
STEPS = {  # what the system is asked for; an audit hook sees each before it is done
    *("open", "os.mkdir", "os.link", "os.rename", "os.remove", "os.rmdir", "os.listdir"),
    *("os.scandir", "os.chmod", "os.chown", "os.utime", "shutil.rmtree", "shutil.copytree"),
}


@pytest.fixture(autouse=True)
def _no_disk(monkeypatch):
    """A killed process needs no disk to be waited for; a step it is all the same."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def put(folder, texts):
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w") as file:
            file.write(text[:1])
            file.flush()
            os.fsync(file.fileno())  # a step at which half of the file is there
            file.write(text[1:])


def held(folder):
    """Names and texts of all files, without what a killed writer leaves."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and not path.relative_to(folder).parts[0].startswith(".samekind-")
    }


def killed_at(step, work):
    """Run some work in a child that dies at this step; whether it came so far."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    try:
        left = step

        def count(*_):
            nonlocal left
            left -= 1
            if left < 0:
                os._exit(9)

        exchange = _folder._exchange

        def counted_exchange(*paths):
            count()
            exchange(*paths)
            count()

        os.fsync, _folder._exchange = count, counted_exchange
        sys.addaudithook(lambda event, _: count() if event in STEPS else None)
        work()
        os._exit(0)
    finally:  # an error of the work: the tests of the parent go on in the parent alone
        os._exit(1)


def steps_of(prepare, work, check):
    """Kill the work at each of its steps, until it comes to its end."""
    step = 0
    while True:
        prepare(step)
        if not killed_at(step, partial(work, step)):
            return step
        check(step)
        step += 1


def in_small_process(work, *arguments):
    """Run a function of this file in a process of its own: a fork copies what its parent holds."""
    words = [sys.executable, __file__, work.__name__, *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("start", ["none", "old", "old and others"])
def test_killed_at_any_step_it_is_old_or_new_as_a_whole(tmp_path, start):
    in_small_process(old_or_new_as_a_whole, tmp_path, start)


def old_or_new_as_a_whole(tmp_path, start):
    before = {"none": {}, "old": OLD, "old and others": OLD | MINE}[start]
    kept = MINE if start == "old and others" else {}
    seen = set()

    def out(step):
        return tmp_path / str(step) / "out"

    def prepare(step):
        out(step).parent.mkdir()
        put(out(step), before)

    def work(step):
        replace_together(out(step), NAMES, lambda new: put(new, NEW))

    def check(step):
        found = held(out(step)) if out(step).exists() else {}
        assert found in (before, NEW | kept), step
        seen.add(found == before)
        work(step)
        assert held(out(step)) == NEW | kept
        assert os.listdir(out(step).parent) == ["out"]

    assert steps_of(prepare, work, check) > 15
    assert seen == {True, False}


@pytest.mark.parametrize("why", ["no exchange", "working folder"])
def test_where_folders_cannot_change_places_old_and_new_never_mix(tmp_path, why):
    in_small_process(old_and_new_never_mix, tmp_path, why)


def old_and_new_never_mix(tmp_path, why):
    def refuse(*_):
        raise OSError("not here")

    if why == "no exchange":
        _folder._exchange = refuse

    def prepare(step):
        put(tmp_path / str(step), OLD | MINE)

    def work(step):
        if why == "working folder":
            os.chdir(tmp_path / str(step) / "deep")
        replace_together(tmp_path / str(step), NAMES, lambda new: put(new, NEW))

    def check(step):
        found = held(tmp_path / str(step))
        assert found.items() >= MINE.items()
        results = {name: text for name, text in found.items() if name in NAMES}
        assert results.items() <= OLD.items() or results.items() <= NEW.items(), step

    last = steps_of(prepare, work, check)
    assert held(tmp_path / str(last)) == NEW | MINE
    replace_together(tmp_path / "3", NAMES, lambda new: put(new, NEW))
    assert held(tmp_path / "3") == NEW | MINE
    assert not list((tmp_path / "3").glob(".samekind-*"))


def test_the_working_folder_stays_the_same_folder(tmp_path, monkeypatch):
    put(tmp_path, OLD)
    monkeypatch.chdir(tmp_path)
    before = tmp_path.stat().st_ino
    replace_together(".", NAMES, lambda new: put(new, NEW))
    assert tmp_path.stat().st_ino == before
    assert held(Path()) == NEW


def test_files_of_others_are_the_same_files(tmp_path):
    out = tmp_path / "out"
    put(out, OLD | MINE)
    (out / "link").symlink_to("notes.txt")
    (out / "to folder").symlink_to("deep")
    (out / "gone").symlink_to("nowhere")
    os.mkfifo(out / "pipe")
    out.chmod(0o750)
    before = {name: (out / name).lstat().st_ino for name in (*MINE, "link", "gone", "pipe")}
    replace_together(out, NAMES, lambda new: put(new, NEW))
    assert before == {name: (out / name).lstat().st_ino for name in before}
    assert os.readlink(out / "to folder") == "deep"
    assert out.stat().st_mode & 0o777 == 0o750


def test_what_others_write_meanwhile_is_not_lost(tmp_path, monkeypatch):
    out = tmp_path / "out"
    put(out, OLD | MINE)
    exchange = _folder._exchange

    def late(new, place):
        put(out, {"late.txt": "new file"})
        put(tmp_path, {"copy": "replaced"})
        os.replace(tmp_path / "copy", out / "notes.txt")
        exchange(new, place)

    monkeypatch.setattr(_folder, "_exchange", late)
    replace_together(out, NAMES, lambda new: put(new, NEW))
    assert held(out) == NEW | MINE | {"late.txt": "new file", "notes.txt": "replaced"}


def test_a_failure_changes_nothing(tmp_path):
    def fail(new):
        put(new, NEW)
        raise OSError("disk full")

    put(tmp_path / "out", OLD | MINE)
    for out in (tmp_path / "out", tmp_path / "other" / "new"):
        with pytest.raises(OSError, match="disk full"):
            replace_together(out, NAMES, fail)
    assert held(tmp_path / "out") == OLD | MINE
    assert os.listdir(tmp_path) == ["out"]


def test_a_folder_with_a_pattern_for_a_name_loses_no_neighbor(tmp_path):
    put(tmp_path / ".out.samekind-mine", MINE)
    replace_together(tmp_path / "o*", NAMES, lambda new: put(new, NEW))
    assert held(tmp_path / ".out.samekind-mine") == MINE


WRITER = """
import sys
from samekind._folder import reserved
with reserved(sys.argv[1]):
    print("at work", flush=True)
    sys.stdin.read()
"""


def test_a_second_writer_is_refused_until_the_first_has_ended(tmp_path):
    out = tmp_path / "deep" / "out"
    command = [sys.executable, "-c", WRITER, out]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout.readline() == "at work\n"
        with pytest.raises(BlockingIOError, match=r"out: another samekind .* another folder"):
            replace_together(out, NAMES, lambda new: put(new, NEW))
        first.communicate("")
    assert os.listdir(tmp_path) == []
    replace_together(out, NAMES, lambda new: put(new, NEW))
    assert held(out) == NEW


def test_a_killed_writer_keeps_nobody_out(tmp_path):
    command = [sys.executable, "-c", WRITER, tmp_path / "out"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as first:
        first.stdout.readline()
        first.kill()
    assert os.listdir(tmp_path)
    with reserved(tmp_path / "out"):
        pass
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("path", ["file", "file/below", "file/below/deeper"])
def test_a_file_in_the_way_is_refused(tmp_path, path):
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(NotADirectoryError, match="file is a file; name a folder"),
        reserved(tmp_path / path),
    ):
        pass


if __name__ == "__main__":
    os.fsync = lambda handle: None  # as in _no_disk
    globals()[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
