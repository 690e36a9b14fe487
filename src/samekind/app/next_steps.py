"""What can be done with the results of a run, as sentences and commands."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from samekind.app.inputs import Samples, TableEncoder
from samekind.app.inputs.encoded_column import BLANK
from samekind.app.run import Outcome

MODEL = "model.skops"
DEFAULT = "samekind"  # method
MOSTLY_BLANK, MOST_CLASSES = 0.5, 20  # of a column that may hold the known classes of some rows


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


def unused(outcome: Outcome, samples: Samples) -> list[tuple[str, str]]:
    """What the table holds and the run did not use, as sentences and commands."""
    if not isinstance(samples.encoder, TableEncoder):
        return []
    steps = [
        (
            f"Compare the texts in '{name}' by their words; so far they do not count:",
            shlex.join(["samekind", "cluster", "DATA", "--text", name]),
        )
        for name in samples.encoder.texts_
    ]
    for column in samples.encoder.columns_ if outcome.known.y is None else ():
        blank = dict(zip(column.levels, column.shares, strict=False)).get(BLANK, 0.0)
        if blank >= MOSTLY_BLANK and 2 < len(column.levels) <= MOST_CLASSES:
            steps.append(
                (
                    f"If '{column.name}', filled in {1 - blank:.0%} of the rows, is what these "
                    "are, have the others follow:",
                    shlex.join(["samekind", "cluster", "DATA", "--labels", column.name]),
                )
            )
    return steps


def next_steps(
    outcome: Outcome, samples: Samples, folder: Path, files: Sequence[str]
) -> list[tuple[str, str]]:
    """Each step as a sentence and its command, for the report."""
    steps = [
        (
            f"Use the labels: labels.csv in {folder} opens in any spreadsheet and has the cluster "
            "of every row.",
            "",
        ),
        (
            "Correct them: look at the least certain rows, write what you know of some into "
            "known.csv with the columns row,label (or pairs with a,b,kind), and run again with it. "
            "DATA is your file or folder:",
            f"samekind cluster DATA {_options(outcome)} --labels known.csv",
        ),
    ]
    sentences = (
        f"See why {samples.name_of(_least_certain(outcome))} is where it is:",
        "Label new rows in the same way. NEW is their file or folder:",
    )
    steps += unused(outcome, samples)
    return steps + list(zip(sentences, commands(outcome, samples, folder, files), strict=False))


def _options(outcome: Outcome) -> str:
    """The method and the number of clusters, where they are not what the command takes anyway."""
    method = outcome.method
    options = [] if method.name == DEFAULT else ["--method", method.name]
    return " ".join(options if method.takes_labels else [*options, "-k", f"{outcome.n_clusters}"])


def _least_certain(outcome: Outcome) -> int:
    return int(outcome.confidence[0].argmin()) if outcome.confidence is not None else 0
