"""`gigatoken`. It reads rank files, tokenizer.json and SentencePiece models, and returns arrays."""

from importlib import import_module

from lab_app.peers.peer import Calls, TokenizerFiles

NAME = "gigatoken"
TITLE = "gigatoken"
PACKAGE = "gigatoken"
MODULE = "gigatoken"
PRETOKENIZERS = {"gpt2": "gpt2", "r50k_base": "r50k", "cl100k_base": "cl100k", "o200k_base": "o200k"}
"""Its names of the split patterns that rank files do not hold."""


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    if files.rank_file or files.tokenizer_json or files.sentencepiece_model:
        return None
    return "gigatoken reads rank files, tokenizer.json and .model files, and this tokenizer has none"


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    gigatoken = import_module(MODULE)

    if files.rank_file and files.pattern in PRETOKENIZERS:
        tokenizer = gigatoken.Tokenizer.from_tiktoken(files.rank_file, pretokenizer=PRETOKENIZERS[files.pattern])
        path = files.rank_file
    elif files.sentencepiece_model:
        tokenizer, path = gigatoken.Tokenizer.from_sentencepiece(files.sentencepiece_model), files.sentencepiece_model
    else:
        path = files.tokenizer_json or ""
        tokenizer = gigatoken.Tokenizer(path)
    return Calls(
        read_from=files.origin(path),
        ids=tokenizer.encode,
        batch=lambda texts: tokenizer.encode_batch(texts, parallel=threads > 1),
        rows=lambda answer: answer.to_list(),
    )
