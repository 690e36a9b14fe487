"""A state that names a file has to say which content it means."""

import pytest

from samekind.app.inputs.picture_encoder import PictureEncoder


def test_an_onnx_file_without_its_checksum_is_refused():
    state = PictureEncoder("pixels", 8).state() | {"features": "onnx:/some/model.onnx"}
    with pytest.raises(ValueError, match="sha256"):
        PictureEncoder.from_state(state)
