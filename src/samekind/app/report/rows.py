"""What the page shows of one row: its name, picture, file, labels and certainty."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from samekind.app.report.content import ReportContent
from samekind.app.report.pictures import Gallery


class RowViews:
    """From the number of a row to what the templates show of it; pictures are made once.

    Examples
    --------
    >>> from samekind.app.report import Snapshot
    >>> last = Snapshot(None, None, np.eye(2))
    >>> content = ReportContent(title="Two", labels=np.array([0, 1]), names=["a", "b"], last=last)
    >>> RowViews(content).of(1)["name"]
    'b'
    """

    def __init__(self, content: ReportContent) -> None:
        self.content = content
        self.gallery = None if content.images is None else Gallery(np.asarray(content.images))
        self._uris: dict[int, str] = {}
        self._folder = common_folder([str(name) for name in content.names])

    def of(self, row: int, usual: str = "") -> dict[str, Any]:
        """Everything about a row; a true label other than the usual one is odd."""
        content, row = self.content, int(row)
        truth = "" if content.truth is None else str(content.truth[row])
        certainty, rival = self.certainty(row)
        return {
            "row": row,
            "name": str(content.names[row]),
            "caption": str(content.names[row])[len(self._folder) :],
            "cluster": str(content.labels[row]),
            "where": group_title(content, content.labels[row]),
            "uri": self.uri(row),
            "link": "" if content.links is None else safe_link(content.links[row]),
            "truth": truth,
            "odd": bool(truth) and truth != usual,
            "certainty": certainty,
            "rival": rival,
        }

    def uri(self, row: int) -> str | None:
        if self.gallery is None:
            return None
        if row not in self._uris:
            self._uris[row] = self.gallery.uri(row)
        return self._uris[row]

    def certainty(self, row: int) -> tuple[str, str]:
        """Probability of a row's cluster in percent, and the next cluster where there is doubt."""
        if self.content.confidence is None:
            return "", ""
        share, rival = self.content.confidence
        percent = f"{100 * share[row]:.0f}"
        return f"{percent}\N{NO-BREAK SPACE}%", "" if percent == "100" else str(rival[row])

    def title(self, row: int) -> str:
        """A line for a point in a drawing."""
        certainty, rival = self.certainty(row)
        line = f"{self.content.names[row]}, {group_title(self.content, self.content.labels[row])}"
        if certainty:
            line += f", {certainty}"
        return f"{line}, or {rival}" if rival else line


def group_title(content: ReportContent, label: object) -> str:
    """What a group is called in a sentence: by its name, or "cluster 2".

    A name that is a number says already what it is.
    """
    word = "class" if content.classes else "cluster"
    return f"{word} {str(label).removeprefix(f'{word} ')}"


def common_folder(names: Sequence[str]) -> str:
    """The folders that all names begin with, which need not stand below every picture.

    Examples
    --------
    >>> common_folder(["pets/dogs/rex.png", "pets/dogs/bo.png", "pets/dan.png"])
    'pets/'
    """
    # What the first and the last in order share, all share.
    first, last = min(names), max(names)
    shared = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    return first[: first[:shared].rfind("/") + 1]


def safe_link(address: str) -> str:
    """An address that a page may point to: a file or a web page, never a program.

    Examples
    --------
    >>> safe_link("../pictures/a%20cat.png"), safe_link("javascript:alert(1)")
    ('../pictures/a%20cat.png', '')
    """
    scheme, colon, _ = address.partition(":")
    plain = not colon or "/" in scheme  # a relative path may hold a colon further on
    return address if plain or scheme.lower() in ("file", "http", "https") else ""
