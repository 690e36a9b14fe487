"""Pictures copied into one folder per cluster; the originals stay as they are."""

import os
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from samekind._folder import replace_together

LONGEST_NAME = 80
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
# Names that Windows keeps for devices.
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def check_sorted(source: Path, folder: Path) -> None:
    """Refuse a folder that cannot take the copies, before the work is done."""
    if not source.is_dir():
        raise ValueError(
            f"--sort-into copies pictures or texts, and {source} is no folder of pictures or texts"
        )
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"{folder} is a file; name a new folder for --sort-into")
    if folder.is_dir() and any(folder.iterdir()):
        raise FileExistsError(
            f"{folder} is not empty, and nothing is overwritten; name a new folder for --sort-into"
        )
    if folder.resolve().is_relative_to(source.resolve()):
        raise ValueError(
            f"{folder} is inside of {source}, where the copies would count as pictures; name a "
            "folder outside of it for --sort-into"
        )


def copy_sorted(
    source: Path,
    folder: Path,
    pictures: Sequence[str],
    clusters: Sequence[object],
    then: Callable[[], None],
) -> None:
    """Copy each picture into the folder of its cluster, all of them or none.

    Parameters
    ----------
    source : path
        The folder of the pictures.
    folder : path
        New or empty; it appears once everything is in it.
    pictures : sequence of str
        Their paths in that folder.
    clusters : sequence
        The cluster of each, a number or a name.
    then : callable
        Called when all is copied, before the folder appears; if it fails, nothing appears.
    """

    def fill(new: Path) -> None:
        for picture, place in places(pictures, clusters).items():
            (new / place).parent.mkdir(exist_ok=True)
            shutil.copyfile(source / picture, new / place)
            found = (source / picture).stat()
            os.utime(new / place, ns=(found.st_atime_ns, found.st_mtime_ns))
        then()

    replace_together(folder, (), fill)


def places(pictures: Sequence[str], clusters: Sequence[object]) -> dict[str, str]:
    """Where each picture goes: folder of its cluster, and its own name, numbered where taken.

    Examples
    --------
    >>> places(["a/x.png", "b/X.png", "y.png"], ["cat", "cat", "cat/dog"])
    {'a/x.png': 'cat/x.png', 'b/X.png': 'cat/X (2).png', 'y.png': 'cat_dog/y.png'}
    """
    folders: dict[object, str] = {}
    taken: set[str] = set()
    for cluster in dict.fromkeys(clusters):
        name = cluster if isinstance(cluster, str) else f"cluster {cluster}"
        folders[cluster] = _free("", _safe(name), "", taken)
    found = {}
    for picture, cluster in zip(pictures, clusters, strict=True):
        path = PurePosixPath(picture)
        found[picture] = _free(f"{folders[cluster]}/", path.stem, path.suffix, taken)
    return found


def _safe(name: str) -> str:
    """A name that every system takes for a folder."""
    clean = _NOT_IN_NAMES.sub("_", name)[:LONGEST_NAME].strip(" .")
    return f"_{clean}" if not clean or _DEVICES.fullmatch(clean) else clean


def _free(folder: str, stem: str, suffix: str, taken: set[str]) -> str:
    """The first of name, name (2), name (3), ... that is not taken, in any case of letters."""
    place, number = f"{folder}{stem}{suffix}", 1
    while place.casefold() in taken:
        number += 1
        place = f"{folder}{stem} ({number}){suffix}"
    taken.add(place.casefold())
    return place
