"""What `Tally` counts, in the plain way: one document after the other, sets of offsets, Python integers.

Not here: hand-worked examples (tests/property/test_tally.py).
"""

import functools
import itertools
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import regex

from lab_app.engine import DecodeError, Tokenizer

# Unicode's White_Space, which Python's str.isspace and \s are not.
SPACES = "[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
Range = tuple[int, int]


def count(
    tokenizers: Sequence[Tokenizer], texts: Sequence[str], groups: Sequence[int], group_count: int
) -> dict[str, Any]:
    """All that a tally says, as plain lists and dicts."""
    text_sums = [Counter[str]() for _ in range(group_count)]
    for text, group in zip(texts, groups, strict=True):
        text_sums[group].update(_text_sums(text))
    lanes = []
    marks: list[list[set[int]]] = []
    for tokenizer in tokenizers:
        sums = [Counter[str]() for _ in range(group_count)]
        ids, lengths = Counter[int](), Counter[int]()
        marks.append([])
        for text, group in zip(texts, groups, strict=True):
            tokens = tokens_of(tokenizer, text)
            sums[group].update(_sums(tokenizer, text, tokens))
            ids.update(id for id, _ in tokens)
            lengths[len(tokens)] += 1
            marks[-1].append(boundaries(text, [span for _, span in tokens]))
        lanes.append({"sums": sums, "ids": ids, "lengths": sorted(lengths.items())})
    pairs = {
        "shared": [[sum(len(a & b) for a, b in zip(one, other, strict=True)) for other in marks] for one in marks],
        "either": [[sum(len(a | b) for a, b in zip(one, other, strict=True)) for other in marks] for one in marks],
    }
    return {"texts": text_sums, "lanes": lanes, "pairs": pairs}


def without_postprocessor(tokenizer: Tokenizer, folder: Path) -> Tokenizer:
    """The tokenizer with the spans that its model gives: a postprocessor may take white space out of them."""
    if tokenizer.stages["postprocessor"] == "none":
        return tokenizer
    path = folder / "tokenizer.json"
    tokenizer.to_file(path)
    definition = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**definition, "post_processor": None}), encoding="utf-8")
    return Tokenizer.from_file(path)


def tokens_of(tokenizer: Tokenizer, text: str) -> list[tuple[int, Range]]:
    """Ids and spans in bytes. The tokenizer has no postprocessor."""
    encoding = tokenizer.encode(text, add_special_tokens=False, specials="text")
    return [
        (id, (start, end)) for id, (start, end) in zip(encoding.ids.tolist(), encoding.span_utf8.tolist(), strict=True)
    ]


@functools.cache
def has_every_byte(tokenizer: Tokenizer) -> bool:
    """Whether no character can lack a token: bytes that are in no span then belong to a character that was normalized."""

    def bytes_of(id: int) -> bytes:
        try:
            return tokenizer.token_bytes(id)
        except DecodeError:  # a gap in the ids
            return b""

    tokens = set(map(bytes_of, range(tokenizer.vocab_size)))
    return tokens >= {bytes([byte]) for byte in range(256)}


def boundaries(text: str, spans: Sequence[Range]) -> set[int]:
    """Offsets inside the document at which a token that holds bytes starts or ends."""
    return {at for span in spans if span[0] < span[1] for at in span} - {0, len(text.encode())}


def words(text: str) -> list[Range]:
    """Runs without white space, in bytes."""
    return list(_matches(re.compile(SPACES.replace("[", "[^") + "+"), text))


def has_plain_words(text: str) -> bool:
    """Whether `regex` finds words as UAX 29 has them: it knows newer characters, and marks and apostrophes have other rules.

    Latin, Greek, Cyrillic and Chinese letters, all of ASCII but the apostrophe, and spaces are the same.
    """
    return not regex.search(
        r"[^\x00-\x7f\u00c0-\u024f\u0370-\u0377\u037f-\u0386\u0388-\u052f\u4e00-\u9fa5\p{Zs}]|'", text
    )


def words_unicode(text: str) -> list[Range]:
    """Words of UAX 29 with a letter or a number, in bytes."""
    offsets = sorted({0, len(text), *(match.start() for match in regex.finditer(r"(?w)\b", text))})
    pieces = [(a, b) for a, b in itertools.pairwise(offsets) if regex.search(r"[\p{Alphabetic}\p{N}]", text[a:b])]
    return [(len(text[:a].encode()), len(text[:b].encode())) for a, b in pieces]


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[Range]:
    for match in pattern.finditer(text):
        start = len(text[: match.start()].encode())
        yield start, start + len(match[0].encode())


def _text_sums(text: str) -> dict[str, int]:
    return {
        "documents": 1,
        "bytes": len(text.encode()),
        "characters": len(text),
        "multibyte_characters": sum(c > "\x7f" for c in text),
        "lines": len(re.findall(r"[^\n]*\n|[^\n]+", text)),
        "words": len(words(text)),
        "words_unicode": len(words_unicode(text)),
    }


def _sums(tokenizer: Tokenizer, text: str, tokens: list[tuple[int, Range]]) -> dict[str, int]:
    ids = [id for id, _ in tokens]
    spans = [span for _, span in tokens]
    filled = [span for span in spans if span[0] < span[1]]
    marks = boundaries(text, spans)
    characters = list(_matches(re.compile("(?s)."), text))
    starts = {start for start, _ in characters} | {len(text.encode())}

    def overlapping(range_: Range, spans: Sequence[Range] = filled) -> int:
        return sum(start < range_[1] and end > range_[0] for start, end in spans)

    def split(ranges: list[Range]) -> tuple[int, int]:
        counts = [overlapping(range_) for range_ in ranges]
        return sum(counts), sum(count > 1 for count in counts)

    word_tokens, continued = split(words(text))
    word_tokens_unicode, continued_unicode = split(words_unicode(text))
    unknown = [span for id, span in tokens if id == tokenizer.unknown_id]
    torn = [span for span in filled if not set(span) <= starts]
    neighbours = zip([(0, 0), *filled], filled, [*filled[1:], (len(text.encode()), 0)], strict=False)
    alone = [span for before, span, after in neighbours if before[1] <= span[0] and span[1] <= after[0]]
    digits = list(_matches(re.compile("[0-9]+"), text))
    inside = {at for start, end in digits for at in range(start + 1, end)}
    expected = {at for start, end in digits for at in range(start + 1, end) if (end - at) % 3 == 0}
    spaces = [run for run in _matches(re.compile(SPACES + "+"), text) if run[0] > 0 and run[1] < len(text.encode())]
    decoded = tokenizer.decode(ids, skip_special_tokens=False)
    again = tokenizer.encode(decoded, add_special_tokens=False, specials="text").ids.tolist()
    return {
        "tokens": len(tokens),
        "word_tokens": word_tokens,
        "continued_words": continued,
        "word_tokens_unicode": word_tokens_unicode,
        "continued_words_unicode": continued_unicode,
        "unknown_tokens": len(unknown),
        "unknown_characters": sum(
            not has_every_byte(tokenizer) and _is_left_out(text, c, filled)
            if tokenizer.unknown_id is None
            else overlapping(c, [span for span in unknown if span[0] < span[1]]) > 0
            for c in characters
        ),
        "whole_character_tokens": sum(set(span) <= starts for span in alone),
        "crossing_tokens": sum(overlapping(span, characters) > 1 for span in torn),
        "split_characters": sum(_is_split(c, spans) for c in characters),
        "digit_true": len(marks & expected),
        "digit_predicted": len(marks & inside),
        "digit_expected": len(expected),
        "space_runs": len(spaces),
        "space_boundaries": sum(any(at in marks for at in range(start, end + 1)) for start, end in spaces),
        "space_boundaries_before": sum(start in marks for start, _ in spaces),
        "space_boundaries_after": sum(end in marks for _, end in spaces),
        "exact_documents": decoded == text,
        "nfc_documents": unicodedata.normalize("NFC", decoded) == unicodedata.normalize("NFC", text),
        "stable_documents": again == ids,
    }


def _is_left_out(text: str, character: Range, spans: Sequence[Range]) -> bool:
    """Whether a byte of a character other than white space is in no span."""
    start, end = character
    held = {at for first, last in spans for at in range(max(first, start), min(last, end))}
    return len(held) < end - start and not re.fullmatch(SPACES, text.encode()[start:end].decode())


def _is_split(character: Range, spans: Sequence[Range]) -> bool:
    """Whether a token starts inside the character, or a token that holds bytes starts in what the one before it holds."""
    start, end = character
    before = 0
    for span in spans:
        shares = span[0] < before and span[0] < span[1] and start <= span[0] < end
        if start < span[0] < end or shares:
            return True
        before = span[1]
    return False
