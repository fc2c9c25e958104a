"""The library `tokenizers` of Hugging Face. It reads tokenizer.json; other formats are written as one by the engine first."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lab_app.engine import SaveError, Specials
from lab_app.files import temporary_folder
from lab_app.references import sentencepiece_library
from lab_app.references.reference import Material

if TYPE_CHECKING:
    import tokenizers

PACKAGE = "tokenizers"
SPECIALS: tuple[Specials, ...] = ("parse", "text")
FILE = "tokenizer.json"


class HuggingFaceReference:
    """A tokenizer.json in `tokenizers`, without the truncation and padding of the file."""

    def __init__(self, tokenizer: "tokenizers.Tokenizer", read_from: str) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.read_from = read_from

    def encode_batch(self, texts: Sequence[str], specials: Specials) -> list[list[int]]:
        """See `Reference`."""
        self._tokenizer.encode_special_tokens = specials == "text"
        found = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [encoding.ids for encoding in found]


def misfit(material: Material) -> str | None:
    """See `Adapter`."""
    if _own_file(material) is not None:
        return None
    if sentencepiece_library.misfit(material) is None:
        # Converted, ties between equally good segmentations are broken otherwise.
        return "sentencepiece reads its file itself; a converted one gives other IDs for some texts"
    try:
        with temporary_folder() as folder:
            material.tokenizer.to_file(folder / FILE)
    except SaveError as error:
        return f"a tokenizer.json cannot hold it: {error}"
    return None


def load(material: Material) -> HuggingFaceReference:
    """See `Adapter`."""
    import tokenizers

    own = _own_file(material)
    if own is not None:
        return HuggingFaceReference(tokenizers.Tokenizer.from_file(str(own)), f"its own {FILE}")
    with temporary_folder() as folder:
        written = folder / FILE
        material.tokenizer.to_file(written)
        return HuggingFaceReference(
            tokenizers.Tokenizer.from_file(str(written)), f"a {FILE} that the lab wrote from its files"
        )


def _own_file(material: Material) -> Path | None:
    """Its tokenizer.json if that is its only file: sidecar files, which `tokenizers` does not read, may change tokens."""
    return material.files[0] if [file.name for file in material.files] == [FILE] else None
