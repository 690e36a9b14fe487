"""What is known about samples: pairs that are the same kind or different, or labels.

`PairConstraints` holds pairs, `Supervision` pairs or labels with names. Both see sample
indices and never the data; files are opened in `tables` alone.
"""

from samekind._files import InputError
from samekind.constraints.conflicts import ConstraintConflict, DroppedPair
from samekind.constraints.pairs import PairConstraints
from samekind.constraints.report import ConstraintReport
from samekind.constraints.sampling import sample_labels, sample_pairs
from samekind.constraints.supervision import Supervision

__all__ = [
    "ConstraintConflict",
    "ConstraintReport",
    "DroppedPair",
    "InputError",
    "PairConstraints",
    "Supervision",
    "sample_labels",
    "sample_pairs",
]
