"""SameKind for dask arrays and dataframes: rows that do not fit on one machine."""

try:
    from samekind.dask._coverage import Coverage
    from samekind.dask._samekind import SameKind
except ModuleNotFoundError as error:  # pragma: no cover - without the extra
    if error.name not in ("dask", "distributed"):
        raise
    raise ModuleNotFoundError(
        f"samekind.dask needs the package {error.name}, which is not installed; run: "
        'pip install ".[dask]" in the source folder',
        name=error.name,
    ) from None

__all__ = ["Coverage", "SameKind"]
