"""Semi-supervised clustering from pairs that are the same kind, or different."""

from samekind._version import __version__

__all__ = ["__version__"]
