"""Makes handouts of a lesson, a text with its tokens by one tokenizer or several, or exercises: a file, or a web server's folder."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from lab_app.engine import Specials, Tokenizer
from lab_app.errors import BadValue
from lab_app.library.entry import Entry
from lab_app.services.exercises.marking import every_mark
from lab_app.services.exercises.options import SheetOptions
from lab_app.services.handouts.contents import (
    Contents,
    HandoutTokenizer,
    LessonContents,
    SheetContents,
    Subject,
    TextContents,
    Way,
)
from lab_app.services.handouts.packing import compressed
from lab_app.services.handouts.page import beside, built, one_file
from lab_app.services.handouts.vocabulary import Packed, fitting
from lab_app.services.lab import Lab
from lab_app.services.lessons.lessons import CHAT, LessonOptions, lesson_of
from lab_app.services.text.encode import encode
from lab_app.settings import DEFAULT_SPECIALS
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
    """A file and its name without a suffix."""

    name: str
    content: str


def lesson_subject(
    lab: Lab, name: str, id: str, text: str, options: LessonOptions, *, way: Way = "watch", at: int = 0
) -> Subject:
    """A lesson that begins with `text` at step `at`, to watch or to do.

    Raises as `lesson_of` does, and BadValue for a seed that a page does not know.
    """
    if options.seed > MAX_SEED:
        raise BadValue(
            f"the seed is {options.seed}, and a page knows numbers up to {MAX_SEED}", "choose a smaller seed"
        )
    made = lesson_of(lab, name, id, text, options)
    lesson = LessonContents(
        name=name,
        engine=made.shown,
        text=made.facts["text"],
        way=way,
        at=min(max(at, 0), len(made.ends) - 1),
        facts={each: made.facts[each] for each in ("languages", "chat")},
        has_text=name != CHAT,
        **asdict(made.options),
    )
    entry, _ = lab.loaded.get(id)
    return Subject(f"{name}-{entry.id}", [entry.id], lesson)


def text_subject(
    lab: Lab,
    ids: Sequence[str],
    text: str,
    *,
    specials: Specials = DEFAULT_SPECIALS,
    add_special_tokens: bool = True,
) -> Subject:
    """A text with its tokens, by one tokenizer or several.

    Raises as `encode` does, and BadValue for a text that is too long and for too many tokenizers.
    """
    if not 1 <= len(ids) <= MAX_TOKENIZERS:
        raise BadValue(f"there are {len(ids)} tokenizers", f"give 1 to {MAX_TOKENIZERS} for a handout")
    if len(text) > MAX_CHARACTERS:
        raise BadValue(f"the text has {len(text)} characters", f"give {MAX_CHARACTERS} at most for a handout")
    for id in ids:
        encode(lab, id, text, specials=specials, add_special_tokens=add_special_tokens)
    found = [lab.loaded.get(id)[0].id for id in ids]
    return Subject("-".join(found)[:80], found, encoded=TextContents(text, specials, add_special_tokens))


def sheet_subject(lab: Lab, id: str, options: SheetOptions) -> Subject:
    """Exercises that the page marks, by what the lab says of every choice. Tasks to place boundaries have no choices and stay out.

    Raises as `sheet_of` does, and BadValue for a sheet without choices.
    """
    sheet, marks = every_mark(lab, id, options)
    if not sheet.tasks:
        raise BadValue("only the lab marks where boundaries were placed", "choose exercises of another kind")
    return Subject(f"exercises-{sheet.kind}-{sheet.tokenizer}-{sheet.seed}", [], exercises=SheetContents(sheet, marks))


def handout(lab: Lab, subject: Subject) -> Handout:
    """One file, whose vocabularies are shrunk until it fits.

    Raises BadValue for vocabularies that do not fit, and NotFound if the parts of handouts are not built.
    """
    parts, found = built(), _tokenizers(lab, [subject])
    room = MAX_BYTES - len(one_file(_contents([subject], []), [], parts).encode())
    packed = fitting([tokenizer for _, tokenizer in found], subject.text, room)
    described = [_described(*each, one) for each, one in zip(found, packed, strict=True)]
    content = one_file(_contents([subject], described), [each.data for each in packed], parts)
    if len(content.encode()) > MAX_BYTES:
        raise BadValue("the handout is larger than 2 MB", "choose a shorter text or fewer tokenizers")
    return Handout(subject.file_name, content)


def folder(lab: Lab, subjects: Sequence[Subject], guide: str | None = None) -> dict[str, bytes]:
    """The same as files of a folder for any web server, by name, with whole vocabularies. Several subjects have a list of them
    as their first page, with a link to `guide`.

    Raises NotFound if the parts of handouts are not built.
    """
    parts, found = built(), _tokenizers(lab, subjects)
    described = [_described(*each, None) for each in found]
    states = [compressed(tokenizer.state()) for _, tokenizer in found]
    return beside(_contents(subjects, described, guide), states, parts)


def _contents(subjects: Sequence[Subject], tokenizers: list[HandoutTokenizer], guide: str | None = None) -> Contents:
    return Contents(f"{LAB} {lab_version()}", [*subjects], tokenizers, guide)


def _tokenizers(lab: Lab, subjects: Sequence[Subject]) -> list[tuple[Entry, Tokenizer]]:
    """Each tokenizer once, in the order of the subjects."""
    return [lab.loaded.get(id) for id in dict.fromkeys(id for each in subjects for id in each.tokenizers)]


def _described(entry: Entry, tokenizer: Tokenizer, packed: Packed | None) -> HandoutTokenizer:
    """`packed` is None for a vocabulary that goes in whole."""
    characters = packed.characters if packed else None
    return HandoutTokenizer(
        id=entry.id,
        name=entry.name,
        licence=entry.licence,
        notice=None if entry.engine is None else (LICENCES / BUILTIN_NOTICE).read_text(encoding="utf-8"),
        kept=packed.kept if packed else len(tokenizer),
        of=len(tokenizer),
        covered=characters.all if characters else None,
        scripts=characters.scripts if characters else [],
        others=characters.others if characters else "",
        is_renumbered=packed is not None and packed.merge_count != tokenizer.merge_count,
    )
