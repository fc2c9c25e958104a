"""Options that several edits have. Each edit's function declares its options in its parameters (`lab_app.options`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from lab_app.options import Option

Tokens = Annotated[Sequence[str | int], Option("Tokens, one per line")]
Blocks = Sequence[str | Mapping[str, Any]]
KeepIds = Annotated[bool | None, Option("Keep IDs")]
Size = Annotated[int, Option("Tokens in all")]
LeastCount = Annotated[int, Option("Least count")]


@dataclass(frozen=True)
class TextsFrom:
    """Where an edit takes texts from: corpora by ID or path, or a text in the recipe."""

    corpus: Annotated[Sequence[str] | None, Option("Corpus")] = None
    languages: Annotated[Sequence[str] | None, Option("Only these languages of it, one per line")] = None
    text: Annotated[str | None, Option("Or a text")] = None


@dataclass(frozen=True)
class OtherTokenizer:
    """Where an edit takes tokens from."""

    tokenizer: Annotated[str, Option("Tokenizer")]
