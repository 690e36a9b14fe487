"""The methods, as scikit-learn estimators; one method per file."""

from samekind.estimators._dgsl import DGSL
from samekind.estimators._door import CliqueWarning, clique_sentence
from samekind.estimators._methods import METHODS, Method
from samekind.estimators._spectral_clustering import SC

__all__ = ["DGSL", "METHODS", "SC", "CliqueWarning", "Method", "clique_sentence"]
