"""
Comparing all methods on your data
==================================

All methods take the same pairs or labels, so that comparing them is a loop. Put your own X in
place of the wines, and what you know in place of ``known``; without true labels, compare by the
pairs that were held out (:ref:`sphx_glr_auto_examples_plot_grid_search.py`).
"""

import time
import warnings

import pandas as pd
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

import samekind
from samekind.metrics import clustering_accuracy

X, y = load_wine(return_X_y=True)
X = scale(X)  # SameKind does that by itself, the others do not
known = samekind.sample_labels(y, 4, random_state=0)
pairs = samekind.PairConstraints.from_labels(known)
rows = {}
for name in samekind.estimators.__all__:
    model = getattr(samekind, name)()
    if not hasattr(model, "predict"):  # TraceRatioLDA gives rows other coordinates
        continue
    start = time.process_time()
    with warnings.catch_warnings(action="ignore"):  # status_ says the same
        if "n_clusters" in model.get_params():
            model.set_params(n_clusters=3, random_state=0).fit(X, constraints=pairs)
        else:
            model.set_params(random_state=0).fit(X, known)
    rows[name] = {
        "learns from": model.SUPERVISION,
        "ACC": round(100 * clustering_accuracy(y, model.labels_), 1),
        "status": model.status_.name,
        "seconds": round(time.process_time() - start, 1),
    }
table = pd.DataFrame(rows).T.sort_values("ACC", ascending=False)
print(table.to_string())

# %%
# One draw of labels on one small table: a look, not a verdict. The figures over twenty draws are in
# the reproduction of the paper.
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(8, 4.5), layout="constrained")
colors = ["tab:orange" if name == "SameKind" else "tab:blue" for name in table.index]
ax.barh(table.index[::-1], table["ACC"][::-1].astype(float), color=colors[::-1])
_ = ax.set(xlabel="wines in the right cluster, %", xlim=(0, 100))
