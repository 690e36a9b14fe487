"""A short run of benchmarks/fuzz.py and of benchmarks/collapse.py, with fixed seeds."""

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
FITS = 60
pytestmark = pytest.mark.no_cover


@pytest.fixture
def benchmarks(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield
    for name in ("fuzz", "collapse", "rows"):
        sys.modules.pop(name, None)


def test_random_fits_are_right_or_say_what_is_wrong(benchmarks):
    import fuzz

    seeds = [seed for seed in range(2 * FITS) if len(fuzz.drawn(seed).y) <= 60][:FITS]
    found = {seed: fuzz.examined(fuzz.drawn(seed)) for seed in seeds}
    wrong = {
        seed: row
        for seed, row in found.items()
        if row["outcome"] not in ("ok", "reported", "refused")
    }
    assert not wrong
    assert sum(row["outcome"] == "ok" for row in found.values()) > FITS / 2


# Seeds of cases that were wrong once: labels far behind k-means with few samples (HI and HGNN,
# whose hyperedges held all of them; SSC, S3R, SC, DGSL, SameKind), most samples labeled (HI), no
# edges (SSCTLRR), another partition of rows in another order (SL, CSCAP), an exception of LAPACK
# (S2LRR). Then labels far behind k-means again: a graph that objects without a reason (E2CP, DGSL,
# SC, DCSSC, SameKind), k-means from too few starts (CSP, and HI with two empty classes;
# S2LRR), half of the samples labeled, of which k-means has two in other clusters (S3R), a
# variance that is little more, but fewer pairs kept and more of the graph cut (SC), or hardly less
# (SC). Another partition: of counts, whose distances tie, in other units (LSGR), of rows in another
# order where one is not labeled (S2LRR) or there are fewer different rows than clusters (CSP). A
# row is predicted as another that differs by rounding (CSP, SL). Labels behind k-means, by little
# in every measure (SC), or that merge a cluster smaller than a neighborhood (SC, twice). A group
# cut at a gap that is due to chance, of rows with one feature (SameKind). Two halves in place of a
# large and a small group, in neighborhoods larger than this (LSGR).
ONCE_WRONG = [20000032, 20000055, 20000090, 20000342, 20000379, 20000494, 20000496, 20000617]
ONCE_WRONG += [20000785, 20000958, 20001016, 20001270, 20001291, 20001409, 20001763, 21000707]
ONCE_WRONG += [31001239, 31001705, 31002083, 31003027, 31003106, 32000254, 32000432]
ONCE_WRONG += [45000856, 45001934, 48000141]
ONCE_WRONG += [49003236, 49001768, 49012504, 49016215, 49014407, 50000321, 50000332]
ONCE_WRONG += [60001531, 60003423, 60003427, 72004661, 90001270, 92001218, 97003040]
ONCE_WRONG += [110001074]


@pytest.mark.parametrize("seed", ONCE_WRONG)
def test_what_was_wrong_once_is_not(benchmarks, seed):
    import fuzz

    assert fuzz.examined(fuzz.drawn(seed))["outcome"] in ("ok", "reported")


# Ten starts of k-means put 95 % of the first right, by chance: of more than a hundred partitions
# with less variance, the best has 83 %. They put 90 % of the second right, where more find all.
@pytest.mark.parametrize(("seed", "separated"), [(50001734, False), (60000827, True)])
def test_k_means_is_a_judge_at_its_optimum(benchmarks, seed, separated):
    import fuzz

    case = fuzz.drawn(seed)
    assert (fuzz.by_k_means(case, case.X) >= fuzz.SEPARATED) == separated


def test_fuzzing_notices_what_is_wrong(benchmarks, monkeypatch):
    """Labels that are shifted by one row, and an exception of a library."""
    import fuzz
    import numpy as np

    from samekind import SC

    seed = next(s for s in range(2000) if fuzz.drawn(s).method == "sc" and _plain(fuzz.drawn(s)))
    case = fuzz.drawn(seed)
    assert fuzz.examined(case)["outcome"] == "ok"
    fit = SC.fit

    def shifted(self, *given, **more):
        fit(self, *given, **more)
        self.labels_ = np.roll(self.labels_, 1)
        return self

    monkeypatch.setattr(SC, "fit", shifted)
    assert fuzz.examined(case)["outcome"] == "silent"

    def fails(self, *given, **more):
        raise np.linalg.LinAlgError("SVD did not converge")

    monkeypatch.setattr(SC, "fit", fails)
    assert fuzz.examined(case)["outcome"] == "foreign"


def _plain(case):
    return case.kind == "groups" and case.units == "as they are" and len(case.y) == 60


def test_no_silent_collapse_in_a_part_of_the_grid(benchmarks):
    import collapse

    cells = [cell for cell in collapse.CELLS if cell[0] in (30, 100) and cell[3] == 120][::40]
    outcomes = [
        collapse.outcome(collapse.fitted("dgsl", dict(zip(collapse.NAMES, cell, strict=True))))
        for cell in cells
    ]
    assert "silent" not in outcomes
    assert "behind, COLLAPSED" in outcomes
    assert outcomes.count("false alarm") <= 1
