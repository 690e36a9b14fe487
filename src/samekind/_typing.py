"""Names for arrays and for random_state, used in annotations."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.integer[Any]]
BoolArray = NDArray[np.bool_]
RandomState = int | np.random.RandomState | np.random.Generator | None
