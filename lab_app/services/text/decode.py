"""Decodes ids with one tokenizer of the catalog."""

from collections.abc import Sequence
from dataclasses import dataclass

from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab


@dataclass(frozen=True)
class Decoded:
    """What ids decode to. `bytes` is lower-case hex; `text` is None if the bytes are not UTF-8."""

    tokenizer: str
    text: str | None
    bytes: str


@dataclass(frozen=True)
class DecodedBatch:
    """One text per row; bytes that are not UTF-8 become U+FFFD."""

    texts: list[str]


def decode(lab: Lab, id: str, ids: Sequence[int], *, skip_special_tokens: bool = True) -> bytes:
    """The bytes that `ids` stand for, which need not be UTF-8.

    Raises DecodeFailed with the id and its position where one is not in the vocabulary.

    >>> from lab_app.settings import Settings
    >>> decode(Lab(Settings()), "gpt2", [15496, 11, 995])
    b'Hello, world'
    """
    _, tokenizer = lab.loaded.get_any(id)
    with translate_engine_errors():
        return tokenizer.decode_bytes(ids, skip_special_tokens=skip_special_tokens)


def decoded(lab: Lab, id: str, ids: Sequence[int], *, skip_special_tokens: bool = True) -> Decoded:
    """The same as a result. Raises as `decode` does."""
    data = decode(lab, id, ids, skip_special_tokens=skip_special_tokens)
    return Decoded(id, text_of(data), data.hex())


def decode_batch(
    lab: Lab, id: str, batch: Sequence[Sequence[int]], *, skip_special_tokens: bool = True
) -> DecodedBatch:
    """Decodes every row of `batch`. Raises as `decode` does."""
    _, tokenizer = lab.loaded.get_any(id)
    with translate_engine_errors():
        return DecodedBatch(tokenizer.decode_batch(batch, skip_special_tokens=skip_special_tokens))


def text_of(data: bytes) -> str | None:
    """`data` as text, or None where it is not UTF-8.

    >>> text_of(b"\\xe6\\x97") is None
    True
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None
