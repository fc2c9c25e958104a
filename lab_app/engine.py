"""The Rust engine as the rest of the lab sees it: the one importer of `lab_app._engine`.

`Tokenizer` encodes and decodes; `Encoding` is its result; `Document` is a text that is edited. All arrays are numpy arrays that own their data; the engine
releases the interpreter's lock while it works. Everything is documented where it is written, in `engine_rs`; the types
are in `_engine.pyi`.

>>> tokenizer = Tokenizer.builtin("gpt2")
>>> tokenizer.encode("Hello, world").ids.tolist()
[15496, 11, 995]
>>> tokenizer.decode([15496, 11, 995])
'Hello, world'

Not here: which tokenizers there are and where their files are (`lab_app.catalog`), errors with a code and a hint
(`lab_app.errors`; `lab_app.services` turns one into the other).
"""

from pathlib import Path
from typing import Literal

from lab_app import _engine
from lab_app._engine import (
    BUILTIN,
    CLASSIC,
    DIVERGENCE_KINDS,
    ENDS_INSIDE,
    FORMATS,
    GAP,
    KINDS,
    PADDING,
    PATTERNS,
    SCRIPTS,
    SPECIAL,
    STARTS_INSIDE,
    TEMPLATE,
    UNITS,
    UNKNOWN,
    VERDICTS,
    WIDE,
    DecodeError,
    Document,
    EncodeError,
    Encoding,
    EngineError,
    LoadError,
    SaveError,
    Tokenizer,
    Trace,
    VocabularyIndex,
    check_pattern,
    classic_encode,
    classic_train,
    divergences,
    encode_excerpt,
)

Specials = Literal["parse", "text", "reject"]
"""What a text that spells a special token becomes: that token, ordinary tokens, or an error."""

__all__ = [
    "BUILTIN",
    "CLASSIC",
    "DIVERGENCE_KINDS",
    "ENDS_INSIDE",
    "FORMATS",
    "GAP",
    "KINDS",
    "PADDING",
    "PATTERNS",
    "SCRIPTS",
    "SPECIAL",
    "STARTS_INSIDE",
    "TEMPLATE",
    "UNITS",
    "UNKNOWN",
    "VERDICTS",
    "WIDE",
    "DecodeError",
    "Document",
    "EncodeError",
    "Encoding",
    "EngineError",
    "LoadError",
    "SaveError",
    "Specials",
    "Tokenizer",
    "Trace",
    "VocabularyIndex",
    "build",
    "check_pattern",
    "classic_encode",
    "classic_train",
    "divergences",
    "encode_excerpt",
]


def build() -> str:
    """Names this build of the engine, so that what another build said of a tokenizer is not taken for its word."""
    file = Path(_engine.__file__).stat()
    return f"{file.st_size}-{file.st_mtime_ns}"
