"""Semi-supervised clustering from pairs that are the same kind, or different."""

from importlib import import_module
from typing import TYPE_CHECKING

from samekind._version import __version__

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

# Where names come from that are no estimators. Everything is imported when it is first asked for:
# scikit-learn takes a second, and `samekind --help` needs none of it.
_HOMES = {
    "__version__": "samekind._version",
    "Status": "samekind._kernels.status",
    **dict.fromkeys(
        ("ConstraintConflict", "PairConstraints", "Supervision", "sample_labels", "sample_pairs"),
        "samekind.constraints",
    ),
}
_MODULES = ("constraints", "estimators", "graph", "inspection", "metrics", "model_selection")

if TYPE_CHECKING:
    from samekind._kernels.status import Status
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
else:  # type checkers would take any name for one that __getattr__ knows

    def __getattr__(name):
        if name in _MODULES:
            return import_module(f"samekind.{name}")
        if name not in __all__:
            raise AttributeError(f"module 'samekind' has no attribute {name!r}")
        value = getattr(import_module(_HOMES.get(name, "samekind.estimators")), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
