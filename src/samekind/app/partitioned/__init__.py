"""Rows in many files, by Dask: read, fitted on landmarks, and labeled partition by partition."""

from samekind.app.partitioned.known import known_of
from samekind.app.partitioned.results import (
    PURPOSES,
    PartitionedResult,
    check_folder,
    commands,
    write_results,
)
from samekind.app.partitioned.rows import Rows, open_rows
from samekind.app.partitioned.run import fit, model_of

__all__ = [
    "PURPOSES",
    "PartitionedResult",
    "Rows",
    "check_folder",
    "commands",
    "fit",
    "known_of",
    "model_of",
    "open_rows",
    "write_results",
]
