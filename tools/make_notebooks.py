"""Write examples/notebooks anew from the scripts of the same name; they hold no output.

python tools/make_notebooks.py
"""

import json
import sys
from pathlib import Path

from sphinx_gallery.gen_gallery import DEFAULT_GALLERY_CONF
from sphinx_gallery.notebook import jupyter_notebook
from sphinx_gallery.py_source_parser import split_code_and_text_blocks

EXAMPLES = Path(__file__).parents[1] / "examples"
NAMES = ("plot_customer_table", "plot_n_clusters")


def notebook(name: str) -> str:
    """The script as a notebook: texts become markdown, cells stay cells."""
    script = EXAMPLES / f"{name}.py"
    _, blocks = split_code_and_text_blocks(str(script))
    content = jupyter_notebook(blocks, DEFAULT_GALLERY_CONF, str(EXAMPLES))
    content["metadata"]["language_info"] = {"name": "python"}
    return json.dumps(content, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    (EXAMPLES / "notebooks").mkdir(exist_ok=True)
    for name in NAMES:
        path = EXAMPLES / "notebooks" / f"{name.removeprefix('plot_')}.ipynb"
        path.write_text(notebook(name), encoding="utf-8")
        sys.stdout.write(f"{path}\n")
