"""Typed stub of the Rust extension. Import it through `lab_app.engine`, which documents and re-exports it."""

from __future__ import annotations  # so that the guide can import this stub

import builtins
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict, TypeVar, final

import numpy as np
from numpy.typing import NDArray

Specials = Literal["parse", "text", "reject"]  # defaults: see `lab_app.engine.Specials`
Truncation = Literal["longest_first", "only_first", "only_second"]

T = TypeVar("T")

NewToken = str | dict[str, str | bool] | Any

class Timings(TypedDict):
    """What `Tokenizer.encode_timed` returns last. Only in this stub."""

    stages_ns: dict[str, int | None]
    """"normalizer" .. "postprocessor", "output"; None: the stage is fused with the next one, or absent."""
    fused: list[str]
    """Stages that run in one pass with the next one."""
    absent: list[str]
    """Stages that the tokenizer does not have, or that IDs alone do not need."""
    cache: tuple[int, int] | None
    """Lookups that found their pretoken, and those that did not; None without a cache."""
    reading_ns: float
    """The cost of one reading of the clock, which the times leave out."""

class Build(TypedDict):
    """The type of BUILD. Only in this stub."""

    version: str
    profile: str
    """"release" or "debug"."""
    optimization: str
    """rustc's opt-level."""
    compiler: str
    """As `rustc --version` says."""
    target: str
    """Such as "x86_64-unknown-linux-gnu"."""
    compiled_features: list[str]
    """Instructions that all code may use."""
    detected_features: list[str]
    """Instructions of this processor that code may choose when it runs."""

class EngineError(Exception):
    """Base of all errors of the engine."""

class LoadError(EngineError):
    """A file that is no tokenizer: `file`, then `line` or `byte` or `path` (None where unknown), `problem`, `hint`."""

    file: str
    line: int | None
    byte: int | None
    path: str | None
    problem: str
    hint: str

class SaveError(EngineError):
    """A tokenizer that a format cannot hold."""

class EncodeError(EngineError):
    """A text that cannot be encoded as asked. The message is `problem; hint`."""

    problem: str
    hint: str

class DecodeError(EngineError):
    """IDs that cannot be decoded. The message is `problem; hint`."""

    problem: str
    hint: str

class CallCancelled(EngineError):
    """A call that was cancelled before it had finished."""

class TrainError(EngineError):
    """A training that cannot start or go on. The message is `problem; hint`."""

    problem: str
    hint: str

# Bits of `Encoding.flags`
SPECIAL: int
"""A special token, spelled by the text or added by the postprocessor."""
TEMPLATE: int
"""Added by the postprocessor: no part of the text."""
UNKNOWN: int
"""The unknown token."""
PADDING: int
"""Added to make the encoding longer."""
STARTS_INSIDE: int
"""Starts inside a character."""
ENDS_INSIDE: int
"""Ends inside a character."""

PATTERNS: tuple[str, ...]
"""Names of the known split patterns, for `pattern=`."""

def divergences(text: str, spans: list[NDArray[np.uint32]], ignore_spaces: bool) -> dict[str, NDArray[Any]]:
    """Returns the places where tokenizers split a text differently: d divergences of k tokenizers.

    `spans`: the spans of each tokenizer in UTF-8 bytes, shape (n, 2). `ignore_spaces`: boundaries around a space count as one.

    - start_utf8, end_utf8, start_utf16, end_utf16, kind (an index into DIVERGENCE_KINDS): shape (d,).
    - counts: tokens of each, shape (d, k).
    - shared, either: boundaries of a pair that both have, and that at least one has, shape (k, k).
    - marks: per byte position a bit per tokenizer.
    """

def encode_excerpt(
    tokenizers: Sequence[Tokenizer],
    text: str,
    starts: bool,
    ends: bool,
    *,
    add_special_tokens: bool = True,
    specials: Specials = "parse",
    ignore_spaces: bool | None = None,
) -> tuple[int, int, int, int, tuple[list[dict[str, NDArray[Any]]], dict[str, NDArray[Any]] | None]] | None:
    """Returns the tokens that a text has in an excerpt of it, before the whole text is encoded.

    `starts`, `ends`: whether the text starts or ends where the excerpt does. Returns the first byte that is covered and the
    byte after the last, the same in UTF-16 units, and tokens as `Document.told`. None if no token is certain.
    """

def gguf_without_tensors(path: str | PathLike[str]) -> bytes | None:
    """A GGUF file with the vocabulary of the one at `path`, of any size, and no tensors; None if that is no GGUF. LoadError."""

def gguf_chat(path: str | PathLike[str]) -> tuple[dict[str, str], dict[str, str]] | None:
    """The chat templates of a GGUF file by name, and the texts of tokens such as "bos_token"; None if it is no GGUF. LoadError."""

def published_rank_file(sha256: str) -> tuple[str, str, dict[str, int]] | None:
    """Name, split pattern and special tokens of the published rank file with that sha256 (lower-case hex), if it is known."""

def check_pattern(text: str) -> None:
    """Raises ValueError where `text` is neither the name of a split pattern nor a regular expression."""

FORMATS: tuple[str, ...]
"""Names of the formats that `Tokenizer.to_file` writes."""
BUILD: Build
"""How the engine was compiled."""
BUILTIN: tuple[str, ...]
"""Names that `Tokenizer.builtin` takes, of published rank files."""
PLAIN: tuple[str, ...]
"""Names that it takes, too: tokenizers of which each byte or character is a token."""

DIVERGENCE_KINDS: tuple[str, ...]
"""Subjects of a divergence. The first that applies names it."""
UNITS: int
"""Flag of a packed token: its length in UTF-16 units follows."""
GAP: int
"""Flag of a packed token: it does not start at the end of the token before it."""
WIDE: int
"""Flag of a packed token: all four ends follow."""
KINDS: list[str]
"""Kinds of tokens. The first that applies is the kind of a token."""
SCRIPTS: list[str]
"""Scripts of letters, then "several", "other", "none"."""
VERDICTS: list[str]
"""Whether some text produces a token: "reachable", "unreachable", "undecided"."""

TALLY_MEASURES: tuple[str, ...]
"""Names of the measures of a `Tally`."""

LESSONS: dict[str, str | None]
"""Names that `Tokenizer.lesson` takes, each with the model it needs, as `stages["model"]` ends; None for any."""
TEXTBOOK: list[tuple[str, str]]
"""Names of the textbook encoders, each with a description."""

def textbook_encode(
    tokenizer: Tokenizer, text: str, algorithm: str, *, specials: Specials = "text"
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], dict[str, int]]:
    """Encodes with a textbook algorithm (`TEXTBOOK`): IDs, the end of each token in UTF-8 bytes, and steps by name."""

def textbook_train(
    symbols: Sequence[int] | NDArray[np.uint32], merges: int, *, first_id: int = 256
) -> list[tuple[int, int, int, int]]:
    """Learns BPE merges from a sequence of symbols: left, right, the ID they become, and the count of the pair at that time.

    >>> textbook_train([1, 2, 1, 2, 3], merges=2)
    [(1, 2, 256, 2)]
    """

LIMITS: list[tuple[str, int]]
"""What one call may make of its texts; docs/reference/python.md says what each counts."""

@final
class Call:
    """Calls of the engine that belong together, such as those of one request: they share the limits of one call."""

    cancelled: bool
    """Whether `cancel` was called."""
    def __init__(self, *, added_tokens: int = ...) -> None:
        """`added_tokens`: a limit that replaces the one in `LIMITS`."""
    @staticmethod
    def current() -> Call | None:
        """Returns the call that this thread works for."""
    def run(self, work: Callable[[], T]) -> T:
        """Calls `work` and returns its result. Engine calls that it makes in this thread belong to this call.

        >>> Call().run(lambda: Tokenizer.builtin("gpt2").encode_list("Hello world"))
        [15496, 995]
        """
    def cancel(self) -> None:
        """Ends running engine calls soon, and later ones at once, with CallCancelled. Any thread may call it."""

@final
class Encoding:
    """The tokens of a text. Arrays and lists have one entry per token.

    >>> encoding = Tokenizer.builtin("gpt2").encode("Hello world")
    >>> encoding.tokens, encoding.texts, encoding.span_char.tolist()
    (['Hello', 'Ġworld'], ['Hello', ' world'], [[0, 5], [5, 11]])
    """

    ids: NDArray[np.uint32]
    """IDs, shape (n,)."""
    span_utf8: NDArray[np.uint32]
    """Start and end of each token in bytes of the original text, half-open, shape (n, 2)."""
    span_char: NDArray[np.uint32]
    """The same in characters (code points)."""
    span_utf16: NDArray[np.uint32]
    """The same in UTF-16 units."""
    flags: NDArray[np.uint8]
    """Bits `SPECIAL`, `TEMPLATE`, `UNKNOWN`, `PADDING`, `STARTS_INSIDE`, `ENDS_INSIDE`, shape (n,)."""
    tokens: list[str]
    """Each token as the vocabulary spells it: "Ġworld", "##ing", "▁the"; see `Tokenizer.id_to_token`."""
    texts: list[str | None]
    """The text of each token: " world"; None for a part of a character."""
    token_bytes: list[bytes]
    """The UTF-8 bytes of that text, or of the part."""
    type_ids: NDArray[np.uint8]
    """The type of each token, as the template of the tokenizer sets it."""
    sequence_ids: list[int | None]
    """0 or 1: the text the token comes from; None for tokens of the template."""
    word_ids: list[int | None]
    """Index of the pretoken or special token; None for tokens of the template."""
    attention_mask: NDArray[np.uint8]
    """0 for padding, 1 otherwise."""
    special_tokens_mask: NDArray[np.uint8]
    """1 for tokens that the postprocessor or padding added, as in `tokenizers`."""
    overflowing: list[Encoding]
    """The parts that truncation left over, in the order of `tokenizers`.

    Each use encodes the text again: of a long text the parts are many times as large as the encoding.
    """
    is_truncated: bool
    """Whether there are such parts."""
    pretoken_count: int
    """The number of pretokens."""
    split_character_count: int
    """Characters of the first text that more than one token holds."""
    def __len__(self) -> int: ...
    def json_items(self, field: Literal["ids", "type_ids", "attention_mask", "tokens"], start: int, end: int) -> bytes:
        """The items `start` to `end` of a field as JSON, separated by commas, as the HTTP interface writes them."""
    def check_spelling(self, count: int) -> None:
        """Raises DecodeError if `json_items` refuses to write any `count` tokens, being too long."""
    def columns(self) -> list[tuple[str, str, bytes]]:
        """Ids, spans in UTF-8 and UTF-16 and flags as name, type (u1, u4) and little-endian bytes, without numpy."""
    def count(self, flag: int, but: int = 0) -> int:
        """The number of tokens that have `flag` and none of the flags `but`."""
    def round_trip(self) -> bool:
        """Whether the tokens decode to the text exactly, and to the pair if there is one."""

@final
class Trace:
    """What every stage did with a text. The page Trace describes the fields."""

    def to_json(self) -> str:
        """Returns the trace as JSON."""
    def as_dict(self) -> dict[str, Any]:
        """Returns the trace as dictionaries and lists."""

@final
class Lesson:
    """The steps of an algorithm on a text. The page Lessons describes the fields.

    >>> lesson = Tokenizer.builtin("gpt2").lesson("utf8", "é")
    >>> len(lesson) == len(lesson.ends)
    True
    """

    facts: str
    """What holds for all steps, as JSON."""
    frames: bytes
    """JSON objects, one per step, without separators."""
    ends: NDArray[np.uint32]
    """The end of each step in `frames`, in bytes."""
    def __len__(self) -> int: ...

@final
class Tokenizer:
    """A tokenizer, ready to encode and decode. It never changes, and threads may share it.

    >>> tokenizer = Tokenizer.builtin("gpt2")
    >>> tokenizer.decode(tokenizer.encode_ids("Hello world"))
    'Hello world'
    """

    @staticmethod
    def from_file(
        path: str | PathLike[str],
        *,
        pattern: str | None = None,
        special_tokens: dict[str, int] | None = None,
    ) -> Tokenizer:
        """Reads a tokenizer file in any format of the page Formats.

        `pattern`: for a rank file, one of `PATTERNS` or a regular expression. `special_tokens`: for a rank file, its special
        tokens with their IDs. Both are known for published rank files. LoadError.
        """
    @staticmethod
    def builtin(name: str) -> Tokenizer:
        """Returns a tokenizer of `BUILTIN` or `PLAIN`. LoadError for another name."""
    def to_file(self, path: str | PathLike[str], format: str = "tokenizer.json") -> None:
        """Writes the tokenizer in a format of `FORMATS`. SaveError if the format cannot hold it; OSError."""
    def encode(
        self,
        text: str,
        pair: str | None = None,
        *,
        add_special_tokens: bool = True,
        specials: Specials = "parse",
        truncation: Truncation | Literal["file"] | None = None,
        max_length: int | None = None,
        truncation_side: Literal["left", "right"] | None = None,
        stride: int = 0,
        padding: Literal["longest", "max_length", "file"] | None = None,
        pad_to_multiple_of: int | None = None,
    ) -> Encoding:
        """Returns the tokens of a text, or of a text and its `pair`. EncodeError.

        - add_special_tokens: whether the postprocessor adds its special tokens, such as `[CLS]`.
        - specials: how to treat text that looks like a special token.
        - truncation: which text loses tokens beyond `max_length`; "file": as `Tokenizer.truncation` says.
        - truncation_side: the end that loses tokens; None: the end that the file names, or right.
        - stride: how many tokens neighbouring parts of a truncated text share.
        - padding: up to the longest of a batch, or to `max_length`; "file": as `Tokenizer.padding` says.

        >>> Tokenizer.builtin("gpt2").encode("Hello world", truncation="longest_first", max_length=1).tokens
        ['Hello']
        """
    def encode_batch(
        self,
        texts: Sequence[str],
        pairs: Sequence[str] | None = None,
        *,
        threads: int = 0,
        add_special_tokens: bool = True,
        specials: Specials = "parse",
        truncation: Truncation | Literal["file"] | None = None,
        max_length: int | None = None,
        truncation_side: Literal["left", "right"] | None = None,
        stride: int = 0,
        padding: Literal["longest", "max_length", "file"] | None = None,
        pad_to_multiple_of: int | None = None,
    ) -> list[Encoding]:
        """Returns one Encoding per text; the options are those of `encode`.

        `threads`: at most as many as there are cores; 0 means all. EncodeError.

        >>> [len(each) for each in Tokenizer.builtin("gpt2").encode_batch(["Hello", "Hello world"])]
        [1, 2]
        """
    def encode_ids(
        self,
        text: str,
        *,
        specials: Specials = "text",
        dropout: float | None = None,
        seed: int = 0,
    ) -> NDArray[np.uint32]:
        """Returns the IDs of a text, without added special tokens. Shape (n,). EncodeError.

        `dropout`: for BPE, the probability of leaving a merge out; None and 0 leave out none. The same `seed` gives the same
        IDs.

        >>> Tokenizer.builtin("gpt2").encode_ids("Hello world").tolist()
        [15496, 995]
        """
    def encode_list(self, text: str, *, specials: Specials = "text") -> list[int]:
        """Returns the IDs of `encode_ids` as a list, faster than `encode_ids(text).tolist()`.

        A tokenizer creates the int of an ID once (32 bytes), and all lists share it. The table of these ints takes 8 bytes
        per ID of the vocabulary.
        """
    def encode_bytes(self, data: bytes | bytearray) -> NDArray[np.uint32]:
        """Returns the IDs of bytes that need not be UTF-8; special tokens are read as text. Shape (n,).

        Bytes that are UTF-8 get the IDs of `encode_ids`. Otherwise it depends on the model:

        - Byte-level BPE and rank files: text up to the first invalid byte, but its last pretoken and all bytes after it
          are merged as one pretoken, as tiktoken's `_encode_bytes` does.
        - Models with byte fallback: each invalid byte becomes its token, such as `<0xFF>`; the rest is encoded as text.
        - Other models: EncodeError.
        """
    def encode_file(
        self,
        path: str | PathLike[str],
        output: str | PathLike[str],
        *,
        specials: Specials = "text",
        add_special_tokens: bool = False,
        format: Literal["npy", "raw", "text"] = "npy",
        threads: int = 0,
        part_bytes: int = 262_144,
    ) -> int:
        """Writes the IDs of a UTF-8 file to `output`, whatever its size, and returns how many there are.

        The IDs are those of the whole text, 32 bits each: as `numpy.load` reads them, or `raw` with the lowest byte first;
        or `text`, digits with spaces between them.
        Neither the text nor the IDs are in memory as a whole: threads encode parts of about `part_bytes` between split
        points. A tokenizer without split points (a Unigram `.model`) needs the whole text in memory, below 4 GiB.
        `output` appears, or is replaced, when all IDs are written. An interrupt ends the call.

        OSError, ValueError: a path with a NUL, EncodeError: bytes that are not UTF-8, a file that changes meanwhile, an output
        that is the text itself.
        """
    def encode_to_stdout(
        self,
        path: str | PathLike[str] | None = None,
        *,
        head: bytes = b"",
        specials: Specials = "text",
        add_special_tokens: bool = False,
        format: Literal["raw", "text"] = "text",
        threads: int = 0,
        part_bytes: int = 262_144,
    ) -> int:
        """Writes the IDs of a UTF-8 file to stdout while it is read, as `encode_file` encodes it, and returns how many there are.

        Without `path` the text is `head` and what is left of stdin. Flush `sys.stdout` before: this writes to the system's.

        OSError, ValueError: a path with a NUL, EncodeError: bytes that are not UTF-8.
        """
    dropout: float | None
    """The dropout that the tokenizer's file asks for; `encode` applies it, always with the same seed."""
    def n_best(self, text: str, n: int, *, specials: Specials = "text") -> list[tuple[NDArray[np.uint32], float]]:
        """Returns the `n` most probable segmentations of a Unigram tokenizer with the sums of their scores, the best first.

        For a SentencePiece model they are those of `nbest_encode`. With `n` above 1 the first may differ from `encode_ids`,
        since user-defined tokens are scored in another way. EncodeError for other models.
        """
    def sample(
        self,
        text: str,
        *,
        temperature: float | None = None,
        alpha: float | None = None,
        seed: int = 0,
        specials: Specials = "text",
    ) -> NDArray[np.uint32]:
        """Returns a random segmentation of a Unigram tokenizer, in proportion to exp(score / temperature).

        `alpha` is 1 / temperature. EncodeError for other models.
        """
    def add_tokens(self, tokens: Sequence[NewToken]) -> Tokenizer:
        """Returns a new tokenizer with more tokens: strings, dicts with "content" and flags, or `tokenizers.AddedToken`.

        Flags that are not given are off: `single_word`, `lstrip`, `rstrip`. `normalized` is on, except for special tokens.
        """
    def add_special_tokens(self, tokens: Sequence[NewToken]) -> Tokenizer:
        """As `add_tokens`, for special tokens.

        >>> tokenizer = Tokenizer.builtin("gpt2").add_special_tokens(["<|user|>"])
        >>> tokenizer.encode("<|user|>Hello").tokens
        ['<|user|>', 'Hello']
        """
    def encode_ids_batch(
        self, texts: Sequence[str], *, threads: int = 0, specials: Specials = "text"
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
        """Returns the IDs of all texts in one array, and the place where each text starts in it, and the end.

        >>> ids, starts = Tokenizer.builtin("gpt2").encode_ids_batch(["Hello", " world"])
        >>> ids.tolist(), starts.tolist()
        ([15496, 995], [0, 1, 2])
        """
    def encode_list_batch(
        self, texts: Sequence[str], *, threads: int = 0, specials: Specials = "text"
    ) -> list[list[int]]:
        """Returns the IDs of each text as a list."""
    def encode_timed(
        self,
        texts: Sequence[str],
        *,
        path: Literal["fast", "stages"] = "fast",
        spans: bool = False,
        specials: Specials = "text",
        add_special_tokens: bool = True,
    ) -> tuple[list[NDArray[np.uint32]], NDArray[np.uint64], Timings]:
        """Encodes texts one by one on this thread and measures where the time goes.

        `path`: "fast" for the encoder of `encode_ids`, "stages" for its stages one after the other. `spans`: measures
        `encode`, with the postprocessor. Returns the IDs of each text, the nanoseconds of each text, and the time of each stage.
        """
    def encode_with_ends(self, text: str) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Returns the IDs of `encode_ids`, and the byte of the text at which each token ends.

        >>> ids, ends = Tokenizer.builtin("gpt2").encode_with_ends("Hello world")
        >>> ids.tolist(), ends.tolist()
        ([15496, 995], [5, 11])
        """
    def trace(self, text: str, *, add_special_tokens: bool = True, specials: Specials = "parse") -> Trace:
        """Returns everything that happens to a text of at most 10 000 characters, from stages run one after the other."""
    def lesson(
        self,
        name: str,
        text: str,
        *,
        specials: Specials = "parse",
        learn: int = 30,
        seed: int = 0,
        add_special_tokens: bool = True,
    ) -> Lesson:
        """Returns every step of an algorithm of `LESSONS` on a text of at most 10 000 characters.

        The tokens are those without added special tokens; only `special-tokens` ends with those of the template, if
        `add_special_tokens` is on. `learn`: for lessons on training, the largest number of tokens to learn, 1 to 1000.
        `seed`: for `unigram-encode`, 0 to 2**64 - 1.
        """
    def changes(self, text: str, *, specials: Specials = "parse") -> list[tuple[int, int, str]]:
        """Returns what the stages before the model add, change and drop: start and end in bytes, and the new text."""
    def decode(self, ids: Sequence[int] | NDArray[np.uint32], *, skip_special_tokens: bool = True) -> str:
        """Returns the text of IDs, with U+FFFD for bytes that are not UTF-8. DecodeError."""
    def decode_bytes(self, ids: Sequence[int] | NDArray[np.uint32], *, skip_special_tokens: bool = True) -> bytes:
        r"""Returns the bytes of IDs, whole characters or not. DecodeError.

        >>> Tokenizer.builtin("gpt2").decode_bytes([8582, 97])
        b'\xf0\x9f\xa4'
        """
    def decode_batch(self, batch: Sequence[Sequence[int]], *, skip_special_tokens: bool = True) -> list[str]:
        """Returns the text of each list of IDs. DecodeError."""
    vocab_size: int
    """One more than the largest ID: the rows of an embedding. `len(tokenizer)` counts the tokens."""
    base_vocab_size: int
    """Tokens without the special ones."""
    special_tokens: dict[str, int]
    """The special tokens with their IDs."""
    unknown_id: int | None
    """The ID of the unknown token; None without one."""
    lossy: str | None
    """Why `decode(encode(text))` may differ from the text; None if it never does."""
    changing_stages: list[str]
    """Those of "normalizer", "pretokenizer" that can change a text: only then `changes` can return something."""
    truncation: dict[str, Any] | None
    """Truncation that the file asks for, applied with `truncation="file"`.

    Keys of `tokenizers`: "max_length", "stride", "strategy", "direction".
    """
    padding: dict[str, Any] | None
    """Padding that the file asks for, applied with `padding="file"`.

    Keys of `tokenizers`: "length" (None: the longest), "pad_to_multiple_of", "pad_id", "pad_type_id", "pad_token", "direction".
    """
    ignored_fields: list[tuple[str, str]]
    """Place and value of the file's fields that have no effect, as in `tokenizers`."""
    note: str | None
    """What to know of how the file was read, such as what of it could not be verified."""
    runs_regex: bool
    """Whether a stage runs a regular expression other than the patterns of well-known tokenizers.

    Such an expression is stopped after a number of steps, which can take a second.
    """
    stages: dict[str, str]
    """A description of "normalizer", "pretokenizer", "model", "postprocessor", "decoder"; "none" for one that is absent."""
    def id_to_token(self, id: int) -> str:
        """Returns the token as a tokenizer.json spells it: "Ġworld", "##ing", "▁the", "<0xE6>".

        Tokens of a rank file are bytes; they are spelled in the byte alphabet of GPT-2, the special ones as they are.
        DecodeError for an ID without a token.
        """
    def token_text(self, id: int) -> str | None:
        """Returns the text of the token: " world", "##ing", " the"; None if it is a part of a character. DecodeError."""
    def token_bytes(self, id: int) -> bytes:
        """Returns the bytes of that text, or of the part of a character. DecodeError."""
    def token_to_id(self, token: str | bytes) -> int | None:
        """Returns the ID of a token from its spelling (str, see `id_to_token`) or its bytes (see `token_bytes`).

        None if there is no such token. If several tokens have the same bytes, one of them is returned.
        """
    merge_count: int | None
    """Merges of a BPE model; None for other models."""
    def rank(self, id: int) -> int | None:
        """Returns the place of the first merge that makes the token, from 0, the same for every format; None without one."""
    def score(self, id: int) -> float | None:
        """Returns the natural logarithm of the token's probability in a Unigram vocabulary; None for other models."""
    truncated_sizes: tuple[int, int] | None
    """The smallest and the largest size for `truncated`, added tokens included; None if the tokens have no order."""
    def truncated(self, vocab_size: int, *, text: str | None = None) -> Tokenizer:
        """Returns the tokenizer with its first merges or its best scores alone. IDs stay. ValueError.

        With a `text`, for that text alone: the new tokenizer may have only those tokens that the text holds.
        """
    def covering(self, characters: str) -> Tokenizer | None:
        """Returns the tokenizer with the tokens of texts of these characters alone, for which it gives the same.

        None for a `.model` of SentencePiece. Other texts may have other tokens, or none.
        """
    def state(self) -> bytes:
        """Returns what the engine in a page loads. Only this version of the engine reads it."""
    def vocab(self) -> dict[bytes, int]:
        """Returns the bytes of each token and its ID."""
    def __len__(self) -> int: ...

@final
class VocabularyIndex:
    """Facts about all tokens of a tokenizer, to search them. Threads may share it.

    >>> index = VocabularyIndex(Tokenizer.builtin("gpt2"))
    >>> index.search(text="hello")["ids"].tolist()
    [23748, 31373]
    """

    def __init__(self, tokenizer: Tokenizer) -> None: ...
    def __len__(self) -> int: ...
    def search(
        self,
        *,
        text: str | None = None,
        regex: str | None = None,
        data: bytes | None = None,
        ids: tuple[int, int] | None = None,
        ignore_case: bool = False,
        kinds: Sequence[str] = (),
        scripts: Sequence[str] = (),
        verdicts: Sequence[str] = (),
        length: tuple[int, int] | None = None,
        order: Literal["id", "length", "characters", "rank", "part_of", "words"] = "id",
        descending: bool = False,
    ) -> dict[str, Any]:
        """Returns the tokens that match: "ids", counts by name ("kinds", "scripts", "verdicts") and "lengths".

        One of `text`, `regex`, `data` (bytes) and `ids` (first, last), or none for all tokens. `length`: fewest and most
        bytes. ValueError.
        """
    def rows(self, ids: Sequence[int]) -> list[dict[str, Any]]:
        """Returns the facts about some tokens, one dictionary each."""
    def origin(self, id: int) -> dict[str, Any]:
        """Returns how a token was made: "how", and the "nodes" of its tree of merges, or the "others" that compete with it."""
    def merged_into(self, id: int) -> list[tuple[int, int, int, int]]:
        """Returns the merges of this token and a neighbour: rank, left, right, and the token they make."""
    def without(self, id: int) -> tuple[list[int | None], float] | None:
        """Returns the best segmentation of the token's text without it and the sum of the scores; None without scores."""
    def variants(self, id: int) -> list[int]:
        """Returns the tokens that differ only in case or in the position mark."""
    audited: bool
    """Whether `audit` was called. From then on, searches count verdicts and rows have one."""
    def audit(self) -> tuple[NDArray[np.uint8], dict[str, tuple[str, str, int]]]:
        """Judges every token: its verdict, an index into VERDICTS, and how many tokens each reason decided."""
    def finding(self, id: int) -> tuple[str, str, str, str | None]:
        """Returns the verdict on a token, its reason, the reason in words, and a text that gives the token."""

@final
class Document:
    """A text that is edited, under several tokenizers ("lanes", in the order given).

    An edit encodes again only what it can change. Tokens are counted without those that a postprocessor puts around the text.
    Ranges that are split inside a character, or lie outside of the text, raise ValueError.

    >>> document = Document([Tokenizer.builtin("gpt2")], "hello world")
    >>> document.edit(0, 5, "bye")
    ((0, 5, 3), [(0, 1, 1, True)])
    >>> document.text
    'bye world'
    """

    def __init__(
        self,
        tokenizers: Sequence[Tokenizer],
        text: str,
        *,
        add_special_tokens: bool = True,
        specials: Specials = "parse",
    ) -> None: ...
    text: str
    """The text as it is now."""
    text_bytes: int
    """Its length in bytes of UTF-8."""
    text_characters: int
    """Its length in characters."""
    text_units: int
    """Its length in UTF-16 units."""
    size_bytes: int
    """Memory held, roughly."""
    def edit(
        self, start_utf16: int, end_utf16: int, text: str
    ) -> tuple[tuple[int, int, int], list[tuple[int, int, int, bool]]]:
        """Replaces a range by a text.

        Returns the bytes that changed (start, end before, end after); and per lane the first token, tokens removed, tokens
        inserted, and whether the whole text was encoded again.
        """
    def reach(self, start_utf16: int, end_utf16: int) -> tuple[int, int]:
        """Returns the range of bytes that an edit there encodes again."""
    def shared_around(self, start: int, end: int, ignore_spaces: bool) -> tuple[int, int]:
        """Returns the nearest bytes around a range at which all lanes have a boundary that no edit in it moves."""
    def units_before(self, byte: int) -> int:
        """Returns the number of UTF-16 units before a byte."""
    def divergences(self, start: int, end: int, ignore_spaces: bool) -> dict[str, NDArray[Any]]:
        """Returns the divergences in a range of bytes, as the function `divergences`."""
    def extent(self, lane: int, first: int, last: int) -> tuple[int, int] | None:
        """Returns the bytes that tokens `first` to `last` come from; None without tokens."""
    def tokens(self, lane: int) -> dict[str, NDArray[Any]]:
        """Returns "ids", "start_utf8", "end_utf8", "start_utf16", "end_utf16" and "flags", shape (n,) each."""
    def packed(self, lane: int, tokens: tuple[int, int] | None = None) -> dict[str, NDArray[Any]]:
        """Returns the same in few bytes: "ids", "flags", "lengths", "extra", "wide" (engine_rs/inspect/src/document/packed.rs).

        Without a range of tokens, those of the template are around them.
        """
    def told(self, ignore_spaces: bool | None) -> tuple[list[dict[str, NDArray[Any]]], dict[str, NDArray[Any]] | None]:
        """Returns the whole text, made by several threads: `packed` by lane, and `divergences` unless `ignore_spaces` is None."""
    def counts(self, lane: int) -> dict[str, int]:
        """Returns the counts of a lane: "count", "template_count", "unknown_count", "pretoken_count", "split_character_count"."""
    def template(self, lane: int) -> tuple[list[int], list[int]]:
        """Returns the IDs of the template before the text and after it."""

@final
class Tally:
    """Counts over many documents, for several tokenizers. Integers only, so tallies of parts merge to that of the whole.

    `groups`: number of groups of documents, such as languages; sums are kept by group. `measures`: names from
    `TALLY_MEASURES`; None means all, and "tokens" is always counted. Texts are encoded as `encode_ids` does: special tokens
    are read as text, nothing is added. Threads may share a tally: they count at once, and add to it in turns. ValueError.
    """

    def __init__(
        self, tokenizers: Sequence[Tokenizer], *, groups: int = 1, measures: Sequence[str] | None = None
    ) -> None: ...
    def add(
        self,
        text: bytes | bytearray | memoryview | Any,
        ends: NDArray[np.uint64],
        groups: NDArray[np.uint16] | None = None,
        *,
        threads: int = 1,
        per_document: bool = False,
    ) -> dict[str, NDArray[np.uint32]] | None:
        """Counts documents that lie one after the other in `text`, UTF-8 in bytes or any buffer.

        `ends`: end byte of each document, rising, the last one the length of the text. `groups`: the group of each, 0 if
        left out. `threads`: at most as many as there are cores; 0 means all. The result does not depend on it.

        With `per_document`, returns "tokens" and (if measured) "unknown_characters", shape (tokenizers, documents), and
        "characters", shape (documents,).

        EncodeError for a document that is not UTF-8 or that a tokenizer cannot encode; ValueError for ends and groups that
        do not fit. Then nothing of the call is counted.
        """
    def merge(self, other: Tally) -> None:
        """Adds the counts of another tally. ValueError if its tokenizers, groups or measures differ."""
    def to_bytes(self) -> bytes:
        """The counts in few bytes, the same on every machine; `from_bytes` reads them."""
    @staticmethod
    def from_bytes(tokenizers: Sequence[Tokenizer], data: bytes) -> Tally:
        """The tally that `to_bytes` wrote. ValueError for damaged bytes and for other tokenizers."""
    documents: int
    """Documents counted so far."""
    text_bytes: int
    """Their bytes."""
    groups: int
    """The number of groups."""
    measures: list[str]
    """The names of what is measured."""
    def text_sums(self) -> dict[str, NDArray[np.uint64]]:
        """Sums over the texts by group, shape (groups,). Only what is measured is in it.

        tokens: "documents"; "bytes" of UTF-8; "characters", code points; "multibyte_characters", those of two bytes and
        more; "lines", U+000A and the last line of each document if it has text and no line end. words: "words", maximal
        runs of characters without white space (Unicode `White_Space`); "words_unicode", words of UAX 29 that hold a letter
        or a number.
        """
    def sums(self, tokenizer: int) -> dict[str, NDArray[np.uint64]]:
        """Sums under one tokenizer by group, shape (groups,). Only what is measured is in it.

        A boundary is a byte offset inside a document, neither 0 nor its length, at which a token that holds bytes of it
        starts or ends. A token overlaps a range of bytes if they have a byte in common. Spans are those of the model, with
        the white space that a postprocessor may take out of those of `encode`.

        - tokens: "tokens".
        - words: "word_tokens", sum over the words of the tokens that overlap each; "continued_words", words with two and
          more. Likewise "word_tokens_unicode" and "continued_words_unicode" for words of UAX 29.
        - unknown: "unknown_tokens", tokens with the ID of the unknown token; "unknown_characters", code points that they
          overlap.
        - utf8: "whole_character_tokens", tokens that start and end between characters and share no byte with the tokens
          next to them; "crossing_tokens", tokens that overlap two or more characters and start or end inside one;
          "split_characters", characters that two or more tokens hold.
        - digits: "digit_expected", offsets inside runs of 0-9 with a multiple of three digits from there to the end of the
          run; "digit_predicted", boundaries inside the runs; "digit_true", offsets that are both.
        - spaces: "space_runs", maximal runs of white space with other text on both sides; "space_boundaries", those with a
          boundary at the start, inside or at the end; "space_boundaries_before", at the start; "space_boundaries_after", at
          the end.
        - round_trip: "exact_documents", documents that decoding their IDs gives back; "nfc_documents", that it gives back
          up to NFC; "stable_documents", whose decoded text has the same IDs again.

        IndexError.
        """
    def counts(self, tokenizer: int) -> NDArray[np.uint64]:
        """Occurrences of each id, shape (vocab_size,)."""
    def lengths(self, tokenizer: int) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
        """The distinct lengths of documents in tokens, rising, and how many documents have each. Both have shape (n,)."""
    def boundary_pairs(self) -> dict[str, NDArray[np.uint64]]:
        """Boundaries that both tokenizers of a pair have ("shared"), and that at least one has ("either").

        Shape (tokenizers, tokenizers), over all groups. ValueError if "agreement" is not measured.
        """

@final
class WordCounter:
    """Counts the words that a training learns from.

    `options`: the options of the training as JSON; `engine_rs/train/src/options.rs` describes them. Special tokens are left
    out of texts, then the normalizer and the pretokenizer run. Threads may share a counter. TrainError for wrong options.
    """

    def __init__(self, options: str) -> None: ...
    def add(self, texts: Sequence[str], threads: int = 1) -> None:
        """Adds the words of texts: documents, or chunks that end at a safe place.

        `threads`: at most as many as there are cores; 0 means all. The counts do not depend on it. TrainError for a text of
        4 GiB or more, a pattern that gives up, counts beyond 64 bits; EncodeError for a lone surrogate.
        """
    def add_bytes(
        self, data: builtins.bytes | bytearray | memoryview | Any, invalid: Literal["replace", "skip"] = "replace"
    ) -> int:
        """Adds the words of one text in UTF-8. Returns the number of invalid sequences.

        "replace" puts U+FFFD in the place of each; "skip" leaves out the lines that have one. TrainError as `add`.
        """
    def merge(self, other: WordCounter) -> None:
        """Adds the counts of another counter. TrainError if its options make words in another way."""
    def to_bytes(self) -> builtins.bytes:
        """The counts as bytes, the same for the same counts on every machine; `from_bytes` reads them."""
    @staticmethod
    def from_bytes(options: str, data: builtins.bytes) -> WordCounter:
        """The counter that `to_bytes` wrote. TrainError for damaged bytes and for other options."""
    bytes: int
    """The bytes of all texts."""
    words: int
    """Words, repetitions included."""
    counts_characters: bool
    """Whether the words are single characters."""
    split_words: int
    """Words of more than MAX_WORD_BYTES, which were split into shorter ones."""
    unique: int
    """Different words."""
    def most_common(self, limit: int) -> list[tuple[builtins.bytes, int]]:
        """The most frequent words with their counts; equally frequent ones in the order of their bytes."""
    def estimate(self, growth: float = 1.0) -> dict[str, int]:
        """What a training with these words will take: "memory_bytes" at its peak, "steps" at most.

        `growth`: how many times as many different words the whole text has, if these are the words of a sample.
        """
    def safe_chunk_end(self, data: builtins.bytes | bytearray | memoryview | Any, at: int) -> int | None:
        """As the function `safe_chunk_end`, with the options of this counter."""

    @property
    def each_line_is_a_text(self) -> bool:
        """Whether the options say of no place but special tokens that texts may be split there.

        Each line of a file is to be counted as a text then, and `safe_chunk_end` finds every line end.
        """

@final
class Trainer:
    """A training, some steps at a time.

    `options`: as those of the counters. `held_out`: words that the vocabulary is measured with; they have no influence on
    the result. Threads may share a trainer: one runs it, any may stop it or ask for its state. TrainError for wrong
    options, counters of other options, no words, a vocabulary smaller than its alphabet.
    """

    def __init__(
        self,
        options: str,
        counter: WordCounter,
        held_out: WordCounter | None = None,
        check: Callable[[], object] | None = None,
    ) -> None:
        """Calls `check` at the start and every 50 ms while it builds its tables. An exception of `check` ends the call."""
    def run(self, steps: int, milliseconds: int) -> bytes:
        """Makes up to `steps` steps. Returns JSON: {"rows": [one object per step], "finished": bool}.

        Returns sooner after so many milliseconds, at the end of a step, and within 0.2 s after `stop`. An exception such as
        KeyboardInterrupt ends it as soon; the next call then returns the rows made so far.
        """
    def stop(self) -> None:
        """Ends the call of `run` that goes on in another thread, or else the next one. Steps made so far are kept."""
    def state(self) -> bytes:
        """Where the training is, as JSON; while `run` goes on, where it was before."""
    def tokenizer(self) -> Tokenizer:
        """A tokenizer with the vocabulary so far. TrainError if the stages do not fit the model."""
    def checkpoint(self) -> bytes:
        """The training as bytes, word counts included; `resume` reads them."""
    @staticmethod
    def resume(data: bytes, check: Callable[[], object] | None = None) -> Trainer:
        """The training that `checkpoint` wrote. `check` as for a new one. TrainError for damaged bytes and for those of another version."""

MAX_WORD_BYTES: int
"""Longer words are split into words of this length when they are counted."""
TRAIN_RACERS: list[str]
"""Algorithms of `train_race`, the slowest first."""

def train_race(options: str, counter: WordCounter, algorithm: str, merges: int) -> bytes:
    """Up to `merges` BPE merges by one algorithm. Returns JSON: {"algorithm", "merges": [[left, right]], "steps": {name: n}}.

    All algorithms make the same merges. TrainError as for `Trainer`; ValueError for another algorithm.
    """

def safe_chunk_end(options: str, data: bytes | bytearray | memoryview | Any, at: int) -> int | None:
    """The last place at or before byte `at`, above 0, where counting both sides is counting the whole; None if there is none.

    `data` starts where a chunk starts and is read beyond `at`; its own end is not a safe place. TrainError for wrong options.
    """

def encode_documents(
    tokenizer: Tokenizer,
    text: bytes | memoryview | Any,
    ends: NDArray[np.uint64],
    *,
    end: int | None = None,
    threads: int = 0,
    specials: Specials = "text",
) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
    """The IDs of all documents in one array, without added special tokens, each followed by `end` if there is one; and the
    place where each document starts in it, and the end, as `Tokenizer.encode_ids_batch` returns them.

    `text` and `ends` as in `Tally.add`. EncodeError, ValueError.
    """

def occurrences(
    tokenizer: Tokenizer, text: bytes | memoryview | Any, ends: NDArray[np.uint64], id: int, limit: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint32]]:
    """The first `limit` occurrences of a token: index of the document, first byte and end byte in it, shape (n,) each.

    `text` and `ends` as in `Tally.add`. DecodeError for an id that no token has; EncodeError; ValueError.
    """

def word_places(
    text: bytes | memoryview | Any, ends: NDArray[np.uint64], word: bytes, limit: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint32]]:
    """The first `limit` occurrences of a word: index of the document, first byte and end byte in it, shape (n,) each.

    An occurrence is the word as it is spelled (UTF-8), not next to another letter, mark or number on a side where it has one
    itself. EncodeError; ValueError.
    """

def segmentations(
    tokenizer: Tokenizer, text: bytes | memoryview | Any, ends: NDArray[np.uint64], word: bytes, limit: int
) -> list[tuple[list[int], int, int, int]]:
    """How the first `limit` occurrences of a word are segmented in context, the most frequent segmentation first.

    Each: IDs of the tokens that overlap the word, number of occurrences, document and first byte of the first one.
    Occurrences are those of `word_places`. The first and the last token may hold text around it, such as the space before.
    EncodeError; ValueError.
    """
