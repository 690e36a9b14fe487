"""The order of the examples: first what most people come for."""

ORDER = (
    "digits",
    "customer_table",
    "photos",
    "texts",
    "wrong_answers",
    "confidence",
    "n_clusters",
    "compare_methods",
    "grid_search",
    "graph_and_hypergraph",
    "many_rows",
    "dask",
)


def place(name):
    """Where a script stands, by its name."""
    return ORDER.index(name.removeprefix("plot_").removesuffix(".py"))
