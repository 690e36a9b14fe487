"""Dataset: samples, classes, and what was done to them, ready for an experiment."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from numpy.typing import NDArray

from samekind._typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Dataset:
    """A data set in the units of the paper's experiments.

    Attributes
    ----------
    X : ndarray of float64, (n_samples, n_features)
    y : ndarray of int64, (n_samples,)
        The classes, counted from 0.
    name : str
    source : str
        Where the samples come from.
    scale : str
        What was done to the published values.
    path : str
        Where it was found.
    image_shape : (height, width), optional
        Set when every row is a picture.
    column_major : bool
        Whether a row holds its picture column by column, as MATLAB does; `pictures` knows.
    extras : dict of ndarray
        What else belongs to the samples: ``edges_unique``, ``train_idx``, ``val_idx`` and
        ``test_idx`` of cora, ``group`` (1 to 5) of isolet.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]])
    >>> letter = Dataset(
    ...     X,
    ...     np.array([0]),
    ...     name="letter",
    ...     source="made up",
    ...     scale="as it is",
    ...     path="nowhere",
    ...     image_shape=(2, 3),
    ...     column_major=True,
    ... )
    >>> letter.pictures()[0]
    array([[1., 2., 3.],
           [4., 5., 6.]])
    """

    X: FloatArray
    y: IntArray
    _: KW_ONLY
    name: str
    source: str
    scale: str
    path: str
    image_shape: tuple[int, int] | None = None
    column_major: bool = False
    extras: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def pictures(self) -> FloatArray:
        """The samples as upright pictures, (n_samples, height, width)."""
        if self.image_shape is None:
            raise ValueError(f"the samples of {self.name} are not pictures; use X")
        height, width = self.image_shape
        if self.column_major:
            return self.X.reshape(-1, width, height).transpose(0, 2, 1)
        return self.X.reshape(-1, height, width)
