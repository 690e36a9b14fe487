"""
Digits in ten lines
===================

Five labels of each digit sort all others.
"""

from sklearn.datasets import load_digits

from samekind import SameKind, sample_labels
from samekind.inspection import EmbeddingDisplay
from samekind.metrics import clustering_accuracy

X, y = load_digits(return_X_y=True)
known = sample_labels(y, 5, random_state=0)
model = SameKind(n_clusters=10, random_state=0).fit(X, known)
print(f"{clustering_accuracy(y, model.labels_):.1%} of the digits are where they belong")
EmbeddingDisplay.from_estimator(model)
