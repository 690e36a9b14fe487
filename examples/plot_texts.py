"""
Texts by their words
====================

600 short messages to a service desk, in a folder of .txt files. A few are known to be about the
same thing; the others follow by their words.
"""

import tempfile
from pathlib import Path

import numpy as np

ABOUT = {
    "delivery": "parcel courier late tracking address arrived delivery box lost street".split(),
    "payment": "invoice card charged refund payment twice bank amount receipt euro".split(),
    "password": "login password reset account locked email code link expired user".split(),
    "repair": "broken screen repair warranty battery device crack noise replace part".split(),
}
EVERYDAY = (
    "hello please thanks the my is was since yesterday again could you help with and it".split()
)

rng = np.random.default_rng(0)
topics = rng.choice(list(ABOUT), 600)
folder = Path(tempfile.mkdtemp(), "messages")
folder.mkdir()
for number, topic in enumerate(topics):
    words = [*rng.choice(ABOUT[topic], 4), *rng.choice(EVERYDAY, 9)]
    words.append(rng.choice(ABOUT[rng.choice(list(ABOUT))]))  # and something from anywhere
    (folder / f"{number:03}.txt").write_text(" ".join(rng.permutation(words)))
print((folder / "000.txt").read_text())

# %%
# Ten pairs are known, half of each kind.
from samekind import SameKind, sample_pairs
from samekind.app.inputs import read_samples
from samekind.metrics import clustering_accuracy

samples = read_samples(folder)
pairs = sample_pairs(np.unique(topics, return_inverse=True)[1], 5, 5, random_state=0)
model = SameKind(n_clusters=4, random_state=0).fit(samples.X, constraints=pairs)
print(*samples.notes, sep="\n")
print(f"{clustering_accuracy(topics, model.labels_):.1%} of the messages are sorted right")
print(model.constraint_report_)

# %%
# Words that are frequent in a cluster and rare elsewhere say what it is about.
import matplotlib.pyplot as plt
from sklearn.feature_extraction.text import CountVectorizer

counts = CountVectorizer(binary=True)
has = counts.fit_transform([(folder / name).read_text() for name in samples.ids]).toarray()
names = counts.get_feature_names_out()
fig, axes = plt.subplots(1, 4, figsize=(10, 3.2), layout="constrained")
for cluster, ax in enumerate(axes):
    rows = model.labels_ == cluster
    more = has[rows].mean(axis=0) - has[~rows].mean(axis=0)
    best = np.argsort(more)[-7:]
    ax.barh(names[best], 100 * more[best])
    ax.set(title=f"cluster {cluster}: {rows.sum()}", xlabel="% more often")
