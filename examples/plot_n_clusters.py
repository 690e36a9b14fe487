"""
Choosing the number of clusters
===============================

``n_clusters=None`` has the number chosen. By the graph alone it is a guess; with pairs of both
kinds, the pairs have a say.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from samekind import SameKind, sample_pairs
from samekind.inspection import NClustersDisplay

X, y = load_iris(return_X_y=True)  # three kinds of flowers
pairs = sample_pairs(y, 30, 30, random_state=0)
guess = SameKind(n_clusters=None, random_state=0).fit(X)
told = SameKind(n_clusters=None, random_state=0).fit(X, constraints=pairs)
print(f"without pairs {guess.n_clusters_}, with 60 pairs {told.n_clusters_} clusters")
for other in told.choice_.n_clusters.alternatives:
    print(f"with {other.n_clusters}: {other.sentence}")

# %%
# The score of every number that was looked at.
fig, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
NClustersDisplay.from_estimator(guess, ax=axes[0])
_ = NClustersDisplay.from_estimator(told, ax=axes[1])
