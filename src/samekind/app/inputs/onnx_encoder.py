"""An image encoder that the user brings, as an ONNX file."""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from samekind._files import require_regular
from samekind._typing import FloatArray
from samekind.app.inputs.errors import InputError, needs_extra, reading

FREE_SIZE = 224  # where the model takes any
AT_ONCE = 16
EXPECTED = "expected one input of float32, N x 3 x H x W with H = W"


class OnnxModel:
    """Runs an ONNX model on pictures.

    Parameters
    ----------
    path : Path
        The file. Its first input takes pictures, its first output is the row of each: as it is, or
        its mean over positions.
    sha256 : str, optional
        Of the file that is expected.
    """

    def __init__(self, path: Path, sha256: str | None = None) -> None:
        try:
            import onnxruntime  # type: ignore[import-untyped]
        except ImportError as error:
            raise needs_extra(path, "ONNX models", "onnxruntime", "photos") from error
        if not path.is_file():
            raise InputError(path, "there is no such file (--image-features)", "check the name")
        require_regular(path)
        self.path, self.sha256 = path, hashlib.sha256(path.read_bytes()).hexdigest()
        if sha256 not in (None, self.sha256):
            raise InputError(
                path,
                "it is another encoder than the pictures before were made with",
                "put that file back, or fit again",
            )
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # sums in one order
        options.log_severity_level = 4
        with reading(path, "an ONNX model"):
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        self._input = self._session.get_inputs()[0]
        self.size, self._at_once = self._shape()

    def rows(self, pictures: Iterable[FloatArray]) -> Iterator[FloatArray]:
        """A row of length 1 for each picture, (3, size, size)."""
        left = iter(pictures)
        while some := list(islice(left, self._at_once or AT_ONCE)):
            given = np.stack(some)
            if self._at_once is not None:  # filled up, where the model wants so many at once
                missing = self._at_once - len(given)
                given = np.concatenate([given, np.repeat(given[-1:], missing, axis=0)])
            with reading(self.path, "a model of these pictures"):
                found = np.asarray(self._session.run(None, {self._input.name: given})[0])
            yield from self._checked(found, len(given))[: len(some)]

    def _shape(self) -> tuple[int, int | None]:
        """Pixels of a side, and how many pictures at once, None if any number."""
        n, *sizes = [size if isinstance(size, int) else None for size in self._input.shape] or [0]
        fits = (
            len(self._session.get_inputs()) == 1
            and self._input.type == "tensor(float)"
            and len(sizes) == 3
            and sizes[0] in (3, None)
            and (sizes[1] == sizes[2] or None in sizes[1:])
        )
        if not fits:
            shape = " x ".join(str(size) for size in self._input.shape)
            raise InputError(
                self.path,
                f"its input '{self._input.name}' is {self._input.type}, {shape}; {EXPECTED}",
                "export an image encoder with channels first",
            )
        return sizes[1] or sizes[2] or FREE_SIZE, n

    def _checked(self, found: FloatArray, n: int) -> FloatArray:
        if found.ndim not in (2, 3, 4) or len(found) != n or not np.isfinite(found).all():
            shape = " x ".join(map(str, found.shape))
            raise InputError(
                self.path,
                f"its output is {shape} for {n} pictures, or not finite; expected N x features",
                "name a model whose first output describes each picture",
            )
        rows: Any = found.astype(np.float64)
        if found.ndim == 3:  # positions, then features
            rows = rows.mean(axis=1)
        elif found.ndim == 4:  # features, then height and width
            rows = rows.mean(axis=(2, 3))
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(length > 0, length, 1.0))
