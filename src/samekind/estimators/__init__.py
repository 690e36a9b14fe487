"""The methods, as scikit-learn estimators; one method per file."""

from samekind.estimators._cscap import CSCAP
from samekind.estimators._csp import CSP
from samekind.estimators._dgsl import DGSL
from samekind.estimators._door import CliqueWarning, clique_sentence
from samekind.estimators._e2cp import E2CP
from samekind.estimators._hgnn import HGNN
from samekind.estimators._hi import HI
from samekind.estimators._lsgr import LSGR
from samekind.estimators._methods import METHODS, Method
from samekind.estimators._spectral_clustering import SC
from samekind.estimators._spectral_learning import SL
from samekind.estimators._trace_ratio_lda import TraceRatioLDA

__all__ = [
    "CSCAP",
    "CSP",
    "DGSL",
    "E2CP",
    "HGNN",
    "HI",
    "LSGR",
    "METHODS",
    "SC",
    "SL",
    "CliqueWarning",
    "Method",
    "TraceRatioLDA",
    "clique_sentence",
]
