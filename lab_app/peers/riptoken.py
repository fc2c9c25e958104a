"""`riptoken`. It reads rank files, with the split pattern of `tiktoken`."""

from importlib import import_module

from lab_app.peers.peer import Calls, TokenizerFiles
from lab_app.peers.tiktoken import ranks_of

NAME = "riptoken"
TITLE = "riptoken"
PACKAGE = "riptoken"
MODULE = "riptoken"
R50K = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
    r"|\s+(?!\S)|\s"
)
PATTERNS = {"gpt2": R50K, "r50k_base": R50K, "cl100k_base": CL100K}
"""As in `tiktoken_ext.openai_public`."""


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    if files.rank_file is None or files.pattern not in PATTERNS:
        return "riptoken reads the rank files of OpenAI, and this tokenizer has none"
    return None


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    riptoken = import_module(MODULE)

    assert files.rank_file is not None and files.pattern is not None
    tokenizer = riptoken.CoreBPE(ranks_of(files.rank_file), {}, PATTERNS[files.pattern])
    return Calls(
        read_from=files.origin(files.rank_file),
        ids=tokenizer.encode_ordinary,
        batch=tokenizer.encode_ordinary_batch,
    )
