"""
A ready graph, and a hypergraph
===============================

Where things are joined already (citations, friends, shared baskets), the graph can be given in
place of neighbors in X; where more than two belong together, hyperedges can.
"""

import numpy as np
from scipy.sparse import csr_array, lil_array

rng = np.random.default_rng(0)
n, k = 300, 3
kind = np.repeat(np.arange(k), n // k)
X = rng.normal(size=(n, 8)) + 0.6 * np.eye(k, 8)[kind]  # features that say little
p = np.where(kind[:, None] == kind, 0.05, 0.008)
upper = np.triu(rng.random((n, n)) < p, 1)
graph = csr_array((upper | upper.T).astype(float))  # who knows whom

# %%
# The graph alone, and the graph with 30 pairs.
from samekind import E2CP, HI, SC, sample_labels, sample_pairs
from samekind.metrics import clustering_accuracy

pairs = sample_pairs(kind, 15, 15, random_state=0)
scores = {
    "X alone": SC(n_clusters=k, random_state=0).fit(X),
    "the graph": SC(n_clusters=k, random_state=0).fit(X, graph=graph),
    "graph and pairs": E2CP(n_clusters=k, random_state=0).fit(X, graph=graph, constraints=pairs),
}

# %%
# Hyperedges: 300 clubs with 4 to 10 members, most of one kind, are the columns of an incidence
# matrix. HI spreads five labels of each kind over them.
clubs = lil_array((n, 300))
for club in range(300):
    near = np.where(kind == rng.integers(k), 0.95, 0.05)
    clubs[rng.choice(n, rng.integers(4, 11), replace=False, p=near / near.sum()), [club]] = 1
known = sample_labels(kind, 5, random_state=0)
scores["hypergraph and labels"] = HI(random_state=0).fit(X, known, incidence=clubs.tocsr())
for name, model in scores.items():
    print(f"{name:22} {clustering_accuracy(kind, model.labels_):.1%}  {model.status_.name}")

# %%
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
axes[0].spy(graph, markersize=1)
axes[0].set(title="the graph, ordered by kind")
accuracy = [100 * clustering_accuracy(kind, model.labels_) for model in scores.values()]
axes[1].barh([*scores][::-1], accuracy[::-1])
_ = axes[1].set(xlabel="in the right cluster, %", xlim=(0, 100))
