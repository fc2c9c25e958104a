"""Makes handouts: of a lesson, or of a text with the tokens of one tokenizer or several."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lab_app.engine import Specials, Tokenizer
from lab_app.errors import BadValue
from lab_app.library.entry import Entry
from lab_app.services.handouts.contents import Contents, HandoutTokenizer, LessonContents, TextContents, Way
from lab_app.services.handouts.page import built, written
from lab_app.services.handouts.vocabulary import Packed, fitting
from lab_app.services.lab import Lab
from lab_app.services.lessons.lessons import CHAT, lesson_of
from lab_app.services.text.encode import encode
from lab_app.settings import DEFAULT_LEARN, DEFAULT_SPECIALS
from lab_app.version import LAB, lab_version

MAX_BYTES = 2_000_000
"""Of a file."""
MAX_CHARACTERS = 20_000
"""Of a text that is not a lesson's."""
MAX_TOKENIZERS = 4
MAX_SEED = 2**53 - 2
"""A page counts on from the seed, and its numbers are exact up to 2**53 - 1."""
LICENCES = Path(__file__).resolve().parents[2] / "licences"
BUILTIN_NOTICE = "openai-tiktoken.txt"
"""Of the tables that the engine has."""


@dataclass(frozen=True)
class Handout:
    """A file and its name."""

    name: str
    content: str


def lesson_handout(
    lab: Lab,
    name: str,
    id: str,
    text: str,
    *,
    specials: Specials = DEFAULT_SPECIALS,
    learn: int = DEFAULT_LEARN,
    seed: int = 0,
    add_special_tokens: bool = True,
    way: Way = "watch",
    at: int = 0,
) -> Handout:
    """A lesson that begins with `text` at step `at`, to watch or to do.

    Raises as `lesson_of` does, BadValue for a vocabulary that does not fit, NotFound if the parts of handouts are not built.
    """
    if seed > MAX_SEED:
        raise BadValue(f"the seed is {seed}, and a page knows numbers up to {MAX_SEED}", "choose a smaller seed")
    made = lesson_of(
        lab, name, id, text, specials=specials, learn=learn, seed=seed, add_special_tokens=add_special_tokens
    )
    is_chat = name == CHAT
    lesson = LessonContents(
        name=name,
        engine="special-tokens" if is_chat else name,
        text=made.facts["text"],
        way=way,
        at=min(max(at, 0), len(made.ends) - 1),
        learn=learn,
        seed=seed,
        specials="parse" if is_chat else specials,
        add_special_tokens=add_special_tokens and not is_chat,
        facts={each: made.facts[each] for each in ("languages", "chat")},
        has_text=not is_chat,
    )
    return _made(lab, [id], lesson.text, lesson, None)


def text_handout(
    lab: Lab,
    ids: Sequence[str],
    text: str,
    *,
    specials: Specials = DEFAULT_SPECIALS,
    add_special_tokens: bool = True,
) -> Handout:
    """A text with its tokens, by one tokenizer or several.

    Raises as `encode` does, BadValue for a text that is too long, for too many tokenizers and for vocabularies that do not
    fit, NotFound if the parts of handouts are not built.
    """
    if not 1 <= len(ids) <= MAX_TOKENIZERS:
        raise BadValue(f"there are {len(ids)} tokenizers", f"give 1 to {MAX_TOKENIZERS} for a handout")
    if len(text) > MAX_CHARACTERS:
        raise BadValue(f"the text has {len(text)} characters", f"give {MAX_CHARACTERS} at most for a handout")
    for id in ids:
        encode(lab, id, text, specials=specials, add_special_tokens=add_special_tokens)
    return _made(lab, ids, text, None, TextContents(text, specials, add_special_tokens))


def _made(
    lab: Lab, ids: Sequence[str], text: str, lesson: LessonContents | None, encoded: TextContents | None
) -> Handout:
    found = [lab.loaded.get(id) for id in ids]
    parts = built()
    empty = Contents(f"{LAB} {lab_version()}", lesson, encoded, [])
    room = MAX_BYTES - len(written(empty, [], parts).encode())
    packed = fitting([tokenizer for _, tokenizer in found], text, room)
    tokenizers = [_described(*each, one) for each, one in zip(found, packed, strict=True)]
    contents = Contents(empty.lab, lesson, encoded, tokenizers)
    content = written(contents, [each.data for each in packed], parts)
    if len(content.encode()) > MAX_BYTES:
        raise BadValue("the handout is larger than 2 MB", "choose a shorter text or fewer tokenizers")
    about = "-".join(entry.id for entry, _ in found) if lesson is None else f"{lesson.name}-{found[0][0].id}"
    return Handout(f"handout-{about}"[:80], content)


def _described(entry: Entry, tokenizer: Tokenizer, packed: Packed) -> HandoutTokenizer:
    characters = packed.characters
    return HandoutTokenizer(
        id=entry.id,
        name=entry.name,
        licence=entry.licence,
        notice=None if entry.engine is None else (LICENCES / BUILTIN_NOTICE).read_text(encoding="utf-8"),
        kept=packed.kept,
        of=len(tokenizer),
        covered=characters.all if characters else None,
        scripts=characters.scripts if characters else [],
        others=characters.others if characters else "",
        is_renumbered=packed.merge_count != tokenizer.merge_count,
    )
