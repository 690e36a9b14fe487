"""Semi-supervised clustering from pairs that are the same kind, or different."""

from samekind._kernels.status import Status
from samekind._version import __version__
from samekind.constraints import (
    ConstraintConflict,
    PairConstraints,
    Supervision,
    sample_labels,
    sample_pairs,
)
from samekind.estimators import (
    CSCAP,
    CSP,
    DCSSC,
    DGSL,
    E2CP,
    HGNN,
    HI,
    LSGR,
    NNLRR,
    NNLRS,
    S2LRR,
    S3R,
    SC,
    SL,
    SSC,
    SSCTLRR,
    SameKind,
    TraceRatioLDA,
)

__all__ = [
    "CSCAP",
    "CSP",
    "DCSSC",
    "DGSL",
    "E2CP",
    "HGNN",
    "HI",
    "LSGR",
    "NNLRR",
    "NNLRS",
    "S2LRR",
    "S3R",
    "SC",
    "SL",
    "SSC",
    "SSCTLRR",
    "ConstraintConflict",
    "PairConstraints",
    "SameKind",
    "Status",
    "Supervision",
    "TraceRatioLDA",
    "__version__",
    "sample_labels",
    "sample_pairs",
]
