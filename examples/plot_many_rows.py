"""
Many rows
=========

Above 5,000 rows each is represented by its neighbors alone: time and memory grow about as the
number of rows does. Rows may stay in a file that is mapped into memory.
"""

import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import make_blobs

from samekind import SameKind, sample_labels
from samekind.metrics import clustering_accuracy

X, y = make_blobs(24_000, n_features=16, centers=12, cluster_std=4.0, random_state=3)
file = Path(tempfile.mkdtemp(), "rows.npy")
np.save(file, X.astype(np.float32))
mapped = np.load(file, mmap_mode="r")
sizes, seconds, right = [6_000, 12_000, 24_000], [], []
for n in sizes:
    known = sample_labels(y[:n], 5, random_state=0)
    start = time.process_time()
    model = SameKind(n_clusters=12, random_state=0).fit(mapped[:n], known)
    seconds.append(time.process_time() - start)
    right.append(clustering_accuracy(y[:n], model.labels_))
    print(f"{n:6,} rows: {seconds[-1]:5.1f} s, {right[-1]:.1%} right, {model.status_.name}")

# %%
# Twice as many rows, about twice the time: the dashed line.
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(6, 4), layout="constrained")
ax.loglog(sizes, seconds, marker="o", label="SameKind, 12 clusters, 60 labels")
ax.loglog(sizes, seconds[0] * np.array(sizes) / sizes[0], "--", color="gray", label="n")
ax.set(xlabel="rows", ylabel="seconds of CPU", xticks=sizes, yticks=seconds)
ax.set_xticklabels([f"{n:,}" for n in sizes])
ax.set_yticklabels([f"{one:.1f}" for one in seconds])
ax.minorticks_off()
_ = ax.legend()
