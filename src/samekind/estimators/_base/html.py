"""How a fitted model looks in a notebook: scikit-learn's diagram, and how the fit ended."""

from html import escape
from typing import Any

import numpy as np

# Readable on light and on dark pages.
COLORS = {True: "#2e8b57", False: "#d2691e"}


def status_html(model: Any) -> str:
    """A line about a fitted model, nothing before it is fitted.

    Examples
    --------
    >>> from samekind import SC
    >>> model = SC(2, n_neighbors=3)
    >>> status_html(model)
    ''
    >>> "CONVERGED" in status_html(model.fit([[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]]))
    True
    """
    if not hasattr(model, "status_"):
        return ""
    status, sizes = model.status_, np.unique(model.labels_, return_counts=True)[1]
    name = status.name if status.usable else f"{status.name}, do not rely on these labels"
    words = "" if str(status).upper() == status.name else f" {escape(str(status))}."
    return (
        '<p style="margin: 0.4em 0; font-family: sans-serif; font-size: 0.9em">'
        f'<strong style="color: {COLORS[status.usable]}">{name}.</strong>{words} '
        f"{len(model.labels_)} samples in {len(sizes)} groups of {sizes.min()} to {sizes.max()}. "
        f"{escape(str(model.constraint_report_))}</p>"
    )
