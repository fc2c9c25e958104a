"""The Tokenization Laboratory: backend, command line and desktop shell around the Rust engine.

CONTRIBUTING.md has the layers, and which of them may import which. Importing any module has no side effect.
"""

from typing import Any

TRAINERS = ("train_bpe", "train_character", "train_unigram", "train_wordlevel", "train_wordpiece")


def __getattr__(name: str) -> Any:
    """`lab_app.train_bpe` and its kin, imported when they are asked for."""
    if name in TRAINERS:
        from importlib import import_module

        return getattr(import_module("lab_app.training"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
