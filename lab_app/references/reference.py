"""What a reference library is to the lab: which tokenizers it can read, and the ids it gives.

One file per library next to this one; `registry` lists them. Not here: comparing (`lab_app.services.analyses.conformance`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from lab_app.engine import Specials, Tokenizer


@dataclass(frozen=True)
class Material:
    """What a reference can be built from: the files of a tokenizer, and the engine's tokenizer for what no file holds."""

    tokenizer: Tokenizer
    files: tuple[Path, ...] = ()
    """The file to load first, then its sidecar files; empty for a tokenizer inside the engine."""
    pattern: str | None = None
    """The name of the split pattern of a rank file or of a tokenizer inside the engine."""
    special_tokens: dict[str, int] = field(default_factory=dict)


class Reference(Protocol):
    """One tokenizer in a reference library."""

    read_from: str
    """What it was built from, in words."""

    def encode_batch(self, texts: Sequence[str], specials: Specials) -> list[list[int]]:
        """The ids of each text, without added special tokens. Raises whatever the library raises."""
        ...


class Adapter(Protocol):
    """One reference library: a module of this package has these names."""

    PACKAGE: str
    """Its name, both to import it and in the package index."""
    SPECIALS: tuple[Specials, ...]
    """The readings of text that looks like a special token which the library has; the first is its default."""

    def misfit(self, material: Material) -> str | None:
        """Why the library cannot read this tokenizer; None if it can. Imports nothing."""
        ...

    def load(self, material: Material) -> Reference:
        """The same tokenizer in the library. Raises ImportError if it is not installed, and what the library raises."""
        ...
