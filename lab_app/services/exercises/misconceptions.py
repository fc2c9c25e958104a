"""Five common misconceptions, each with a task that it answers wrongly: texts are drawn until the engine contradicts it.

The wrong choices are made by the misconception itself, the right one by the engine. No answer is written down here.
"""

import re
from collections.abc import Callable, Iterator

from lab_app.engine import UNKNOWN, Tokenizer
from lab_app.number_words import number_of
from lab_app.services.exercises.steps import rules_for
from lab_app.services.exercises.task import BeliefKind, Drawing, Line, Solved, Task, parts_of, shown

BELIEFS: dict[BeliefKind, str] = {
    "syllables": "a token is a syllable",
    "emoji": "an emoji is one token",
    "longest": "BPE takes the longest token",
    "fewer": "fewer tokens are better",
    "alike": "BERT and GPT split alike",
}
BERT, GPT = "bert-base-uncased", "gpt2"
"""The bundled tokenizers that stand in where a task needs one of another kind."""
SYLLABLE = re.compile(r"[^aeiouy]*[aeiouy]+(?:[^aeiouy]*$|[^aeiouy](?=[^aeiouy]))?")
EMOJI = "😀😂🥰🤖👻🎃🐙🦜🦔🍕🥑🍉⚽🎻🚀🛰🧭🗿🌋🏔🌈☂❄🔥🎈🧩🔬🔭💡📚🗝🧲🪁🪐🦋🌵🍄🥨🛶🎡"
TONE, JOINER, ROCKET = "🏽", "\u200d", "🚀"
HANDS = "👍👋🙌👏🤝✋"
PEOPLE = "🧑👩👨"


def syllables(drawing: Drawing) -> Solved | None:
    """The tokens of a word are not its syllables."""

    def make(word: str) -> Solved | None:
        wrong = SYLLABLE.findall(word)
        if "".join(wrong) != word or len(wrong) < 2:
            return None
        return _segment("syllables", drawing, drawing.id, word, {shown(wrong): "are the syllables"})

    return drawing.first(drawing.some(drawing.plain_words), make)


def longest(drawing: Drawing) -> Solved | None:
    """BPE does not take the longest token first."""
    for id in (drawing.id, GPT):
        if id in drawing.tokenizers and drawing.tokenizers[id].stages["model"] == "byte-level BPE":
            break
    else:
        return None

    def make(word: str) -> Solved | None:
        wrong = shown(list(_longest_first(drawing.tokenizers[id], word)))
        return _segment("longest", drawing, id, word, {wrong: "takes the longest token each time"})

    return drawing.first(drawing.some(drawing.plain_words), make)


def alike(drawing: Drawing) -> Solved | None:
    """Two tokenizers of different kinds split a word differently."""

    def make(words: tuple[str, str, str]) -> Solved | None:
        known, id, word = words
        parts = parts_of(drawing.tokenizers[known], word)
        if parts is None or len(parts) < 2:
            return None
        question = f"{known} splits “{word}” into {shown(parts)}. How does {id} split it?"
        return _segment("alike", drawing, id, word, {shown(parts): f"is how {known} splits it"}, question)

    models = {id: each.stages["model"] for id, each in drawing.tokenizers.items()}
    pairs = [(known, id) for known, id in _pairs(drawing) if models[known] != models[id]]
    words = drawing.some(drawing.plain_words) if pairs else ()
    return drawing.first(((*pair, word) for word in words for pair in pairs), make)


def emoji(drawing: Drawing) -> Solved | None:
    """An emoji has several tokens, since a token is made of bytes."""

    def make(words: tuple[str, str]) -> Solved | None:
        id, text = words
        encoding = drawing.tokenizers[id].encode(text, add_special_tokens=False, specials="text")
        right, size = len(encoding), len(text.encode())
        if right < 2 or encoding.count(UNKNOWN):
            return None
        guesses = {len(text): "is the number of code points", 1: "is the number of emoji"}
        guesses |= {size: "is the number of bytes, before merges", right + size: "is more than there are bytes"}
        numbers = sorted({right, *guesses})
        question = f"How many tokens does {id} make of {text}?"
        given = [Line(text, f"{number_of(len(text), 'code point')}, {size} bytes of UTF-8")]
        return Solved(
            Task("emoji", id, text, question, given, [Line(str(n)) for n in numbers]),
            numbers.index(right),
            f"{id} makes {right} tokens of {text}: it has {number_of(len(text), 'code point')} and {size} bytes.",
            [f"{n} {guesses[n]}." if n != right else "" for n in numbers],
        )

    texts = [*EMOJI, *(hand + TONE for hand in HANDS), *(one + JOINER + ROCKET for one in PEOPLE)]
    ids = [id for id in dict.fromkeys((drawing.id, GPT)) if id in drawing.tokenizers]
    return drawing.first(((id, text) for id in ids for text in drawing.some(texts)), make)


def fewer(drawing: Drawing) -> Solved | None:
    """Fewer tokens can be those of a text that was lost."""

    def make(words: tuple[str, str, str]) -> Solved | None:
        few, many, word = words
        text = f"{word} {drawing.chance.choice(EMOJI)}"
        less, more = (
            drawing.tokenizers[id].encode(text, add_special_tokens=False, specials="text") for id in (few, many)
        )
        if len(less) >= len(more) or less.round_trip() or not more.round_trip() or not less.count(UNKNOWN):
            return None
        back = drawing.tokenizers[few].decode(less.ids)
        counts = {few: len(less), many: len(more)}
        ids = drawing.shuffled(counts)
        choices = [*ids, "both", "neither"]
        question = f"Whose tokens can be decoded to exactly “{text}” again?"
        given = [Line(each, number_of(counts[each], "token")) for each in ids]
        lost = f"{few} has {number_of(less.count(UNKNOWN), 'unknown token')}."
        return Solved(
            Task("fewer", many, text, question, given, [Line(each) for each in choices]),
            choices.index(many),
            f"{many} makes {counts[many]} tokens and loses nothing; {few} makes {counts[few]}, which read back as “{back}”.",
            ["" if each == many else lost for each in choices],
        )

    pairs = _pairs(drawing)
    words = drawing.some(drawing.plain_words) if pairs else ()
    return drawing.first(((*pair, word) for word in words for pair in pairs), make)


MAKERS: dict[BeliefKind, Callable[[Drawing], Solved | None]] = {
    "syllables": syllables,
    "emoji": emoji,
    "longest": longest,
    "fewer": fewer,
    "alike": alike,
}


def _pairs(drawing: Drawing) -> list[tuple[str, str]]:
    """Two different tokenizers: that of the sheet where it can be, bundled ones where it cannot."""
    pairs = ((BERT, drawing.id), (drawing.id, GPT), (BERT, GPT))
    return [pair for pair in pairs if pair[0] != pair[1] and drawing.tokenizers.keys() >= {*pair}]


def _segment(
    kind: BeliefKind, drawing: Drawing, id: str, word: str, belief: dict[str, str], question: str = ""
) -> Solved | None:
    """A task to segment a word; `belief` is what the misconception says, and what that is. None if it is right."""
    tokenizer = drawing.tokenizers[id]
    parts, given = parts_of(tokenizer, word), rules_for(tokenizer, word)
    if parts is None or given is None or len(parts) < 2 or shown(parts) in belief:
        return None
    right = shown(parts)
    misses = {shown(word): "are the letters", word: "is the whole word"} | belief
    choices = drawing.shuffled([right, *misses])
    return Solved(
        Task(kind, id, word, question or f"How does {id} split “{word}”?", given, [Line(each) for each in choices]),
        choices.index(right),
        f"{id} makes {len(parts)} tokens: {right}.",
        [f"{each} {misses[each]}." if each in misses else "" for each in choices],
    )


def _longest_first(tokenizer: Tokenizer, word: str) -> Iterator[str]:
    """The word cut into the longest entries from the left, as this misconception has it."""
    start = 0
    while start < len(word):
        ends = range(len(word), start, -1)
        end = next((n for n in ends if tokenizer.token_to_id(word[start:n].encode()) is not None), start + 1)
        yield word[start:end]
        start = end
