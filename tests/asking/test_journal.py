"""The journal: durable, one writer, damage is refused."""

import os
import stat

import pytest

from samekind.asking.journal import Journal, JournalInUse, parsed, read_journal
from samekind.constraints import InputError

HEADER = {"digest": "d", "n": 3, "k": None}


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch):
    """Thousands of journals: none has to survive a power cut."""
    monkeypatch.setattr(os, "fsync", lambda file: None)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.ask"


def written(path, n=3):
    journal = Journal(path, HEADER)
    for i in range(n):
        journal.append({"verb": "answer", "sample": str(i), "text": "é\n"})
    journal.close()
    return path.read_bytes()


def test_lines_come_back(path):
    written(path)
    with_more = Journal(path, HEADER)
    assert [line["seq"] for line in with_more.lines] == [1, 2, 3]
    assert with_more.append({"verb": "answer"}) == 4
    assert read_journal(path).lines[-1]["seq"] == 4
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_second_writer_is_refused_until_the_first_closes(path):
    first = Journal(path, HEADER)
    with pytest.raises(JournalInUse, match=r"a\.ask"):
        Journal(path, HEADER)
    first.close()
    Journal(path, HEADER).close()


def test_cut_at_every_byte_it_opens_with_the_lines_that_are_whole(path):
    data = written(path, n=1)
    for end in range(len(data) + 1):
        path.write_bytes(data[:end])
        journal = Journal(path, HEADER)
        whole = data[:end].count(b"\n")
        assert len(journal.lines) == max(0, whole - 1)
        torn = end > 0 and not data[:end].endswith(b"\n")
        assert bool(journal.notes) == torn
        journal.append({"verb": "answer"})
        journal.close()
        assert len(read_journal(path).lines) == max(0, whole - 1) + 1


def test_every_changed_byte_is_refused(path):
    data = written(path)
    for at in range(len(data) - 1):
        with pytest.raises(InputError):
            parsed(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :], path)


def test_a_line_that_is_missing_is_refused(path):
    lines = written(path).splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2] + lines[3:]))
    with pytest.raises(InputError, match="line 3"):
        Journal(path, HEADER)


@pytest.mark.parametrize("content", [b"a,b\n1,2\n", b"a,b", b"\0\0"])
def test_another_file_is_left_alone(path, content):
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a journal"):
        Journal(path, HEADER)
    assert path.read_bytes() == content


@pytest.mark.parametrize(("name", "value"), [("digest", "e"), ("k", 4)])
def test_other_data_and_settings_are_refused(path, name, value):
    written(path)
    with pytest.raises(InputError, match=r"other data|begun with k=None"):
        Journal(path, HEADER | {name: value})


def test_a_full_disk_leaves_nothing_half_written(path, monkeypatch):
    journal, write = Journal(path, HEADER), os.write
    before = path.read_bytes()

    def half(file, data):
        if len(data) < 10:
            raise OSError(28, "No space left on device")
        return write(file, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(OSError, match="No space"):
        journal.append({"verb": "answer"})
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert journal.append({"verb": "answer"}) == 1


def test_a_device_is_refused():
    with pytest.raises(InputError, match="device"):
        Journal("/dev/null", HEADER)


def test_a_file_system_without_locks_is_noted(path, monkeypatch):
    def refuse(file, how):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("samekind.asking.journal.fcntl.flock", refuse)
    journal = Journal(path, HEADER)
    assert "no locks" in journal.notes[0]
    journal.close()
