r"""The Rust engine as the rest of the lab sees it: the one importer of `lab_app._engine`.

`Tokenizer` encodes and decodes; `Encoding` is its result; `Document` is a text that is edited; `Tally` counts tokens over
many documents. All arrays are numpy arrays that own their data; the engine releases the interpreter's lock while it works.
Everything is documented where it is written, in `engine_rs`; the types are in `_engine.pyi`.

>>> tokenizer = Tokenizer.builtin("gpt2")
>>> tokenizer.encode("Hello, world").ids.tolist()
[15496, 11, 995]
>>> tokenizer.decode([15496, 11, 995])
'Hello, world'

A token has a spelling in the vocabulary, bytes, and a text, which is None for a part of a character:

>>> encoding = tokenizer.encode("no 語")
>>> encoding.tokens
['no', 'Ġè', 'ª', 'ŀ']
>>> encoding.texts
['no', None, None, None]
>>> encoding.token_bytes
[b'no', b' \xe8', b'\xaa', b'\x9e']
>>> tokenizer.id_to_token(995), tokenizer.token_text(995), tokenizer.token_bytes(995)
('Ġworld', ' world', b' world')
>>> tokenizer.token_to_id("Ġworld"), tokenizer.token_to_id(b" world"), tokenizer.token_to_id(" world")
(995, 995, None)

Bytes that are not UTF-8 can be encoded by models that have a token for each byte:

>>> tokenizer.encode_bytes(b"Hello \xff").tolist()
[15496, 220, 187]

A tally counts documents that lie one after the other in a text, under several tokenizers; tallies of parts merge exactly:

>>> import numpy as np
>>> tally = Tally([tokenizer, Tokenizer.builtin("cl100k_base")], groups=2)
>>> tally.add(b"one two 1234five", np.array([12, 16], np.uint64), np.array([0, 1], np.uint16))
>>> tally.sums(0)["tokens"].tolist(), tally.sums(0)["word_tokens"].tolist(), tally.text_sums()["words"].tolist()
([4, 1], [4, 1], [3, 1])
>>> tally.counts(0)[tokenizer.token_to_id(b" two")].item()
1
>>> other = Tally.from_bytes([tokenizer, Tokenizer.builtin("cl100k_base")], tally.to_bytes())
>>> other.merge(tally)
>>> other.documents
4

A trainer learns a vocabulary from counted words, step by step:

>>> import json
>>> options = json.dumps({"algorithm": "bpe", "vocab_size": 258, "pre_tokenizer": {"type": "WhitespaceSplit"}})
>>> counter = WordCounter(options)
>>> counter.add(["low low low lower new newer"])
>>> trainer = Trainer(options, counter)
>>> [row["token"]["text"] for row in json.loads(trainer.run(10, 1000))["rows"]]
['lo', 'low']
>>> trainer.tokenizer().encode("lower").tokens
['low', 'e', 'r']

Not here: which tokenizers there are and where their files are (`lab_app.library`), errors with a code and a hint
(`lab_app.errors`; `lab_app.services` turns one into the other).
"""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lab_app import _engine
from lab_app._engine import (
    BUILTIN,
    DIVERGENCE_KINDS,
    ENDS_INSIDE,
    FORMATS,
    GAP,
    KINDS,
    LESSONS,
    LIMITS,
    MAX_WORD_BYTES,
    PADDING,
    PATTERNS,
    PLAIN,
    SCRIPTS,
    SPECIAL,
    STARTS_INSIDE,
    TALLY_MEASURES,
    TEMPLATE,
    TEXTBOOK,
    TRAIN_RACERS,
    UNITS,
    UNKNOWN,
    VERDICTS,
    WIDE,
    Call,
    CallCancelled,
    DecodeError,
    Document,
    EncodeError,
    Encoding,
    EngineError,
    Lesson,
    LoadError,
    SaveError,
    Tally,
    Tokenizer,
    Trace,
    Trainer,
    TrainError,
    VocabularyIndex,
    WordCounter,
    check_pattern,
    divergences,
    encode_documents,
    encode_excerpt,
    gguf_chat,
    gguf_without_tensors,
    occurrences,
    published_rank_file,
    safe_chunk_end,
    segmentations,
    textbook_encode,
    textbook_train,
    train_race,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Specials = Literal["parse", "text", "reject"]
"""How to treat text that looks like a special token: as that token, as ordinary text, or as an error.

Two defaults, each that of the library people come from. `encode`, `encode_batch`, `trace`, `changes` and `Document` parse,
as `tokenizers` does. `encode_ids`, `encode_ids_batch`, `n_best` and `sample` read ordinary text, as `encode_ordinary` of
tiktoken does: they add no special tokens and find none, which is what training data needs. The page, the command line and
HTTP always pass a value; theirs is `lab_app.settings.DEFAULT_SPECIALS`.

>>> gpt2 = Tokenizer.builtin("gpt2")
>>> gpt2.encode("<|endoftext|>").ids.tolist(), gpt2.encode_ids("<|endoftext|>").size
([50256], 7)
"""

__all__ = [
    "BUILTIN",
    "DIVERGENCE_KINDS",
    "ENDS_INSIDE",
    "FORMATS",
    "GAP",
    "KINDS",
    "LESSONS",
    "LIMITS",
    "MAX_WORD_BYTES",
    "PADDING",
    "PATTERNS",
    "PLAIN",
    "SCRIPTS",
    "SPECIAL",
    "STARTS_INSIDE",
    "TALLY_MEASURES",
    "TEMPLATE",
    "TEXTBOOK",
    "TRAIN_RACERS",
    "UNITS",
    "UNKNOWN",
    "VERDICTS",
    "WIDE",
    "Call",
    "CallCancelled",
    "DecodeError",
    "DecodeStream",
    "Document",
    "EncodeError",
    "Encoding",
    "EngineError",
    "Lesson",
    "LoadError",
    "SaveError",
    "Specials",
    "Tally",
    "Tokenizer",
    "Trace",
    "TrainError",
    "Trainer",
    "VocabularyIndex",
    "WordCounter",
    "build",
    "build_words",
    "check_pattern",
    "divergences",
    "encode_documents",
    "encode_excerpt",
    "gguf_chat",
    "gguf_without_tensors",
    "occurrences",
    "published_rank_file",
    "safe_chunk_end",
    "segmentations",
    "textbook_encode",
    "textbook_train",
    "train_race",
    "word_places",
]


def word_places(text: bytes, ends: "NDArray[np.uint64]", word: str) -> list[tuple[int, int, int]]:
    """Returns every occurrence of a word in documents, in order: index of the document, first byte and end byte in it.

    An occurrence is the word as it is spelled, not next to another letter, mark or number on a side where it has one itself.
    `text` and `ends` as in `Tally.add`. Raises EncodeError, ValueError.

    >>> import numpy as np
    >>> word_places(b"a cat, cats, cat", np.array([16], np.uint64), "cat")
    [(0, 2, 5), (0, 13, 16)]
    """
    columns = _engine.word_places(text, ends, word.encode(), 2**32 - 1)
    return list(zip(*(column.tolist() for column in columns), strict=True))


class DecodeStream:
    """The text of IDs that arrive one by one. A text is held back until its last character is whole.

    >>> stream = DecodeStream(Tokenizer.builtin("gpt2"))
    >>> [stream.step(id) for id in (8582, 97, 244, 995)], stream.finish()
    (['', '', '🤖', ' world'], '')

    Source: `DecodeStream` of Hugging Face's `tokenizers`, whose windows of IDs these are.
    """

    def __init__(self, tokenizer: Tokenizer, *, skip_special_tokens: bool = True) -> None:
        self._tokenizer = tokenizer
        self._skip_special_tokens = skip_special_tokens
        self._ids: list[int] = []
        """The ids of the last text that was returned, since what follows may depend on them, and those after it."""
        self._returned = 0
        """How many of them belong to text that was returned."""
        self._before = ""
        """The text of these."""

    def step(self, id: int) -> str:
        """Returns the text that becomes whole with one more ID; "" if none does. Raises DecodeError."""
        text = self._text([*self._ids, id])
        self._ids.append(id)
        if len(text) <= len(self._before) or text.endswith("\ufffd") or not text.startswith(self._before):
            return ""
        new = text[len(self._before) :]
        self._ids = self._ids[self._returned :]
        self._returned, self._before = len(self._ids), self._text(self._ids)
        return new

    def finish(self) -> str:
        """Returns the text that was held back, with U+FFFD for parts of characters. The next step begins a new text."""
        text = self._text(self._ids)[len(self._before) :]
        self._ids, self._returned, self._before = [], 0, ""
        return text

    def _text(self, ids: list[int]) -> str:
        return self._tokenizer.decode(ids, skip_special_tokens=self._skip_special_tokens)


def build_words() -> str:
    """Returns how the engine was compiled, and what this processor can do, in words.

    >>> build_words().partition("; CPU features compiled in: ")[0].split(", ")[1] in ("release", "debug")
    True
    """
    facts = _engine.BUILD
    compiler = facts["compiler"].partition(" (")[0] or "an unknown compiler"
    compiled, detected = (
        " ".join(names) or "none" for names in (facts["compiled_features"], facts["detected_features"])
    )
    return (
        f"{facts['version']}, {facts['profile']}, opt-level {facts['optimization']}, {compiler}, {facts['target']}; "
        f"CPU features compiled in: {compiled}; detected: {detected}"
    )


def build() -> str:
    """Returns a name for this build of the engine, so that results kept by another build are not reused."""
    file = Path(_engine.__file__).stat()
    return f"{file.st_size}-{file.st_mtime_ns}"
