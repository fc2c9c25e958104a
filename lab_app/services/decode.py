"""Decodes ids with one tokenizer of the catalog."""

from collections.abc import Sequence

from lab_app.services.engine_errors import errors_of_the_engine
from lab_app.services.lab import Lab


def decode(lab: Lab, id: str, ids: Sequence[int], *, skip_special_tokens: bool = True) -> bytes:
    """The bytes that `ids` stand for, which need not be UTF-8.

    Raises DecodeFailed with the id and its position where one is not in the vocabulary.

    >>> from lab_app.settings import Settings
    >>> decode(Lab(Settings()), "gpt2", [15496, 11, 995])
    b'Hello, world'
    """
    _, tokenizer = lab.loaded.get_any(id)
    with errors_of_the_engine():
        return tokenizer.decode_bytes(ids, skip_special_tokens=skip_special_tokens)


def decode_batch(lab: Lab, id: str, batch: Sequence[Sequence[int]], *, skip_special_tokens: bool = True) -> list[str]:
    """One text per row; bytes that are not UTF-8 become U+FFFD. Raises as `decode` does."""
    _, tokenizer = lab.loaded.get_any(id)
    with errors_of_the_engine():
        return tokenizer.decode_batch(batch, skip_special_tokens=skip_special_tokens)


def text_of(data: bytes) -> str | None:
    """`data` as text, or None where it is not UTF-8.

    >>> text_of(b"\\xe6\\x97") is None
    True
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None
