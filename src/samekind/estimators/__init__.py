"""The methods, as scikit-learn estimators; one method per file."""

from samekind.estimators._dgsl import DGSL

__all__ = ["DGSL"]
