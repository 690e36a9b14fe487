"""The paper's experiments: what is run (protocol), how (runner), and where it goes (rows)."""

from samekind.experiments.protocol import EXPERIMENTS, Contender, Experiment
from samekind.experiments.rows import RowsRead, append_row, read_missing, read_rows
from samekind.experiments.runner import Ended, Progress, reproduce
from samekind.experiments.runs import Run

__all__ = [
    "EXPERIMENTS",
    "Contender",
    "Ended",
    "Experiment",
    "Progress",
    "RowsRead",
    "Run",
    "append_row",
    "read_missing",
    "read_rows",
    "reproduce",
]
