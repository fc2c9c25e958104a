"""The steps of a lesson in words, for places without a page: what each did, and what is there after it.

The page says more, with a figure (`lab_ui/js/lessons`). Not here: the states (`frames`).
"""

from collections.abc import Callable, Iterator
from typing import Any

from lab_app.number_words import number_of
from lab_app.services.lessons.frames import states
from lab_app.services.lessons.lessons import Lesson
from lab_app.spelling import spelled

AROUND = 12
"""Symbols that are shown on each side of a merge."""

Now = dict[str, Any]
Lists = dict[str, list[Any]]
Spell = Callable[[int | None], str]


def step_rows(lesson: Lesson) -> Iterator[tuple[str, str]]:
    """Of each step what is done, and what it leads to.

    >>> from lab_app.services.lab import Lab
    >>> from lab_app.services.lessons.lessons import lesson_of
    >>> from lab_app.settings import Settings
    >>> for row in step_rows(lesson_of(Lab(Settings()), "bpe-encode", "gpt2", "low")):
    ...     print(row)
    ('start', 'l o w')
    ('o + w → ow, rank 66', 'l ow')
    ('l + ow → low, rank 9063', 'low')
    ('done', 'low')
    """
    named = lesson.facts["named"]

    def spell(id: int | None) -> str:
        return "an unknown character" if id is None else spelled(named[str(id)]["text"], named[str(id)]["bytes"])

    steps = STEPS[lesson.facts["lesson"]]
    return (steps(now, lists, spell) for now, lists in states(lesson.frames, lesson.ends.tolist()))


def _utf8(now: Now, lists: Lists, spell: Spell) -> tuple[str, str]:
    if now["step"] == "character":
        found = lists["characters"][now["at"]]
        return f"{found['text']}, U+{found['code_point']:04X}", found["bits"]
    if now["step"] == "byte":
        byte = lists["bytes"][now["at"]]
        return f"byte {byte['value']:02X}", f"{byte['mark']} {byte['bits']}"
    return str(now["step"]), f"{len(lists['bytes'])} bytes"


def _pipeline(now: Now, lists: Lists, spell: Spell) -> tuple[str, str]:
    pieces = (spell(each["id"]) if each["text"] is None else each["text"] for each in lists["pieces"])
    return str(now.get("name", now["step"])), " │ ".join(pieces)


def _row(symbols: list[Any], at: int | None, spell: Spell) -> str:
    """The first symbols, or those of one pretoken around index `at`; a mark stands for those that are left out."""
    middle = AROUND if at is None else at
    first, end = max(0, middle - AROUND), middle + AROUND + 1
    if at is not None:
        while symbols[first]["pretoken"] != symbols[at]["pretoken"]:
            first += 1
    shown = [each for each in symbols[first:end] if at is None or each["pretoken"] == symbols[at]["pretoken"]]
    words = [spell(each["id"]) for each in shown]
    if first and at is not None and symbols[first - 1]["pretoken"] == symbols[at]["pretoken"]:
        words.insert(0, "…")
    if len(symbols) > end and (at is None or symbols[end]["pretoken"] == symbols[at]["pretoken"]):
        words.append("…")
    return " ".join(words)


def _bpe(now: Now, lists: Lists, spell: Spell) -> tuple[str, str]:
    row = _row(lists["symbols"], now.get("at"), spell)
    if now["step"] != "merge":
        return now["step"], row
    left, right = now["pair"]
    return f"{spell(left)} + {spell(right)} → {spell(now['id'])}, rank {now['rank']}", row


def _wordpiece(now: Now, lists: Lists, spell: Spell) -> tuple[str, str]:
    if now["step"] == "look_up":
        looked_up = f"look up {lists['tries'][-1]['entry']}"
        return looked_up, "not in the vocabulary" if now["found"] is None else spell(now["found"])
    return now["step"].replace("_", " "), " ".join(spell(each["id"]) for each in lists["tokens"])


def _unigram(now: Now, lists: Lists, spell: Spell) -> tuple[str, str]:
    if now["step"] == "place":
        place = lists["places"][now["at"]]
        node = lists["nodes"][place["node"]]
        count = now["nodes"][1] - now["nodes"][0]
        return f"byte {place['byte']}: the best of {count}", f"{spell(node['id'])}, sum {place['best']:.4f}"
    if now["step"] == "back":
        return "read back", spell(lists["nodes"][now["node"]]["id"])
    if now["step"] in ("paths", "draws"):
        done = "the most probable paths" if now["step"] == "paths" else f"{now['draws']} paths drawn"
        return done, " │ ".join(_path(path, spell) for path in lists["paths"])
    return now["step"], " ".join(spell(each["id"]) for each in lists["tokens"])


def _path(path: Any, spell: Spell) -> str:
    """Its tokens, its sum before the draws and how often it was drawn after them, and its probability."""
    tokens = " ".join(spell(each["id"]) for each in path["tokens"])
    drawn = path["drawn"]
    times = "once" if drawn == 1 else number_of(drawn, "time")
    number = f"sum {path['score']:.4f}" if drawn is None else f"drawn {times}"
    return f"{tokens}: {number}, {100 * path['probability']:.1f} %"


def _training(now: Now, lists: Lists, spell: Spell) -> tuple[str, str]:
    symbols = f"{now['symbols']} symbols"
    if now["step"] != "merge":
        return now["step"], symbols
    left, right = now["pair"]
    score = "" if now["score"] is None else f", score {now['score']:.4g}"
    return f"{spell(left)} + {spell(right)} → {spell(now['id'])}, {now['count']} times{score}", symbols


def _unigram_training(now: Now, lists: Lists, spell: Spell) -> tuple[str, str]:
    step, tokens = now["step"], f"{now['tokens']} tokens"
    if step == "expect":
        return f"expected counts, loss {now['loss']:.4f} per word", tokens
    if "removed" in now:
        removed = [spell(id) for id in now["removed"]]
        shown = ", ".join(removed[:AROUND]) + (" …" if len(removed) > AROUND else "")
        return f"{step}, {len(removed)} removed", f"{tokens}; {shown}" if removed else tokens
    return step, tokens


def _encoders(now: Now, lists: Lists, spell: Spell) -> tuple[str, str]:
    done = " · ".join(str(each["operations"]) for each in now["work"])
    made = now.get("split")
    return now["step"] if made is None else f"merge to {spell(made['id'])}, rank {made['rank']}", f"{done} operations"


def _languages(now: Now, lists: Lists, spell: Spell) -> tuple[str, str]:
    if now["step"] != "sentence":
        return now["step"], f"{len(lists['sentences'])} lines"
    found = lists["sentences"][now["at"]]
    premium = "" if found["premium"] is None else f", {found['premium']:.2f} of the first line"
    return found["text"], f"{now['tokens']} tokens{premium}"


STEPS: dict[str, Callable[[Now, Lists, Spell], tuple[str, str]]] = {
    "utf8": _utf8,
    "pipeline": _pipeline,
    "bpe-encode": _bpe,
    "wordpiece-encode": _wordpiece,
    "unigram-encode": _unigram,
    "bpe-train": _training,
    "wordpiece-train": _training,
    "unigram-train": _unigram_training,
    "encoders": _encoders,
    "sentencepiece": _pipeline,
    "special-tokens": _pipeline,
    "chat-template": _pipeline,
    "languages": _languages,
}
