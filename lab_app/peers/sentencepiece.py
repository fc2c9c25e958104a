"""`sentencepiece` of Google. It reads .model files."""

from pathlib import Path
from typing import Any

from lab_app.peers.peer import Calls, TokenizerFiles

NAME = "sentencepiece"
TITLE = "sentencepiece"
PACKAGE = "sentencepiece"
MODULE = "sentencepiece"
FIRST_BYTE = b"\n"
"""Of a model, a protocol buffer whose first field is its list of pieces; rank files start with base64."""


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    return None if files.sentencepiece_model else "sentencepiece reads .model files, and this tokenizer has none"


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_file=files.sentencepiece_model)

    def spans(text: str) -> tuple[Any, Any]:
        found = processor.encode(text, out_type="offset_mapping")
        return found["ids"], found["offsets"]

    return Calls(
        read_from=files.origin(files.sentencepiece_model or ""),
        ids=processor.encode,
        batch=lambda texts: processor.encode(texts, num_threads=threads),
        spans=spans,
        batch_spans=lambda texts: [
            (found["ids"], found["offsets"])
            for found in processor.encode(texts, out_type="offset_mapping", num_threads=threads)
        ],
    )


def is_model(file: Path) -> bool:
    """Whether a file is a SentencePiece model, by its suffix and its first byte."""
    if file.suffix not in {".model", ".spm"}:
        return False
    with file.open("rb") as stream:
        return stream.read(1) == FIRST_BYTE
