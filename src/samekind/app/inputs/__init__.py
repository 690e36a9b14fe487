"""Inputs: a user's files become X, row ids and the shape of pictures.

Files are checked here, at the door; whatever leaves this room is complete and finite.
"""

from samekind.app.inputs.errors import InputError
from samekind.app.inputs.labels import PartialLabels, read_labels
from samekind.app.inputs.read import read_samples
from samekind.app.inputs.samples import Samples

__all__ = ["InputError", "PartialLabels", "Samples", "read_labels", "read_samples"]
