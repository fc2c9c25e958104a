"""Figures of one tokenizer on the documents of one language, or of all: ratios of sums.

Not here: comparing languages (`parity`, `gini`).
Source of fertility and continued words: Ács 2019; Rust et al., "How Good is Your Tokenizer?", ACL 2021.
"""

from collections.abc import Mapping

from lab_app.analysis.corpus.counts import ratio
from lab_app.analysis.corpus.result import LanguageResult

NOT_COUNTED = "the measure `{}` was left out of this analysis"
NO_WORDS = "the text has no words"
UNSPACED = {"Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"}
"""Scripts that put no spaces between words."""
FEWEST_SPACED = 0.25
"""Stretches between white space per word of UAX 29. Below it, something else separates the words, such as the Ethiopic
wordspace."""
NO_SPACES = "its words are not separated by spaces"

RATIOS = (
    ("bytes_per_token", "bytes", "tokens", "there are no tokens", "tokens"),
    ("characters_per_token", "characters", "tokens", "there are no tokens", "tokens"),
    ("fertility", "word_tokens", "words", NO_WORDS, "words"),
    ("continued_word_rate", "continued_words", "words", NO_WORDS, "words"),
    ("fertility_unicode", "word_tokens_unicode", "words_unicode", NO_WORDS, "words"),
    ("continued_word_rate_unicode", "continued_words_unicode", "words_unicode", NO_WORDS, "words"),
    ("unknown_rate", "unknown_tokens", "tokens", "there are no tokens", "unknown"),
    ("unknown_character_rate", "unknown_characters", "characters", "there is no text", "unknown"),
)
"""Each ratio of sums: its name, the part, the whole, why it is missing if the whole is 0, and the measure that counts it."""


def ratios(sums: Mapping[str, int]) -> tuple[dict[str, float | None], dict[str, str]]:
    """Every ratio of `RATIOS` by its name, and the reasons of those that are None.

    >>> found, missing = ratios({"bytes": 12, "characters": 12, "tokens": 4})
    >>> found["bytes_per_token"], missing["fertility"]
    (3.0, 'the measure `words` was left out of this analysis')
    """
    found, missing = {}, {}
    for name, part, whole, none, measure in RATIOS:
        found[name] = ratio(sums.get(part), sums.get(whole))
        if part not in sums or whole not in sums:
            missing[name] = NOT_COUNTED.format(measure)
        elif found[name] is None:
            missing[name] = none
    return found, missing


def has_spaced_words(one: LanguageResult) -> bool:
    """Whether the stretches between white space are words, so that `fertility` and `continued_word_rate` mean something."""
    return _are_spaced(one.script, one.words, one.words_unicode)


def _are_spaced(script: str | None, words: int | None, words_unicode: int | None) -> bool:
    """
    >>> _are_spaced("Latin", 90, 95), _are_spaced("Thai", 90, 95), _are_spaced("Ethiopic", 50, 1400)
    (True, False, False)
    """
    return script not in UNSPACED and (words or 0) >= FEWEST_SPACED * (words_unicode or 0)


def language_result(language: str, script: str | None, sums: Mapping[str, int]) -> LanguageResult:
    """The figures of one language, without those that compare it with another. `sums` by the names of the tally."""
    found, missing = ratios(sums)
    if not _are_spaced(script, sums.get("words"), sums.get("words_unicode")):
        for name in ("fertility", "continued_word_rate"):
            found[name] = None
            missing.setdefault(name, NO_SPACES)
    return LanguageResult(
        language=language,
        script=script,
        documents=sums["documents"],
        bytes=sums["bytes"],
        characters=sums["characters"],
        words=sums.get("words"),
        words_unicode=sums.get("words_unicode"),
        tokens=sums["tokens"],
        **found,
        premium=None,
        parity=None,
        premium_lines=None,
        not_measured=missing,
    )
