"""The tokens that a long text has in an excerpt of it, before the whole is encoded: for a window.

Not here: why they are those of the whole (`engine_rs/inspect/src/document/part.rs`), the whole (`documents`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lab_app import engine
from lab_app.analysis.divergence import KINDS, Divergences
from lab_app.engine import Specials
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.text.compare import check_tokenizers
from lab_app.services.text.documents import Arrays
from lab_app.services.text.encode import refuse_surrogates
from lab_app.settings import DEFAULT_SPECIALS


@dataclass(frozen=True)
class ExcerptHead:
    """The header of an answer about an excerpt; None if its tokens cannot be known."""

    known_utf8: tuple[int, int] | None
    known_utf16: tuple[int, int] | None
    divergence_kinds: tuple[str, ...] | None
    """None unless the tokenizers are compared."""


@dataclass(frozen=True)
class Part:
    """The tokens that are known in an excerpt. Positions are relative to the excerpt."""

    known_utf8: tuple[int, int]
    """Every token of the text that starts between these bytes, and no other."""
    known_utf16: tuple[int, int]
    """The same in UTF-16 units."""
    tokens: list[Arrays]
    """Packed, per tokenizer; with added special tokens if the part starts or ends the text."""
    divergences: Divergences | None

    def head(self) -> ExcerptHead:
        """The header of the answer."""
        return ExcerptHead(self.known_utf8, self.known_utf16, None if self.divergences is None else KINDS)


def encode_excerpt(
    lab: Lab,
    ids: Sequence[str],
    text: str,
    *,
    starts: bool,
    ends: bool,
    add_special_tokens: bool = True,
    specials: Specials = DEFAULT_SPECIALS,
    ignore_spaces: bool | None = None,
) -> Part | None:
    """Encodes an excerpt of a longer text; `starts` and `ends` say whether it includes the start and the end of that text.

    Returns None if the tokens cannot be known: a tokenizer needs the whole text, or the tokenizers share no split point.
    Raises what `open_document` raises.

    >>> from lab_app.settings import Settings
    >>> options = {"starts": True, "ends": False, "specials": "parse"}
    >>> encode_excerpt(Lab(Settings()), ["gpt2"], "A nice", **options)  # None: a special token of 13 bytes might reach in
    >>> part = encode_excerpt(Lab(Settings()), ["gpt2"], "A nice and a sunny day to yo", **options)
    >>> part.known_utf8, part.tokens[0]["ids"].tolist()
    ((0, 12), [32, 3621, 290, 257])
    """
    check_tokenizers("an excerpt", ids)
    refuse_surrogates(text)
    tokenizers = [lab.loaded.get(id)[1] for id in ids]
    with translate_engine_errors():
        found = engine.encode_excerpt(
            tokenizers,
            text,
            starts,
            ends,
            add_special_tokens=add_special_tokens,
            specials=specials,
            ignore_spaces=ignore_spaces,
        )
    if found is None:
        return None
    start, end, first, last, (tokens, differences) = found
    return Part((start, end), (first, last), tokens, None if differences is None else Divergences.of(differences))
