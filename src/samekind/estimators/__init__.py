"""The methods as scikit-learn estimators, one per file."""

from samekind.estimators._cscap import CSCAP
from samekind.estimators._csp import CSP
from samekind.estimators._dcssc import DCSSC
from samekind.estimators._dgsl import DGSL
from samekind.estimators._e2cp import E2CP
from samekind.estimators._hgnn import HGNN
from samekind.estimators._hi import HI
from samekind.estimators._lsgr import LSGR
from samekind.estimators._nnlrr import NNLRR
from samekind.estimators._nnlrs import NNLRS
from samekind.estimators._s2lrr import S2LRR
from samekind.estimators._s3r import S3R
from samekind.estimators._samekind import SameKind
from samekind.estimators._spectral_clustering import SC
from samekind.estimators._spectral_learning import SL
from samekind.estimators._ssc import SSC
from samekind.estimators._ssctlrr import SSCTLRR
from samekind.estimators._trace_ratio_lda import TraceRatioLDA

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
    "SameKind",
    "TraceRatioLDA",
]
