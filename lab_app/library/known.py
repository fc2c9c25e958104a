"""Reads the data files of this folder: the tokenizers every lab knows. The engine knows published rank files.

`builtin.toml` is written by hand. `builtin_summaries.json` holds the summary of each tokenizer that comes with the lab, so
that a list loads none of them; `python -m tools.builtin_summaries` writes it anew, and a test compares it with the tokenizers.
"""

import functools
import json
import tomllib
from importlib.resources import files
from typing import Any

from lab_app import engine
from lab_app.library.entry import HubSource, Known, RankFile, TokenizerSummary

SUMMARIES = "builtin_summaries.json"


@functools.cache
def known_tokenizers() -> tuple[Known, ...]:
    """In the order they are shown.

    >>> [known.id for known in known_tokenizers()][:4]
    ['gpt2', 'cl100k_base', 'o200k_base', 'bert-base-uncased']
    """
    return tuple(
        Known(**{**table, "sources": tuple(HubSource(**source) for source in table.get("sources", ()))})
        for table in _document()["tokenizer"]
    )


def known_tokenizer(id: str) -> Known | None:
    """The known tokenizer of that id, whatever its capitals, or None."""
    return next((known for known in known_tokenizers() if known.id.lower() == id.lower()), None)


def tokenizer_of_model(name: str) -> str | None:
    """The id of the tokenizer that a model of that name uses, whatever its capitals; None for an unknown model.

    >>> tokenizer_of_model("gpt-4o-2024-08-06"), tokenizer_of_model("GPT-4"), tokenizer_of_model("gpt-9")
    ('o200k_base', 'cl100k_base', None)
    """
    models = {each: id for id, names in _document()["models"].items() for each in names}
    name = name.lower()
    beginnings = [each for each in models if each.endswith("-") and name.startswith(each)]
    return models.get(name) or models.get(max(beginnings, key=len, default=""))


@functools.cache
def builtin_summaries() -> dict[str, TokenizerSummary]:
    """The summaries of the tokenizers that come with the lab, by id.

    >>> builtin_summaries()["gpt2"].vocab_size
    50257
    """
    summaries = json.loads(files("lab_app.library").joinpath(SUMMARIES).read_text("utf-8"))
    return {id: TokenizerSummary(**summary) for id, summary in summaries.items()}


def rank_file(sha256: str) -> RankFile | None:
    """What is known of the published rank file with that sha256 (lower-case hex), or None.

    >>> rank_file("94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069").special_tokens
    {'<|endoftext|>': 50256}
    """
    found = engine.published_rank_file(sha256)
    return None if found is None else RankFile(found[0], sha256, *found[1:])


@functools.cache
def _document() -> dict[str, Any]:
    return tomllib.loads(files("lab_app.library").joinpath("builtin.toml").read_text("utf-8"))
