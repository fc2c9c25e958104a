"""Tokenizers put together from the model of one and stages of the user's choice: trying one out.

Not here: keeping one (`lab_app.services.tokenizers.compose`), what a recipe is (`lab_app.library.compose`).
"""

import time

from lab_app.analysis.positions import Positions
from lab_app.library.compose import NORMALIZERS, PRETOKENIZERS, Recipe
from lab_app.services.encode import refuse_surrogates
from lab_app.services.engine_errors import errors_of_the_engine
from lab_app.services.lab import Lab
from lab_app.services.results import Result

PREVIEW = "preview"


def blocks() -> dict[str, list[str]]:
    """The names of the blocks that stages are put together from.

    >>> blocks()["normalizers"][:2]
    ['NFC', 'NFD']
    """
    return {"normalizers": list(NORMALIZERS), "pretokenizers": list(PRETOKENIZERS)}


def preview(lab: Lab, recipe: Recipe, text: str) -> Result:
    """The tokens of `text` under the tokenizer of a recipe, of which nothing is kept.

    Raises BadValue and LoadFailed where the parts do not go together, NotFound for the base.

    >>> from lab_app.settings import Settings
    >>> preview(Lab(Settings()), Recipe("gpt2", normalizers=({"type": "Lowercase"},)), "HELLO").ids.tolist()
    [31373]
    """
    refuse_surrogates(text)
    tokenizer = lab.composed.get(recipe)
    with errors_of_the_engine():
        begin = time.perf_counter_ns()
        # Special tokens are parsed: a recipe may add some, and this shows what they match.
        encoding = tokenizer.encode(text, specials="parse")
        elapsed_ns = time.perf_counter_ns() - begin
    return Result(PREVIEW, tokenizer, text, None, Positions(text), encoding, elapsed_ns)
