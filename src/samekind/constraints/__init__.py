"""What is known about pairs of samples: the same kind, or different.

`PairConstraints` is a value that travels through the house. This room sees sample
indices and never the data; files are opened in `csv_files` alone.
"""

from samekind.constraints.conflicts import ConstraintConflict, DroppedPair
from samekind.constraints.csv_files import ConstraintFileError
from samekind.constraints.label_report import LabelReport
from samekind.constraints.pairs import PairConstraints
from samekind.constraints.report import ConstraintReport
from samekind.constraints.sampling import (
    sample_labels,
    sample_pairs,
)

__all__ = [
    "ConstraintConflict",
    "ConstraintFileError",
    "ConstraintReport",
    "DroppedPair",
    "LabelReport",
    "PairConstraints",
    "sample_labels",
    "sample_pairs",
]
