"""What is hunted: a vocabulary, the engine on it, and the library that defines its format.

Not here: the texts (tests/generators.py), comparing and shrinking (compare.py).
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import sentencepiece
import tiktoken
import tokenizers

from lab_app.engine import Tokenizer
from lab_app.library.known import rank_file
from tests.conftest import SHARED
from tests.differential.references import ranks_of, tiktoken_encoding
from tests.differential.test_patterns import LLAMA3
from tests.differential.test_tokenizer_json import moves_spans, reference_of

VOCAB = SHARED / "data" / "vocab"

Row = tuple[list[int], list[tuple[int, int]] | None]
"""Ids of a text, and spans in characters where the library gives them."""


@dataclass(frozen=True)
class Subject:
    """Both libraries over one vocabulary."""

    reference: str
    tokens: Sequence[str]
    """Entries to make texts of."""
    ours: Callable[[list[str]], Iterable[Row]]
    theirs: Callable[[list[str]], Iterable[Row]]
    our_text: Callable[[list[int]], str]
    their_text: Callable[[list[int]], str]
    documented: Callable[[str], bool] = lambda text: False
    """Whether the spans of a text differ for a reason that docs/reference/formats.md gives."""


def _with_spans(tokenizer: Tokenizer) -> Callable[[list[str]], Iterable[Row]]:
    def rows(batch: list[str]) -> Iterable[Row]:
        for encoding in tokenizer.encode_batch(batch):
            yield encoding.ids.tolist(), [tuple(span) for span in encoding.span_char.tolist()]

    return rows


def _ids_alone(tokenizer: Tokenizer) -> Callable[[list[str]], Iterable[Row]]:
    def rows(batch: list[str]) -> Iterable[Row]:
        ids, starts = tokenizer.encode_ids_batch(batch)
        for at in range(len(batch)):
            yield ids[starts[at] : starts[at + 1]].tolist(), None

    return rows


def _decode(tokenizer: Tokenizer) -> Callable[[list[int]], str]:
    return lambda ids: tokenizer.decode(ids, skip_special_tokens=False)


def from_tiktoken(tokenizer: Tokenizer, reference: tiktoken.Encoding) -> Subject:
    """A rank file. `tiktoken` gives no spans."""
    return Subject(
        reference=f"tiktoken {tiktoken.__version__}",
        tokens=[token.decode() for token in tokenizer.vocab() if token.isascii()],
        ours=_ids_alone(tokenizer),
        theirs=lambda batch: ((ids, None) for ids in reference.encode_ordinary_batch(batch, num_threads=1)),
        our_text=_decode(tokenizer),
        their_text=reference.decode,
    )


def from_tokenizers(tokenizer: Tokenizer, reference: tokenizers.Tokenizer) -> Subject:
    """A tokenizer.json, with its template's tokens."""
    return Subject(
        reference=f"tokenizers {tokenizers.__version__}",
        tokens=sorted(reference.get_vocab()),
        ours=_with_spans(tokenizer),
        theirs=lambda batch: ((found.ids, found.offsets) for found in reference.encode_batch(batch)),
        our_text=_decode(tokenizer),
        their_text=lambda ids: reference.decode(ids, skip_special_tokens=False),
        documented=lambda text: moves_spans(text, reference),
    )


def from_sentencepiece(tokenizer: Tokenizer, reference: sentencepiece.SentencePieceProcessor) -> Subject:
    """A SentencePiece model. Byte tokens have no place in the library but for the last of a character; they get none here."""
    size = reference.vocab_size()

    def row(ids: list[int], spans: list[tuple[int, int]]) -> Row:
        return ids, [(0, 0) if reference.is_byte(id) else tuple(span) for id, span in zip(ids, spans, strict=True)]

    def theirs(batch: list[str]) -> Iterable[Row]:
        for found in reference.encode(batch, out_type="offset_mapping", num_threads=1):
            yield row(found["ids"], found["offsets"])

    return Subject(
        reference=f"sentencepiece {sentencepiece.__version__}",
        tokens=[reference.id_to_piece(id).replace("▁", " ") for id in range(size)],
        ours=lambda batch: (row(ids, spans) for ids, spans in _with_spans(tokenizer)(batch)),
        theirs=theirs,
        our_text=tokenizer.decode,
        their_text=reference.decode,
    )


def _model(path: Path) -> Subject:
    reference = sentencepiece.SentencePieceProcessor()
    reference.load(str(path))
    return from_sentencepiece(Tokenizer.from_file(path), reference)


def _rank_file(path: Path, pattern: str) -> Subject:
    reference = tiktoken_encoding(pattern, ranks_of(path))
    tokenizer = Tokenizer.from_file(path, pattern=pattern, special_tokens=reference._special_tokens)
    return from_tiktoken(tokenizer, reference)


def _tokenizer_json(path: Path) -> Subject:
    return from_tokenizers(Tokenizer.from_file(path), reference_of(path))


# Other forms of vocabularies that also have a tokenizer.json: their results are those of that file.
TWINS = {
    "gpt2/encoder.json": "gpt2",
    "bert-base-uncased/vocab.txt": "bert-base-uncased",
    "clip/bpe_simple_vocab_16e6.txt.gz": "clip",
    "gguf/gpt-2.gguf": "gpt2",
}


def _twin(path: Path, folder: str) -> Subject:
    return from_tokenizers(Tokenizer.from_file(path), reference_of(VOCAB / folder / "tokenizer.json"))


def _llama3(path: Path) -> Subject:
    special = rank_file(hashlib.sha256(path.read_bytes()).hexdigest()).special_tokens
    reference = tiktoken.Encoding("llama3", pat_str=LLAMA3, mergeable_ranks=ranks_of(path), special_tokens=special)
    return from_tiktoken(Tokenizer.from_file(path, pattern="llama3", special_tokens=special), reference)


def subjects() -> dict[str, Callable[[], Subject]]:
    """How to load each, by name."""
    found: dict[str, Callable[[], Subject]] = {}
    for path in sorted((VOCAB / "openai").glob("*.tiktoken")):
        found[f"openai/{path.name}"] = lambda path=path: _rank_file(path, path.stem)
    for path in sorted(VOCAB.glob("*/tokenizer.json")):
        found[f"{path.parent.name}/{path.name}"] = lambda path=path: _tokenizer_json(path)
    for path in sorted([*VOCAB.glob("*/*.model"), *VOCAB.glob("*/*.spm")]):
        # Llama 3's is a rank file, whatever its name.
        if path.read_bytes()[:1] == b"\n":
            found[f"{path.parent.name}/{path.name}"] = lambda path=path: _model(path)
    found["llama3/tokenizer.model"] = lambda: _llama3(VOCAB / "llama3" / "tokenizer.model")
    for name, folder in TWINS.items():
        found[name] = lambda name=name, folder=folder: _twin(VOCAB / name, folder)
    return found
