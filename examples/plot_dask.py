"""
Rows in partitions, with Dask
=============================

``samekind.dask.SameKind`` fits landmarks and labels the partitions of a Dask array by them, here in
threads, elsewhere on many machines. It says which rows no landmark speaks for.
"""

import dask.array as da
import numpy as np
from sklearn.datasets import make_blobs

from samekind.dask import SameKind
from samekind.metrics import clustering_accuracy

X, y = make_blobs([9000, 6000, 4000, 988], n_features=8, cluster_std=3.0, random_state=0)
rng = np.random.default_rng(0)
far = rng.uniform(40, 60, size=(12, 8))  # a dozen rows that are like no other
order = rng.permutation(20_000)
X, y = np.vstack([X, far])[order], np.r_[y, np.full(12, -1)][order]
rows = da.from_array(X, chunks=(2500, 8))  # or da.from_npy_stack, dd.read_parquet, ...

ones = [np.flatnonzero(y == one)[:2] for one in range(4)]
model = SameKind(4, n_landmarks=1000, random_state=0).fit(
    rows,
    must_link=[tuple(pair) for pair in ones],
    cannot_link=[(ones[a][0], ones[b][0]) for a in range(4) for b in range(a)],
)
print(model.coverage_)
print(model.labels_)

# %%
# Labels are lazy: each partition is labeled when it is computed.
labels = model.labels_.compute()
right = clustering_accuracy(y[y >= 0], labels[y >= 0])
print(f"{right:.1%} of the rows that belong to a cluster are in the right one")
strange = np.isin(model.coverage_.far_rows, np.flatnonzero(y < 0))
print(f"of {len(strange)} far rows that were named, {strange.sum()} are like no other")

# %%
import matplotlib.pyplot as plt
from sklearn.decomposition import PCA

two = PCA(2).fit(X[y >= 0])
points, marks = two.transform(X[::5]), two.transform(X[model.landmarks_])
fig, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", sharex=True, sharey=True)
axes[0].scatter(*marks.T, s=6, color="black")
axes[0].set(title=f"{len(model.landmarks_):,} landmarks")
axes[1].scatter(*points.T, s=4, c=labels[::5], cmap="tab10", vmax=9)
_ = axes[1].set(title="labels of the rows")
