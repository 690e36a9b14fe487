"""Texts: a folder of .txt files becomes Samples."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from samekind._files import encoding_of, require_regular
from samekind.app.inputs.encoding import TableEncoder
from samekind.app.inputs.errors import InputError, reading, require_memory
from samekind.app.inputs.folder_files import FolderLabels, find_files, left_out
from samekind.app.inputs.samples import Samples, require_rows

SUFFIXES = (".txt",)
COLUMN = "text"


def read_texts(
    folder: Path,
    labels: FolderLabels,
    *,
    encoder: TableEncoder | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Samples:
    """Read every text below the folder, in the order of their relative paths."""
    import pandas as pd

    names, others = find_files(folder, SUFFIXES)
    texts: dict[str, str] = {}
    older: list[str] = []
    skipped: dict[str, InputError] = {}
    there = [folder / name for name in names if (folder / name).is_file()]  # not broken links
    require_memory(folder, 3 * sum(path.stat().st_size for path in there), "the texts")
    for done, name in enumerate(names, 1):
        try:
            texts[name], encoding = _read(folder / name)
            older += [name] if encoding == "cp1252" else []
        except InputError as error:
            skipped[name] = error
        if on_progress is not None:
            on_progress(done, len(names))
    if not texts:
        raise skipped[names[0]]
    require_rows(folder, len(texts), least=2 if encoder is None else 1)
    frame = pd.DataFrame({COLUMN: list(texts.values())}, dtype="str")
    if encoder is None:
        encoder = TableEncoder(text=[COLUMN])
        X = encoder.fit_transform(frame, source=folder)
    else:
        X = encoder.transform(frame, source=folder)
    known, truth = labels.of(folder, list(texts))
    return Samples(
        X=X,
        source=folder.resolve().name,
        ids=tuple(texts),
        folder=folder.resolve(),
        known=known,
        truth=None if truth is None else np.array(truth),
        skipped=tuple(f"{name}: {error.reason}" for name, error in skipped.items()),
        notes=(*encoder.describe(), *_not_utf8(older), *left_out(skipped, others, "text")),
        encoder=encoder,
        table=frame,
    )


def _read(path: Path) -> tuple[str, str]:
    """The text, and how it is encoded."""
    require_regular(path)
    with reading(path, "text in UTF-8"):
        raw = path.read_bytes()
        encoding = encoding_of(raw)
        return raw.decode(encoding), encoding


def _not_utf8(names: list[str]) -> list[str]:
    if not names:
        return []
    files = f"{names[0]} was" if len(names) == 1 else f"{names[0]} and {len(names) - 1} more were"
    return [f"{files} read as Windows-1252, as the text is not UTF-8."]
