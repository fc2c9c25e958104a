"""The guide as a site: Sphinx with MyST, which reads these pages as they are, and the theme Furo. `make guide` builds it.

It works without a network, its search too; the lab serves it at `/guide`.
"""

import re
import sys
import tomllib
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any, get_origin, get_type_hints

from docutils import nodes
from sphinx.application import Sphinx

DOCS = Path(__file__).parent
LIGHT, DARK = "-light.png", "-dark.png"

project = "Tokenization Laboratory"
release = version = tomllib.loads(DOCS.parent.joinpath("Cargo.toml").read_text("utf-8"))["workspace"]["package"][
    "version"
]
sys.path.insert(0, str(DOCS))
extensions = ["myst_parser", "sphinx.ext.autodoc", "http_calls"]
myst_heading_anchors = 4
# The Python reference: docstrings as they are, with `code` in single backticks.
default_role = "code"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_type_aliases = {"Specials": "Specials", "Truncation": "Truncation"}
smartquotes = False
html_theme = "furo"
html_title = project
html_favicon = "../lab_ui/icon.svg"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
# The lab's own colours: lab_ui/css/variables.css.
html_theme_options = {
    "light_css_variables": {
        "color-background-primary": "#fbfaf7",
        "color-background-secondary": "#f3f1ec",
        "color-foreground-primary": "#1d1c1a",
        "color-brand-primary": "#2451c4",
        "color-brand-content": "#2451c4",
    },
    "dark_css_variables": {
        "color-background-primary": "#141517",
        "color-background-secondary": "#101113",
        "color-foreground-primary": "#eceae6",
        "color-brand-primary": "#9db8ff",
        "color-brand-content": "#9db8ff",
    },
}


def import_stub() -> None:
    """Puts the stub in the place of the engine, so that the guide needs no compiler. Its constants are empty."""
    sys.path.insert(0, str(DOCS.parent))
    name = "lab_app._engine"
    spec = spec_from_loader(name, SourceFileLoader(name, str(DOCS.parent / "lab_app" / "_engine.pyi")))
    assert spec and spec.loader
    sys.modules[name] = stub = module_from_spec(spec)
    spec.loader.exec_module(stub)
    vars(stub).update({constant: (get_origin(kind) or kind)() for constant, kind in get_type_hints(stub).items()})


import_stub()


def shorten_arrays(*event: Any) -> tuple[str | None, str | None]:
    """The type of an array as the stub has it: numpy writes out what `NDArray` stands for."""
    *_, arguments, returned = event
    pattern = r"ndarray\[tuple\[Any, \.\.\.\], dtype\[(\w+)\]\]"
    arguments, returned = (text and re.sub(pattern, r"NDArray[\1]", text) for text in (arguments, returned))
    return arguments, returned


def show_twins(_app: Sphinx, doctree: nodes.document) -> None:
    """A picture of the light theme has a twin of the dark one beside it: each theme of the site shows its own."""
    for image in list(doctree.findall(nodes.image)):
        if image["uri"].endswith(LIGHT):
            twin = image.deepcopy()
            twin["uri"] = twin["uri"].removesuffix(LIGHT) + DARK
            image["classes"].append("only-light")
            twin["classes"].append("only-dark")
            image.parent.insert(image.parent.index(image) + 1, twin)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("autodoc-process-signature", shorten_arrays)
    app.connect("doctree-read", show_twins, priority=100)  # before the pictures are collected
    return {"parallel_read_safe": True}
