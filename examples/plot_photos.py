"""
Sorting photos
==============

A folder of pictures becomes folders by kind. The pictures are digits in random colors on random
backgrounds, so that color says nothing about the kind.
"""

import tempfile
from pathlib import Path

import numpy as np
from PIL import Image
from sklearn.datasets import load_digits

digits = load_digits(n_class=5)
rng = np.random.default_rng(0)
rows = rng.permutation(len(digits.target))[:300]
folder = Path(tempfile.mkdtemp(), "photos")
folder.mkdir()
for number, row in enumerate(rows):
    ink = np.kron(digits.images[row] / 16, np.ones((12, 12)))[..., None]
    paper, pen = rng.uniform(120, 255, 3), rng.uniform(0, 90, 3)
    picture = Image.fromarray(((1 - ink) * paper + ink * pen).astype(np.uint8))
    picture.save(folder / f"photo{number:03}.png")

# %%
# ``read_samples`` makes a row of numbers of each picture: directions of edges for pictures of this
# size. Three pictures of each kind were put aside by hand.
from samekind import SameKind
from samekind.app.inputs import read_samples
from samekind.metrics import clustering_accuracy

samples = read_samples(folder)
truth = digits.target[rows]
known = np.full(len(truth), -1)
for digit in range(5):
    known[np.flatnonzero(truth == digit)[:3]] = digit
model = SameKind(n_clusters=5, random_state=0).fit(samples.X, known)
print(*samples.notes, sep="\n")
print(f"{clustering_accuracy(truth, model.labels_):.1%} of {len(truth)} pictures are sorted right")

# %%
# One row for each cluster: the pictures it is most sure of, then the three it is least sure of.
import matplotlib.pyplot as plt

sure = model.probabilities_.max(axis=1)
fig, axes = plt.subplots(5, 11, figsize=(9, 4.4), layout="constrained")
for cluster, line in enumerate(axes):
    members = np.flatnonzero(model.labels_ == cluster)
    members = members[np.argsort(-sure[members], kind="stable")]
    for ax, member in zip(line, [*members[:8], *members[-3:]], strict=True):
        ax.imshow(samples.thumbnails[member])
        ax.set_title(f"{sure[member]:.2f}", fontsize=7)
        ax.axis("off")

# %%
# On the command line the same is
# ``samekind cluster photos -k 5 --labels known.csv --sort-into sorted``, and with questions in
# place of labels ``samekind ask photos --sort-into sorted``.
