"""The library `tiktoken` of OpenAI. It reads rank files; pattern and special tokens come from `tiktoken` where it has them."""

import base64
import importlib
import types
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab_app.engine import Specials
from lab_app.references.reference import Material

if TYPE_CHECKING:
    import tiktoken

PACKAGE = "tiktoken"
SPECIALS: tuple[Specials, ...] = ("text", "parse")
OWN_NAMES = {
    "gpt2": "r50k_base",
    "r50k_base": "r50k_base",
    "p50k_base": "p50k_base",
    "p50k_edit": "p50k_edit",
    "cl100k_base": "cl100k_base",
    "o200k_base": "o200k_base",
    "o200k_harmony": "o200k_harmony",
}
"""The encodings whose pattern and special tokens `tiktoken` has, by the names of the engine."""


class TiktokenReference:
    """An encoding of `tiktoken`."""

    def __init__(self, encoding: "tiktoken.Encoding", read_from: str) -> None:
        self._encoding = encoding
        self.read_from = read_from

    def encode_batch(self, texts: Sequence[str], specials: Specials) -> list[list[int]]:
        """See `Reference`."""
        if specials == "parse":
            return self._encoding.encode_batch(list(texts), num_threads=1, allowed_special="all")
        return self._encoding.encode_ordinary_batch(list(texts), num_threads=1)


def misfit(material: Material) -> str | None:
    """See `Adapter`."""
    if material.pattern is None:
        return "tiktoken reads rank files, and this tokenizer has none"
    if material.pattern not in OWN_NAMES:
        return f'tiktoken has no split pattern called "{material.pattern}"'
    if material.files and len(material.files) != 1:
        return "a rank file is one file, and this tokenizer has several"
    return None


def load(material: Material) -> TiktokenReference:
    """See `Adapter`."""
    import tiktoken

    name = OWN_NAMES[material.pattern or ""]
    if material.files:
        ranks, source = ranks_of(material.files[0]), f"its own {material.files[0].name}"
    else:
        ranks, source = _ordinary_tokens(material), "the ranks inside the engine"
    settings = settings_of(name, ranks)
    if material.special_tokens:
        settings["special_tokens"] = material.special_tokens
    settings.pop("explicit_n_vocab", None)
    return TiktokenReference(tiktoken.Encoding(**settings), f"{source}, with tiktoken's pattern of {name}")


def ranks_of(file: Path | str) -> dict[bytes, int]:
    """The ranks of a rank file: a token in base64, a space and its rank per line."""
    lines = (line.split() for line in Path(file).read_bytes().splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in lines}


def _ordinary_tokens(material: Material) -> dict[bytes, int]:
    special = set(material.tokenizer.special_tokens.values())
    return {token: id for token, id in material.tokenizer.vocab().items() if id not in special}


def settings_of(name: str, ranks: dict[bytes, int]) -> dict[str, Any]:
    """tiktoken's own settings of an encoding, over these ranks.

    Its functions would download the ranks, so copies of them run with another loader; the module itself stays as it is.
    """
    names = dict(vars(importlib.import_module("tiktoken_ext.openai_public")))
    for each, function in list(names.items()):
        if isinstance(function, types.FunctionType):
            names[each] = types.FunctionType(function.__code__, names, each)
    names["load_tiktoken_bpe"] = lambda *_, **__: ranks
    settings: dict[str, Any] = names[name]()
    return settings
