"""
GridSearchCV over pairs
=======================

Without true labels, how does one tune? Some pairs are held out together with their rows, and the
share of them that predicted labels keep is the score, in scikit-learn's own search.
"""

import sklearn
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from samekind import E2CP, sample_pairs
from samekind.metrics import clustering_accuracy
from samekind.model_selection import PairShuffleSplit

X, y = load_wine(return_X_y=True)
pairs = sample_pairs(y, 60, 60, random_state=0)  # what is known
sklearn.set_config(enable_metadata_routing=True)  # hands the pairs to fit and score
grid = {"e2cp__n_clusters": [2, 3, 4, 5], "e2cp__n_neighbors": [5, 7, 11, 15]}
cv = PairShuffleSplit(n_splits=3, random_state=0)
search = GridSearchCV(make_pipeline(StandardScaler(), E2CP(random_state=0)), grid, cv=cv)
search.fit(X, constraints=pairs.indexable())
sklearn.set_config(enable_metadata_routing=False)
print(f"chosen: {search.best_params_}, {search.best_score_:.0%} of the held-out pairs are kept")
right = clustering_accuracy(y, search.predict(X))
print(f"right, by the labels that the search never saw: {right:.0%}")

# %%
# The share of held-out pairs that are kept, for every point of the grid.
import matplotlib.pyplot as plt

score = search.cv_results_["mean_test_score"].reshape(4, 4)
fig, ax = plt.subplots(figsize=(6, 4), layout="constrained")
picture = ax.imshow(100 * score, cmap="Blues", vmax=110)
for row in range(4):
    for column in range(4):
        ax.text(column, row, f"{100 * score[row, column]:.0f}", ha="center", color="black")
ax.set(xlabel="n_neighbors", ylabel="n_clusters", xticks=range(4), yticks=range(4))
ax.set_xticklabels(grid["e2cp__n_neighbors"])
ax.set_yticklabels(grid["e2cp__n_clusters"])
_ = fig.colorbar(picture, label="held-out pairs that are kept, %")
