"""Typed stub of the Rust extension. Import it through `lab_app.engine`, which documents and re-exports it."""

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

# Only in this stub: what `Tokenizer.encode_timed` returns last.
class Timings(TypedDict):
    stages_ns: dict[
        str, int | None
    ]  # "normalizer" .. "postprocessor", "output"; None: fused with the next stage, or absent
    fused: list[str]  # stages that run in one pass with the next one
    absent: list[str]  # stages that the tokenizer does not have, or that ids alone do not need
    cache: tuple[int, int] | None  # lookups that found their pretoken, and those that did not; None without a cache
    reading_ns: float  # the cost of one reading of the clock, which the times do not contain

# Only in this stub: the type of BUILD.
class Build(TypedDict):
    version: str
    profile: str  # "release" or "debug"
    optimization: str  # rustc's opt-level
    compiler: str  # as `rustc --version` says
    target: str  # such as "x86_64-unknown-linux-gnu"
    compiled_features: list[str]  # instructions that all of the code may use
    detected_features: list[str]  # those of this processor that code may ask for when it runs

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
    """Ids that cannot be decoded. The message is `problem; hint`."""

    problem: str
    hint: str

class CallCancelled(EngineError):
    """A call that was cancelled before it had finished."""

class TrainError(EngineError):
    """A training that cannot start or go on. The message is `problem; hint`."""

    problem: str
    hint: str

# Bits of `Encoding.flags`
SPECIAL: int  # a special token, spelled by the text or added by the postprocessor
TEMPLATE: int  # added by the postprocessor: stands for no part of the text
UNKNOWN: int  # the unknown token
PADDING: int  # put in to make the encoding longer
STARTS_INSIDE: int  # starts inside a character
ENDS_INSIDE: int  # ends inside a character

PATTERNS: tuple[str, ...]  # names of the known split patterns, for `pattern=`

# start_utf8, end_utf8, start_utf16, end_utf16, kind (an index into DIVERGENCE_KINDS), counts (d, k); shared and either
# (k, k); marks, per byte position a bit per tokenizer
def divergences(text: str, spans: list[NDArray[np.uint32]], ignore_spaces: bool) -> dict[str, NDArray[Any]]: ...

# the tokens that a text has in an excerpt of it, before the text is encoded: first byte that is told of, the one behind,
# the same in UTF-16 units, and as `Document.told`; None where nothing can be told. `starts`, `ends`: the text does there
def encode_excerpt(
    tokenizers: Sequence[Tokenizer],
    text: str,
    starts: bool,
    ends: bool,
    *,
    add_special_tokens: bool = True,
    specials: Specials = "parse",
    ignore_spaces: bool | None = None,
) -> tuple[int, int, int, int, tuple[list[dict[str, NDArray[Any]]], dict[str, NDArray[Any]] | None]] | None: ...
def gguf_without_tensors(path: str | PathLike[str]) -> bytes | None:
    """A GGUF file with the vocabulary of the one at `path`, of any size, and no tensors; None if that is no GGUF. LoadError."""

def gguf_chat(path: str | PathLike[str]) -> tuple[dict[str, str], dict[str, str]] | None:
    """The chat templates of a GGUF file by name, and the texts of tokens such as "bos_token"; None if it is no GGUF. LoadError."""

def published_rank_file(sha256: str) -> tuple[str, str, dict[str, int]] | None:
    """Name, split pattern and special tokens of the published rank file with that sha256 (lower-case hex), if it is known."""

def check_pattern(text: str) -> None:
    """Raises ValueError where `text` is neither the name of a split pattern nor a regular expression."""

FORMATS: tuple[str, ...]  # names of the formats `Tokenizer.to_file` writes
BUILD: Build
BUILTIN: tuple[str, ...]  # names `Tokenizer.builtin` takes

DIVERGENCE_KINDS: tuple[str, ...]  # what a divergence can be about, the one that names it first
UNITS: int  # of packed tokens: its length in UTF-16 is said
GAP: int  # it does not start where the token before it ends
WIDE: int  # all four ends are said
KINDS: list[str]  # what a token can be, in the order in which it is decided
SCRIPTS: list[str]  # scripts of letters that are told apart, then "several", "other", "none"
VERDICTS: list[str]  # "reachable", "unreachable", "undecided"

TALLY_MEASURES: tuple[str, ...]  # names of the measures of a `Tally`

# Names that `Tokenizer.lesson` takes, each with the model it needs, as `stages["model"]` ends; None for any.
LESSONS: dict[str, str | None]
TEXTBOOK: list[tuple[str, str]]  # names of the textbook encoders and what they are

def textbook_encode(
    tokenizer: Tokenizer, text: str, algorithm: str, *, specials: Specials = "text"
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], dict[str, int]]: ...
def textbook_train(
    symbols: Sequence[int] | NDArray[np.uint32], merges: int, *, first_id: int = 256
) -> list[tuple[int, int, int, int]]: ...

LIMITS: list[tuple[str, int]]  # what one call may make of its texts; docs/reference/python.md says what each counts

@final
class Call:
    """Calls of the engine that belong together, such as those of one request: they share the limits of one call."""

    cancelled: bool
    def __init__(self, *, added_tokens: int = ...) -> None:
        """`added_tokens`: a limit of its own in place of that in `LIMITS`."""
    @staticmethod
    def current() -> Call | None:
        """The one that this thread works for."""
    def run(self, work: Callable[[], T]) -> T:
        """Calls `work`. Calls of the engine that it makes, in this thread, belong to this one."""
    def cancel(self) -> None:
        """Ends the calls that go on, soon, and all later ones with CallCancelled. Any thread may ask for it."""

@final
class Encoding:
    ids: NDArray[np.uint32]  # (n,)
    span_utf8: NDArray[np.uint32]  # (n, 2), half-open, in the original text
    span_char: NDArray[np.uint32]  # (n, 2)
    span_utf16: NDArray[np.uint32]  # (n, 2)
    flags: NDArray[np.uint8]  # (n,) bits above
    tokens: list[str]  # as the vocabulary spells them: "Ġworld", "##ing", "▁the"; see Tokenizer.id_to_token
    texts: list[str | None]  # the text of each token: " world"; None for a part of a character
    token_bytes: list[bytes]  # the UTF-8 bytes of that text, or of the part
    type_ids: NDArray[np.uint8]
    sequence_ids: list[int | None]  # 0 or 1: the text the token comes from; None for template tokens
    word_ids: list[int | None]  # index of the pretoken or special token; None for template tokens
    attention_mask: NDArray[np.uint8]  # 0 for padding, 1 otherwise
    special_tokens_mask: NDArray[np.uint8]  # 1 where the postprocessor or padding added the token, as in `tokenizers`
    # The parts that truncation left over, in the order of `tokenizers`. Each use encodes the text again: of a long text the
    # parts are many times as large as the encoding.
    overflowing: list[Encoding]
    is_truncated: bool  # whether there are such parts
    pretoken_count: int
    split_character_count: int  # characters of the first text that more than one token holds
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
    """What every stage did with a text; docs/reference/trace.md says what is in it."""

    def to_json(self) -> str: ...
    def as_dict(self) -> dict[str, Any]: ...

@final
class Lesson:
    """The steps of an algorithm on a text; docs/reference/lessons.md says what is in it."""

    facts: str  # JSON
    frames: bytes  # JSON objects, one after the other without anything between them
    ends: NDArray[np.uint32]  # where each of them ends, in bytes
    def __len__(self) -> int: ...

@final
class Tokenizer:
    @staticmethod
    def from_file(
        path: str | PathLike[str],
        *,
        pattern: str | None = None,
        special_tokens: dict[str, int] | None = None,
    ) -> Tokenizer: ...
    @staticmethod
    def builtin(name: str) -> Tokenizer: ...
    def to_file(self, path: str | PathLike[str], format: str = "tokenizer.json") -> None: ...
    def encode(
        self,
        text: str,
        pair: str | None = None,
        *,
        add_special_tokens: bool = True,
        specials: Specials = "parse",
        truncation: Truncation
        | Literal["file"]
        | None = None,  # "file": as the tokenizer's `truncation` says, if it does
        max_length: int | None = None,
        truncation_side: Literal["left", "right"]
        | None = None,  # the end that is dropped; None: as the file says, or right
        stride: int = 0,
        padding: Literal["longest", "max_length", "file"] | None = None,  # "file": as the tokenizer's `padding` says
        pad_to_multiple_of: int | None = None,
    ) -> Encoding: ...
    def encode_batch(
        self,
        texts: Sequence[str],
        pairs: Sequence[str] | None = None,
        *,
        threads: int = 0,  # at most as many as there are cores, which work; 0 means all cores
        add_special_tokens: bool = True,
        specials: Specials = "parse",
        truncation: Truncation
        | Literal["file"]
        | None = None,  # "file": as the tokenizer's `truncation` says, if it does
        max_length: int | None = None,
        truncation_side: Literal["left", "right"]
        | None = None,  # the end that is dropped; None: as the file says, or right
        stride: int = 0,
        padding: Literal["longest", "max_length", "file"] | None = None,  # "file": as the tokenizer's `padding` says
        pad_to_multiple_of: int | None = None,
    ) -> list[Encoding]: ...
    def encode_ids(
        self,
        text: str,
        *,
        specials: Specials = "text",
        dropout: float | None = None,  # BPE: probability of leaving a merge out; None and 0 leave out none
        seed: int = 0,  # the same seed gives the same ids
    ) -> NDArray[np.uint32]: ...
    # The ids of `encode_ids` as a list, faster than `encode_ids(text).tolist()`: a tokenizer creates the int of an id once
    # (32 bytes), and all lists share it. The table of these ints takes 8 bytes per id of the vocabulary.
    def encode_list(self, text: str, *, specials: Specials = "text") -> list[int]: ...
    def encode_bytes(self, data: bytes | bytearray) -> NDArray[np.uint32]:
        """Ids of bytes that need not be UTF-8; special tokens are read as text. Shape (n,).

        Bytes that are UTF-8 get the ids of `encode_ids`. Otherwise it depends on the model:

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
        format: Literal["npy", "raw"] = "npy",
        threads: int = 0,
        part_bytes: int = 262_144,
    ) -> int:
        """Writes the ids of a UTF-8 file to `output`, whatever its size, and returns how many there are.

        The ids are those of the whole text, 32 bits each: as `numpy.load` reads them, or `raw` with the lowest byte first.
        Neither the text nor the ids are in memory as a whole: threads encode parts of about `part_bytes` between split
        points. A tokenizer without split points (a Unigram `.model`) needs the whole text in memory, below 4 GiB.
        `output` appears, or is replaced, when all ids are written. An interrupt ends the call.

        OSError, ValueError: a path with a NUL, EncodeError: bytes that are not UTF-8, a file that changes meanwhile, an output
        that is the text itself.
        """
    dropout: float | None  # what the tokenizer's file says of it; `encode` always does that with the same seed
    # Unigram: the n most probable segmentations of the text with the sums of their scores, the best first. Of a SentencePiece
    # model those of `nbest_encode`: with n above 1 the first need not be that of `encode_ids`, since user-defined tokens
    # are scored in another way.
    def n_best(self, text: str, n: int, *, specials: Specials = "text") -> list[tuple[NDArray[np.uint32], float]]: ...
    # Unigram: a random segmentation of the text, in proportion to exp(score / temperature); alpha is 1 / temperature.
    def sample(
        self,
        text: str,
        *,
        temperature: float | None = None,
        alpha: float | None = None,
        seed: int = 0,
        specials: Specials = "text",
    ) -> NDArray[np.uint32]: ...
    # A new tokenizer. Tokens are strings, dicts with "content" and flags, or `tokenizers.AddedToken`. Flags that are not
    # given: neither `single_word`, `lstrip` nor `rstrip`; `normalized` for those that are not special.
    def add_tokens(self, tokens: Sequence[NewToken]) -> Tokenizer: ...
    def add_special_tokens(self, tokens: Sequence[NewToken]) -> Tokenizer: ...
    def encode_ids_batch(
        self, texts: Sequence[str], *, threads: int = 0, specials: Specials = "text"
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]: ...
    def encode_list_batch(
        self, texts: Sequence[str], *, threads: int = 0, specials: Specials = "text"
    ) -> list[list[int]]: ...
    # Encodes the texts one by one on this thread and measures where the time goes. `path` is "fast" for the encoder that
    # `encode_ids` uses and "stages" for its stages one after the other; `spans` measures `encode`, with the postprocessor.
    # Returns the ids of each text, the nanoseconds of each text, and what `Timings` describes.
    def encode_timed(
        self,
        texts: Sequence[str],
        *,
        path: Literal["fast", "stages"] = "fast",
        spans: bool = False,
        specials: Specials = "text",
        add_special_tokens: bool = True,
    ) -> tuple[list[NDArray[np.uint32]], NDArray[np.uint64], Timings]: ...
    def encode_with_ends(self, text: str) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]: ...
    # Everything that happens to a text of at most 10 000 characters, from the stages run one after the other.
    def trace(self, text: str, *, add_special_tokens: bool = True, specials: Specials = "parse") -> Trace: ...
    # Every step of an algorithm on such a text, one of LESSONS; the tokens are those without added special tokens.
    # Lessons on training learn so many tokens at most, 1 to 1000; unigram-encode draws paths with the seed, 0 to 2**64 - 1.
    # special-tokens ends with those that the template adds, if they are asked for.
    def lesson(
        self,
        name: str,
        text: str,
        *,
        specials: Specials = "parse",
        learn: int = 30,
        seed: int = 0,
        add_special_tokens: bool = True,
    ) -> Lesson: ...
    # What the stages before the model put in, change and drop: bytes of the text (start, end), what stands there.
    def changes(self, text: str, *, specials: Specials = "parse") -> list[tuple[int, int, str]]: ...
    def decode(self, ids: Sequence[int] | NDArray[np.uint32], *, skip_special_tokens: bool = True) -> str: ...
    def decode_bytes(self, ids: Sequence[int] | NDArray[np.uint32], *, skip_special_tokens: bool = True) -> bytes: ...
    def decode_batch(self, batch: Sequence[Sequence[int]], *, skip_special_tokens: bool = True) -> list[str]: ...
    vocab_size: int  # one more than the largest id, the rows of an embedding; len(tokenizer) counts the tokens
    base_vocab_size: int  # tokens without the special ones
    special_tokens: dict[str, int]
    unknown_id: int | None
    lossy: str | None  # why decode(encode(text)) may differ from text; None where it never does
    changing_stages: list[str]  # those of "normalizer", "pretokenizer" for which `changes` can tell something
    # What the file says of truncation and padding, with the keys of `tokenizers`; applied when encoding is asked for "file".
    truncation: dict[str, Any] | None  # "max_length", "stride", "strategy", "direction"
    padding: (
        dict[str, Any] | None
    )  # "length" (None: the longest), "pad_to_multiple_of", "pad_id", "pad_type_id", "pad_token", "direction"
    ignored_fields: list[
        tuple[str, str]
    ]  # place and value of the file's fields that have no effect, as in `tokenizers`
    # Whether a stage runs a regular expression other than the patterns of well-known tokenizers. Such an expression is
    # stopped after a number of steps, which can take a second.
    runs_regex: bool
    stages: dict[
        str, str
    ]  # "normalizer", "pretokenizer", "model", "postprocessor", "decoder": each in a few words, "none" where absent
    # DecodeError for an id that no token has, in this and the next two.
    def id_to_token(self, id: int) -> str:
        """The token as a tokenizer.json spells it: "Ġworld", "##ing", "▁the", "<0xE6>".

        Tokens of a rank file are bytes; they are spelled in the byte alphabet of GPT-2, the special ones as they are.
        """
    def token_text(self, id: int) -> str | None:
        """The text of the token: " world", "##ing", " the"; None if its bytes are a part of a character."""
    def token_bytes(self, id: int) -> bytes:
        """The bytes of that text, or of the part of a character."""
    def token_to_id(self, token: str | bytes) -> int | None:
        """The id of a token from its spelling (str, the inverse of `id_to_token`) or its bytes (the inverse of `token_bytes`).

        None if there is no such token. If several tokens have the same bytes, one of them is returned.
        """
    merge_count: int | None  # merges of a BPE model; None for other models
    # place of the first merge that makes the token, from 0, the same for every format; None if no merge makes it
    def rank(self, id: int) -> int | None: ...
    def score(self, id: int) -> float | None: ...  # natural logarithm of its probability, in a Unigram vocabulary
    truncated_sizes: (
        tuple[int, int] | None
    )  # fewest and most tokens for `truncated`, added ones counted; None: it has no order
    # the first merges, or the best scores; ids stay. ValueError. With a text, for that text alone: of the tokens that stay
    # it may have those only that the text holds
    def truncated(self, vocab_size: int, *, text: str | None = None) -> Tokenizer: ...
    def vocab(self) -> dict[bytes, int]: ...
    def __len__(self) -> int: ...

@final
class VocabularyIndex:
    def __init__(self, tokenizer: Tokenizer) -> None: ...
    def __len__(self) -> int: ...
    def search(
        self,
        *,
        text: str | None = None,  # one of text, regex, data (bytes) and ids (first, last), or none for all tokens
        regex: str | None = None,
        data: bytes | None = None,
        ids: tuple[int, int] | None = None,
        ignore_case: bool = False,
        kinds: Sequence[str] = (),
        scripts: Sequence[str] = (),
        verdicts: Sequence[str] = (),
        length: tuple[int, int] | None = None,  # fewest and most bytes
        order: Literal["id", "length", "characters", "rank", "part_of", "words"] = "id",
        descending: bool = False,
    ) -> dict[
        str, Any
    ]: ...  # "ids": array, "kinds", "scripts", "verdicts": counts by name, "lengths": list. ValueError
    def rows(self, ids: Sequence[int]) -> list[dict[str, Any]]: ...
    def origin(self, id: int) -> dict[str, Any]: ...
    def merged_into(self, id: int) -> list[tuple[int, int, int, int]]: ...  # rank, left, right, what they make
    def without(self, id: int) -> tuple[list[int | None], float] | None: ...
    def variants(self, id: int) -> list[int]: ...
    audited: bool  # whether `audit` was made: then searches count verdicts and rows have one
    def audit(self) -> tuple[NDArray[np.uint8], dict[str, tuple[str, str, int]]]: ...
    def finding(self, id: int) -> tuple[str, str, str, str | None]: ...  # verdict, reason, in words, a text

@final
class Document:
    """A text that is edited, under several tokenizers ("lanes", in the order given). An edit encodes again only what it
    can change. Tokens are counted without those that a postprocessor puts around the text. Ranges that are split inside a
    character, or lie outside of the text, raise ValueError."""

    def __init__(
        self,
        tokenizers: Sequence[Tokenizer],
        text: str,
        *,
        add_special_tokens: bool = True,
        specials: Specials = "parse",
    ) -> None: ...
    text: str
    text_bytes: int
    text_characters: int
    text_units: int  # length in UTF-16
    size_bytes: int  # memory held, roughly
    # bytes replaced (start, end before, end after); per lane: first token, removed, inserted, whether all was encoded again
    def edit(
        self, start_utf16: int, end_utf16: int, text: str
    ) -> tuple[tuple[int, int, int], list[tuple[int, int, int, bool]]]: ...
    def reach(self, start_utf16: int, end_utf16: int) -> tuple[int, int]: ...  # bytes that an edit there encodes again
    # the nearest bytes around at which all lanes have a boundary that no edit in between moves
    def shared_around(self, start: int, end: int, ignore_spaces: bool) -> tuple[int, int]: ...
    def units_before(self, byte: int) -> int: ...
    def divergences(
        self, start: int, end: int, ignore_spaces: bool
    ) -> dict[str, NDArray[Any]]: ...  # as the function's
    # the bytes that tokens first to last come from; None without tokens
    def extent(self, lane: int, first: int, last: int) -> tuple[int, int] | None: ...
    # ids, start_utf8, end_utf8, start_utf16, end_utf16, flags
    def tokens(self, lane: int) -> dict[str, NDArray[Any]]: ...
    # the same in few bytes: ids, flags, lengths, extra, wide (engine_rs/inspect/src/document/packed.rs); without a range the
    # template's are around them
    def packed(self, lane: int, tokens: tuple[int, int] | None = None) -> dict[str, NDArray[Any]]: ...
    # of the whole text, by several threads: `packed` by lane and, where spaces are said how to count, `divergences`
    def told(
        self, ignore_spaces: bool | None
    ) -> tuple[list[dict[str, NDArray[Any]]], dict[str, NDArray[Any]] | None]: ...
    def counts(self, lane: int) -> dict[str, int]: ...
    def template(self, lane: int) -> tuple[list[int], list[int]]: ...  # ids before the text and behind it

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
    text_bytes: int
    groups: int
    measures: list[str]
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
        - unknown: "unknown_tokens", tokens with the id of the unknown token; "unknown_characters", code points that they
          overlap.
        - utf8: "whole_character_tokens", tokens that start and end between characters and share no byte with the tokens
          next to them; "crossing_tokens", tokens that overlap two or more characters and start or end inside one;
          "split_characters", characters that two or more tokens hold.
        - digits: "digit_expected", offsets inside runs of 0-9 with a multiple of three digits from there to the end of the
          run; "digit_predicted", boundaries inside the runs; "digit_true", offsets that are both.
        - spaces: "space_runs", maximal runs of white space with other text on both sides; "space_boundaries", those with a
          boundary at the start, inside or at the end; "space_boundaries_before", at the start; "space_boundaries_after", at
          the end.
        - round_trip: "exact_documents", documents that decoding their ids gives back; "nfc_documents", that it gives back
          up to NFC; "stable_documents", whose decoded text has the same ids again.

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
    bytes: int  # of all texts
    words: int  # repetitions included
    counts_characters: bool  # whether the words are single characters
    split_words: int  # words of more than 4,096 bytes, which were split into shorter ones
    unique: int
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

MAX_WORD_BYTES: int  # longer words are split into words of this length when they are counted
TRAIN_RACERS: list[str]  # algorithms of `train_race`, the slowest first

def train_race(options: str, counter: WordCounter, algorithm: str, merges: int) -> bytes:
    """Up to `merges` BPE merges by one algorithm. Returns JSON: {"algorithm", "merges": [[left, right]], "steps": {name: n}}.

    All algorithms make the same merges. TrainError as for `Trainer`; ValueError for another algorithm.
    """

def safe_chunk_end(options: str, data: bytes | bytearray | memoryview | Any, at: int) -> int | None:
    """The last place at or before byte `at`, above 0, where counting both sides is counting the whole; None if there is none.

    `data` starts where a chunk starts and is read beyond `at`; its own end is not a safe place. TrainError for wrong options.
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

    Each: ids of the tokens that overlap the word, number of occurrences, document and first byte of the first one.
    Occurrences are those of `word_places`. The first and the last token may hold text around it, such as the space before.
    EncodeError; ValueError.
    """
