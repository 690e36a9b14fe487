"""Formulas as MathML, made at build time by docutils: no script and no font has to be loaded."""

from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml


def _inline(self, node):
    self.body.append(tex2mathml(node.astext()))
    raise SkipNode


def _block(self, node):
    self.body.append(f'<div class="math">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
