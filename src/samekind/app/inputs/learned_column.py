"""What a column of a table becomes, decided from its cells."""

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.compute as pc

from samekind._typing import FloatArray
from samekind.app.inputs.column_kinds import (
    Found,
    Places,
    Unusable,
    as_texts,
    in_letters,
    recognize,
    shortened,
)
from samekind.app.inputs.encoded_column import BLANK, OTHER, EncodedColumn, plain, rows
from samekind.app.inputs.words import Words

if TYPE_CHECKING:
    from pandas import Series

MOST_LEVELS = 30  # categories with a feature each; the others share one
IDENTIFYING, FEW_LEVELS = 0.5, 10  # a share and a number of different texts that name rows
COUNTED = 20  # rows from which on 1, 2, 3, ... is a count and no feature
ROW_NUMBERS = {"id", "key", "no", "nr", "number", "nummer"}  # last words of names such as order_id
LEAST_SPREAD = 0.3  # so that a flag that is set in few rows does not outweigh all else

Learned = tuple[EncodedColumn, FloatArray | None]


def learn_column(
    name: str, column: "Series", place: Places, *, words: bool, category: bool, keep: bool
) -> Learned:
    """What became of a column, and its features; None if it is left out.

    ``words`` and ``category`` say what it is, ``keep`` that it is no mere count of the rows.
    """
    if words:
        return _words(name, column)
    found = recognize(column, place, as_text=category)
    blank = found.blank
    if blank.all():
        return _left_out(name, "every cell is blank")
    if found.kind == "text":
        return _category(name, found.values, asked=category)
    values = found.values[~blank]
    if values.min() == values.max():
        if not blank.any():
            return _left_out(name, "every row has the same value")
        return _category(name, as_texts(column), asked=True)
    if found.kind == "number" and not keep and not blank.any() and _names_rows(name, values):
        return _left_out(
            name,
            f"it only counts the rows or names them (--id '{name}' names rows by it, --columns "
            "keeps what it names)",
        )
    return _numbers(name, found, values)


def words_per_text(column: "Series", place: Places) -> float:
    """How many words the texts of a column have on average; 0 if it holds no texts.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"a": ["no paper", "the printer is on fire"], "b": [1, 2]})
    >>> [words_per_text(frame[name], Places(frame)) for name in frame]
    [3.5, 0.0]
    """
    found = recognize(column, place)
    if found.kind != "text" or found.blank.all():
        return 0.0
    return float(pc.mean(pc.count_substring_regex(found.values, r"\s+")).as_py()) + 1


def _left_out(name: str, why: str) -> Learned:
    return EncodedColumn(name, "none", f"left out, as {why}"), None


def _names_rows(name: str, values: FloatArray) -> bool:
    """Whether whole numbers are all different, and without a gap or ids by their name.

    Examples
    --------
    >>> _names_rows("age", np.arange(30.0)[::-1]), _names_rows("age", np.arange(0.0, 60, 2))
    (True, False)
    >>> _names_rows("order_id", np.arange(0.0, 60, 2)), _names_rows("paid", np.arange(0.0, 60, 2))
    (True, False)
    """
    if len(values) < COUNTED or (values % 1).any():
        return False
    steps = np.diff(np.sort(values))
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)  # also of OrderNo
    last = words[-1].lower() if words else ""
    named = last in ROW_NUMBERS or last.endswith(("nr", "nummer"))
    return bool((steps == 1).all() or (named and (steps > 0).all()))


def _numbers(name: str, found: Found, values: FloatArray) -> Learned:
    fill, n_blank = float(np.median(values)), int(found.blank.sum())
    with np.errstate(over="ignore"):  # of numbers near the largest there are
        center, spread = float(values.mean()), float(values.std())
    features = (name, f"{name} is blank") if n_blank else (name,)
    column = EncodedColumn(
        name,
        found.kind,
        _said(found, values, fill, n_blank),
        features,
        centers=(center, 0.0)[: len(features)],
        spreads=(spread, spread)[: len(features)],
        fill=fill,
        marks_blanks=n_blank > 0,
        date_format=found.date_format,
    )
    block = column.of_numbers(found.values)
    return column, block.astype(np.float32) if found.single and not n_blank else block


def _said(found: Found, values: FloatArray, fill: float, n_blank: int) -> str:
    if found.kind == "number":
        said, median = "times, as hours" if found.hours else "numbers", f"{fill:g}"
    else:
        as_date = np.array([values.min(), values.max(), fill]).astype("datetime64[D]")
        form = f", read as {in_letters(found.date_format)}" if found.date_format else ""
        said, median = f"dates from {as_date[0]} to {as_date[1]}{form}, as days", f"{as_date[2]}"
    if not n_blank:
        return said
    blanks = "1 blank" if n_blank == 1 else f"{n_blank} blanks"
    return f"{said}; {blanks} filled by the median, {median}, and marked in a column of its own"


def _category(name: str, texts: Any, *, asked: bool) -> Learned:
    counted = pc.value_counts(texts.drop_null())
    names = counted.field("values").to_pylist()
    counts = np.asarray(counted.field("counts"))
    n_filled, n_blank = int(counts.sum()), texts.null_count
    if len(names) == 1 and not n_blank:
        return _left_out(name, "every row has the same value")
    different = len(names) == n_filled > 2 or (
        len(names) > FEW_LEVELS and len(names) > IDENTIFYING * n_filled
    )
    if different and not asked:
        return _left_out(
            name,
            f"nearly every row has a text of its own, such as {shortened(names[0])!r} "
            f"(--text '{name}' uses its words, --id '{name}' names rows by it)",
        )
    frequent = sorted(range(len(names)), key=lambda i: (-counts[i], names[i]))[:MOST_LEVELS]
    levels = sorted(names[i] for i in frequent)
    n_others = len(names) - len(levels)
    levels += [OTHER] * (n_others > 0) + [BLANK] * (n_blank > 0)
    column = EncodedColumn(name, "category", "", levels=tuple(levels))
    codes = column.codes_of(texts)
    shares = np.bincount(codes, minlength=len(levels)) / len(codes)
    is_flag = len(levels) == 2
    variance = shares[1] * shares[0] if is_flag else (shares * (1 - shares)).sum()
    features = (f"{name}: {levels[1]}",) if is_flag else tuple(f"{name}: {x}" for x in levels)
    column = EncodedColumn(
        name,
        "category",
        _said_of_levels(levels, n_others, n_blank),
        features,
        centers=(0.0,) * len(features),
        spreads=(max(float(np.sqrt(variance)), LEAST_SPREAD),) * len(features),
        levels=tuple(levels),
        shares=tuple(map(float, shares)),
    )
    return column, column.of_levels(codes)


def _said_of_levels(levels: list[str], n_others: int, n_blank: int) -> str:
    if len(levels) == 2:
        first, second = map(shortened, levels)
        return f"2 categories, one column: {first} 0, {second} 1"
    n = len(levels) - (n_others > 0) - (n_blank > 0)
    more = f"; {n_others} rarer ones share one" if n_others else ""
    blank = f"; blanks in {rows(n_blank)} are one more" if n_blank else ""
    return f"{n} categories, a column of 0 and 1 for each{more}{blank}"


def _words(name: str, column: "Series") -> Learned:
    texts = plain(as_texts(column))
    try:
        words = Words.learned_from(texts)
    except ValueError as error:
        raise Unusable(f"has no words to compare ({error})") from None
    block = words.transform(texts)
    n_empty = int((~block.any(axis=1)).sum())
    empty = f"; no word of them in {rows(n_empty)}" if n_empty else ""
    features = tuple(f"{name}: direction {i + 1}" for i in range(block.shape[1]))
    spread = float(np.sqrt(block.var(axis=0).sum())) or 1.0
    sentence = f"text, TF-IDF of {len(words.vocabulary)} words in {len(features)} directions{empty}"
    return (
        EncodedColumn(
            name,
            "words",
            sentence,
            features,
            centers=(0.0,) * len(features),
            spreads=(spread,) * len(features),
            words=words,
        ),
        block,
    )
