"""What another library is to the lab: which tokenizers it reads, and the calls to time or to compare.

One module of this folder per library has the names of `Engine`; `registry` lists them. A module imports its library inside
`load`, in the process that is measured; by name (`import_module`), if it is no dependency of the lab.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Ids = Any
"""The ids of one text as an engine returns them: a list of int, or an array with `tolist`."""


@dataclass(frozen=True)
class TokenizerFiles:
    """The files that hold a tokenizer, as paths, in every format that is there or that the lab could write."""

    tokenizer: str
    """Its id."""
    file: str | None = None
    """The file that the lab loads; None if its engine has the tokenizer."""
    builtin: str | None = None
    """The name of a tokenizer inside the lab's engine."""
    pattern: str | None = None
    """The name of the split pattern of a rank file or of a tokenizer inside the engine."""
    special_tokens: dict[str, int] = field(default_factory=dict)
    rank_file: str | None = None
    sentencepiece_model: str | None = None
    tokenizer_json: str | None = None
    vocab_txt: str | None = None
    """Of WordPiece."""
    written: tuple[str, ...] = ()
    """The paths above that the lab wrote from the tokenizer's own files."""

    def origin(self, path: str) -> str:
        """Where a file comes from, in words.

        >>> TokenizerFiles("gpt2", tokenizer_json="/tmp/tokenizer.json").origin("/tmp/tokenizer.json")
        'its own tokenizer.json'
        """
        name = path.replace("\\", "/").rpartition("/")[2]
        return f"a {name} that the lab wrote" if path in self.written else f"its own {name}"


class TimedTokenizer(Protocol):
    """What reports the time of its stages: the engine's tokenizer, or a simulation in tests."""

    def encode_timed(
        self, texts: Sequence[str], *, path: Literal["fast", "stages"], spans: bool
    ) -> "tuple[list[NDArray[np.uint32]], NDArray[np.uint64], Any]":
        """See `_engine.pyi`."""
        ...

    def encode_ids(self, text: str) -> "NDArray[np.uint32]":
        """See `_engine.pyi`."""
        ...


@dataclass(frozen=True)
class Calls:
    """A loaded tokenizer: the calls to time. Special tokens are not added, and text that spells one is ordinary text."""

    read_from: str
    """What it was built from, in words."""
    ids: Callable[[str], Ids]
    """The ids of a text, as quickly as Python code can get them."""
    lists: Callable[[str], list[int]] | None = None
    """The same as a list of int. None: `ids` returns that, or an array to call `tolist` of."""
    batch: Callable[[list[str]], Any] | None = None
    """The ids of many texts, with the threads that `load` was given. None: the engine has no such call."""
    rows: Callable[[Any], Iterable[Ids]] = iter
    """The ids of each text, of what `batch` returned. Not timed."""
    spans: Callable[[str], tuple[Ids, Any]] | None = None
    """Ids and spans. None: the engine has no spans."""
    batch_spans: Callable[[list[str]], Sequence[tuple[Ids, Any]]] | None = None
    parsed: Callable[[list[str]], list[list[int]]] | None = None
    """As `batch`, but text that spells a special token is one. None: the engine cannot."""
    timed: "TimedTokenizer | None" = None
    """For the time of each stage. None: the engine does not report it."""


class Engine(Protocol):
    """A module of this folder."""

    NAME: str
    """What users call it."""
    TITLE: str
    PACKAGE: str
    """Its name in the package index."""
    MODULE: str
    """The name it is imported under."""

    def misfit(self, files: TokenizerFiles) -> str | None:
        """Why it cannot read the tokenizer; None if it can. Imports no library."""
        ...

    def load(self, files: TokenizerFiles, threads: int) -> Calls:
        """The tokenizer. Raises what the library raises."""
        ...
