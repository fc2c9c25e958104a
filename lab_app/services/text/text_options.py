"""How a text is read: the options that calls about one text hand on. Not here: how long encodings are made (`lengths`)."""

from typing import TypedDict

from lab_app.engine import Specials


class TextOptions(TypedDict, total=False):
    """Keywords of `encode`; what is left out is as its default says."""

    add_special_tokens: bool
    specials: Specials


class ComparedOptions(TextOptions, total=False):
    """Keywords of `compare`."""

    ignore_spaces: bool
