"""The page: content in, one HTML text out, and that text into a file or nothing at all."""

import base64
import hashlib
import os
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from samekind._files import replace_file
from samekind.app.report.content import ReportContent
from samekind.app.report.view import page_view


def render_page(content: ReportContent) -> str:
    """The report as the text of one self-contained HTML file.

    The same content gives the same text, byte for byte.

    Examples
    --------
    >>> import numpy as np
    >>> from samekind.app.report import ReportContent, Snapshot
    >>> last = Snapshot(None, None, np.eye(2))
    >>> content = ReportContent(title="Rows", labels=np.array([0, 1]), names=["a", "b"], last=last)
    >>> page = render_page(content)
    >>> page.splitlines()[0], "<h1>Rows</h1>" in page
    ('<!doctype html>', True)
    """
    return _template().render(page_view(content))


def breakable(name: object) -> Markup:
    """A name that may go on in the next line after a separator, rather than anywhere.

    Examples
    --------
    >>> breakable("dogs/rex_1<2.png")
    Markup('dogs/<wbr>rex_<wbr>1&lt;2.<wbr>png')
    """
    parts = re.split(r"(?<=\w[_/\\-])(?=\w)|(?<=\w\.)(?=[^\W\d])", str(name))
    return Markup("<wbr>").join(escape(part) for part in parts)


def write_page(content: ReportContent, path: str | os.PathLike[str]) -> None:
    """Write the report to ``path``: the whole of it, or nothing.

    The text goes to a temporary name in the same folder, which then takes the place of
    ``path``; an older report stays until the new one is complete.
    """
    replace_file(path, render_page(content))


def column_names(names: Iterable[object]) -> str:
    """Names of columns as CSS variables, for a narrow page where they stand before the values.

    Every character but plain letters and digits is escaped, so that none ends the text.

    Examples
    --------
    >>> column_names(["row", "a;b"])
    '--c1: "row"; --c2: "a\\\\3b b"'
    """
    texts = (re.sub(r"[^a-zA-Z0-9]", lambda m: f"\\{ord(m[0]):x} ", str(name)) for name in names)
    return "; ".join(f'--c{i}: "{text}"' for i, text in enumerate(texts, 1))


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("samekind.app.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"breakable": breakable, "column_names": column_names}
    script = files("samekind.app.report").joinpath("templates/find.js").read_text(encoding="utf-8")
    # The page may run this script and no other, whatever is in names and cells.
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    environment.globals |= {"script": Markup(script), "script_hash": f"sha256-{digest}"}
    return environment.get_template("page.html")
