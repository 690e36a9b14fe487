"""
Confidence, and what to review first
====================================

``probabilities_`` says how sure the clusters are of each row. Whoever reviews the least sure rows
first finds most mistakes with little reading.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from samekind import SameKind, sample_labels

X, y = load_digits(return_X_y=True)
X, y = X[:1000], y[:1000]
known = sample_labels(y, 3, random_state=0)
model = SameKind(n_clusters=10, random_state=0).fit(X, known)
names = np.array([int(name) for name in model.cluster_names_])
wrong = names[model.labels_] != y
sure = model.probabilities_.max(axis=1)
order = np.argsort(sure, kind="stable")
found = wrong[order].cumsum() / wrong.sum()
print(f"{wrong.sum()} of {len(y)} rows are wrong")
for share in (0.05, 0.1, 0.2):
    print(f"the {share:.0%} least sure rows hold {found[int(share * len(y)) - 1]:.0%} of them")

# %%
# Left: mistakes found over rows read, beside reading in any order. Right: how often rows of each
# confidence are right; on the dashed line the two would be equal. Take confidence for an order
# in which to read rather than for a share.
fig, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
read = np.arange(1, len(y) + 1) / len(y)
axes[0].plot(100 * read, 100 * found, label="least sure first")
axes[0].plot([0, 100], [0, 100], "--", color="gray", label="in any order")
axes[0].set(xlabel="rows read, %", ylabel="mistakes found, %")
axes[0].legend()
parts = np.array_split(order, 8)
axes[1].plot([0, 1], [0, 1], "--", color="gray")
axes[1].plot([sure[p].mean() for p in parts], [1 - wrong[p].mean() for p in parts], marker="o")
axes[1].set(xlabel="confidence", ylabel="share that is right", xlim=(0.3, 1.02), ylim=(0.3, 1.02))

# %%
# The twelve rows to look at first, with the cluster they are in and the next most probable one.
fig, axes = plt.subplots(2, 6, figsize=(8, 3.4), layout="constrained")
second = names[np.argsort(model.probabilities_, axis=1)[:, -2]]
for ax, row in zip(axes.flat, order, strict=False):
    ax.imshow(X[row].reshape(8, 8), cmap="gray_r")
    ax.set_title(f"{names[model.labels_[row]]}, or {second[row]}?", fontsize=9)
    ax.axis("off")
