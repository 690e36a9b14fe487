"""Pairs in files: round trips, and every way a file can be wrong."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samekind.constraints import ConstraintConflict, InputError, PairConstraints

IDS = ["ann", "bob", "cleo, jr.", "d\ne"]


@pytest.fixture
def write(tmp_path):
    """Put text or bytes into a file and give its path."""

    def to_file(content):
        path = tmp_path / "pairs.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return to_file


names = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=4)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_round_trip_gives_an_equal_value(data):
    n = data.draw(st.integers(1, 7))
    index = st.integers(0, n - 1)
    pairs = st.lists(st.tuples(index, index), max_size=8)
    ids = data.draw(st.none() | st.lists(names, min_size=n, max_size=n, unique=True))
    value = PairConstraints(n, data.draw(pairs), data.draw(pairs), on_conflict="drop")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pairs.csv")
        value.to_csv(path, ids=ids)
        again = PairConstraints.from_csv(str(path), n, ids=ids)
        assert [p.name for p in Path(folder).iterdir()] == ["pairs.csv"]
    assert again == value
    assert again.must_link.tolist() == value.must_link.tolist()


def test_columns_are_found_by_name_and_blank_lines_skipped(write):
    path = write(
        "\ufeff\r\nkind,who, b ,a\r\n must-link ,me,2,0\r\n\r\n   \r\n,,,\r\n"
        "cannot-link,you,1.0, 03\r\n"
    )
    value = PairConstraints.from_csv(path, 4)
    assert value == PairConstraints(4, [(0, 2)], [(1, 3)])


def test_ids_may_be_anything_that_reads_as_text(write):
    path = write('a,b,kind\n17, 23 ,must-link\n23,"x",cannot-link\n')
    value = PairConstraints.from_csv(path, 3, ids=[23, 17, "x"])
    assert value == PairConstraints(3, [(0, 1)], [(0, 2)])


def test_an_id_is_taken_as_it_stands_before_it_is_trimmed(write):
    path = write("a,b,kind\n x,x,cannot-link\n")
    assert PairConstraints.from_csv(path, 2, ids=["x", " x"]).cannot_link.tolist() == [[0, 1]]


def test_a_header_alone_means_no_pairs(write):
    assert PairConstraints.from_csv(write("a,b,kind\n"), 3) == PairConstraints(3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "pairs.csv: the file is empty"),
        ("\n \n", "pairs.csv: the file is empty"),
        (
            "a,kind\n0,must-link\n",
            "line 1: column 'b' is missing, found a,kind; expected the columns a,b,kind",
        ),
        ("a,b,kind,a\n", "line 1: column 'a' is repeated"),
        ("a,b,kind\n0,1,must-link\n1,2,must\n", "line 3: unknown kind 'must'"),
        (
            "a,b,kind\n\n0,x,must-link\n",
            "line 3: 'x' is not a valid row number; expected an int in the range .0, 4.; if",
        ),
        ("a,b,kind\n0,4,must-link\n", "line 2: '4' is not a valid row number"),
        ("a,b,kind\n-1,2,must-link\n", "line 2: '-1' is not a valid row number"),
        ("a,b,kind\n0,1.5,must-link\n", "line 2: '1.5' is not a valid row number"),
        ("a,b,kind\n0,1_0,must-link\n", "line 2: '1_0' is not a valid row number"),
        ("a,b,kind\n0," + "9" * 5000 + ",must-link\n", "line 2: '9+' is not a valid row number"),
        ("a,b,kind\n0,,must-link\n", "line 2: '' is not a valid row number"),
        ("a,b,kind\n0,1\n", "line 2: the line has 2 cells, expected 3"),
        ("a,b,kind\n0,1,2,must-link\n", "line 2: the line has 4 cells, expected 3"),
        (
            'a,b,kind\n0,1,"must-link\n',
            "line 2: the line cannot be cut into cells .*quotation marks",
        ),
        (b"a,b,kind\n0,1,must-link\n0,\x81,must-link\n", "line 3: the line is not UTF-8 text"),
        ("a,b,kind\n".encode("utf-16"), "line 1: the line is not UTF-8 text"),
    ],
)
def test_a_bad_file_is_reported_with_its_line(write, content, message):
    path = write(content)
    with pytest.raises(InputError, match=message) as caught:
        PairConstraints.from_csv(path, 4)
    place = f"{path}: line " if message.startswith("line ") else f"{path}: "
    assert str(caught.value).startswith(place)


def test_ids_without_names_for_the_rows_are_reported_with_both_remedies(write):
    path = write("a,b,kind\nann,bob,must-link\n")
    remedy = r"give the ids \(--id on the command line, ids= in Python\)$"
    with pytest.raises(InputError, match=remedy):
        PairConstraints.from_csv(path, 4)


def test_an_unknown_id_is_reported(write):
    path = write("a,b,kind\nann,eve,must-link\n")
    with pytest.raises(InputError, match=r"line 2: no row has the id 'eve'; .*'ann'"):
        PairConstraints.from_csv(path, 4, ids=IDS)


def test_a_file_that_is_not_there_is_reported(tmp_path):
    with pytest.raises(InputError, match=r"none.csv: there is no such file"):
        PairConstraints.from_csv(tmp_path / "none.csv", 4)
    with pytest.raises(InputError, match=r"cannot be read \(Is a directory\)"):
        PairConstraints.from_csv(tmp_path, 4)


def test_a_contradiction_names_file_line_and_ids(write):
    path = write("a,b,kind\nann,bob,must-link\n\nbob,zoe,must-link\nzoe,ann,cannot-link\n")
    message = (
        f"{path}: line 5: samples ann and zoe are marked different, yet ann = bob = zoe "
        "follows from the must-links; remove one of these constraints"
    )
    with pytest.raises(ConstraintConflict) as caught:
        PairConstraints.from_csv(path, 3, ids=["ann", "bob", "zoe"])
    assert str(caught.value) == message
    value = PairConstraints.from_csv(path, 3, ids=["ann", "bob", "zoe"], on_conflict="drop")
    assert value.dropped == (((0, 2), "cannot-link", message),)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["ann", "bob", "ann"], r"ids\[2\] repeats the id 'ann'"),
        ([1, "1", 2], r"ids\[1\] repeats the id '1'"),
        (["ann", "bob"], "ids has 2 entries for 3 samples"),
    ],
)
def test_ids_must_be_one_for_each_row_and_different(tmp_path, write, ids, message):
    with pytest.raises(ValueError, match=message):
        PairConstraints.from_csv(write("a,b,kind\n"), 3, ids=ids)
    with pytest.raises(ValueError, match=message):
        PairConstraints(3).to_csv(tmp_path / "out.csv", ids=ids)
    assert not (tmp_path / "out.csv").exists()


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "pairs.csv"
    PairConstraints(3, [(0, 1)]).to_csv(path)
    before = path.read_bytes()

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("samekind._files.os.replace", full)
    with pytest.raises(InputError, match=r"cannot be written \(No space left"):
        PairConstraints(3, [(1, 2)]).to_csv(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_reported(tmp_path):
    path = tmp_path / "nowhere" / "pairs.csv"
    with pytest.raises(InputError, match=r"pairs.csv: it cannot be written"):
        PairConstraints(3).to_csv(path)


def test_kinds_as_people_write_them(write):
    words = ["same", "SAME", "Must-Link", "must link", "must_link", " same "]
    rows = "".join(f"0,{i},{word}\n" for i, word in enumerate(words, 1))
    path = write("a,b,kind\n" + rows + "1,8,different\n2,8,Cannot Link\n3,8,CANNOT_LINK\n")
    pairs = PairConstraints.from_csv(path, 9)
    assert pairs.must_link.tolist() == [[0, i] for i in range(1, 7)]
    assert pairs.cannot_link.tolist() == [[1, 8], [2, 8], [3, 8]]


def test_files_are_named_with_or_without_their_folders(write):
    ids = ["cats/1.png", "cats/2.png", "dogs/2.png", "3.png"]
    for cell in ("1.png", "cats/1.png", "photos/cats/1.png", "photos\\cats\\1.png"):
        pairs = PairConstraints.from_csv(write(f"a,b,kind\n{cell},3.png,same\n"), 4, ids=ids)
        assert pairs.must_link.tolist() == [[0, 3]]
    with pytest.raises(InputError, match=r"line 2: 2 rows may be meant by '2.png': cats/2.png, d"):
        PairConstraints.from_csv(write("a,b,kind\n2.png,3.png,same\n"), 4, ids=ids)
    with pytest.raises(InputError, match=r"no row has the id 'birds/1.png'"):
        PairConstraints.from_csv(write("a,b,kind\nbirds/1.png,3.png,same\n"), 4, ids=ids)


def test_semicolons_are_found_out(write):
    path = write("a;b;kind\n0;1;must-link\n")
    assert PairConstraints.from_csv(path, 2).must_link.tolist() == [[0, 1]]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_pairs_of_a_frame_name_rows(library):
    frames = pytest.importorskip(library)
    frame = frames.DataFrame({"a": ["x", "y"], "b": ["y", "z"], "kind": ["same", "different"]})
    pairs = PairConstraints.from_frame(frame, 3, ids=["x", "y", "z"])
    assert pairs == PairConstraints(3, [(0, 1)], [(1, 2)])
    with pytest.raises(InputError, match=r"DataFrame: row 1: no row has the id 'x'"):
        PairConstraints.from_frame(frame, 3, ids=["a", "y", "z"])
