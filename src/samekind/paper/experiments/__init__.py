"""The paper's experiments: what is run (protocol), how (runner), and where it goes (rows)."""

from samekind.paper.experiments.protocol import EXPERIMENTS, Contender, Experiment
from samekind.paper.experiments.rows import RowsRead, append_row, pack, read_missing, read_rows
from samekind.paper.experiments.runner import Ended, Progress, reproduce
from samekind.paper.experiments.runs import Run

__all__ = [
    "EXPERIMENTS",
    "Contender",
    "Ended",
    "Experiment",
    "Progress",
    "RowsRead",
    "Run",
    "append_row",
    "pack",
    "read_missing",
    "read_rows",
    "reproduce",
]
