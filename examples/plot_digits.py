"""
Digits in ten lines
===================

1,797 handwritten digits, of which 50 are labeled: the other 1,747 are sorted by them.
"""

from sklearn.datasets import load_digits

from samekind import SameKind, sample_labels
from samekind.inspection import EmbeddingDisplay
from samekind.metrics import clustering_accuracy

X, y = load_digits(return_X_y=True)
known = sample_labels(y, 5, random_state=0)  # five labels of each digit, -1 where unknown
model = SameKind(n_clusters=10, random_state=0).fit(X, known)
print(f"{clustering_accuracy(y, model.labels_):.1%} of the digits are where they belong")
print(model.status_)
print(model.constraint_report_)

# %%
# Two directions of the embedding, chosen to keep the clusters apart; the legend has the labels that
# were given.
_ = EmbeddingDisplay.from_estimator(model, s=8)
