"""The recipe that somebody is trying out: its base as data, and its tokenizer, as long as neither changes.

Of a recipe one block changes at a time, or only the text: then the base is not written out again, or nothing is made again.
One recipe is held, with its base: a large one takes some hundred megabytes.
"""

import threading
from typing import Any

from lab_app import engine
from lab_app.library.catalog import Catalog, try_composing
from lab_app.library.compose import Recipe
from lab_app.library.tokenizer import AnyTokenizer
from lab_app.services.loaded import LoadedTokenizers


class Composed:
    """Makes tokenizers of recipes; the last one is kept. Threads may share it."""

    def __init__(self, catalog: Catalog, loaded: LoadedTokenizers) -> None:
        self._catalog = catalog
        self._loaded = loaded
        self._lock = threading.Lock()
        self._base: tuple[AnyTokenizer, dict[str, Any]] | None = None
        self._made: tuple[AnyTokenizer, Recipe, engine.Tokenizer] | None = None

    def get(self, recipe: Recipe) -> engine.Tokenizer:
        """The tokenizer of a recipe. Raises what loading the base raises; BadValue and LoadFailed for the recipe."""
        entry, base = self._loaded.get_any(recipe.base)
        with self._lock:
            if self._made is not None and self._made[0] is base and self._made[1] == recipe:
                return self._made[2]
            if self._base is None or self._base[0] is not base:
                self._base = base, self._catalog.definition(entry, base)
            made = try_composing(self._base[1], recipe)
            self._made = base, recipe, made
        return made
