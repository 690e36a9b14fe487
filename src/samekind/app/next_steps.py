"""What can be done with the results of a run, as sentences and commands."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from samekind.app.inputs import Samples, TableEncoder
from samekind.app.inputs.encoded_column import BLANK
from samekind.app.run import Outcome

MODEL = "model.skops"
DEFAULT = "samekind"  # method
MOSTLY_BLANK, MOST_CLASSES = 0.5, 20  # of a column that may hold the known classes of some rows


@dataclass(frozen=True)
class Given:
    """How a run was asked for, so that the next one can be.

    ``data`` and ``known`` are words of the command line: the file or folder with the options by
    which it is read, and the labels and pairs.
    """

    data: tuple[str, ...] = ("DATA",)
    known: tuple[str, ...] = ()

    @property
    def has_labels(self) -> bool:
        """Whether labels were given."""
        return any(word.startswith("--labels") for word in self.known)

    @property
    def place(self) -> str:
        """The end of a sentence before a command with ``data``."""
        return ". DATA is your file or folder:" if self.data[0] == "DATA" else ":"


UNKNOWN = Given()


def commands(outcome: Outcome, samples: Samples, folder: Path, files: Sequence[str]) -> list[str]:
    """What can be done with the model: commands that work as they stand, but for new rows."""
    if MODEL not in files:
        return []
    path, row = str(folder / MODEL), _least_certain(outcome)
    asked = str(row) if samples.ids is None else samples.ids[row]
    new = "NEW" if samples.image_shape is not None else f"NEW{Path(samples.source).suffix}"
    dashes = ["--"] if asked.startswith("-") else []
    return [
        shlex.join(["samekind", "explain", path, *dashes, asked]),
        shlex.join(["samekind", "predict", path, new, "--out", "NEW-labels.csv"]),
    ]


def unused(outcome: Outcome, samples: Samples, given: Given = UNKNOWN) -> list[tuple[str, str]]:
    """What the table holds and the run did not use, as sentences and commands."""
    if not isinstance(samples.encoder, TableEncoder):
        return []
    again = ["samekind", "cluster", *given.data, *given.known]
    steps = [
        (
            f"Compare the texts in '{name}' by their words; so far they do not count{given.place}",
            shlex.join([*again, "--text", name]),
        )
        for name in samples.encoder.texts_
    ]
    for column in samples.encoder.columns_ if outcome.known.y is None else ():
        blank = dict(zip(column.levels, column.shares, strict=False)).get(BLANK, 0.0)
        if blank >= MOSTLY_BLANK and 2 < len(column.levels) <= MOST_CLASSES:
            steps.append(
                (
                    f"If '{column.name}', filled in {1 - blank:.0%} of the rows, is what these "
                    f"are, have the others follow{given.place}",
                    shlex.join([*again, "--labels", column.name]),
                )
            )
    return steps


def next_steps(
    outcome: Outcome,
    samples: Samples,
    folder: Path,
    files: Sequence[str],
    given: Given = UNKNOWN,
) -> list[tuple[str, str]]:
    """Each step as a sentence and its command, for the report."""
    steps = [
        (
            f"Use the labels: labels.csv in {folder} opens in any spreadsheet and has the cluster "
            "of every row.",
            "",
        ),
        _corrected(outcome, given),
    ]
    sentences = (
        f"See why {samples.name_of(_least_certain(outcome))} is where it is:",
        "Label new rows in the same way. NEW is their file or folder:",
    )
    if outcome.known.y is None and not given.known:
        # True classes would be a feature, and ask has no scores.
        data = ["--drop" if word == "--truth" else word for word in given.data]
        steps.append(
            (
                f"Or be asked which rows are the same kind, on a page in the browser{given.place}",
                shlex.join(["samekind", "ask", *data]),
            )
        )
    steps += unused(outcome, samples, given)
    return steps + list(zip(sentences, commands(outcome, samples, folder, files), strict=False))


def _corrected(outcome: Outcome, given: Given) -> tuple[str, str]:
    """How labels are corrected: by more of those that were given, or by the first ones."""
    look = "Correct them: look at the least certain rows,"
    again = ["samekind", "cluster", *given.data, *_options(outcome), *given.known]
    if given.has_labels:
        return f"{look} add what you know of some to the labels, and run again:", shlex.join(again)
    return (
        f"{look} write what you know of some into known.csv with the columns row,label (or pairs "
        f"with a,b,kind), and run again with it{given.place}",
        shlex.join([*again, "--labels", "known.csv"]),
    )


def _options(outcome: Outcome) -> list[str]:
    """The method and the number of clusters, where they are not what the command takes anyway."""
    method = outcome.method
    options = [] if method.name == DEFAULT else ["--method", method.name]
    return options if method.takes_labels else [*options, "-k", f"{outcome.n_clusters}"]


def _least_certain(outcome: Outcome) -> int:
    return int(outcome.confidence[0].argmin()) if outcome.confidence is not None else 0
