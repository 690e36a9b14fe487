"""Colors and markers of clusters, one shade for light pages and one for dark ones.

The first eight are those of Okabe and Ito, moved in lightness until each has a contrast
of 3:1 with its page and every two remain apart under protanopia and deuteranopia. The
others were added one at a time, each the one farthest from all before it by the same
measure. Each color has a shape, another one than the colors nearest to it.
"""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "d")

# Marker of each color: one after the other, the one whose colors so far are farthest from it.
SHAPES = (
    *(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 6, 7, 5, 8, 0, 9, 3, 1, 4, 2),
    *(2, 5, 1, 6, 7, 9, 0, 4, 8, 3, 7, 4, 0, 6, 8, 9, 5, 2, 1, 3),
)

PAIRS = (
    ("#0a58a8", "#2f86d8"),
    ("#d1500c", "#d4561a"),
    ("#12926f", "#0fa37a"),
    ("#d070b0", "#e07fb8"),
    ("#4b5000", "#f0e442"),
    ("#2398f0", "#6cc6f8"),
    ("#1f2328", "#f2f4f7"),
    ("#cc8400", "#eda408"),
    ("#601a5d", "#9e5598"),
    ("#543232", "#906968"),
    ("#5f6f50", "#a2b392"),
    ("#332492", "#6463d4"),
    ("#544460", "#907f9e"),
    ("#a95690", "#f89eda"),
    ("#857935", "#cdc27d"),
    ("#649294", "#aedee1"),
    ("#a24e10", "#ed925d"),
    ("#95343a", "#de7678"),
    ("#724e59", "#b48d98"),
    ("#72130b", "#b45244"),
    ("#492676", "#8160b5"),
    ("#0ba34c", "#76f296"),
    ("#4c62b3", "#8ca7ff"),
    ("#38477c", "#7184bd"),
    ("#38616d", "#77a1af"),
    ("#3b5a8c", "#799ad1"),
    ("#164547", "#507e80"),
    ("#5b8552", "#a1cf97"),
    ("#a47c81", "#f2c7cc"),
    ("#a41f13", "#f06957"),
    ("#3e95ae", "#8de2fd"),
    ("#2b3ca6", "#607dec"),
    ("#007785", "#60bccc"),
    ("#9a5ca8", "#e5a4f4"),
    ("#74362d", "#b77266"),
    ("#48736a", "#8ab7ad"),
    ("#955640", "#de9981"),
    ("#5b499c", "#998ae4"),
    ("#3d3368", "#746ba6"),
    ("#5f986b", "#a9e5b5"),
)


def color_slot(position: int) -> int:
    """Which color the cluster at this position takes.

    Examples
    --------
    >>> color_slot(3), color_slot(43)
    (3, 3)
    """
    return position % len(PAIRS)


def marker(position: int) -> int:
    """Which of ``MARKERS`` the cluster at this position takes.

    Where colors come closest, shapes differ; where colors repeat, shapes go on, so that 400
    clusters have a color and a shape of their own.

    Examples
    --------
    >>> MARKERS[marker(1)], MARKERS[marker(41)]
    ('s', '^')
    """
    turn, slot = divmod(position, len(PAIRS))
    return (SHAPES[slot] + turn) % len(MARKERS)
