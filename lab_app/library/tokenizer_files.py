"""The files of a tokenizer in every format that engines read; what is missing is written, if a format can hold it."""

from pathlib import Path

from lab_app.engine import SaveError, Tokenizer
from lab_app.library.entry import Entry
from lab_app.peers.peer import TokenizerFiles
from lab_app.peers.sentencepiece import is_model

TOKENIZER_JSON = "tokenizer.json"
VOCAB_TXT = "vocab.txt"


def tokenizer_files(entry: Entry, tokenizer: Tokenizer, folder: Path) -> TokenizerFiles:
    """Finds or writes the files of one tokenizer. `folder` is for those that are written, and of this tokenizer alone.

    A tokenizer.json counts as its own only without sidecar files, which other readers ignore.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pattern = entry.pattern or entry.engine
    special_tokens = entry.special_tokens or {}
    alone = entry.files[0] if len(entry.files) == 1 else None
    written: list[str] = []

    def made(name: str, format: str) -> str | None:
        try:
            tokenizer.to_file(folder / name, format=format)
        except SaveError:
            return None
        written.append(str(folder / name))
        return written[-1]

    def own_or_made(name: str, format: str) -> str | None:
        return str(alone) if alone is not None and alone.name == name else made(name, format)

    is_sentencepiece = alone is not None and pattern is None and is_model(alone)
    rank_file = None
    if pattern is not None:
        rank_file = str(alone) if alone is not None else made(f"{pattern}.tiktoken", "tiktoken")
    return TokenizerFiles(
        tokenizer=entry.id,
        file=str(entry.files[0]) if entry.files else None,
        builtin=entry.engine,
        pattern=pattern,
        special_tokens=special_tokens,
        rank_file=rank_file,
        sentencepiece_model=str(entry.files[0]) if is_sentencepiece else None,
        tokenizer_json=own_or_made(TOKENIZER_JSON, TOKENIZER_JSON),
        vocab_txt=own_or_made(VOCAB_TXT, VOCAB_TXT),
        written=tuple(written),
    )
