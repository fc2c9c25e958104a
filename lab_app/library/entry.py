"""What the catalog knows of one tokenizer: plain data, no files, no engine.

Not here: where the data comes from (`known` for those every lab knows, `catalog` for all).
"""

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

from lab_app.library.plugins.discovery import Plugin
from lab_app.library.tokenizer import AnyTokenizer

Origin = Literal["built in", "downloaded", "added", "composed", "plug-in"]


@dataclass(frozen=True)
class HubSource:
    """A repository of a Hugging Face Hub: one file of it, or all that make its tokenizer."""

    repository: str
    revision: str = "main"
    file: str | None = None

    def __str__(self) -> str:
        return f"the Hugging Face Hub ({self.repository})"


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What is known of a tokenizer before it is loaded.

    `engine` is its name in the engine, if that has it built in. `sha256` and `size_bytes` are those of its files. `gated`:
    its owner asks everybody to accept terms first. `checked`: its ids were compared with those of its reference library;
    None for tokenizers that not every lab knows.
    """

    id: str
    name: str
    family: str
    licence: str | None = None
    origin: str | None = None
    sha256: str | None = None
    size_bytes: int | None = None
    engine: str | None = None
    gated: bool = False
    checked: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Known(Facts):
    """A tokenizer every lab knows: built into the engine, `packed` with the lab as `file`, or fetched from one of `sources`.

    With a `sha256` it is one `file` with that digest. Without, its repository decides which files it has. If it is not
    `checked`, the other fields are general knowledge.
    """

    file: str | None = None
    sources: tuple[HubSource, ...] = ()
    packed: bool = False
    checked: bool | None = False

    @property
    def built_in(self) -> bool:
        """Whether it comes with the lab."""
        return self.engine is not None or self.packed

    @property
    def repository(self) -> str | None:
        """The first repository of a Hub that has it, or None."""
        return next((source.repository for source in self.sources), None)


@dataclass(frozen=True)
class RankFile:
    """A published rank file, with the pattern and the special tokens that it does not hold."""

    id: str
    sha256: str
    pattern: str
    special_tokens: dict[str, int]


@dataclass(frozen=True)
class Provenance:
    """Where imported files come from: `origin` in words; the other fields if it is a repository of a Hub."""

    source: Literal["downloaded", "added", "composed"]
    origin: str | None = None
    repository: str | None = None
    revision: str | None = None
    licence: str | None = None
    gated: bool = False


@dataclass(frozen=True)
class TokenizerSummary:
    """What loading a tokenizer shows of it."""

    family: str
    vocab_size: int
    base_vocab_size: int
    special_tokens: dict[str, int]
    stages: dict[str, str]
    changing_stages: list[str] | None
    lossy: str | None
    merge_count: int | None
    truncation: dict[str, Any] | None
    padding: dict[str, Any] | None
    ignored_fields: list[dict[str, str]]
    note: str | None

    @classmethod
    def of(cls, tokenizer: AnyTokenizer) -> "TokenizerSummary":
        """The summary of a loaded tokenizer."""
        return cls(
            family=tokenizer.stages["model"],
            vocab_size=tokenizer.vocab_size,
            base_vocab_size=tokenizer.base_vocab_size,
            special_tokens=dict(sorted(tokenizer.special_tokens.items(), key=lambda item: item[1])),
            stages=dict(tokenizer.stages),
            changing_stages=tokenizer.changing_stages,
            lossy=tokenizer.lossy,
            merge_count=tokenizer.merge_count,
            truncation=tokenizer.truncation,
            padding=tokenizer.padding,
            ignored_fields=[{"place": place, "value": value} for place, value in tokenizer.ignored_fields],
            note=tokenizer.note,
        )

    def as_json(self) -> dict[str, Any]:
        """The fields as they are: what `TokenizerSummary(**...)` takes."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class Entry(Facts):
    """One tokenizer of the catalog. `files` are empty for those in the engine and for those not fetched yet; the first is
    the one to load, the others are its sidecar files. `revision` is the commit of `repository` that they come from."""

    source: Origin
    files: tuple[Path, ...] = ()
    sha256_of_files: tuple[str, ...] = ()
    pattern: str | None = None
    special_tokens: dict[str, int] | None = None
    revision: str | None = None
    repository: str | None = None
    plugin: Plugin | None = None

    @classmethod
    def of_known(cls, known: Known) -> "Entry":
        """The entry of a known tokenizer whose files are not here."""
        facts = {field.name: getattr(known, field.name) for field in fields(Facts)}
        return cls(**facts, source="built in" if known.built_in else "downloaded", repository=known.repository)

    @property
    def available(self) -> bool:
        """Whether it can be loaded now, without fetching anything."""
        return self.engine is not None or self.plugin is not None or bool(self.files)
