"""The methods, as scikit-learn estimators; one method per file."""

from samekind.estimators._dgsl import DGSL
from samekind.estimators._door import CliqueWarning, clique_sentence

__all__ = ["DGSL", "CliqueWarning", "clique_sentence"]
