"""The file of a model: a plain state in the format of skops, checked before anything is made of it.

A skops file is a zip archive: a description, schema.json, and one npy file for each array. Ours
holds dict, list, text, numbers and arrays alone. Whoever made a file may have put other things into
it; so members, sizes and every type that the description names are compared with the lists below
before skops sees it, and skops is told to trust nothing beyond its own plain types.
"""

import hashlib
import json
import os
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from samekind._files import InputError, require_regular
from samekind.app.inputs.errors import reading, require_memory

FORMAT = 1
# Types that a file may name, with the part of skops that reads them.
TRUSTED = {
    ("DictNode", "builtins.dict"),
    ("ListNode", "builtins.list"),
    ("TypeNode", "builtins.str"),  # of the keys of a dict
    ("NdArrayNode", "numpy.ndarray"),
    ("JsonNode", "builtins.str"),  # text, numbers, true, false and null
}
OLDEST_PROTOCOL = 2  # of skops; what read older files has had holes
_SCHEMA = "schema.json"
_MEMBER = re.compile(r"[0-9]+\.npy")
AGAIN = "write it again with samekind cluster or save_model"


def write_state(file: IO[bytes], state: dict[str, Any]) -> None:
    """Write a state of plain values, with its checksum and the number of the format."""
    import skops.io  # type: ignore[import-untyped]

    state = {"format": FORMAT, **state}
    skops.io.dump({**state, "sha256": checksum(state)}, file, compression=zipfile.ZIP_STORED)


def read_state(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read what `write_state` has written.

    Raises
    ------
    InputError
        If the file is no model of this format, is damaged, or holds anything but plain values.
    """
    path = Path(path)
    require_regular(path)
    import skops.io

    with reading(path, "a model"), path.open("rb") as file, zipfile.ZipFile(file) as archive:
        _check_members(path, archive)
        schema = json.loads(archive.read(_SCHEMA))
        _check_format(path, schema)
        _check_types(path, schema)
        state: dict[str, Any] = skops.io.load(file, trusted=[])
        expected = state.pop("sha256")
    if checksum(state) != expected:
        raise InputError(
            path,
            "its content does not fit its checksum",
            f"it is damaged: copy it again, or {AGAIN}",
        )
    del state["format"]
    return state


def checksum(state: Any) -> str:
    """SHA-256 of a state of plain values.

    Examples
    --------
    >>> checksum({"a": np.arange(2)}) == checksum({"a": np.arange(2)})
    True
    >>> checksum({"a": 1}) == checksum({"a": "1"})
    False
    """
    found = hashlib.sha256()
    for part in _parts(state):
        found.update(part)
    return found.hexdigest()


def size_of(state: Any) -> int:
    """Bytes that the arrays and texts of a state take, which is nearly all of its file.

    Examples
    --------
    >>> size_of({"a": [np.zeros(100), "text"]})
    804
    """
    if isinstance(state, np.ndarray):
        return state.nbytes
    if isinstance(state, str):
        return len(state)
    parts = state.values() if isinstance(state, dict) else state if isinstance(state, list) else ()
    return sum(map(size_of, parts))


def _parts(value: Any) -> Iterator[bytes]:
    if isinstance(value, np.ndarray):
        yield f"{value.dtype.str}{value.shape}".encode()
        yield value.tobytes()
    elif isinstance(value, dict):
        yield b"{"
        for key, item in value.items():
            yield json.dumps(key).encode()
            yield from _parts(item)
        yield b"}"
    elif isinstance(value, list):
        yield b"["
        for item in value:
            yield from _parts(item)
        yield b"]"
    elif value is None or isinstance(value, bool | int | float | str):
        yield json.dumps(value).encode() + b","
    else:
        raise TypeError(f"a {type(value).__name__} is no plain value")


def _check_members(path: Path, archive: zipfile.ZipFile) -> None:
    """Refuse what skops would not have written: other files, packed ones, more than there is."""
    members, names = archive.infolist(), archive.namelist()
    strange = [name for name in names if name != _SCHEMA and not _MEMBER.fullmatch(name)]
    if strange or len(set(names)) < len(names) or _SCHEMA not in names:
        what = f"the member {strange[0]!r}" if strange else "members that no model has"
        raise InputError(path, f"it is no model of samekind: it holds {what}", AGAIN)
    total, there = sum(member.file_size for member in members), path.stat().st_size
    packed = any(member.compress_type != zipfile.ZIP_STORED for member in members)
    if packed or total > there:
        reason = f"it would unpack to {total} bytes, and has {there}"
        raise InputError(path, f"it is no model of samekind: {reason}", AGAIN)
    require_memory(path, 3 * total, "the model")


def _check_format(path: Path, schema: Any) -> None:
    content = schema["content"]
    if "format" not in content or "sha256" not in content:
        raise InputError(path, "it is no model of samekind, but another skops file", AGAIN)
    found = content["format"]["content"]
    if found != json.dumps(FORMAT):
        raise InputError(
            path, f"its format is {found}, and this version reads format {FORMAT}", AGAIN
        )


def _check_types(path: Path, schema: Any) -> None:
    if schema["protocol"] < OLDEST_PROTOCOL:
        raise InputError(path, f"its skops protocol is {schema['protocol']}", AGAIN)
    for node in _nodes(schema):
        kind = f"{node.get('__module__')}.{node.get('__class__')}"
        if (node.get("__loader__"), kind) not in TRUSTED:
            raise InputError(
                path,
                f"it holds a {kind}, and models of samekind hold plain values alone",
                f"do not use it, and {AGAIN}",
            )


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    """All parts of a description that name a type, however deep."""
    if isinstance(value, dict):
        if value.keys() & {"__class__", "__module__", "__loader__"}:
            yield value
        for item in value.values():
            yield from _nodes(item)
    elif isinstance(value, list):
        for item in value:
            yield from _nodes(item)
