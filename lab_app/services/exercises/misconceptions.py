"""Five common misconceptions, each with a task that it answers wrongly: texts are drawn until the engine contradicts it.

The wrong choices are made by the misconception itself, the right one by the engine. No answer is written down here.
"""

import re
from collections.abc import Callable, Iterator

from lab_app.engine import UNKNOWN, Tokenizer
from lab_app.number_words import number_of
from lab_app.services.exercises.steps import rules_for
from lab_app.services.exercises.task import Drawing, Line, Solved, Task, TaskKind, parts_of, shown

BELIEFS: dict[TaskKind, str] = {
    "syllables": "a token is a syllable",
    "emoji": "an emoji is one token",
    "longest": "BPE takes the longest token",
    "fewer": "fewer tokens are better",
    "alike": "BERT and GPT split alike",
}
BERT, GPT = "bert-base-uncased", "gpt2"
"""The bundled tokenizers that stand in where a task needs one of another kind."""
PLAIN_WORD = re.compile("[a-z]{6,14}")
SYLLABLE = re.compile(r"[^aeiouy]*[aeiouy]+(?:[^aeiouy]*$|[^aeiouy](?=[^aeiouy]))?")
EMOJI = "😀😂🥰🤖👻🎃🐙🦜🦔🍕🥑🍉⚽🎻🚀🛰🧭🗿🌋🏔🌈☂❄🔥🎈🧩🔬🔭💡📚🗝🧲🪁🪐🦋🌵🍄🥨🛶🎡"
TONE, JOINER, ROCKET = "🏽", "\u200d", "🚀"
HANDS = "👍👋🙌👏🤝✋"
PEOPLE = "🧑👩👨"


def syllables(drawing: Drawing) -> Solved | None:
    """The tokens of a word are not its syllables."""
    for word in _plain(drawing):
        tokenizer = drawing.tokenizers[drawing.id]
        wrong = SYLLABLE.findall(word)
        if "".join(wrong) == word and len(wrong) > 1:
            found = _segment("syllables", drawing, drawing.id, tokenizer, word, {shown(wrong): "are the syllables"})
            if found:
                return found
    return None


def longest(drawing: Drawing) -> Solved | None:
    """BPE does not take the longest token first."""
    id = next((each for each in (drawing.id, GPT) if _is_byte_level(drawing, each)), None)
    if id is None:
        return None
    tokenizer = drawing.tokenizers[id]
    for word in _plain(drawing):
        wrong = shown(list(_longest_first(tokenizer, word)))
        found = _segment("longest", drawing, id, tokenizer, word, {wrong: "takes the longest token each time"})
        if found:
            return found
    return None


def alike(drawing: Drawing) -> Solved | None:
    """Two tokenizers of different kinds split a word differently."""
    for known, id in ((BERT, drawing.id), (drawing.id, GPT), (BERT, GPT)):
        pair = [drawing.tokenizers.get(each) for each in (known, id)]
        first, second = pair
        if first is None or second is None or first.stages["model"] == second.stages["model"]:
            continue
        for word in _plain(drawing):
            parts = parts_of(first, word)
            if parts is None or len(parts) < 2:
                continue
            question = f"{known} splits “{word}” into {shown(parts)}. How does {id} split it?"
            wrong = {shown(parts): f"is how {known} splits it"}
            found = _segment("alike", drawing, id, second, word, wrong, question)
            if found:
                return found
    return None


def emoji(drawing: Drawing) -> Solved | None:
    """An emoji has several tokens, since a token is made of bytes."""
    texts = [*EMOJI, *(hand + TONE for hand in HANDS), *(one + JOINER + ROCKET for one in PEOPLE)]
    for id in dict.fromkeys((drawing.id, GPT)):
        tokenizer = drawing.tokenizers.get(id)
        if tokenizer is None:
            continue
        for text in drawing.some(texts):
            encoding = tokenizer.encode(text, add_special_tokens=False, specials="text")
            right, size = len(encoding), len(text.encode())
            if right < 2 or encoding.count(UNKNOWN):
                continue
            guesses = {len(text): "is the number of code points", 1: "is the number of emoji"}
            guesses |= {
                size: "is the number of bytes, before merges",
                right + size: "is more than there are bytes",
            }
            numbers = sorted({right, *guesses})
            return Solved(
                Task(
                    "emoji", id, text, f"How many tokens does {id} make of {text}?", [], [Line(str(n)) for n in numbers]
                ),
                numbers.index(right),
                f"{id} makes {right} tokens of {text}: it has {number_of(len(text), 'code point')} and {size} bytes.",
                [f"{n} {guesses[n]}." if n != right else "" for n in numbers],
            )
    return None


def fewer(drawing: Drawing) -> Solved | None:
    """Fewer tokens can be those of a text that was lost."""
    for few, many in ((BERT, drawing.id), (drawing.id, GPT), (BERT, GPT)):
        first, second = (drawing.tokenizers.get(each) for each in (few, many))
        if first is None or second is None or few == many:
            continue
        for word in _plain(drawing):
            text = f"{word} {drawing.chance.choice(EMOJI)}"
            less, more = (each.encode(text, add_special_tokens=False, specials="text") for each in (first, second))
            if len(less) >= len(more) or less.round_trip() or not more.round_trip() or not less.count(UNKNOWN):
                continue
            back = first.decode(less.ids)
            counts = {few: len(less), many: len(more)}
            ids = drawing.shuffled(counts)
            choices = [*ids, "both", "neither"]
            return Solved(
                Task(
                    "fewer",
                    many,
                    text,
                    f"From whose tokens can “{text}” be read back exactly?",
                    [Line(each, f"{counts[each]} tokens") for each in ids],
                    [Line(each) for each in choices],
                ),
                choices.index(many),
                f"{many} makes {counts[many]} tokens and loses nothing; {few} makes {counts[few]}, which read back as “{back}”.",
                ["" if each == many else f"{few} has {less.count(UNKNOWN)} unknown token." for each in choices],
            )
    return None


MAKERS: dict[TaskKind, Callable[[Drawing], Solved | None]] = {
    "syllables": syllables,
    "emoji": emoji,
    "longest": longest,
    "fewer": fewer,
    "alike": alike,
}


def _plain(drawing: Drawing) -> Iterator[str]:
    """Words that no normalizer changes."""
    return (word for word in drawing.some(drawing.material.words) if PLAIN_WORD.fullmatch(word))


def _segment(
    kind: TaskKind,
    drawing: Drawing,
    id: str,
    tokenizer: Tokenizer,
    word: str,
    misses: dict[str, str],
    question: str = "",
) -> Solved | None:
    """A task to segment a word; `misses` has what the misconception says. None if it is right."""
    parts = parts_of(tokenizer, word)
    given = rules_for(tokenizer, word)
    if parts is None or given is None or len(parts) < 2 or shown(parts) in misses:
        return None
    right = shown(parts)
    misses = {shown(word): "are the letters", word: "is the whole word"} | misses
    choices = drawing.shuffled([right, *misses])
    return Solved(
        Task(
            kind,
            id,
            word,
            question or f"How does {id} split “{word}”?",
            given,
            [Line(each) for each in choices],
        ),
        choices.index(right),
        f"{id} makes {len(parts)} tokens: {right}.",
        [f"{each} {misses[each]}." if each in misses else "" for each in choices],
    )


def _is_byte_level(drawing: Drawing, id: str) -> bool:
    return id in drawing.tokenizers and drawing.tokenizers[id].stages["model"] == "byte-level BPE"


def _longest_first(tokenizer: Tokenizer, word: str) -> Iterator[str]:
    """The word cut into the longest entries from the left, as this misconception has it."""
    start = 0
    while start < len(word):
        ends = range(len(word), start, -1)
        end = next((n for n in ends if tokenizer.token_to_id(word[start:n].encode()) is not None), start + 1)
        yield word[start:end]
        start = end
