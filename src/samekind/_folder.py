"""A folder of results: one writer at a time, and all of its files are replaced at once.

Files are made in a folder beside it and are on the disk before anything changes. Then the two
folders change places in one step of the system, and whoever looks, also after a kill, finds
either all old files or all new ones. Files of others are in both, as hard links.

Some folders cannot change places: the working folder, a mount point, one with a mount point in
it, any on Windows. There the old files are removed before the new ones are moved in, so that a
kill in between leaves some files, never old ones beside new ones.
"""

import ctypes
import errno
import os
import shutil
import stat
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

try:
    import fcntl
except ImportError:  # Windows: writers are not kept apart
    fcntl = None  # type: ignore[assignment]

MOST_LINKS = 10_000  # files of others that are still linked; a folder with more stays in place
_MARK = ".samekind-"
_held: set[tuple[Path, str]] = set()


@contextmanager
def reserved(
    folder: str | os.PathLike[str], *, wait: bool = False, task: str = ""
) -> Iterator[Path]:
    """Be the only writer of a folder, which need not exist yet; nested calls are fine.

    A second writer, in another process, is refused, or waits if it says so. Those with another
    ``task``, a word for a file name, keep nobody out.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as above, reserved(Path(above) / "out") as folder:
    ...     folder.name, folder.exists()
    ('out', False)
    """
    folder = Path(folder)
    place = folder.resolve()
    if (place, task) in _held:
        yield folder
        return
    made = _made_parents(_checked(place, folder))
    try:
        with _locked(_lock_of(place, task), folder, wait):
            _held.add((place, task))
            try:
                yield folder
            finally:
                _held.discard((place, task))
    finally:
        for path in made:
            with suppress(OSError):  # in use by now
                path.rmdir()


def replace_together(
    folder: str | os.PathLike[str],
    names: Collection[str],
    fill: Callable[[Path], object],
    *,
    wait: bool = False,
) -> None:
    """Replace files of a folder by those that ``fill`` writes, all at once or none of them.

    Parameters
    ----------
    folder : path
        Made where it is not there.
    names : collection of str
        Files that may be replaced, or removed where ``fill`` does not write them, relative to
        the folder with "/" between; all others stay.
    fill : callable
        Called with an empty folder, for files with these names.
    wait : bool
        Whether to wait for another writer.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as above:
    ...     out = Path(above) / "out"
    ...     for text in ("old", "new"):
    ...         replace_together(out, ["a"], lambda new: (new / "a").write_text(text))
    ...     (out / "a").read_text(), os.listdir(above)
    ('new', ['out'])
    """
    with reserved(folder, wait=wait):
        place = Path(folder).resolve()
        _remove_leftovers(place)
        name = f"{_MARK}{uuid4().hex[:8]}"
        new = place.parent / f".{place.name}{name}" if _can_move(place) else place / name
        try:
            new.mkdir()
            fill(new)
            _sync(new)
            if not place.exists():
                os.rename(new, place)
                _sync_folder(place.parent)
            elif new.parent == place or not _exchanged(new, place, names):
                _move_in(new, place, names)
        finally:
            shutil.rmtree(new, ignore_errors=True)


def _checked(place: Path, folder: Path) -> Path:
    """Refuse what cannot be written to."""
    there = next(path for path in (place, *place.parents) if path.exists())
    shown = folder if there == place else there
    if not there.is_dir():
        raise NotADirectoryError(f"{shown} is a file; name a folder for the results")
    if not os.access(there, os.W_OK | os.X_OK):
        raise PermissionError(f"{shown} cannot be written to; name another folder for the results")
    return place


def _made_parents(place: Path) -> list[Path]:
    """Make the folders above, and return those made, the deepest first."""
    missing = [path for path in place.parents if not path.exists()]
    place.parent.mkdir(parents=True, exist_ok=True)
    return missing


def _above_can_be_written(place: Path) -> bool:
    return place.parent != place and os.access(place.parent, os.W_OK | os.X_OK)


def _lock_of(place: Path, task: str) -> Path:
    if _above_can_be_written(place):
        return place.parent / f".{place.name}{_MARK}{task}lock"
    return place / f"{_MARK}{task}lock"


@contextmanager
def _locked(path: Path, folder: Path, wait: bool) -> Iterator[None]:
    if fcntl is None:
        yield
        return
    while True:
        with path.open("a+b") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                raise BlockingIOError(
                    f"{folder}: another samekind is at work on this folder; wait until it has "
                    "ended, or name another folder"
                ) from None
            except OSError:  # a file system without locks
                pass
            try:
                same = os.path.samestat(os.fstat(file.fileno()), path.stat())
            except FileNotFoundError:
                same = False
            if not same:  # the one before has just ended and removed its lock
                continue
            try:
                yield
            finally:
                path.unlink(missing_ok=True)
            return


def _can_move(place: Path) -> bool:
    """Whether another folder may take the place of this one, or of nothing."""
    if not place.exists():
        return True
    # A shell that stands in a folder which goes would stand in none.
    inside = Path.cwd().is_relative_to(place)
    return not inside and not place.is_mount() and _above_can_be_written(place)


def _remove_leftovers(place: Path) -> None:
    """Remove what killed writers have left; there is no other one now."""
    left = [*place.parent.glob(f".{_escaped(place.name)}{_MARK}*"), *place.glob(f"{_MARK}*")]
    for path in left:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)


def _escaped(name: str) -> str:
    """A name that glob takes as it is."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)


def _exchanged(new: Path, place: Path, names: Collection[str]) -> bool:
    """Let the folders change places; False where the system does not do that."""
    written = _files_in(new)
    try:
        _link_others(place, new, names)
        _copy_rights(place, new)
        _sync(new, files=False)
        _exchange(new, place)
    except OSError:
        for path in _files_in(new) - written:
            (new / path).unlink()
        return False
    _sync_folder(place.parent)
    _rescue(new, place, names)
    return True


def _exchange(a: Path, b: Path) -> None:
    """Two paths change places, in one step of the system."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            failed = libc.renamex_np(os.fsencode(a), os.fsencode(b), 2)
        else:
            failed = libc.renameat2(-100, os.fsencode(a), -100, os.fsencode(b), 2)
    except (AttributeError, TypeError):  # a system without it
        raise OSError(errno.ENOSYS, "folders cannot change places") from None
    if failed:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(a), None, str(b))


def _link_others(place: Path, new: Path, names: Collection[str]) -> None:
    """Give the new folder the files of others too."""
    device = place.lstat().st_dev
    for count, path in enumerate(_others(place, names)):
        found = (place / path).lstat()
        if count == MOST_LINKS or found.st_dev != device:
            raise OSError(errno.EXDEV, "too many files, or a mount point", str(place / path))
        if stat.S_ISDIR(found.st_mode):
            (new / path).mkdir(exist_ok=True)
            _copy_rights(place / path, new / path)
        else:
            (new / path).parent.mkdir(parents=True, exist_ok=True)
            os.link(place / path, new / path, follow_symlinks=False)


def _rescue(old: Path, place: Path, names: Collection[str]) -> None:
    """Bring over what others have put into the folder just before the exchange."""
    for path in _others(old, names):
        found, target = (old / path).lstat(), place / path
        if found.st_nlink > 1 or stat.S_ISDIR(found.st_mode):
            continue  # linked
        if not os.path.lexists(target) or target.lstat().st_mtime_ns < found.st_mtime_ns:
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(old / path, target)


def _move_in(new: Path, place: Path, names: Collection[str]) -> None:
    """Remove the old files, then move the new ones to their places."""
    if new.parent != place:
        inside = place / f"{_MARK}{uuid4().hex[:8]}"
        try:
            os.rename(new, inside)
        except OSError:  # a mount point
            shutil.copytree(new, inside)
            _sync(inside)
        new = inside
    try:
        files = _files_in(new)
        for name in {*names, *files}:
            (place / name).unlink(missing_ok=True)
        for name in sorted(files):
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            os.replace(new / name, place / name)
        _sync_folder(place)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _files_in(folder: Path) -> set[str]:
    return {
        (Path(above) / name).relative_to(folder).as_posix()
        for above, _, files in os.walk(folder)
        for name in files
    }


def _others(folder: Path, names: Collection[str]) -> Iterator[str]:
    """Files and folders of others; folders before what they hold."""
    for above, folders, files in os.walk(folder, onerror=_raise):
        for name in (*folders, *files):
            path = (Path(above) / name).relative_to(folder).as_posix()
            if path not in names:
                yield path


def _raise(error: OSError) -> None:
    raise error


def _copy_rights(old: Path, new: Path) -> None:
    shutil.copystat(old, new)
    found, made = old.stat(), new.stat()
    if (found.st_uid, found.st_gid) != (made.st_uid, made.st_gid):
        os.chown(new, found.st_uid, found.st_gid)


def _sync(folder: Path, *, files: bool = True) -> None:
    """Have the disk hold a folder, with all below it."""
    for above, _, names in os.walk(folder):
        for name in names if files else ():
            with (Path(above) / name).open("r+b") as file:
                os.fsync(file.fileno())
        _sync_folder(Path(above))


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
