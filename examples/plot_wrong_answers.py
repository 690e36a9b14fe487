"""
Wrong answers found
===================

People slip. Of 70 answers about digits some are wrong here, at random; ``doubts`` ranks the answers
that the others would not have expected, and looking at ten of them again repairs most.
"""

import numpy as np
from sklearn.datasets import load_digits

from samekind.asking import Questions
from samekind.metrics import clustering_accuracy

X, y = load_digits(return_X_y=True)
X, y = X[:600], y[:600]
rng = np.random.default_rng(1)
wrong = set()
with Questions(X, n_clusters=10, random_state=0) as questions:
    while (ask := questions.next()) and len(questions.answers()) < 70:
        said = ask.reply(y)
        if len(questions.answers()) >= 20 and rng.random() < 0.15:  # a slip
            others = [place for place in range(len(ask.beside)) if said != {"same": place}]
            said = {"same": int(rng.choice(others))} if others else {"none": True}
        seq = questions.answer(ask.id, **said)
        if said != ask.reply(y):
            wrong.add(seq)
    before = clustering_accuracy(y, questions.labels())
    doubts = questions.doubts()
    place = [rank for rank, doubt in enumerate(doubts, 1) if doubt.seq in wrong]
    print(f"{len(wrong)} of {len(questions.answers())} answers are wrong")
    print(f"their places among the doubts: {', '.join(map(str, place))}")
    for doubt in doubts[:10]:  # the person looks again at the first ten
        if doubt.seq in wrong:
            questions.withdraw(doubt.seq)
        else:
            questions.confirm(doubt.seq)
    after = clustering_accuracy(y, questions.labels())
print(f"right before: {before:.1%}, after the first ten doubts: {after:.1%}")

# %%
# How surprising each answer is: the wrong ones are among the first.
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(9, 3.6), layout="constrained")
slip = np.array([doubt.seq in wrong for doubt in doubts])
surprise = np.array([doubt.surprise for doubt in doubts])
ranks = np.arange(1, len(doubts) + 1)
ax.bar(ranks[~slip], surprise[~slip], color="tab:blue", label="true")
ax.bar(ranks[slip], surprise[slip], color="tab:orange", label="wrong")
ax.set(xlabel="answers, the most surprising first", ylabel="surprise")
_ = ax.legend()
