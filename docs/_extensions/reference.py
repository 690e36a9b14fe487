"""A page for every public name; api.md links to them, and lists them beside itself.

api.md lists the names in lines "- `Name`: what it is" below headings "## module"; a test compares
it with what the modules export.
"""

import inspect
import re
from enum import Enum
from importlib import import_module

from pages import ROOT

FOLDER = ROOT / "docs" / "generated"
ENTRY = re.compile(r"^- ((?:`\w+`(?:, )?)+): ", re.M)


def public_names():
    """The names of api.md by module."""
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    sections = re.split(r"^## (samekind[\w.]*)\n", text, flags=re.M)[1:]
    return {
        module: [name for names in ENTRY.findall(body) for name in re.findall(r"`(\w+)`", names)]
        for module, body in zip(sections[::2], sections[1::2], strict=True)
    }


def write_pages(app):
    """Write the pages; those that stay as they are keep their time."""
    FOLDER.mkdir(exist_ok=True)
    pages, seen = {}, []
    for module, names in public_names().items():
        for name in names:
            value = getattr(import_module(module), name)
            again = any(value is other for other in seen)  # the first page is in the index
            pages[FOLDER / f"{module}.{name}.rst"] = page(module, name, value, again)
            seen.append(value)
    for path in set(FOLDER.glob("*.rst")) - set(pages):
        path.unlink()
    for path, text in pages.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def page(module, name, value, again):
    """The page of one name."""
    title = f"{module}.{name}" if name.startswith("_") else name
    lines = [title, "=" * len(title), "", f".. currentmodule:: {module}", ""]
    if inspect.isclass(value):
        kind = "autoexception" if issubclass(value, Exception) else "autoclass"
        own, inherited = members(value)
    else:
        kind = "autofunction" if callable(value) else "autodata"
        own, inherited = [], []
    lines += [f".. {kind}:: {name}"]
    lines += ["   :no-index:"] if again else []
    lines += [f"   :members: {', '.join(own)}"] if own else []
    if own and issubclass(value, Enum):
        for member in value:
            lines += ["", f"``{member.name}``", "    " + member.value.replace("_", r"\_")]
    if inherited:
        lines += ["", f"From scikit-learn: {', '.join(f'``{one}``' for one in inherited)}."]
    lines += ["", f".. minigallery:: {module}.{name}", "   :add-heading: In the gallery", ""]
    return "\n".join(lines)


def members(cls):
    """Names of the methods and properties that this package wrote, and of those it inherits."""
    own, inherited = [], []
    for name in dict.fromkeys(name for base in cls.__mro__ for name in vars(base)):
        value = inspect.getattr_static(cls, name)
        value = getattr(value, "fget", None) or getattr(value, "__func__", value)
        home = getattr(value, "__module__", None) or type(value).__module__
        if name.startswith("_") or not (callable(value) or hasattr(value, "__get__")):
            continue
        if home.startswith("samekind") and value.__doc__:
            own.append(name)
        elif home.startswith("sklearn"):
            inherited.append(name)
    return own, sorted(inherited)


def escape(app, what, name, obj, options, lines):
    """Docstrings are plain text: norms such as |x| are no substitutions, x_ no references."""
    for place, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            parts = re.split(r"(``.*?``)", line)
            parts[::2] = [re.sub(r"\||_(?=,?\))", r"\\\g<0>", part) for part in parts[::2]]
            lines[place] = "".join(parts)


def link_names(app, docname, source):
    """In api.md, every name leads to its page."""
    if docname != "api":
        return
    sections = re.split(r"^## (samekind[\w.]*)\n", source[0], flags=re.M)
    text, names = sections[0], public_names()
    for module, body in zip(sections[1::2], sections[2::2], strict=True):
        link = rf"[`\1`](generated/{module}.\1.rst)"
        body = ENTRY.sub(lambda entry, link=link: re.sub(r"`(\w+)`", link, entry.group()), body)
        pages = "\n".join(f"generated/{module}.{name}" for name in names[module])
        contents = f"```{{toctree}}\n:hidden:\n:caption: {module}\n\n{pages}\n```\n"
        text += f"## {module}\n{body.rstrip()}\n\n{contents}\n"
    source[0] = text


def setup(app):
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-process-docstring", escape, priority=400)  # before numpydoc
    app.connect("source-read", link_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
