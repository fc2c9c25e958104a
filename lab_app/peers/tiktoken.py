"""`tiktoken` of OpenAI. It reads rank files; pattern and special tokens come from `tiktoken`, which has them by name."""

import base64
import importlib
import types
from pathlib import Path
from typing import Any

from lab_app.peers.peer import Calls, TokenizerFiles

NAME = "tiktoken"
TITLE = "tiktoken"
PACKAGE = "tiktoken"
MODULE = "tiktoken"
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


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    if files.rank_file is None or files.pattern is None:
        return "tiktoken reads rank files, and this tokenizer has none"
    return None if files.pattern in OWN_NAMES else f'tiktoken has no split pattern called "{files.pattern}"'


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    import tiktoken

    assert files.rank_file is not None and files.pattern is not None
    settings = settings_of(OWN_NAMES[files.pattern], ranks_of(files.rank_file))
    if files.special_tokens:
        settings["special_tokens"] = files.special_tokens
    settings.pop("explicit_n_vocab", None)
    encoding = tiktoken.Encoding(**settings)

    def spans(text: str) -> tuple[Any, Any]:
        ids = encoding.encode_ordinary(text)
        return ids, encoding.decode_with_offsets(ids)[1]

    return Calls(
        read_from=f"{files.origin(files.rank_file)}, with the pattern of tiktoken",
        ids=encoding.encode_ordinary,
        batch=lambda texts: encoding.encode_ordinary_batch(texts, num_threads=threads),
        spans=spans,
        parsed=lambda texts: encoding.encode_batch(texts, num_threads=threads, allowed_special="all"),
    )


def ranks_of(file: Path | str) -> dict[bytes, int]:
    """The ranks of a rank file: a token in base64, a space and its rank per line."""
    lines = (line.split() for line in Path(file).read_bytes().splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in lines}


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
