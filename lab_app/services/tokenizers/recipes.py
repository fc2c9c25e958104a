"""Recipes: the names of their blocks, the tokens of a text under one, and keeping one as a tokenizer.

While a recipe is edited, one block changes at a time, or only the text. So the base's definition and the last tokenizer
stay in memory: one of each, since a large one takes some hundred megabytes. Not here: what a recipe is
(`lab_app.library.recipe`).
"""

import time
from dataclasses import dataclass
from typing import Any

from lab_app import engine
from lab_app.library.adding import add_composed
from lab_app.library.definition import base_definition
from lab_app.library.entry import Entry
from lab_app.library.importing import check_id
from lab_app.library.recipe import NORMALIZERS, PRETOKENIZERS, Recipe, composed
from lab_app.library.tokenizer import AnyTokenizer
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.text.encode import refuse_surrogates
from lab_app.services.text.results import Result

PREVIEW = "preview"


@dataclass(frozen=True)
class Blocks:
    """The names of the blocks that stages are composed from."""

    normalizers: list[str]
    pretokenizers: list[str]


def blocks() -> Blocks:
    """All blocks.

    >>> blocks().normalizers[:2]
    ['NFC', 'NFD']
    """
    return Blocks(list(NORMALIZERS), list(PRETOKENIZERS))


def keep(lab: Lab, recipe: Recipe, id: str) -> Entry:
    """Adds the tokenizer of a recipe as `id`.

    Raises BadValue and LoadFailed if the parts do not fit together, Conflict if the id is taken, NotFound for the base.
    """
    check_id(id)
    entry, base = lab.loaded.get_any(recipe.base)
    return add_composed(lab.catalog, recipe, _definition(lab, entry, base), id)


def preview(lab: Lab, recipe: Recipe, text: str) -> Result:
    """The tokens of `text` under the tokenizer of a recipe, which is not added.

    Raises BadValue and LoadFailed if the parts do not fit together, NotFound for the base.

    >>> from lab_app.settings import Settings
    >>> preview(Lab(Settings()), Recipe("gpt2", normalizers=({"type": "Lowercase"},)), "HELLO").ids.tolist()
    [31373]
    """
    refuse_surrogates(text)
    tokenizer = _tokenizer(lab, recipe)
    with translate_engine_errors():
        begin = time.perf_counter_ns()
        # Special tokens are parsed: a recipe may add some, and this shows what they match.
        encoding = tokenizer.encode(text, specials="parse")
        elapsed_ns = time.perf_counter_ns() - begin
    return Result(PREVIEW, tokenizer, text, None, encoding, elapsed_ns)


def _tokenizer(lab: Lab, recipe: Recipe) -> engine.Tokenizer:
    entry, base = lab.loaded.get_any(recipe.base)
    return lab.recipes.get((base, recipe.key), lambda: composed(_definition(lab, entry, base), recipe))


def _definition(lab: Lab, entry: Entry, base: AnyTokenizer) -> dict[str, Any]:
    return lab.definitions.get(base, lambda: base_definition(entry, base))
