"""The texts that the engine and the reference libraries are run on."""

from pathlib import Path

import pytest


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
