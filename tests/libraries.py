"""What older libraries cannot do; docs/start.md says so too."""

import pytest
import scipy
import sklearn
from sklearn.utils.fixes import parse_version

# The score of a pipeline in a search gets no metadata.
ROUTED_SCORES = parse_version(sklearn.__version__) >= parse_version("1.8")
needs_routed_scores = pytest.mark.skipif(not ROUTED_SCORES, reason="needs scikit-learn 1.8")
# A restart of Lanczos draws from a generator that cannot be seeded.
needs_seeded_restarts = pytest.mark.skipif(
    parse_version(scipy.__version__) < parse_version("1.17"), reason="needs SciPy 1.17"
)
