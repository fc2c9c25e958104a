"""The library `sentencepiece` of Google. It reads `.model` files."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lab_app.engine import Specials
from lab_app.references.reference import Material

if TYPE_CHECKING:
    import sentencepiece

PACKAGE = "sentencepiece"
# It never makes a control symbol of a text.
SPECIALS: tuple[Specials, ...] = ("text",)
FIRST_BYTE = b"\n"
"""Of a SentencePiece model, a protocol buffer whose first field is its list of pieces; rank files start with base64."""


class SentencePieceReference:
    """A model in `sentencepiece`."""

    def __init__(self, processor: "sentencepiece.SentencePieceProcessor", read_from: str) -> None:
        self._processor = processor
        self.read_from = read_from

    def encode_batch(self, texts: Sequence[str], specials: Specials) -> list[list[int]]:
        """See `Reference`. `specials` has one value, so it is not looked at."""
        del specials
        found: list[list[int]] = self._processor.encode(list(texts), num_threads=1)
        return found


def misfit(material: Material) -> str | None:
    """See `Adapter`."""
    if len(material.files) != 1 or material.pattern is not None:
        return "sentencepiece reads one .model file, and this tokenizer has other files"
    with material.files[0].open("rb") as stream:
        if stream.read(1) != FIRST_BYTE or material.files[0].suffix not in {".model", ".spm"}:
            return f"{material.files[0].name} is no SentencePiece model"
    return None


def load(material: Material) -> SentencePieceReference:
    """See `Adapter`."""
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor()
    processor.load(str(material.files[0]))
    return SentencePieceReference(processor, f"its own {material.files[0].name}")
