"""Documents in JSON objects: a field of each object, a field of an object in it such as `data.text`, or a list of chat messages.

Not here: where the objects are (`json_lines`, `json_array`).
"""

import json
import re
from typing import Any

from lab_app.corpora.readers.rows import Rows, Source, as_rows
from lab_app.corpora.report import ReadReport
from lab_app.corpora.streams import REPLACEMENT

SURROGATE = re.compile("[\ud800-\udfff]")
MAX_DEPTH = 4
"""Of objects in objects, or structs in structs, whose fields are columns."""
MESSAGE_TEXTS = ("content", "value")
"""The field of a chat message that holds its text, by its usual names."""


class ObjectRows:
    """Collects the documents of objects, and their languages if a column holds them."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._texts: list[str] = []
        self._languages: list[int] = []
        self.characters = 0
        """Of all documents since `taken`."""

    def add(self, value: dict[str, Any], place: str) -> None:
        """Takes the document of an object; one that holds no text is skipped and reported with its `place`."""
        source, corpus = self._source, self._source.corpus
        found = field(value, corpus.text_column or "")
        text = text_of(found)
        if text is None:
            source.report.skip(
                place, f'column "{corpus.text_column}" holds {json.dumps(found)[:40]}, which is not text'
            )
            return
        self._texts.append(_whole_characters(text, source.report))
        self.characters += len(text)
        if corpus.language_column:
            language = str(field(value, corpus.language_column) or "")
            self._languages.append(source.languages.number(_whole_characters(language, source.report)))

    def taken(self) -> Rows:
        """The rows since the last call."""
        rows = as_rows(self._texts, self._languages if self._source.corpus.language_column else None)
        self._texts, self._languages, self.characters = [], [], 0
        return rows


def field(value: dict[str, Any], name: str) -> Any:
    """The field called `name`; if there is none, `data.text` is the field `text` of the object `data`. None if neither is there.

    >>> field({"data": {"text": "a"}}, "data.text"), field({"data.text": "b"}, "data.text"), field({"data": 1}, "data.text")
    ('a', 'b', None)
    """
    if name in value:
        return value[name]
    outer, dot, inner = name.partition(".")
    return field(value[outer], inner) if dot and isinstance(value.get(outer), dict) else None


def text_of(value: Any) -> str | None:
    """A text, or the texts of chat messages with a line end between them; "" for null, None for what holds no text.

    >>> text_of("a"), text_of([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]), text_of([1])
    ('a', 'Hi\\nHello', None)
    """
    if value is None or isinstance(value, str):
        return value or ""
    if not isinstance(value, list):
        return None
    texts = [_message_text(one) for one in value]
    return None if None in texts else "\n".join(text for text in texts if text)


def _message_text(message: Any) -> str | None:
    """The text of a message, whose content may be a list of parts; "" without any, None for what is no message."""
    name = next((name for name in MESSAGE_TEXTS if name in message), None) if isinstance(message, dict) else None
    if name is None:
        return None
    content = message[name]
    if isinstance(content, list):
        parts = [part.get("text") or "" if isinstance(part, dict) else part for part in content]
        return "".join(parts) if all(isinstance(part, str) for part in parts) else None
    return content or "" if content is None or isinstance(content, str) else None


def _whole_characters(text: str, report: ReadReport) -> str:
    """The text with U+FFFD for each half of a surrogate pair, which JSON can spell and UTF-8 cannot; the report counts them."""
    if text.isascii():
        return text
    whole, count = SURROGATE.subn(REPLACEMENT, text)
    report.replaced_characters += count
    return whole
