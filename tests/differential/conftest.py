"""The reference libraries, given the same vocabularies as the engine, and the texts both are run on."""

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
import tiktoken
from tiktoken_ext import openai_public


@pytest.fixture(scope="session")
def tiktoken_encoding() -> Callable[[str, dict[bytes, int]], tiktoken.Encoding]:
    """tiktoken's own encoding of a name (its pattern, its special tokens) over ranks given here: no download."""

    def build(name: str, ranks: dict[bytes, int]) -> tiktoken.Encoding:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(openai_public, "load_tiktoken_bpe", lambda *args, **kwargs: ranks)
            return tiktoken.Encoding(**getattr(openai_public, name)())

    return build


def ranks_of(path: Path) -> dict[bytes, int]:
    """A rank file read the simplest way."""
    lines = (line.split() for line in path.read_bytes().splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in lines}


@pytest.fixture(scope="session")
def corpus(shared: Path) -> list[tuple[str, str]]:
    """(name, text) of every file of the corpus, line ends as they are, malformed bytes replaced."""
    files = sorted(path for path in (shared / "corpus").rglob("*") if path.suffix in {".txt", ".md", ".bin", ".json"})
    return [(path.name, path.read_bytes().decode("utf-8", errors="replace")) for path in files]


@pytest.fixture(scope="session")
def corpus_lines(corpus: list[tuple[str, str]]) -> list[str]:
    """Lines of the corpus, of long files every tenth: where a text ends matters to patterns."""
    return [line for _, text in corpus for line in text.split("\n")[:: 10 if len(text) > 200_000 else 1] if line]


def first_difference(text: str, ours: list[int], theirs: list[int]) -> str:
    """Where two lists of ids part, for a failure message."""
    at = next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    return f"token {at}: ours {ours[at : at + 5]}, theirs {theirs[at : at + 5]}, in {text[:300]!r}"
