"""Rows: appended, packed and read back, whatever a killed process has left."""

import json
import lzma
import os
import signal
import threading
from itertools import count

import pytest

from samekind.paper.experiments import rows as rows_module
from samekind.paper.experiments.protocol import EXPERIMENTS
from samekind.paper.experiments.rows import (
    ARCHIVE,
    FILE,
    KEY,
    append_row,
    key_of,
    mend,
    pack,
    read_missing,
    read_rows,
    write_missing,
)

ROW = dict.fromkeys(KEY, "") | {"text": "a line that is long enough"}


def numbers(folder):
    return [row["number"] for row in read_rows(folder).rows]


def test_rows_come_back_in_order(tmp_path):
    for number in range(3):
        append_row(tmp_path / "new", ROW | {"number": number, "nested": {"b": 1, "a": None}})
    assert numbers(tmp_path / "new") == [0, 1, 2]
    assert not read_rows(tmp_path / "new").notes


def test_a_folder_without_rows_is_empty(tmp_path):
    assert read_rows(tmp_path).rows == ()


@pytest.mark.parametrize("name", [FILE, ARCHIVE])
def test_a_pipe_is_refused(tmp_path, name):
    os.mkfifo(tmp_path / name)
    with pytest.raises(ValueError, match="pipe, a socket or a device"):
        read_rows(tmp_path)


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_torn_last_line_is_dropped_and_reported(tmp_path, cut):
    for number in range(2):
        append_row(tmp_path, ROW | {"number": number})
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes()[:-cut])
    kept = [0, 1] if cut == 1 else [0]  # with only the line break missing, the row is whole
    assert numbers(tmp_path) == kept
    assert ["torn" in note for note in read_rows(tmp_path).notes] == [True] * (2 - len(kept))
    mend(tmp_path)
    append_row(tmp_path, ROW | {"number": 7})
    assert numbers(tmp_path) == [*kept, 7]
    assert not read_rows(tmp_path).notes


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"a": ', "not JSON"),
        ("[1, 2]", "not a table"),
        ('{"dataset": "yale"}', "without experiment, setting, "),
    ],
)
def test_a_line_amid_others_that_is_not_a_row_is_an_error(tmp_path, line, why):
    row = json.dumps(ROW)
    (tmp_path / FILE).write_text(f"{row}\n{line}\n{row}\n")
    with pytest.raises(ValueError, match=rf"line 2 of .* is not a row \({why}"):
        read_rows(tmp_path)


def put(folder, *numbers):
    for number in numbers:
        append_row(folder, ROW | {"number": number})


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_packed_rows_come_before_new_ones(tmp_path):
    put(tmp_path, 0, 1)
    pack(tmp_path)
    assert names(tmp_path) == [ARCHIVE]
    put(tmp_path, 2)
    assert names(tmp_path) == [FILE, ARCHIVE]
    assert numbers(tmp_path) == [0, 1, 2]
    pack(tmp_path)
    assert names(tmp_path) == [ARCHIVE]
    assert numbers(tmp_path) == [0, 1, 2]


def test_packing_removes_what_killed_packing_has_left(tmp_path):
    put(tmp_path, 0)
    (tmp_path / f".{ARCHIVE}.0123.tmp").write_bytes(b"half")
    pack(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [ARCHIVE]


def test_packing_nothing_changes_nothing(tmp_path):
    pack(tmp_path)
    assert names(tmp_path) == []
    put(tmp_path, 0)
    pack(tmp_path)
    before = (tmp_path / ARCHIVE).read_bytes()
    pack(tmp_path)
    assert (tmp_path / ARCHIVE).read_bytes() == before


def test_a_torn_line_is_not_packed(tmp_path):
    put(tmp_path, 0, 1)
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes()[:-5])
    pack(tmp_path)
    assert numbers(tmp_path) == [0]
    assert not read_rows(tmp_path).notes


def test_a_row_of_the_same_run_follows_the_packed_one(tmp_path):
    """Both are kept in their order; whoever uses them takes the last."""
    append_row(tmp_path, ROW | {"failed": "no memory"})
    pack(tmp_path)
    append_row(tmp_path, ROW | {"ACC": 1.0})
    for _ in range(2):
        assert ["ACC" in row for row in read_rows(tmp_path).rows] == [False, True]
        pack(tmp_path)


@pytest.mark.parametrize("function", ["replace_file", "lzma.compress", "Path.unlink"])
def test_packing_that_is_cut_off_loses_nothing(tmp_path, monkeypatch, function):
    put(tmp_path, 0)
    pack(tmp_path)
    put(tmp_path, 1, 2)

    def stop(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(f"{rows_module.__name__}.{function}", stop)
        with pytest.raises(KeyboardInterrupt):
            pack(tmp_path)
    assert numbers(tmp_path) == [0, 1, 2]
    put(tmp_path, 3)
    pack(tmp_path)
    assert numbers(tmp_path) == [0, 1, 2, 3]
    assert names(tmp_path) == [ARCHIVE]


def write_without_end(folder, told):
    for number in count():
        append_row(folder, dict.fromkeys(KEY, number))
        os.write(told, b"\n")
        if number % 3 == 2:
            pack(folder)


@pytest.mark.parametrize("n_rows", [3, 10])
def test_a_process_killed_at_any_moment_leaves_every_row_it_had_written(tmp_path, n_rows):
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            write_without_end(tmp_path, write)
        finally:  # the tests of the parent go on in the parent alone
            os._exit(1)
    os.close(write)
    with open(read) as lines:
        for _ in range(n_rows):
            assert lines.readline()
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        told = n_rows + len(lines.readlines())
    kept = [row["repetition"] for row in read_rows(tmp_path).rows]
    assert kept == list(range(len(kept)))
    assert told <= len(kept) <= told + 1  # the last one may be written and not yet told


def test_rows_appended_while_another_packs_are_kept(tmp_path):
    def write(first):
        put(tmp_path, *range(first, first + 50))

    writers = [threading.Thread(target=write, args=(first,)) for first in (0, 100)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        pack(tmp_path)
    assert sorted(numbers(tmp_path)) == [*range(50), *range(100, 150)]


@pytest.mark.parametrize("spoil", [lambda data: data[:-9], lambda _: b"", lambda _: b"<html>"])
def test_a_damaged_archive_is_refused_with_file_reason_and_remedy(tmp_path, spoil):
    put(tmp_path, *range(20))
    pack(tmp_path)
    put(tmp_path, 20)
    archive = tmp_path / ARCHIVE
    spoilt = spoil(archive.read_bytes())
    archive.write_bytes(spoilt)
    message = rf"{ARCHIVE} is damaged or incomplete \(.+\); restore it from a copy, or remove it"
    for function in (read_rows, pack):
        with pytest.raises(ValueError, match=message):
            function(tmp_path)
    assert archive.read_bytes() == spoilt
    assert (tmp_path / FILE).exists()


def test_a_line_of_the_archive_that_is_not_a_row_is_named(tmp_path):
    (tmp_path / ARCHIVE).write_bytes(lzma.compress(b"{}\n"))
    with pytest.raises(ValueError, match=rf"line 1 of .*{ARCHIVE} is not a row"):
        read_rows(tmp_path)


@pytest.mark.parametrize("experiment", ["table2", "figure-hypergraph", "convergence"])
def test_a_resumed_run_finds_the_stored_rows(stored_rows, experiment):
    """Parameters, settings and seeds of the protocol are those of the rows in the repository."""
    stored = {key_of(row, KEY): row for row in stored_rows if row["experiment"] == experiment}
    runs = [run for run in EXPERIMENTS[experiment].runs() if run.max_hours is None]
    assert len(runs) > 5
    for run in runs:
        row = stored.get(run.key)
        assert row is not None, run.key
        assert (row["seed"], row["origin"], row["method"]) == (run.seed, run.origin, run.method)


def test_the_key_does_not_depend_on_the_order_of_names():
    rows = [{"setting": {"a": 1, "b": 2}}, json.loads('{"setting": {"b": 2, "a": 1}}')]
    assert len({key_of(row, ["setting"]) for row in rows}) == 1


def test_what_was_missing_is_kept_until_nothing_is(tmp_path):
    assert read_missing(tmp_path) == {}
    write_missing(tmp_path / "new", {"orl": "not there"})
    assert read_missing(tmp_path / "new") == {"orl": "not there"}
    write_missing(tmp_path / "new", {})
    assert not list((tmp_path / "new").iterdir())


@pytest.mark.parametrize("text", ["{", "[1]"])
def test_a_broken_list_of_missing_data_sets_is_named(tmp_path, text):
    (tmp_path / "missing.json").write_text(text)
    with pytest.raises(ValueError, match=r"missing\.json is not a list of missing data sets"):
        read_missing(tmp_path)
