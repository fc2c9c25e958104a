"""`tiktoken` of OpenAI. It reads rank files, with its own split patterns."""

from typing import Any

from lab_app.benchmarks.engines.engine import Calls, TokenizerFiles

# Not inside of `load`: this brings the lab's engine, whose memory and time are not tiktoken's.
from lab_app.references.tiktoken_library import OWN_NAMES, ranks_of, settings_of

NAME = "tiktoken"
TITLE = "tiktoken"
PACKAGE = "tiktoken"
MODULE = "tiktoken"


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    if files.rank_file is None or files.pattern is None:
        return "tiktoken reads rank files, and this tokenizer has none"
    return None if files.pattern in OWN_NAMES else f'tiktoken has no split pattern called "{files.pattern}"'


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    import tiktoken

    assert files.rank_file is not None and files.pattern is not None
    settings = settings_of(OWN_NAMES[files.pattern], ranks_of(files.rank_file))
    settings.pop("explicit_n_vocab", None)
    encoding = tiktoken.Encoding(**settings)

    def spans(text: str) -> tuple[Any, Any]:
        ids = encoding.encode_ordinary(text)
        return ids, encoding.decode_with_offsets(ids)[1]

    return Calls(
        read_from=f"{files.origin(files.rank_file)}, with its own pattern",
        ids=encoding.encode_ordinary,
        batch=lambda texts: encoding.encode_ordinary_batch(texts, num_threads=threads),
        spans=spans,
    )
