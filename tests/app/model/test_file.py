"""Files that are no models, or no longer, are refused before anything is made of them."""

import json
import sys
import zipfile

import numpy as np
import pytest
import skops.io

from samekind import SC, Supervision
from samekind.app.inputs import InputError
from samekind.app.model import SavedModel, file, load_model, saved
from samekind.app.model.file import checksum, write_state


@pytest.fixture(scope="module")
def state():
    X = np.array([[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]])
    known = Supervision.from_labels(["a", None, None, "b", None, None])
    return SavedModel(SC(2, n_neighbors=3).fit(X), known, ("a", "b")).state()


@pytest.fixture
def path(state, tmp_path):
    with (tmp_path / "model.skops").open("wb") as out:
        write_state(out, state)
    return tmp_path / "model.skops"


def refused(path, match):
    with pytest.raises(InputError, match=match) as caught:
        load_model(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def dumped(path, state, **changes):
    """A file with changes that its author has made with care."""
    state = {"format": file.FORMAT, **state} | changes
    skops.io.dump(state | {"sha256": checksum(state)}, path)


def with_members(path, members, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "a", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def with_schema(path, change):
    """The same file with another description."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    schema = json.loads(members["schema.json"])
    change(schema)
    members["schema.json"] = json.dumps(schema).encode()
    path.unlink()
    with_members(path, members)


def test_another_format_is_refused(path, state):
    dumped(path, state, format=2)
    refused(path, "its format is 2, and this version reads format 1; write it again")


def test_other_versions_of_libraries_are_warned_of(path, monkeypatch):
    monkeypatch.setattr(saved, "versions", lambda: {"samekind": "9.9", "numpy": np.__version__})
    with pytest.warns(UserWarning, match=r"samekind .* \(here 9\.9\)") as caught:
        load_model(path)
    assert "numpy" not in str(caught[0].message)


@pytest.mark.parametrize("at", [0.2, 0.5, 0.9])
def test_a_damaged_byte_is_found(path, at):
    content = bytearray(path.read_bytes())
    content[int(at * len(content))] ^= 1
    path.write_bytes(content)
    refused(path, "damaged|cannot be read")


def test_a_cut_file_is_refused(path):
    path.write_bytes(path.read_bytes()[:-100])
    refused(path, "cannot be read as a model")


def test_numbers_that_do_not_fit_the_checksum_are_found(path, state):
    right = checksum({"format": file.FORMAT, **state})
    skops.io.dump({"format": file.FORMAT, **state, "source": "another", "sha256": right}, path)
    refused(path, "checksum")


def test_a_foreign_type_is_refused(path, state):
    skops.io.dump({"format": file.FORMAT, **state, "names": SC(2), "sha256": ""}, path)
    refused(path, r"it holds a samekind\.estimators\._spectral_clustering\.SC")


@pytest.mark.parametrize("loader", ["FunctionNode", "TypeNode", "ObjectNode", "CachedNode"])
def test_no_module_that_a_file_names_is_imported(path, loader):
    node = {"__class__": "roundtrip", "__module__": "lib2to3", "__loader__": loader, "content": {}}
    with_schema(path, lambda schema: schema["content"].update(names=node))
    sys.modules.pop("lib2to3", None)
    refused(path, r"it holds a lib2to3\.roundtrip")
    assert "lib2to3" not in sys.modules


def test_what_read_older_files_is_not_used(path):
    with_schema(path, lambda schema: schema.update(protocol=0))
    refused(path, "protocol is 0")


@pytest.mark.parametrize("name", ["x.pkl", "../x.npy", "/x.npy", "a/1.npy", "1.bin", "schema.json"])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_that_no_model_has_is_refused(path, name):
    with_members(path, {name: b"cos\nsystem\n(S'exit'\ntR."})
    refused(path, "no model of samekind: it holds")


def test_a_packed_member_is_refused_before_it_is_unpacked(path):
    with_members(path, {"1.npy": bytes(10**7)}, zipfile.ZIP_DEFLATED)
    refused(path, "would unpack to")


def test_objects_inside_an_array_are_refused(path):
    name = "12345.npy"
    with (path.parent / name).open("wb") as out:
        np.save(out, np.array([{}, None]), allow_pickle=True)
    with_members(path, {name: (path.parent / name).read_bytes()})
    with_schema(path, lambda schema: schema["content"]["y"].update(file=name))
    refused(path, "cannot be read as a model")


@pytest.mark.parametrize(
    ("name", "change", "match"),
    [
        ("embedding_", lambda values: values[:5], r"embedding_ has the shape \(5, 2\)"),
        ("_fit_X", lambda values: np.ones((6, 3)), r"_fit_X has the shape \(6, 3\)"),
        ("labels_", lambda values: values + 7, "labels are no clusters"),
        ("labels_", lambda values: values[:4], "has the shape"),
        ("affinity_matrix_", lambda graph: graph | {"shape": [6, 9]}, "shape"),
        ("affinity_matrix_", lambda graph: graph | {"indices": graph["indices"] + 6}, "indices"),
        ("status_", lambda status: status | {"name": "__class__"}, "cannot be read"),
        ("labels_", lambda values: {"kind": "Popen", "args": "true"}, "cannot be read"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(path, state, name, change, match):
    dumped(path, state, fitted=state["fitted"] | {name: change(state["fitted"][name])})
    refused(path, match)


@pytest.mark.parametrize("changes", [{"ids": ["a"]}, {"y": np.zeros(5, dtype=int)}])
def test_rows_that_do_not_fit_are_refused(path, state, changes):
    dumped(path, state, **changes)
    refused(path, "expected 6")


def test_other_files_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    refused(tmp_path / "a.csv", "cannot be read as a model")
    refused(tmp_path / "no.skops", "there is no such file")
    skops.io.dump({"a": 1}, tmp_path / "other.skops")
    refused(tmp_path / "other.skops", "no model of samekind")
