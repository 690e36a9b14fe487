"""The documentation site: `make docs` builds it from the markdown here, without network."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

from gallery import place
from sphinx_gallery.sorting import FunctionSortKey

from samekind import __version__

project = "samekind"
author = "the samekind developers"
copyright = "the samekind developers, BSD-3-Clause"
version = release = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "pages",
    "reference",
    "mathml",
]
exclude_patterns = ["_build", "_extensions", "auto_examples/*.ipynb"]
nitpicky = False
suppress_warnings = ["config.cache"]  # the order of the gallery is a function

# Markdown
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

# Reference
autosummary_generate = False  # the pages are written by _extensions/reference.py
autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

# Examples
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "auto_examples",
    "backreferences_dir": "generated/backreferences",
    "doc_module": ("samekind",),
    "reference_url": {},
    "within_subsection_order": FunctionSortKey(place),
    "capture_repr": ("_repr_html_",),
    "only_warn_on_example_error": False,
    "abort_on_example_error": True,
    "show_memory": False,
    "show_signature": False,
    "remove_config_comments": True,
    "write_computation_times": False,
    "min_reported_time": 0,
    "image_scrapers": ("matplotlib",),
}

# Look
html_theme = "pydata_sphinx_theme"
html_title = "samekind"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_logo = html_favicon = "_static/samekind.svg"
html_show_sourcelink = False
html_copy_source = False
html_math_renderer = "mathml"
html_context = {
    "default_mode": "auto",
    "github_user": "samekind",
    "github_repo": "samekind",
    "github_version": "main",
    "doc_path": "docs",
}
html_theme_options = {
    "logo": {"text": "samekind"},
    "github_url": "https://github.com/samekind/samekind",
    "header_links_before_dropdown": 7,
    "navbar_align": "left",
    "show_nav_level": 1,
    "navigation_depth": 3,
    "show_toc_level": 2,
    "navbar_persistent": ["search-button"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {key: [] for key in ("index", "start", "own_data", "choose")}
