"""Files below a folder, in the order of their paths, and what their folders say."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from samekind.app.inputs.errors import InputError

SHOWN, SHOWN_SUFFIXES = 10, 5  # names of files, and of kinds of files, that were left out
UNSORTED = "unsorted"  # the folder whose pictures have no label


def find_files(folder: Path, suffixes: Sequence[str]) -> tuple[list[str], list[str]]:
    """Relative paths of files with these suffixes, sorted, and the names of all other entries."""
    names, others = [], []
    for place, folders, files in os.walk(folder, onerror=_cannot_list):
        entered = [
            f for f in folders if not f.startswith(".") and not (Path(place) / f).is_symlink()
        ]
        found = [f for f in files if not f.startswith(".") and f.lower().endswith(tuple(suffixes))]
        others += [*(set(folders) - set(entered)), *(set(files) - set(found))]
        folders[:] = entered
        names += [(Path(place) / f).relative_to(folder).as_posix() for f in found]
    for name in names:
        _check_name(folder, name)
    return sorted(names), others


@dataclass(frozen=True)
class FolderLabels:
    """Whether folders are labels of some files, or the true classes of all."""

    labels: bool = False
    truth: bool = False

    def of(
        self, folder: Path, names: Sequence[str]
    ) -> tuple[list[object] | None, list[str] | None]:
        """Labels with None where unknown, and true classes, each if asked for."""
        known = labels_from_folders(folder, names) if self.labels else None
        return known, truth_from_folders(folder, names) if self.truth else None


def left_out(skipped: Mapping[str, InputError], others: Sequence[str], kind: str) -> list[str]:
    """What to say of files that could not be read, and of other entries of the folder.

    Examples
    --------
    >>> left_out({}, ["a.mov", "b.MOV", ".c"], "picture")
    ['Skipped in the folder (hidden, linked or not a picture): 3 (2 .mov).']
    """
    notes = [
        f"Skipped {name}: {error.reason}; {error.remedy}."
        for name, error in list(skipped.items())[:SHOWN]
    ]
    if (more := len(skipped) - SHOWN) > 0:
        notes.append(f"Skipped {more} more files that cannot be read; the report names them.")
    if others:
        shown = sorted(Path(name).suffix.lower() for name in others if not name.startswith("."))
        suffixes = Counter(filter(None, shown))
        each = ", ".join(f"{n} {suffix}" for suffix, n in suffixes.most_common(SHOWN_SUFFIXES))
        which = f"{len(others)} ({each})" if each else f"{len(others)}"
        notes.append(f"Skipped in the folder (hidden, linked or not a {kind}): {which}.")
    return notes


def labels_from_folders(folder: Path, names: Sequence[str]) -> list[object]:
    """The first folder of each path; None at the top and in the folder for what is unsorted."""
    labels = [_first_folder(name) for name in names]
    if not any(labels):
        raise InputError(
            folder,
            "no file lies in a folder below it, so that none has a label (--labels-from-folders)",
            "move some files into folders that are named after their kinds",
        )
    if all(labels):
        raise InputError(
            folder,
            "every file lies in a folder, so that nothing is unknown (--labels-from-folders)",
            f"for scores alone use --truth-from-folders, else move the unknown ones to the top or "
            f"to {UNSORTED}/",
        )
    return list(labels)


def truth_from_folders(folder: Path, names: Sequence[str]) -> list[str]:
    """The first folder of each path, which all have to have."""
    labels = [_first_folder(name) for name in names]
    missing = [name for name, label in zip(names, labels, strict=True) if label is None]
    if missing:
        raise InputError(
            folder,
            f"{len(missing)} files, such as {missing[0]}, lie in no folder that names their class "
            "(--truth-from-folders)",
            "move them into one; where some are unknown use --labels-from-folders",
        )
    return [str(label) for label in labels]


def _first_folder(name: str) -> str | None:
    first, slash, _ = name.partition("/")
    return first if slash and first.lower() != UNSORTED else None


def _check_name(folder: Path, name: str) -> None:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError as error:  # found out now, not when the results are written
        raise InputError(
            folder, f"the file name {name!r} cannot be written as text", "rename the file"
        ) from error


def _cannot_list(error: OSError) -> None:
    reason = f"the folder cannot be listed ({error.strerror})"
    raise InputError(error.filename, reason, "check its permissions") from error
