"""SameKind for dask arrays and dataframes: rows that do not fit on one machine."""

from samekind.dask._coverage import Coverage
from samekind.dask._samekind import SameKind

__all__ = ["Coverage", "SameKind"]
