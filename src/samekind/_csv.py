"""Csv: the lines of a text file with columns, cut into cells.

The csv module of the standard library is slower than pyarrow's reader, but it can say
which line a record starts on, and a message without the line helps nobody.
"""

import csv
import gzip
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from itertools import chain, count, islice
from pathlib import Path
from typing import IO

from samekind._files import InputError, encoding_of, require_regular

# What makes a spreadsheet take a cell for a formula, also in full width.
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ESCAPED = re.compile(r"\\(?:\\|x([0-9a-f]{2})|u([0-9a-f]{4}))")

LONGEST_LINE = 100 * 10**6  # bytes: five million numbers with all their digits
SEPARATORS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "vertical bars"}


def read_records(
    path: Path, *, skip_blank: bool = False, stream: IO[bytes] | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, cells) of the header, then of each row.

    Columns are separated by whatever the first two lines say: commas, tabs, semicolons or
    vertical bars. Every row has as many cells as the header. Empty lines may stand at the end
    only, unless `skip_blank` leaves out all lines without content. InputError says what is wrong
    with a file, and in which line. `stream` is read in place of the file, if given.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.csv")
    ...     _ = path.write_text("row,label\\n0,cat\\n")
    ...     list(read_records(path))
    [(1, ['row', 'label']), (2, ['0', 'cat'])]
    """
    return separated(path, skip_blank=skip_blank, stream=stream)[1]


class Decoder:
    """Lines of a file as text; its first line that is not ASCII decides how all are read."""

    def __init__(self) -> None:
        self.encoding: str | None = None  # as `encoding_of` says; None as long as all is ASCII

    def text_of(self, path: Path, number: int, raw: bytes) -> str:
        """One line as text."""
        try:
            if b"\0" in raw:
                raise ValueError("a zero byte")
            if self.encoding is None and not raw.isascii():
                self.encoding = encoding_of(raw)
            if self.encoding == "utf-8-sig" and number > 1:
                return raw.decode("utf-8")
            return raw.decode(self.encoding or "utf-8")
        except ValueError as error:
            raise InputError(
                path,
                f"the line is not UTF-8 text ({error})",
                "save the file as plain text in UTF-8 (Excel: CSV UTF-8)",
                line=number,
            ) from error


def separated(
    path: Path,
    *,
    skip_blank: bool = False,
    stream: IO[bytes] | None = None,
    decoder: Decoder | None = None,
) -> tuple[str, Iterator[tuple[int, list[str]]]]:
    """The separator of a file, and what `read_records` yields."""
    lines = _lines(path, stream, decoder or Decoder())
    head = list(islice(lines, 2))
    separator = _separator(path, head)
    return separator, _records(path, _split(path, chain(head, lines), separator), skip_blank)


def _separator(path: Path, head: list[str]) -> str:
    """What stands as often in both lines, or most often in the first, outside of quotation marks.

    Examples
    --------
    >>> _separator(Path("a.csv"), ["name;price, EUR;size", "pen;1,5;2"])
    ';'
    """
    bare = [re.sub(r'"[^"]*"?', "", line) for line in head]
    usual = "\t" if path.name.lower().endswith((".tsv", ".tsv.gz")) else ","
    counts = {one: [line.count(one) for line in bare] for one in SEPARATORS}
    there = [one for one in SEPARATORS if any(counts[one][:1])]
    if not there:
        return usual
    return max(there, key=lambda one: (len(set(counts[one])) == 1, counts[one][0], one == usual))


def _records(
    path: Path, lines: Iterator[tuple[int, list[str]]], skip_blank: bool
) -> Iterator[tuple[int, list[str]]]:
    width = 0
    empty_line = None
    for line, cells in lines:
        if skip_blank and not any(cell.strip() for cell in cells):
            continue
        if not cells:
            empty_line = empty_line or line
            continue
        if empty_line is not None:
            raise InputError(path, "the line is empty", "remove it", line=empty_line)
        if not width:
            width = len(cells)
        elif len(cells) != width:
            raise _ragged(path, line, len(cells), width)
        yield line, cells
    if not width:
        raise InputError(path, "the file is empty", "a header line and rows are expected")


def guarded(cell: object) -> str:
    """A cell that no spreadsheet takes for a formula, without control characters.

    `unguarded` gives the text back. Cells that need nothing stay as they are.

    Examples
    --------
    >>> guarded("ant"), guarded("=1+1"), guarded("-1.5"), guarded("a\\nb")
    ('ant', "'=1+1", '-1.5', "'a\\\\x0ab")
    """
    text = str(cell)
    formula = text.startswith(_FORMULA) and not _NUMBER.fullmatch(text)
    if not formula and not _CONTROL.search(text) and unguarded(text) == text:
        return text
    return "'" + _CONTROL.sub(_escape, text.replace("\\", r"\\"))


def unguarded(cell: str) -> str:
    """The text of a guarded cell; any other stays as it is.

    Examples
    --------
    >>> unguarded("'=1+1"), unguarded("'tis")
    ('=1+1', "'tis")
    """
    if not cell.startswith("'"):
        return cell
    text = _ESCAPED.sub(_unescape, cell[1:])
    return text if guarded(text) == cell else cell


def _unescape(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    return chr(int(code, 16)) if code else "\\"


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def ends_inside_a_line(path: Path) -> bool:
    """Whether a plain text file lacks its last line break, as a half-written one may."""
    if path.suffix.lower() == ".gz":
        return False  # gzip carries its length and a checksum
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"


def _split(path: Path, lines: Iterable[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines, delimiter=separator, strict=True)
    while True:
        line = reader.line_num + 1  # a quoted cell may go on over several lines
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(
                path,
                f"the line cannot be cut into cells ({error})",
                "check its quotation marks and line break",
                line=line,
            ) from error
        yield line, cells


def _lines(path: Path, stream: IO[bytes] | None, decoder: Decoder) -> Iterator[str]:
    try:
        require_regular(path)
        with _open(path) if stream is None else nullcontext(stream) as file:
            for number in count(1):
                raw = file.readline(LONGEST_LINE + 1)
                if not raw:
                    return
                if len(raw) > LONGEST_LINE:
                    reason = f"the line is longer than {LONGEST_LINE // 10**6} MB"
                    remedy = "check that the file is not damaged, or use a npy or parquet file"
                    raise InputError(path, reason, remedy, line=number)
                yield decoder.text_of(path, number, raw)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(
            path,
            f"its gzip data cannot be read to the end ({error})",
            "it seems damaged or half-written: copy or compress it again",
        ) from error
    except FileNotFoundError as error:
        raise InputError(path, "there is no such file", "check its name") from error
    except OSError as error:
        raise InputError(
            path, f"it cannot be read ({error.strerror})", "check the file and its permissions"
        ) from error


def _open(path: Path) -> IO[bytes] | gzip.GzipFile:
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rb")
    return path.open("rb")


def _ragged(path: Path, line: int, found: int, width: int) -> InputError:
    cells = "1 cell" if found == 1 else f"{found} cells"
    reason = f"the line has {cells}, expected {width} as in the header"
    if width == 1:
        remedy = "the first line has to hold the names of all columns: remove a title above them"
        return InputError(path, reason, remedy, line=line)
    return InputError(
        path,
        reason,
        "complete the line or remove it"
        if found < width
        else "put text that contains the separator in quotation marks, or remove what is too much",
        line=line,
    )
