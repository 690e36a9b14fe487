"""How much few answers settle: strategies of asking on the same steady graph, simulated people.

    SAMEKIND_DATA=... python benchmarks/asking.py run
    SAMEKIND_DATA=... python benchmarks/asking.py slips
    python benchmarks/asking.py show
    python benchmarks/asking.py plot

One line of JSON per dialogue; dialogues that the file holds are not repeated. Answers are the true
ones, k is given, a screen is one answer; labels are the steady ones, whatever the strategy. Random
subsets of 600 samples (or nine tenths of smaller sets); those from 1000 on are for reporting,
constants were chosen on other subsets of the same sets. ``slips``: 5 % of 150 answers are wrong;
how many of these are in the top fifth of the doubts?
"""

import argparse
import zlib
from functools import lru_cache
from pathlib import Path

import numpy as np
from asking_strategies import STRATEGIES
from rows import RESULTS, Rows, read
from threadpoolctl import threadpool_limits
from untuned import data

from samekind.asking.answers import Answer
from samekind.asking.doubts import ranked_doubts
from samekind.asking.ground import ground_of
from samekind.asking.situation import Situation
from samekind.asking.strategy import hearts_and_borders
from samekind.metrics import clustering_accuracy

FILE, SLIPS = RESULTS / "asking.jsonl", RESULTS / "asking_slips.jsonl"
FIVE = ("mnist_1000", "usps_1000", "isolet1", "coil20", "yaleb18")
OTHERS = ("yale", "orl", "umist", "digits", "iris", "wine", "breast_cancer")
SLIP_SETS = ("iris", "breast_cancer", "digits", "yale", "umist")
CHECKPOINTS = (0, 10, 20, 30, 50, 70, 100, 150, 200, 250, 300)
ROWS = (1, 6)
PICTURE = Path(__file__).parents[1] / "docs" / "images" / "asking.svg"
COLORS = {
    "hearts-and-borders": "#0b5fa5",
    "min-max": "#b3261e",
    "explore-consolidate": "#8e5a00",
    "npu": "#2e7d32",
    "random": "#5f6368",
}
SLIP_SHARE, SLIP_ANSWERS = 0.05, 150


@lru_cache(maxsize=3)
def subset(name, number):
    """Rows, true classes and the ground of a random subset."""
    X, y = data(name)
    rng = np.random.default_rng(zlib.crc32(f"asking/{name}/{number}".encode()))
    n = min(600, int(0.9 * len(y)))
    rows = np.sort(rng.permutation(len(y))[:n])
    X, y = np.asarray(X[rows], dtype=float), np.unique(y[rows], return_inverse=True)[1]
    ground = ground_of(X, len(np.unique(y)), 0)
    K = np.maximum(np.linalg.inv(ground._system.toarray()), 0.0)  # all columns at once, for speed
    ground._columns = dict(enumerate(K))
    return y, ground


def truth(y, question):
    """Place of the same kind among those shown, None for none of them."""
    kinds = [y[b] for b in question.beside]
    return kinds.index(y[question.sample]) if y[question.sample] in kinds else None


def dialogue(name, number, strategy, row):
    """ACC at each checkpoint."""
    y, ground = subset(name, number)
    rng = np.random.default_rng(number)
    choose = STRATEGIES[strategy]
    answers, scores = [], []
    for count in range(max(CHECKPOINTS) + 1):
        situation = Situation(ground, answers, row)
        if count in CHECKPOINTS:
            scores.append(round(100 * clustering_accuracy(y, situation.labels()), 2))
        question = choose(situation, rng)
        if question is None:
            scores += [scores[-1]] * (len(CHECKPOINTS) - len(scores))
            break
        same = truth(y, question)
        answers.append(Answer(count + 1, "answer", question.sample, question.beside, same))
    return {"ACC": scores, "answers": len(answers)}


def slips(name, trial, row):
    """Share of the wrong answers that the top fifth of the doubts holds."""
    y, ground = subset(name, 1000 + trial % 3)
    rng = np.random.default_rng(trial)
    answers, wrong = [], set()
    for seq in range(1, SLIP_ANSWERS + 1):
        question = hearts_and_borders(Situation(ground, answers, row))
        if question is None:
            break
        same = truth(y, question)
        if rng.random() < SLIP_SHARE:
            wrong.add(seq)
            places = [p for p in (None, *range(len(question.beside))) if p != same]
            same = places[rng.integers(len(places))]
        answers.append(Answer(seq, "answer", question.sample, question.beside, same))
    situation = Situation(ground, answers, row)
    doubts = [doubt.seq for doubt in ranked_doubts(situation)]
    top = set(doubts[: len(doubts) // 5])
    found = len(top & wrong) / len(wrong) if wrong else None
    return {"wrong": len(wrong), "answers": len(answers), "found": found}


def run(options):
    rows = Rows(FILE, ("set", "subset", "strategy", "row"))
    sets = options.sets.split(",") if options.sets else FIVE + OTHERS
    for name in sets:
        for number in range(options.first, options.first + options.subsets):
            for row in options.rows:
                for strategy in options.strategies.split(",") if options.strategies else STRATEGIES:
                    key = {"set": name, "subset": number, "strategy": strategy, "row": row}
                    work = (name, number, strategy, row)
                    with threadpool_limits(limits=1):
                        rows.once(key, lambda work=work: dialogue(*work))


def run_slips(options):
    rows = Rows(SLIPS, ("set", "trial", "row"))
    for name in options.sets.split(",") if options.sets else SLIP_SETS:
        for row in options.rows:
            for trial in range(options.trials):
                key = {"set": name, "trial": trial, "row": row}
                with threadpool_limits(limits=1):
                    rows.once(key, lambda work=(name, trial, row): slips(*work))


def curves():
    """Mean ACC at each checkpoint over the subsets, by set, strategy and row."""
    found = {}
    for row in read(FILE):
        if "ACC" in row:
            found.setdefault((row["set"], row["strategy"], row["row"]), []).append(row["ACC"])
    return {key: np.mean(scores, axis=0) for key, scores in found.items()}


def show(options):
    """What is to hold, from the rows."""
    means = curves()
    for row in options.rows:
        print(f"rows of {row}: ACC at 0/30/100/200/300 answers; mean at 100 / 200")
        for strategy in STRATEGIES:
            here = [means[n, strategy, row] for n in FIVE if (n, strategy, row) in means]
            if here:
                _show_strategy(strategy, np.array(here))
        _show_against_min_max(means, row)
    found = {}
    for row in read(SLIPS):
        found.setdefault((row["set"], row["row"]), []).append(row)
    for (name, row), slipped in found.items():
        share = np.mean([one["found"] for one in slipped if one["found"] is not None])
        print(f"{name}, rows of {row}, slips: {share:.2f} of them in the top fifth of the doubts")


def _show_strategy(strategy, scores):
    places = [CHECKPOINTS.index(count) for count in (0, 30, 100, 200, 300)]
    shown = ["/".join(f"{score:.0f}" for score in one[places]).rjust(15) for one in scores]
    mean = scores.mean(axis=0)[places]
    print(f"{strategy:<20}", *shown, f" {mean[2]:.1f} / {mean[3]:.1f}")


def _show_against_min_max(means, row):
    ours = {n: means[n, s, r] for n, s, r in means if s == "hearts-and-borders" and r == row}
    base = {n: means[n, s, r] for n, s, r in means if s == "min-max" and r == row}
    both = [name for name in FIVE if name in ours and name in base]
    for count in (100, 200) if both else ():
        at = CHECKPOINTS.index(count)
        errors = [100 - np.mean([of[name][at] for name in both]) for of in (ours, base)]
        print(f"  error at {count} over that of min-max: {errors[0] / errors[1]:.2f}")
    for name, curve in ours.items():
        gap = curve - base.get(name, np.nan)
        print(
            f"  {name:<14} worst against no answers {(curve - curve[0]).min():6.1f}, "
            f"against min-max {gap.min():6.1f}, at 100 {gap[CHECKPOINTS.index(100)]:5.1f}  ",
            "/".join(f"{score:.0f}" for score in curve),
        )


def plot(options):
    """Learning curves, the mean over five sets."""
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams |= {"svg.hashsalt": "samekind", "font.size": 10}  # the same file every time
    means = curves()
    figure = Figure(figsize=(9.5, 4.0), layout="constrained", facecolor="white")
    for axes, row in zip(figure.subplots(1, 2, sharey=True), ROWS, strict=True):
        for strategy, color in COLORS.items():
            here = [means[n, strategy, row] for n in FIVE if (n, strategy, row) in means]
            if len(here) == len(FIVE):
                axes.plot(CHECKPOINTS, np.mean(here, axis=0), color=color, label=strategy)
        title = "one sample beside one other" if row == 1 else f"one sample beside up to {row}"
        axes.set_title(title, loc="left", fontsize=10)
        axes.set(xlabel="answers", xlim=(0, max(CHECKPOINTS)))
        axes.grid(color="#e0e0e0")
        axes.spines[["top", "right"]].set_visible(False)
    figure.axes[0].set_ylabel("ACC, %")
    figure.axes[0].legend(frameon=False, fontsize=9)
    figure.savefig(PICTURE, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("run", "slips", "show", "plot"))
    parser.add_argument("--sets", default="")
    parser.add_argument("--strategies", default="")
    parser.add_argument("--rows", type=int, nargs="*", default=ROWS)
    parser.add_argument("--subsets", type=int, default=3)
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--first", type=int, default=1000)
    options = parser.parse_args()
    {"run": run, "slips": run_slips, "show": show, "plot": plot}[options.what](options)


if __name__ == "__main__":
    main()
