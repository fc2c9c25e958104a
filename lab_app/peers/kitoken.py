"""`kitoken`. It reads SentencePiece models, OpenAI's rank files and tokenizer.json."""

from importlib import import_module

from lab_app.peers.peer import Calls, TokenizerFiles

NAME = "kitoken"
TITLE = "kitoken"
PACKAGE = "kitoken"
MODULE = "kitoken"


def misfit(files: TokenizerFiles) -> str | None:
    """See `Engine`."""
    if files.sentencepiece_model or files.tokenizer_json:
        return None
    return "kitoken reads .model files and tokenizer.json, which cannot hold this tokenizer"


def load(files: TokenizerFiles, threads: int) -> Calls:
    """See `Engine`."""
    kitoken = import_module(MODULE)

    if files.sentencepiece_model:
        path, read = files.sentencepiece_model, kitoken.Kitoken.from_sentencepiece_file
    else:
        path, read = files.tokenizer_json or "", kitoken.Kitoken.from_tokenizers_file
    tokenizer = read(path)
    return Calls(
        read_from=files.origin(path),
        ids=lambda text: tokenizer.encode(text, False),
        batch=lambda texts: tokenizer.encode_all(texts, False),
    )
