"""What makes the result of a training worse than it could be, in words, with what to change.

Not here: why a training ended (`run`).
"""

import re

from lab_app import engine
from lab_app.number_words import integer, number_of
from lab_app.training.options import TrainingOptions
from lab_app.training.steps import Steps

MOST_SINGLE = 0.5
"""The share of single characters in a vocabulary above which too few tokens are left for longer ones."""
LEAST_SAVED = 0.01
"""The share of the held-out tokens that the second half of the merges should save."""
LEAST_MERGES = 200
LEAST_TOKENS = 2000
"""Held-out texts of fewer tokens say too little."""
BYTE = re.compile(r"<0x[0-9A-F]{2}>")


def advice(
    options: TrainingOptions, tokenizer: engine.Tokenizer, steps: Steps, first_tokens: int | None
) -> tuple[str, ...]:
    """Warnings about a tokenizer that was trained with these options and steps. `first_tokens`: tokens of the held-out text
    before the first step."""
    return (*_of_characters(options, tokenizer), *_of_merges(options, steps, first_tokens))


def _of_characters(options: TrainingOptions, tokenizer: engine.Tokenizer) -> tuple[str, ...]:
    """Whether single characters fill the vocabulary."""
    is_bytes = options.alphabet == "bytes" or (options.alphabet is None and not options.byte_fallback)
    if options.algorithm not in ("bpe", "wordpiece", "unigram") or (options.algorithm == "bpe" and is_bytes):
        return ()
    single = single_characters(options, tokenizer)
    if single <= MOST_SINGLE * tokenizer.vocab_size:
        return ()
    found = f"{integer(single)} of {number_of(tokenizer.vocab_size, 'token')} are single characters"
    if tokenizer.vocab_size < options.vocab_size:
        return (f"{found}: the text has too few longer ones that repeat. Train on more text.",)
    fallback = "" if options.algorithm == "wordpiece" else ", with byte_fallback for what it leaves out"
    return (
        f"{found}, so few are left for longer ones. Raise vocab_size, or set character_coverage to 0.9995 or "
        f"less{fallback}.",
    )


def single_characters(options: TrainingOptions, tokenizer: engine.Tokenizer) -> int:
    """The tokens of one character each, without the prefix or suffix of the options, bytes and special tokens."""
    prefix, suffix = options.continuing_prefix or "", options.end_suffix or ""
    special = set(options.all_special_tokens)

    def is_single(id: int) -> bool:
        token = tokenizer.id_to_token(id)
        text = token.removeprefix(prefix).removesuffix(suffix) if len(token) > 1 else token
        return len(text) == 1 and token not in special and not BYTE.fullmatch(token)

    return sum(map(is_single, range(tokenizer.vocab_size)))


def _of_merges(options: TrainingOptions, steps: Steps, first_tokens: int | None) -> tuple[str, ...]:
    """Whether the later merges help on text that was not trained on."""
    if options.algorithm not in ("bpe", "wordpiece") or first_tokens is None or len(steps) < LEAST_MERGES:
        return ()
    saved, late = steps.held_out_change(0), steps.held_out_change(len(steps) // 2)
    if first_tokens < LEAST_TOKENS or -late >= LEAST_SAVED * (first_tokens + saved):
        return ()
    few = f"{max(-late, 0) / (first_tokens + saved):.1%}".replace("%", " %")
    hint = (
        'Set `score` to "frequency": rare pairs have the highest likelihood.'
        if options.algorithm == "wordpiece" and options.score == "likelihood"
        else "Halve vocab_size, or train on more text."
    )
    last, all_merges = integer(len(steps) - len(steps) // 2), integer(len(steps))
    return (f"The last {last} of {all_merges} merges save {few} of the tokens of the held-out text. {hint}",)
