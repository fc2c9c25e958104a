"""`sentencepiece` of Google. It reads .model files."""

from typing import Any

from lab_app.benchmarks.engines.engine import Calls, TokenizerFiles

NAME = "sentencepiece"
TITLE = "sentencepiece"
PACKAGE = "sentencepiece"
MODULE = "sentencepiece"


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
