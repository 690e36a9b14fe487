"""The methods by name, with what each wants to know; a new method is one line here."""

from dataclasses import dataclass
from typing import Any

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
from samekind.estimators._spectral_clustering import SC
from samekind.estimators._spectral_learning import SL
from samekind.estimators._ssc import SSC
from samekind.estimators._ssctlrr import SSCTLRR
from samekind.estimators._trace_ratio_lda import TraceRatioLDA


@dataclass(frozen=True)
class Method:
    """A method as the command line and the experiments see it."""

    estimator: type[Any]
    supervision: str  # "none", "pairs", "must-links" or "labels"
    our_reading: bool = False  # the published text leaves open what it computes

    @property
    def name(self) -> str:
        """How it is called on the command line."""
        return self.estimator.__name__.lower()

    @property
    def title(self) -> str:
        """How it is called wherever its numbers are shown."""
        return self.estimator.__name__ + (" (our reading)" if self.our_reading else "")

    @property
    def summary(self) -> str:
        """What it does, in one line."""
        return str(self.estimator.__doc__).strip().splitlines()[0]

    @property
    def takes_labels(self) -> bool:
        """Whether fit wants labels; else pairs, of which some methods make no use."""
        return self.supervision == "labels"

    @property
    def clusters(self) -> bool:
        """Whether it sorts samples; a transformer only gives them other coordinates."""
        return hasattr(self.estimator, "predict")


METHODS = {
    method.name: method
    for method in (
        Method(DGSL, "pairs"),
        Method(SL, "pairs"),
        Method(CSP, "pairs"),
        Method(CSCAP, "pairs", our_reading=True),
        Method(E2CP, "pairs"),
        Method(SSCTLRR, "pairs"),
        Method(LSGR, "must-links"),
        Method(SC, "none"),
        Method(SSC, "none"),
        Method(NNLRS, "labels"),
        Method(NNLRR, "labels", our_reading=True),
        Method(S2LRR, "labels", our_reading=True),
        Method(S3R, "labels"),
        Method(DCSSC, "labels", our_reading=True),
        Method(HI, "labels"),
        Method(HGNN, "labels"),
        Method(TraceRatioLDA, "labels"),
    )
}
