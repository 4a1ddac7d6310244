"""How Sphinx builds the documentation; `make docs` runs it. Nothing is fetched from anywhere."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from qttt_circuits import __version__

logging.getLogger("qiskit").setLevel(logging.WARNING)  # some modules compile when imported

project = "qttt_circuits"
author = "The qttt_circuits authors"
project_copyright = author
version = release = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "myst_parser",
    "sphinx_click",
    "api_pages",
    "names",
    "registries",
]
exclude_patterns = ["_ext"]
nitpicky = True
smartquotes = False  # two minus signs are an option, and quotes are typed
default_role = "name"

html_theme = "furo"
html_title = f"{project} {version}"
html_copy_source = False

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints = "description"
autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
autodoc_default_options = {"members": True, "ignore-module-all": True, "show-inheritance": True}
napoleon_numpy_docstring = False
napoleon_use_ivar = True

myst_heading_anchors = 3
