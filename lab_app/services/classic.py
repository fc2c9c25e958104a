"""Encodes a text with the textbook encoders of byte-pair encoding, and says what each did."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab_app import engine
from lab_app.errors import BadValue, EncodeFailed
from lab_app.services.encode import refuse_surrogates
from lab_app.services.engine_errors import errors_of_the_engine
from lab_app.services.lab import Lab


@dataclass(frozen=True)
class Classic:
    """What one textbook encoder made of a text, or why it did not."""

    algorithm: str
    description: str
    ids: NDArray[np.uint32] | None
    """(n,)"""
    ends: NDArray[np.uint32] | None
    """(n,) UTF-8 bytes."""
    steps: dict[str, int] | None
    same_ids: bool | None
    """Whether the ids are those of the tokenizer's own encoder."""
    problem: str | None

    def as_json(self) -> dict[str, Any]:
        """Plain lists and numbers; null where the encoder did not run."""
        return {
            "algorithm": self.algorithm,
            "description": self.description,
            "count": None if self.ids is None else self.ids.size,
            "ids": None if self.ids is None else self.ids.tolist(),
            "ends_utf8": None if self.ends is None else self.ends.tolist(),
            "steps": self.steps,
            "same_ids": self.same_ids,
            "problem": self.problem,
        }


def classic(lab: Lab, id: str, text: str, algorithms: Sequence[str] = ()) -> list[Classic]:
    """`text` under the textbook encoders named, or all of them, on a byte-level BPE tokenizer. Special tokens are text.

    An encoder that cannot take a text this long says so in `problem`; the others still run. Raises BadValue for a name
    that is no encoder, EncodeFailed where the tokenizer is of another kind.

    >>> from lab_app.settings import Settings
    >>> [(each.algorithm, each.steps["merges"]) for each in classic(Lab(Settings()), "gpt2", "tokenizer")]
    [('naive', 7), ('naive-split', 7), ('ordered-set', 7), ('linked-list', 7), ('integers', 7)]
    """
    known = dict(engine.CLASSIC)
    for name in algorithms:
        if name not in known:
            raise BadValue(f'"{name}" is not a textbook algorithm', f"choose from {', '.join(known)}")
    refuse_surrogates(text)
    _, tokenizer = lab.loaded.get(id)
    with errors_of_the_engine():
        engine.classic_encode(tokenizer, "", engine.CLASSIC[0][0])
        expected = tokenizer.encode_ids(text)
    return [_run(tokenizer, text, name, known[name], expected) for name in algorithms or known]


def _run(tokenizer: engine.Tokenizer, text: str, name: str, description: str, expected: NDArray[np.uint32]) -> Classic:
    try:
        with errors_of_the_engine():
            ids, ends, steps = engine.classic_encode(tokenizer, text, name)
    except EncodeFailed as error:
        return Classic(name, description, None, None, None, None, f"{error.message}; {error.hint}")
    return Classic(name, description, ids, ends, steps, bool(np.array_equal(ids, expected)), None)
