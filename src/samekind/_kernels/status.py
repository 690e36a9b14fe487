"""How an iterative routine ended, as a sentence with a remedy."""

from enum import Enum


class Status(Enum):
    """How an iterative routine ended; the value is a sentence with a remedy.

    Examples
    --------
    >>> Status.CONVERGED.converged, Status.MAX_ITER.converged
    (True, False)
    >>> print(Status.CONVERGED)
    converged
    """

    CONVERGED = "converged"
    UNBOUNDED = (
        "converged; the learned graph has n_clusters connected components or more, where the trace "
        "ratio is unbounded: the embedding separates the components, nothing finer; if there are "
        "more components than clusters, raise n_neighbors to join some"
    )
    MAX_ITER = (
        "stopped at max_iter (or max_rounds, where there are rounds) before the change fell below "
        "tol; the labels may still change: raise max_iter or max_rounds, or tol"
    )
    VANISHED = (
        "clustered by the local graph and the pairs alone: the representation Z has vanished or "
        "nearly so (fewer than 2 non-zeros per row, or none above tol), so no graph was learned; "
        "usable; for a learned graph multiply X by a constant, on whose units thresholds and tol "
        "depend, or lower sparsity, feedback and tol"
    )
    EDGELESS = (
        "the graph has no edges, or most samples have none, so the labels say nothing: do not use "
        "them; provide a graph with edges, or raise n_neighbors; where samples represent each "
        "other, lower sparsity, raise noise_weight, or multiply X by a constant"
    )
    INTERRUPTED = (
        "ended by the callback or by Ctrl-C before it converged; the labels come from the last "
        "iteration and were not verified: fit again without the interruption for a result to rely "
        "on"
    )
    FIRST_GRAPH = (
        "learning did not settle within max_iter, or led to labels that fit the chosen graph far "
        "worse, so the labels come from that graph and the pairs alone: usable; more pairs or "
        "labels help"
    )
    UNDECIDED = (
        "nothing decides between the graphs: none brings samples marked the same nearer than "
        "samples marked different (all scores at chance), or there are too few pairs to test and "
        "the labels are unlike the clusters that any graph has by itself, or worse by every "
        "measure than those of k-means, or cut through equal rows, or X has fewer different rows "
        "than there are clusters: usable, but check the pairs, give more, and see whether the "
        "features of X can separate the kinds"
    )
    COLLAPSED = (
        "the clusters have collapsed: they cut through the neighborhoods of X, where clusters that "
        "follow these are at hand, or through rows that are equal; do not use these labels: give "
        "more pairs or labels, ask for fewer clusters, standardize the features or multiply X by a "
        "constant, or use SameKind with its defaults"
    )
    EMPTY_CLUSTERS = (
        "there are fewer clusters than were asked for: some hold no sample, as X has too few "
        "different rows, or as every sample with the label of a class was given another: usable; "
        "ask for fewer clusters, or give more labels or pairs of those that are missing"
    )
    UNVERIFIED = (
        "the embedding could not be verified: its eigenvectors or the trace ratio did not "
        "converge, or it does not fit the graph that was learned from it (optimality_.H above "
        "0.1); raise n_neighbors, or provide a graph whose weights differ by fewer orders of "
        "magnitude"
    )

    @property
    def converged(self) -> bool:
        """Whether the iteration reached its fixed point."""
        return self in (Status.CONVERGED, Status.UNBOUNDED)

    @property
    def usable(self) -> bool:
        """Whether the labels are worth using: converged, or complete without learning.

        Examples
        --------
        >>> Status.FIRST_GRAPH.converged, Status.FIRST_GRAPH.usable
        (False, True)
        """
        others = (Status.VANISHED, Status.UNDECIDED, Status.FIRST_GRAPH, Status.EMPTY_CLUSTERS)
        return self.converged or self in others

    def __str__(self) -> str:
        return self.value
