"""Places: the folders in which data sets are looked for."""

import os
import sys
from pathlib import Path


def folders() -> dict[str, Path]:
    """Where to look, in order, each under the name by which a user knows it."""
    places = {}
    if named := os.environ.get("SAMEKIND_DATA"):
        places["SAMEKIND_DATA"] = Path(named)
    places["cache"] = cache_folder()
    return places


def cache_folder() -> Path:
    """The folder for downloads: SAMEKIND_CACHE, or one below the user's cache folder."""
    if named := os.environ.get("SAMEKIND_CACHE"):
        return Path(named)
    return _caches() / "samekind" / "datasets"


def _caches() -> Path:
    """Where programs of this platform keep what they can get again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
