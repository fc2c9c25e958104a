"""Suites: texts and chats with the IDs, counts and masks that are expected of them, to be checked again by programs.

A suite is a file of its own, in JSON: a person writes it, or the lab makes one of what is on screen. Every field is checked before it is used.
"""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Unpack
from xml.etree import ElementTree

from pydantic import Field, model_validator

from lab_app.errors import BadValue, LabError
from lab_app.library.tokenizer import AnyTokenizer
from lab_app.number_words import number_of
from lab_app.services.chats.chat import Mask, chat
from lab_app.services.chats.conversation import Conversation, find_template
from lab_app.services.json_files import FileModel, Moment, Short, parsed, validated
from lab_app.services.lab import Lab
from lab_app.services.text.encode import encode
from lab_app.services.text.results import Result
from lab_app.services.text.text_options import TextOptions
from lab_app.settings import DEFAULT_SPECIALS, SpecialText
from lab_app.spelling import spelled

MAX_CASES = 10_000
NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ufffd\U00010000-\U0010ffff]")
EXPECTED = ("ids", "count", "at_most", "mask")
OF_CHATS = (
    "tools",
    "documents",
    "template",
    "template_text",
    "add_generation_prompt",
    "mask_by",
    "mask",
    "as_text",
    "variables",
    "now",
)


class Case(FileModel):
    """A text or a chat, and what is expected of it: at least one of `ids`, `count`, `at_most`, `mask`."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    tokenizer: Short
    text: str | None = None
    messages: list[dict[str, Any]] | None = None
    """A chat, in place of a text."""
    tools: list[Any] | None = None
    documents: list[Any] | None = None
    template: Short | None = None
    """The name of a template: of the tokenizer, or one that is built in."""
    template_text: str | None = None
    variables: dict[str, Any] | None = None
    """Further variables of the template."""
    now: Moment | None = None
    """The moment that the template writes; None for that of the check."""
    add_generation_prompt: bool = False
    mask_by: Mask = "template"
    as_text: list[int] | None = None
    """Messages, from 0, whose control tokens are ordinary text."""
    add_special_tokens: bool = True
    """Of a text; a chat has those of its template."""
    specials: SpecialText = DEFAULT_SPECIALS
    """How to read special tokens that a text spells."""
    ids: list[int] | None = None
    count: Annotated[int, Field(ge=0)] | None = None
    at_most: Annotated[int, Field(ge=0)] | None = None
    """A budget of tokens."""
    mask: list[Literal[0, 1]] | None = None
    """1 for tokens of a chat that a model is trained on."""

    @model_validator(mode="after")
    def _is_one_thing(self) -> "Case":
        if (self.text is None) == (self.messages is None):
            raise ValueError("give text or messages, one of the two")
        if all(getattr(self, name) is None for name in EXPECTED):
            raise ValueError(f"nothing is expected: give one of {', '.join(EXPECTED)}")
        strange = next((name for name in OF_CHATS if name in self.model_fields_set), None)
        if self.text is not None and strange:
            raise ValueError(f"{strange} belongs to messages")
        return self


class Suite(FileModel):
    """The fields of a file."""

    kind: Literal["suite of the Tokenization Laboratory"]
    version: Literal[1]
    name: Annotated[str, Field(min_length=1, max_length=200)]
    cases: Annotated[list[Case], Field(min_length=1, max_length=MAX_CASES)]


@dataclass(frozen=True)
class CaseResult:
    """What became of a case."""

    name: str
    tokenizer: str
    passed: bool
    problems: list[str]
    """What differs; or why there are no tokens."""
    count: int | None
    """Tokens that there are."""
    elapsed_ns: int


@dataclass(frozen=True)
class CheckedSuite:
    """All cases of a suite, in their order."""

    name: str
    passed: int
    failed: int
    cases: list[CaseResult]


def read(content: str | bytes) -> Suite:
    """The suite of a file. Raises BadValue with the place of what is wrong."""
    return validated(Suite, parsed(content, _no_suite), _no_suite)


def suite_of(results: Sequence[Result], text: str, **options: Unpack[TextOptions]) -> Suite:
    """The suite that expects what each tokenizer made of a text just now.

    >>> from lab_app.settings import Settings
    >>> suite_of([encode(Lab(Settings()), "gpt2", "Hello")], "Hello").cases[0].ids
    [15496]
    """
    name = " ".join(text.split())[:60] or "no words"
    cases = [
        Case(name=name, tokenizer=result.id, text=text, ids=result.encoding.ids.tolist(), **options)
        for result in results
    ]
    return Suite(kind="suite of the Tokenization Laboratory", version=1, name=name, cases=cases)


def check(lab: Lab, suite: Suite) -> CheckedSuite:
    """Encodes every case and compares. An error of one case is a problem of that case.

    >>> from lab_app.settings import Settings
    >>> case = Case(name="hello", tokenizer="gpt2", text="Hello, world", ids=[15496, 11, 996], at_most=2)
    >>> suite = Suite(kind="suite of the Tokenization Laboratory", version=1, name="mine", cases=[case])
    >>> found = check(Lab(Settings()), suite)
    >>> found.failed, found.cases[0].problems
    (1, ['token 2 is 995 “·world”, expected 996 “·though”', '3 tokens, at most 2 are allowed'])
    """
    cases = [_checked(lab, case) for case in suite.cases]
    passed = sum(case.passed for case in cases)
    return CheckedSuite(suite.name, passed, len(cases) - passed, cases)


def junit(found: CheckedSuite) -> str:
    """The results as JUnit's XML, which servers for continuous integration read."""
    seconds = [case.elapsed_ns / 1e9 for case in found.cases]
    totals = {"tests": str(len(found.cases)), "failures": str(found.failed), "time": f"{sum(seconds):.6f}"}
    root = ElementTree.Element("testsuites", totals)
    suite = ElementTree.SubElement(root, "testsuite", totals, name=_xml(found.name))
    for case, took in zip(found.cases, seconds, strict=True):
        attributes = {"name": _xml(case.name), "classname": _xml(case.tokenizer), "time": f"{took:.6f}"}
        element = ElementTree.SubElement(suite, "testcase", attributes)
        if case.problems:
            failure = ElementTree.SubElement(element, "failure", message=_xml(case.problems[0]))
            failure.text = _xml("\n".join(case.problems))
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _no_suite(problem: str) -> LabError:
    return BadValue(
        f"this is no suite: {problem}", "take a file that the lab wrote, or mend it: the guide has the fields"
    )


def _checked(lab: Lab, case: Case) -> CaseResult:
    began = time.perf_counter_ns()
    count: int | None = None
    try:
        ids, mask, tokenizer = _tokens(lab, case)
        count = len(ids)
        problems = _problems(case, ids, mask, tokenizer)
    except LabError as error:
        problems = [str(error)]
    return CaseResult(case.name, case.tokenizer, not problems, problems, count, time.perf_counter_ns() - began)


def _tokens(lab: Lab, case: Case) -> tuple[list[int], list[int] | None, AnyTokenizer]:
    tokenizer = lab.loaded.get_any(case.tokenizer)[1]
    if case.text is not None:
        found = encode(
            lab, case.tokenizer, case.text, specials=case.specials, add_special_tokens=case.add_special_tokens
        )
        return found.encoding.ids.tolist(), None, tokenizer
    conversation = Conversation(
        case.messages or [], case.tools, case.documents, case.add_generation_prompt, case.variables or {}
    )
    template = find_template(lab, case.tokenizer, case.template, case.template_text, now=case.now)
    rendered = chat(lab, case.tokenizer, conversation, template, mask=case.mask_by, as_text=case.as_text or ())
    return rendered.ids, rendered.mask, tokenizer


def _problems(case: Case, ids: Sequence[int], mask: list[int] | None, tokenizer: AnyTokenizer) -> list[str]:
    found = []
    if case.ids is not None and (at := _first_difference(case.ids, ids)) is not None:
        there, expected = (_shown(each[at : at + 1], tokenizer) for each in (ids, case.ids))
        found.append(f"token {at} is {there}, expected {expected}")
    if case.count is not None and len(ids) != case.count:
        found.append(f"{number_of(len(ids), 'token')}, expected {case.count}")
    if case.at_most is not None and len(ids) > case.at_most:
        found.append(f"{number_of(len(ids), 'token')}, at most {case.at_most} are allowed")
    if case.mask is not None:
        if mask is None:
            found.append("there is no mask: the template does not mark what a model is trained on")
        elif (at := _first_difference(case.mask, mask)) is not None:
            there, expected = ("missing" if at >= len(each) else str(each[at]) for each in (mask, case.mask))
            found.append(f"the mask of token {at} is {there}, expected {expected}")
    return found


def _first_difference(expected: Sequence[int], found: Sequence[int]) -> int | None:
    if list(expected) == list(found):
        return None
    pairs = enumerate(zip(expected, found, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(expected), len(found)))


def _shown(ids: Sequence[int], tokenizer: AnyTokenizer) -> str:
    if not ids:
        return "missing"
    id = ids[0]
    if not 0 <= id < tokenizer.vocab_size:
        return f"{id}, which {tokenizer.vocab_size} tokens do not have"
    return f"{id} “{spelled(tokenizer.token_text(id), tokenizer.token_bytes(id).hex())}”"


def _xml(text: str) -> str:
    """The text without characters that XML cannot hold."""
    return NOT_IN_XML.sub("\ufffd", text)
