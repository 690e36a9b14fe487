"""The version, in one place, and the versions of what computes beside it."""

__version__ = "0.1.0.dev0"


def versions() -> dict[str, str]:
    """Versions of what computes a result.

    Examples
    --------
    >>> list(versions())
    ['samekind', 'python', 'numpy', 'scipy', 'scikit-learn']
    """
    import platform
    from importlib import metadata  # slow to import, and the command asks for the version alone

    libraries = {name: metadata.version(name) for name in ("numpy", "scipy", "scikit-learn")}
    return {"samekind": __version__, "python": platform.python_version(), **libraries}
