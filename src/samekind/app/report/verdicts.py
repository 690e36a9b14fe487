"""How a run ended, in plain words, with what to do about it."""

from dataclasses import dataclass, replace

from samekind._kernels.status import Status


@dataclass(frozen=True)
class Verdict:
    """What a status means for somebody who wants to use the labels.

    ``tone`` is "good", "fair" (usable, with a reservation) or "bad" (not to be used).
    """

    tone: str
    headline: str
    meaning: str
    remedies: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        return {"good": "usable", "fair": "usable, with care", "bad": "do not use"}[self.tone]


MORE_KNOWN = "Give more pairs or labels, best of the rows that are least certain."
USE_SAMEKIND = (
    "Use SameKind, the default method: it does not depend on the units of the data and has "
    "nothing to set."
)

VERDICTS = {
    Status.CONVERGED: Verdict(
        "good", "The labels can be used", "The run came to rest: another round changes nothing."
    ),
    Status.UNBOUNDED: Verdict(
        "good",
        "The labels can be used",
        "The rows fall into parts that nothing connects, at least as many as there are clusters. "
        "Where there are more parts than clusters, some parts share a cluster without evidence.",
        ("If a cluster looks like several, ask for more clusters, or raise n_neighbors.",),
    ),
    Status.FIRST_GRAPH: Verdict(
        "fair",
        "The labels can be used; learning was set aside",
        "Learning did not come to rest, or led to worse clusters, so the clusters follow from the "
        "graph chosen at first and from what was given.",
        ("Nothing has to be done.", MORE_KNOWN),
    ),
    Status.VANISHED: Verdict(
        "fair",
        "The labels can be used; no graph was learned",
        "The similarities that this method learns faded away, so the clusters follow from nearest "
        "neighbors and the pairs alone.",
        (
            USE_SAMEKIND,
            "Or multiply the data by a constant, or lower sparsity, feedback and tol: the "
            "thresholds of this method depend on the units.",
        ),
    ),
    Status.UNDECIDED: Verdict(
        "fair",
        "The labels can be used, but the data hardly supports them",
        "In this data, rows marked the same lie no nearer to each other than rows marked "
        "different; or too little is marked, and the data has no clear clusters of its own.",
        (
            "Check the pairs for mistakes, the violated ones first, and give more of them.",
            "Check whether the columns or pictures show at all what the pairs are about.",
        ),
    ),
    Status.EMPTY_CLUSTERS: Verdict(
        "fair",
        "The labels can be used; some clusters are empty",
        "Fewer clusters than were asked for hold a row: too few rows are different, or every row "
        "with the label of a kind was given another.",
        ("Ask for fewer clusters.", MORE_KNOWN),
    ),
    Status.COLLAPSED: Verdict(
        "bad",
        "Do not use these labels: the clusters have collapsed",
        "They cut through rows that lie close together, although there are clusters that do not.",
        (
            MORE_KNOWN,
            "Bring the columns to one scale (standardize).",
            USE_SAMEKIND,
        ),
    ),
    Status.EDGELESS: Verdict(
        "bad",
        "Do not use these labels: nothing connects the rows",
        "The graph is empty, or most rows are joined to no other, so the labels are arbitrary.",
        (
            USE_SAMEKIND,
            "Or raise n_neighbors; where the method represents rows by others, lower sparsity, "
            "raise noise_weight, or multiply the data by a constant.",
        ),
    ),
    Status.MAX_ITER: Verdict(
        "bad",
        "Do not use these labels yet: the run was cut off",
        "It reached the largest number of rounds before it came to rest; the labels may still "
        "change.",
        ("Raise max_iter (or max_rounds), on the command line by --set max_iter=200.",),
    ),
    Status.INTERRUPTED: Verdict(
        "bad",
        "Do not rely on these labels: the run was interrupted",
        "They are those of the last round before the interruption, and were not verified.",
        ("Run it again to the end.",),
    ),
    Status.UNVERIFIED: Verdict(
        "bad",
        "Do not use these labels: the result could not be verified",
        "The coordinates that the labels come from are not accurate enough.",
        ("Raise n_neighbors.", "If the graph is your own, bring its weights closer together."),
    ),
}


def verdict_of(status: Status, is_samekind: bool = False) -> Verdict:
    """The plain words for a status, without the advice to use what was used.

    Examples
    --------
    >>> verdict_of(Status.COLLAPSED).word
    'do not use'
    """
    verdict = VERDICTS[status]
    if not is_samekind:
        return verdict
    return replace(verdict, remedies=tuple(x for x in verdict.remedies if x != USE_SAMEKIND))
