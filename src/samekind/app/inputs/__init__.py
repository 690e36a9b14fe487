"""Inputs: a user's files become X, row ids and the shape of pictures.

Files are validated here; what leaves this subpackage is complete and finite.
"""

from samekind._files import InputError
from samekind.app.inputs.encoding import TableEncoder
from samekind.app.inputs.picture_encoder import PictureEncoder
from samekind.app.inputs.read import encoder_from_state, read_samples
from samekind.app.inputs.samples import Samples

__all__ = [
    "InputError",
    "PictureEncoder",
    "Samples",
    "TableEncoder",
    "encoder_from_state",
    "read_samples",
]
