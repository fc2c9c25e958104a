"""What every tokenizer of the lab can do, whoever wrote it: the engine's, and plug-ins.

Code that needs no more works with both. Not here: what only the engine's can do (`lab_app.engine.Tokenizer`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from lab_app.engine import Specials

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ids = Sequence[int] | NDArray[np.uint32]


class AnyEncoding(Protocol):
    """The tokens of one text; shapes and units as in `lab_app.engine.Encoding`. A plug-in's may have no spans."""

    @property
    def ids(self) -> NDArray[np.uint32]:
        """Shape (n,)."""
        ...

    @property
    def span_utf8(self) -> NDArray[np.uint32]:
        """Shape (n, 2), in the original text."""
        ...

    @property
    def span_char(self) -> NDArray[np.uint32]:
        """Shape (n, 2)."""
        ...

    @property
    def span_utf16(self) -> NDArray[np.uint32]:
        """Shape (n, 2)."""
        ...

    @property
    def flags(self) -> NDArray[np.uint8]:
        """Shape (n,)."""
        ...

    @property
    def type_ids(self) -> NDArray[np.uint8]:
        """Shape (n,)."""
        ...

    @property
    def attention_mask(self) -> NDArray[np.uint8]:
        """Shape (n,)."""
        ...

    @property
    def sequence_ids(self) -> list[int | None]:
        """Which text a token comes from."""
        ...

    @property
    def overflowing(self) -> Sequence[AnyEncoding]:
        """The parts that truncation left over."""
        ...

    @property
    def is_truncated(self) -> bool:
        """Whether there are such parts."""
        ...

    @property
    def pretoken_count(self) -> int | None:
        """None if unknown."""
        ...

    @property
    def split_character_count(self) -> int | None:
        """Characters of the first text that more than one token holds; None if unknown."""
        ...

    def __len__(self) -> int:
        """How many tokens."""
        ...

    def count(self, flag: int, but: int = 0) -> int:
        """The number of tokens that have `flag` and none of the flags `but`."""
        ...


class AnyTokenizer(Protocol):
    """Methods and errors are those of `lab_app.engine.Tokenizer`."""

    def __hash__(self) -> int:
        """Two tokenizers are equal if they are the same object."""
        ...

    @property
    def vocab_size(self) -> int:
        """One more than the largest id."""
        ...

    @property
    def base_vocab_size(self) -> int:
        """Tokens without the special ones."""
        ...

    @property
    def special_tokens(self) -> dict[str, int]:
        """Their ids by text."""
        ...

    @property
    def stages(self) -> dict[str, str]:
        """Each in a few words."""
        ...

    @property
    def changing_stages(self) -> list[str] | None:
        """The stages that can add, change or drop text before the model; None if unknown."""
        ...

    @property
    def merge_count(self) -> int | None:
        """Merges of a BPE model, None for other models."""
        ...

    @property
    def lossy(self) -> str | None:
        """Why decoding may not give the text back."""
        ...

    @property
    def truncation(self) -> dict[str, Any] | None:
        """Truncation as the file sets it, or None."""
        ...

    @property
    def padding(self) -> dict[str, Any] | None:
        """Padding as the file sets it, or None."""
        ...

    @property
    def ignored_fields(self) -> list[tuple[str, str]]:
        """Place and value of the fields of the file that have no effect."""
        ...

    def encode(
        self,
        text: str,
        pair: str | None = None,
        *,
        add_special_tokens: bool = True,
        specials: Specials = "parse",
        truncation: Any = None,
        max_length: Any = None,
        truncation_side: Any = None,
        stride: Any = 0,
        padding: Any = None,
        pad_to_multiple_of: Any = None,
    ) -> AnyEncoding:
        """One text."""
        ...

    def encode_batch(
        self,
        texts: Sequence[str],
        pairs: Sequence[str] | None = None,
        *,
        add_special_tokens: bool = True,
        specials: Specials = "parse",
        truncation: Any = None,
        max_length: Any = None,
        truncation_side: Any = None,
        stride: Any = 0,
        padding: Any = None,
        pad_to_multiple_of: Any = None,
    ) -> Sequence[AnyEncoding]:
        """Many texts."""
        ...

    def encode_ids_batch(
        self, texts: Sequence[str], *, specials: Specials = "text"
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
        """Ids alone, and where each row starts."""
        ...

    def decode_bytes(self, ids: Ids, *, skip_special_tokens: bool = True) -> bytes:
        """Bytes of the text."""
        ...

    def decode_batch(self, batch: Sequence[Sequence[int]], *, skip_special_tokens: bool = True) -> list[str]:
        """Many texts."""
        ...

    def token_bytes(self, id: int) -> bytes:
        """A token's bytes."""
        ...

    def token_text(self, id: int) -> str | None:
        """A token's text, None if its bytes are not whole characters."""
        ...

    def rank(self, id: int) -> int | None:
        """Its merge rank, or None."""
        ...
