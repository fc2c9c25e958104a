"""A result as a file: the sheet, the answers and the marks, which another lab computes again.

The digest finds what was damaged or edited by accident. It is no signature: who makes a new file makes a new digest.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from lab_app.errors import BadValue
from lab_app.number_words import number_of
from lab_app.services.exercises.marking import Marks, mark
from lab_app.services.exercises.options import SheetKind, SheetOptions
from lab_app.services.exercises.sheets import VERSION as SHEET_VERSION
from lab_app.services.exercises.sheets import SheetOrigin, sheet_of
from lab_app.services.exercises.task import Answer
from lab_app.services.json_files import FileModel, Short, faults, parsed, validated
from lab_app.services.lab import Lab
from lab_app.times import now_text
from lab_app.version import lab_version

KIND = "exercises of the Tokenization Laboratory"
DIGEST = 64
"""Hex digits of a sha256."""
AGAIN = "ask for the file again: this one was changed"


class FileTokenizer(FileModel):
    """A tokenizer of the sheet."""

    id: Short
    sha256: Short | None


class FileSheet(FileModel):
    """What makes the tasks again."""

    version: int
    tokenizer: Short
    seed: int
    kind: SheetKind
    corpus: Short
    language: Short | None
    count: int
    corpus_sha256: Short
    tokenizers: list[FileTokenizer]


class ResultFile(FileModel):
    """The fields of a file."""

    kind: Literal["exercises of the Tokenization Laboratory"]
    version: Literal[1]
    name: Short
    """Of the learner; may be empty."""
    made_at: Short
    """UTC, ISO 8601."""
    lab_version: Short
    sheet: FileSheet
    answers: list[Answer]
    marks: list[bool | None]
    right: int
    of: int
    sha256: Short
    """Of the other fields as JSON with sorted keys and without white space."""


@dataclass(frozen=True)
class CheckedFile:
    """A file whose marks are those of the engine."""

    name: str
    made_at: str
    lab_version: str
    marks: Marks


def result_file(lab: Lab, id: str, options: SheetOptions, answers: list[Answer], name: str = "") -> ResultFile:
    """Marks answers and makes a file of them. Raises as `mark` does."""
    marks = mark(lab, id, options, answers)
    fields: dict[str, Any] = {
        "kind": KIND,
        "version": 1,
        "name": name,
        "made_at": now_text(),
        "lab_version": lab_version(),
        "sheet": _file_sheet(marks).model_dump(),
        "answers": answers,
        "marks": [each.right for each in marks.marks],
        "right": marks.right,
        "of": marks.of,
    }
    return validated(ResultFile, fields | {"sha256": _digest(fields)}, _no_result)


def read_answers(content: str) -> list[Answer]:
    """Answers as JSON. Raises BadValue with the place of what is none.

    >>> read_answers("[2, [3, 9], null]")
    [2, [3, 9], None]
    """

    def refused(fault: str) -> BadValue:
        return BadValue(f"these are no answers: {fault}", "give a list such as [2, [3, 9], null]")

    try:
        return TypeAdapter(list[Answer]).validate_python(parsed(content, refused), strict=True)
    except ValidationError as error:
        raise refused(faults(error)) from None


def read(content: str | bytes) -> ResultFile:
    """The fields of a file. Raises BadValue with the place of what is wrong."""
    return validated(ResultFile, parsed(content, _no_result), _no_result)


def check(lab: Lab, file: ResultFile) -> CheckedFile:
    """Makes the sheet of a file again and compares all that the file says.

    Raises BadValue with the place of what differs, and as `mark` does for a tokenizer or corpus that is not here.
    """
    sheet = file.sheet
    if sheet.version != SHEET_VERSION:
        raise BadValue(
            f"sheet.version is {sheet.version}, and this lab makes sheets of version {SHEET_VERSION}",
            f"the tasks of that version were others: check the file with the lab that wrote it, version {file.lab_version}",
        )
    options = SheetOptions(**sheet.model_dump(exclude={"version", "tokenizer", "corpus_sha256", "tokenizers"}))
    here = _file_sheet(sheet_of(lab, sheet.tokenizer, options))
    for name in FileSheet.model_fields:
        said, made = getattr(sheet, name), getattr(here, name)
        if said != made:
            raise BadValue(
                f"sheet.{name} is {_words(said)}, and this lab makes the sheet with {_words(made)}",
                "check it in a lab with the same corpus and files of the same tokenizers",
            )
    found = mark(lab, sheet.tokenizer, options, file.answers)
    marks = [each.right for each in found.marks]
    if len(file.marks) != len(marks):
        raise BadValue(
            f"marks has {number_of(len(file.marks), 'entry', 'entries')}, and the sheet has {len(marks)} tasks", AGAIN
        )
    for n, (said, is_right) in enumerate(zip(file.marks, marks, strict=True)):
        if said != is_right:
            raise BadValue(f"marks.{n} is {_word(said)}, and the engine marks answers.{n} {_word(is_right)}", AGAIN)
    for place, count, counted in (("right", file.right, found.right), ("of", file.of, found.of)):
        if count != counted:
            raise BadValue(f"{place} is {count}, and the engine counts {counted}", AGAIN)
    if file.sha256 != (digest := _digest(file.model_dump(exclude={"sha256"}))):
        raise BadValue(f"sha256 is {_words(file.sha256)}, and the digest of the file is {_words(digest)}", AGAIN)
    return CheckedFile(file.name, file.made_at, file.lab_version, found)


def _no_result(fault: str) -> BadValue:
    return BadValue(
        f"this is not a result of exercises: {fault}",
        "choose a file that Learn saved",
        on_terminal="give a file that Learn or POST /exercises/file wrote",
    )


def _digest(fields: dict[str, Any]) -> str:
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _file_sheet(made: SheetOrigin) -> FileSheet:
    fields = {name: getattr(made, name) for name in FileSheet.model_fields}
    return FileSheet(**fields | {"tokenizers": [FileTokenizer(**vars(each)) for each in made.tokenizers]})


def _words(value: object) -> str:
    """A value of a sheet for a sentence: digests are shortened."""
    if isinstance(value, list):
        return ", ".join(f"{each.id} ({_words(each.sha256)})" for each in value)
    return f"{value:.12}…" if isinstance(value, str) and len(value) == DIGEST else str(value)


def _word(mark: bool | None) -> str:
    return {True: "right", False: "wrong", None: "not answered"}[mark]
