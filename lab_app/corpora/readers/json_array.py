"""A JSON file that is one array of objects: each object holds a document. It is read in parts, one object at a time."""

import json
from collections.abc import Iterator
from typing import Any

from lab_app.corpora.readers.objects import ObjectRows
from lab_app.corpora.readers.rows import Rows, Source
from lab_app.corpora.readers.text import MARK
from lab_app.corpora.streams import damaged, opened, valid_utf8

SPACES = tuple(" \t\r\n")


def read_json_array(source: Source, start: int, end: int) -> Iterator[Rows]:
    """The text column of all objects. Other values are skipped and reported; raises LoadFailed for what is no array."""
    rows = ObjectRows(source)
    for number, value in enumerate(array_values(source), 1):
        place = f"{source.file.path} item {number}"
        if isinstance(value, dict):
            rows.add(value, place)
        else:
            source.report.skip(place, "the item is not an object: write {...} for each document")
        if rows.characters >= source.batch_bytes:
            yield rows.taken()
    yield rows.taken()


def array_values(source: Source) -> Iterator[Any]:
    """The items of the array, one by one."""
    text = _Text(source)
    if text.next() != "[":
        raise damaged(source.file, "it is not an array of objects: [{...}, {...}]")
    text.at += 1
    number = 0
    while (found := text.next()) != "]" or number:
        number += 1
        yield text.value(number)
        found = text.next()
        if found == "]":
            break
        if found != ",":
            raise damaged(source.file, f"item {number} is not followed by a comma or the end of the array")
        text.at += 1
    text.at += 1
    if text.next():
        raise damaged(source.file, "text follows the array")


class _Text:
    """The part of the file's text that is being read, from character `at` on."""

    def __init__(self, source: Source) -> None:
        self.at = 0
        self._text = ""
        self._source = source
        self._blocks = text_blocks(source)
        self._decoder = json.JSONDecoder()

    def next(self) -> str:
        """The character after any white space; "" at the end."""
        while True:
            while self._text[self.at : self.at + 1] in SPACES:
                self.at += 1
            if self.at < len(self._text):
                return self._text[self.at]
            if not self._more():
                return ""

    def value(self, number: int) -> Any:
        """The value that starts here. Raises LoadFailed for what is not JSON or longer than a document may be."""
        self.next()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self.at)
                # A number may go on in the next block; an object ends where it ends.
                if end < len(self._text) or isinstance(value, dict) or not self._more():
                    self.at = end
                    return value
            except RecursionError as error:
                raise damaged(self._source.file, f"item {number} is nested too deeply") from error
            except ValueError as error:
                if len(self._text) - self.at > self._source.most:
                    most = f"longer than {self._source.most} characters, or not JSON"
                    raise damaged(self._source.file, f"item {number} is {most}: {error}") from error
                if not self._more():
                    raise damaged(self._source.file, f"item {number} is not JSON: {error}") from error

    def _more(self) -> bool:
        """Reads as much again as is left, so that a long item is parsed few times. False at the end of the file."""
        parts, left = [self._text[self.at :]], max(len(self._text) - self.at, 1)
        while left > 0 and (block := next(self._blocks, None)) is not None:
            parts.append(block)
            left -= len(block)
        self._text, self.at = "".join(parts), 0
        return any(parts[1:])


def text_blocks(source: Source) -> Iterator[str]:
    """The text of the file in parts of about `batch_bytes`."""
    left = b""
    is_first = True
    with opened(source.file, source.report) as stream:
        while part := stream.read(source.batch_bytes):
            if is_first:
                part, is_first = part.removeprefix(MARK), False
            part = left + part
            end = _last_start(part)
            yield valid_utf8(part[:end], source.report).decode()
            left = part[end:]
        yield valid_utf8(left, source.report).decode()


def _last_start(block: bytes) -> int:
    """Where the last character starts that may go on after the block, which is among its last three bytes; or its end.

    >>> _last_start("aé".encode()), _last_start(b"a\\xc3"), _last_start(b"ab")
    (1, 1, 2)
    """
    for at in range(len(block) - 1, max(len(block) - 4, -1), -1):
        if block[at] >= 0xC0:
            return at
    return len(block)
