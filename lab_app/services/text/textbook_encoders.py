"""Encodes a text with textbook algorithms for byte-pair encoding and counts their steps."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab_app import engine
from lab_app.errors import BadValue, EncodeFailed
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.text.encode import refuse_surrogates


@dataclass(frozen=True)
class TextbookEncoding:
    """What one algorithm made of a text. If it did not accept the text, `problem` has the reason and the others are None."""

    algorithm: str
    description: str
    count: int | None
    ids: list[int] | None
    ends_utf8: list[int] | None
    """The end of each token, in bytes."""
    steps: dict[str, int] | None
    same_ids: bool | None
    """Whether the ids equal those of the tokenizer's own encoder."""
    problem: str | None


@dataclass(frozen=True)
class TextbookEncodings:
    """One text under the textbook algorithms."""

    tokenizer: str
    encoders: list[TextbookEncoding]


def textbook_encodings(lab: Lab, id: str, text: str, algorithms: Sequence[str] = ()) -> TextbookEncodings:
    """Encodes `text` with the algorithms named, or all of them, on a byte-level BPE tokenizer. Special tokens are text.

    An algorithm that does not accept a text of this length reports so in `problem`; the others still run. Raises BadValue
    for an unknown name, EncodeFailed for a tokenizer of another kind.

    >>> from lab_app.settings import Settings
    >>> found = textbook_encodings(Lab(Settings()), "gpt2", "tokenizer")
    >>> [(each.algorithm, each.steps["merges"]) for each in found.encoders]
    [('naive', 7), ('naive-split', 7), ('ordered-set', 7), ('linked-list', 7), ('integers', 7)]
    """
    known = dict(engine.TEXTBOOK)
    for name in algorithms:
        if name not in known:
            raise BadValue(f'"{name}" is not a textbook algorithm', f"choose from {', '.join(known)}")
    refuse_surrogates(text)
    entry, tokenizer = lab.loaded.get(id)
    with translate_engine_errors():
        engine.textbook_encode(tokenizer, "", engine.TEXTBOOK[0][0])
        expected = tokenizer.encode_ids(text)
    found = [_run(tokenizer, text, name, known[name], expected) for name in algorithms or known]
    return TextbookEncodings(entry.id, found)


def _run(
    tokenizer: engine.Tokenizer, text: str, name: str, description: str, expected: NDArray[np.uint32]
) -> TextbookEncoding:
    try:
        with translate_engine_errors():
            ids, ends, steps = engine.textbook_encode(tokenizer, text, name)
    except EncodeFailed as error:
        return TextbookEncoding(name, description, None, None, None, None, None, f"{error.message}; {error.hint}")
    same = bool(np.array_equal(ids, expected))
    return TextbookEncoding(name, description, ids.size, ids.tolist(), ends.tolist(), steps, same, None)
