"""Texts as numbers: TF-IDF of their words, and the main directions of that."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from samekind._typing import FloatArray

N_DIRECTIONS = 100
MOST_WORDS = 50_000
EVERYWHERE = 0.9  # words in more than this share of the texts say nothing
FEW = 20  # texts up to which every word counts


class Words:
    """TF-IDF of words, reduced by a truncated singular value decomposition, rows of length 1.

    Made of lists and arrays alone: ``vocabulary`` (str), ``weights`` (one per word) and
    ``directions`` (n_directions, n_words).
    """

    def __init__(
        self, vocabulary: Sequence[str], weights: NDArray[Any], directions: NDArray[Any]
    ) -> None:
        self.vocabulary, self.weights, self.directions = list(vocabulary), weights, directions

    @classmethod
    def learned_from(cls, texts: Sequence[str]) -> "Words":
        """The words of some texts, without those in nearly all and, of many texts, in one alone.

        Raises
        ------
        ValueError
            If no word is left.
        """
        from sklearn.decomposition import TruncatedSVD

        many = len(texts) > FEW
        vectorizer = _vectorizer(
            min_df=2 if many else 1,
            max_df=EVERYWHERE if many else 1.0,
            max_features=MOST_WORDS,
        )
        counted = vectorizer.fit_transform(texts)
        n = min(N_DIRECTIONS, min(counted.shape) - 1)
        if n < 1:
            raise ValueError("one word, or one text, is not enough")
        svd = TruncatedSVD(n, random_state=0, n_iter=7).fit(counted)
        return cls(vectorizer.get_feature_names_out().tolist(), vectorizer.idf_, svd.components_)

    def transform(self, texts: Sequence[str]) -> FloatArray:
        """One row for each text; zeros for one without a known word."""
        vectorizer = _vectorizer(vocabulary=self.vocabulary)
        vectorizer.idf_ = self.weights
        reduced = csr_array(vectorizer.transform(texts)) @ self.directions.T
        length = np.linalg.norm(reduced, axis=1, keepdims=True)
        return np.asarray(reduced / np.where(length > 0, length, 1.0))


def _vectorizer(**more: Any) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(sublinear_tf=True, **more)
