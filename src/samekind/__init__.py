"""Semi-supervised clustering from pairs that are the same kind, or different."""

from samekind._version import __version__
from samekind.constraints import (
    ConstraintConflict,
    PairConstraints,
    draw_labels_of_some_classes,
    draw_labels_per_class,
    draw_pairs,
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
    TraceRatioLDA,
)
from samekind.kernels.status import Status

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
    "Status",
    "TraceRatioLDA",
    "__version__",
    "draw_labels_of_some_classes",
    "draw_labels_per_class",
    "draw_pairs",
]
