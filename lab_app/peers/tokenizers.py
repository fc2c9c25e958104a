"""`tokenizers` of Hugging Face. It reads tokenizer.json."""

from typing import Any

from lab_app.peers.peer import Calls, TokenizerFiles

NAME = "tokenizers"
TITLE = "tokenizers"
PACKAGE = "tokenizers"
MODULE = "tokenizers"


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    return None if files.tokenizer_json else "tokenizers reads tokenizer.json, which cannot hold this tokenizer"


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`. Its number of threads is set for the whole process, before it is imported."""
    import tokenizers

    assert files.tokenizer_json is not None
    tokenizer = tokenizers.Tokenizer.from_file(files.tokenizer_json)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True

    def spans(text: str) -> tuple[Any, Any]:
        encoding = tokenizer.encode(text, add_special_tokens=False)
        return encoding.ids, encoding.offsets

    def batch(texts: list[str]) -> list[list[int]]:
        return [one.ids for one in tokenizer.encode_batch_fast(texts, add_special_tokens=False)]

    def batch_spans(texts: list[str]) -> list[tuple[Any, Any]]:
        return [(one.ids, one.offsets) for one in tokenizer.encode_batch(texts, add_special_tokens=False)]

    def parsed(texts: list[str]) -> list[list[int]]:
        tokenizer.encode_special_tokens = False
        try:
            return batch(texts)
        finally:
            tokenizer.encode_special_tokens = True

    return Calls(
        read_from=files.origin(files.tokenizer_json),
        ids=lambda text: tokenizer.encode_batch_fast([text], add_special_tokens=False)[0].ids,
        batch=batch,
        spans=spans,
        batch_spans=batch_spans,
        parsed=parsed,
    )
