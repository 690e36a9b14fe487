"""Libsvm: one line of text per sample, its class and then index:value; often as bz2."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.datasets import load_svmlight_files

from samekind.datasets.records import Arrays
from samekind.inputs.errors import reading


def read_libsvm(paths: Sequence[Path]) -> Arrays:
    """Read the files and put their samples one below the other."""
    with reading(paths[0], "libsvm files"):
        parts = load_svmlight_files([str(path) for path in paths])
    X = np.vstack([part.toarray() for part in parts[0::2]])
    return Arrays(X, np.concatenate(parts[1::2]))
