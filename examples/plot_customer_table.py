"""
A customer table with 20 answers
================================

Numbers, categories, dates and blanks, as tables have them, and somebody who knows the customers
but has no labels: 20 questions of the form *"the same kind as which of these?"* are enough.
"""

import numpy as np
import pandas as pd

rng = np.random.default_rng(0)
n = 400
kind = rng.integers(3, size=n)  # students, families, firms: what only the person knows
visits = rng.poisson(np.array([9, 4, 2])[kind])
table = pd.DataFrame(
    {
        "basket": rng.lognormal(np.array([2.5, 3.7, 5.4])[kind], 0.4).round(2),
        "visits": np.where(rng.random(n) < 0.1, np.nan, visits),  # a tenth is blank
        "pays by": [
            rng.choice(["card", "cash", "invoice"], p=p) for p in np.eye(3)[kind] * 0.85 + 0.05
        ],
        "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(900, size=n), "D"),
    }
)
table.head()

# %%
# Every column becomes numbers, and a sentence says how.
from samekind.app.inputs import TableEncoder

encoder = TableEncoder()
X = encoder.fit_transform(table)
print("\n".join(encoder.describe()))

# %%
# ``Questions`` chooses what to ask. A person looks at the rows and answers; here ``reply`` answers
# by what the person knows.
from samekind.asking import Questions
from samekind.metrics import clustering_accuracy

right = []
with Questions(X, n_clusters=3, random_state=0) as questions:
    right.append(clustering_accuracy(kind, questions.labels()))
    while (ask := questions.next()) and len(questions.answers()) < 20:
        questions.answer(ask.id, **ask.reply(kind))
        right.append(clustering_accuracy(kind, questions.labels()))
    result = questions.result()
print(f"without answers {right[0]:.0%}, after {len(right) - 1} answers {right[-1]:.0%} are right")
print(f"at the end: {result.why}")

# %%
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
axes[0].plot(100 * np.array(right), marker="o")
axes[0].set(xlabel="answers", ylabel="customers in the right group, %", title="What answers do")
for group in np.unique(result.labels):
    rows = result.labels == group
    axes[1].scatter(table["basket"][rows], table["since"][rows], s=12, label=f"group {group}")
axes[1].set(xscale="log", xlabel="basket", ylabel="customer since", title="The groups")
_ = axes[1].legend()
