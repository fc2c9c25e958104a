"""The guide as a site: Sphinx with MyST, which reads these pages as they are, and the theme Furo. `make guide` builds it.

It works without a network, its search too; the lab serves it at `/guide`.
"""

import tomllib
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

DOCS = Path(__file__).parent
LIGHT, DARK = "-light.png", "-dark.png"

project = "Tokenization Laboratory"
release = version = tomllib.loads(DOCS.parent.joinpath("Cargo.toml").read_text("utf-8"))["workspace"]["package"][
    "version"
]
extensions = ["myst_parser"]
myst_heading_anchors = 4
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
    app.connect("doctree-read", show_twins, priority=100)  # before the pictures are collected
    return {"parallel_read_safe": True}
