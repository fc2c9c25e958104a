"""The steps of cleaning: functions from a document to a document, or to None if it is removed. All are pure, but for
`exact_duplicates`, which remembers the documents before (`duplicates`).

Sources: `ftfy` repairs mojibake, `selectolax` parses HTML, Python's `unicodedata` has the Unicode forms.
"""

import re
import sys
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Literal

from lab_app.corpora.cleaning.duplicates import FirstOnly
from lab_app.errors import BadValue

Function = Callable[[str], str | None]


@dataclass(frozen=True)
class Step:
    """A step by its `name`, a `label` for people, and what it does. `takes` shows the form of its argument, if it has one."""

    name: str
    label: str
    help: str
    takes: str = ""


STEPS: tuple[Step, ...] = (
    Step("mojibake", "Repair mojibake", "Text that was decoded with the wrong encoding, such as schÃ¶n, becomes schön"),
    Step("html", "HTML to text", "Tags go, entities become characters, scripts and styles are removed"),
    Step("urls", "Mask URLs", "Each web address becomes <URL>"),
    Step("emails", "Mask e-mail addresses", "Each e-mail address becomes <EMAIL>"),
    Step("control_characters", "Remove control characters", "All but tab and line feed; byte order marks too"),
    Step("white_space", "Collapse white space", "Each run becomes one space, or one line feed; none at start and end"),
    Step("nfc", "Unicode form NFC", "Letters and their accents are composed"),
    Step("nfkc", "Unicode form NFKC", "As NFC; ligatures, full-width letters and the like become plain ones"),
    Step("exact_duplicates", "Remove exact duplicates", "Documents equal to an earlier one of the corpus are removed"),
    Step(
        "length",
        "Limit lengths",
        "Shorter and longer documents are removed",
        "MIN-MAX characters, such as length:10-5000",
    ),
)
NEEDS_ALL = "exact_duplicates"
"""The step whose answer depends on all earlier documents, so that a corpus with it is read in one partition."""
NAMES = {step.name: step for step in STEPS}


def function(step: str) -> Function:
    """The function of a step, spelled `name` or `name:argument`, for one reading of a corpus. Raises BadValue.

    >>> function("urls")("see https://example.org/a?b=1, or write")
    'see <URL>, or write'
    >>> function("length:2-3")("four") is None
    True
    """
    name, colon, argument = step.partition(":")
    if name not in NAMES:
        raise BadValue(f'there is no step of cleaning "{step}"', "steps are: " + ", ".join(NAMES))
    if name == "length":
        return partial(_within, *_limits(step, argument))
    if colon:
        raise BadValue(f'"{name}" takes no argument, but "{step}" has one', f"write {name}")
    return FirstOnly() if name == NEEDS_ALL else FUNCTIONS[name]


def removes(step: str) -> bool:
    """Whether a step may remove whole documents."""
    return step.partition(":")[0] in ("length", NEEDS_ALL)


def check(steps: Sequence[str], *, is_parallel: bool) -> None:
    """Raises BadValue for a step that does not exist, or that would remove lines of a parallel corpus."""
    for step in steps:
        function(step)
        if is_parallel and removes(step):
            raise BadValue(
                f'"{step}" removes documents, and line N of a parallel corpus must stay line N', "leave this step out"
            )


def mojibake(text: str) -> str:
    """Undoes the wrong decoding of a text; text that is right stays as it is.

    >>> mojibake("schÃ¶n â€” schön")
    'schön — schön'
    """
    if text.isascii():
        return text
    import ftfy

    return ftfy.fix_encoding(text)


BLOCKS = (
    "p,div,br,li,tr,h1,h2,h3,h4,h5,h6,section,article,header,footer,blockquote,pre,table,ul,ol,td,th,dt,dd,hr,title"
)


def html(text: str) -> str:
    """The text of a page or of a piece of one. Blocks are separated by line feeds, inline tags leave no gap.

    >>> html("<p>un<b>believ</b>able &amp; true</p><script>x</script><p>next")
    'unbelievable & true\\nnext'
    """
    if "<" not in text and "&" not in text:
        return text
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(text)
    tree.strip_tags(["script", "style", "noscript", "template"])
    for node in tree.css(BLOCKS):
        node.insert_after("\n")
    root = tree.body or tree.root
    found = root.text(separator="") if root else ""
    head = tree.css_first("head title")
    return _lines(f"{head.text()}\n{found}" if head else found)


URL = re.compile(r"(?:\b(?:https?|ftp)://|\bwww\.)[^\s<>\"'`]*[^\s<>\"'`.,;:!?)\]}]", re.IGNORECASE)
# Bounded, and never tried from the middle of a word: linear in the length of any text.
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,63}\b")


def urls(text: str) -> str:
    """Web addresses become <URL>, without the punctuation after them.

    >>> urls("(see www.example.org/a?b=c.)")
    '(see <URL>.)'
    """
    return URL.sub("<URL>", text) if "://" in text or "www." in text.lower() else text


def emails(text: str) -> str:
    """E-mail addresses become <EMAIL>.

    >>> emails("Write to a.b+c@mail.example.org.")
    'Write to <EMAIL>.'
    """
    return EMAIL.sub("<EMAIL>", text) if "@" in text else text


@cache
def _controls() -> dict[int, None]:
    kept = {ord("\t"), ord("\n")}
    controls = (point for point in range(sys.maxunicode + 1) if unicodedata.category(chr(point)) == "Cc")
    return {point: None for point in (*controls, 0xFEFF) if point not in kept}


def control_characters(text: str) -> str:
    """Removes control characters but tab and line feed, and byte order marks.

    >>> control_characters("a\\x00b\\x1b[0m\\tc\\r\\n\\ufeffd")
    'ab[0m\\tc\\nd'
    """
    return text.translate(_controls())


def white_space(text: str) -> str:
    """Each run of white space becomes one space, or one line feed if it has one; none is left at the ends.

    >>> white_space("  a\\u00a0\\t b \\n\\n  c ")
    'a b\\nc'
    """
    return _lines(text)


def _lines(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _form(form: Literal["NFC", "NFKC"], text: str) -> str:
    # The quick check makes no copy of text that has the form already.
    return text if unicodedata.is_normalized(form, text) else unicodedata.normalize(form, text)


FUNCTIONS: dict[str, Function] = {
    "mojibake": mojibake,
    "html": html,
    "urls": urls,
    "emails": emails,
    "control_characters": control_characters,
    "white_space": white_space,
    "nfc": partial(_form, "NFC"),
    "nfkc": partial(_form, "NFKC"),
}


def _within(least: int, most: int, text: str) -> str | None:
    return text if least <= len(text) <= most else None


def _limits(step: str, argument: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,9})-(\d{1,9})", argument)
    if not found or int(found[1]) > int(found[2]):
        raise BadValue(f'"{step}" does not say which lengths are kept', "write length:MIN-MAX, such as length:10-5000")
    return int(found[1]), int(found[2])
