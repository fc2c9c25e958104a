"""The process of one plug-in: imports it, calls it, and checks that what it returns has the right types.

Started by `process`, which sends the entry point on stdin. What the plug-in prints goes nowhere; what it raises becomes
an answer. Not here: whether ids and spans make sense (`tokenizer`), time limits (`process`).
"""

import itertools
import operator
from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint
from typing import Any

from lab_app.children.session import serve
from lab_app.library.plugins.discovery import GROUP

NEEDED = ("encode", "decode", "vocab")


def main() -> None:
    """Answers requests on stdin until it ends."""
    plugin: Any = None

    def answer_to(request: dict[str, Any]) -> dict[str, Any]:
        nonlocal plugin
        if request["do"] == "load":
            plugin = _load(request["name"], request["value"])
            return _described(plugin)
        return _called(plugin, request)

    serve(answer_to)


def _load(name: str, value: str) -> Any:
    found = EntryPoint(name, value, GROUP).load()
    plugin = found() if isinstance(found, type) else found
    missing = [each for each in NEEDED if not callable(getattr(plugin, each, None))]
    if missing:
        raise TypeError(f"{value} has no method {', '.join(missing)}")
    return plugin


def _described(plugin: Any) -> dict[str, Any]:
    vocab = plugin.vocab()
    if not isinstance(vocab, Mapping):
        raise TypeError(f"vocab() gave a {type(vocab).__name__}, not a mapping of tokens to IDs")
    specials = getattr(plugin, "special_tokens", None) or {}
    if not isinstance(specials, Mapping):
        raise TypeError(f"special_tokens is a {type(specials).__name__}, not a mapping of texts to IDs")
    unknown = getattr(plugin, "unknown_id", None)
    family = getattr(plugin, "family", None)
    return {
        "vocab": [[_token(token), _id(id, f"vocab()[{token!r:.40}]")] for token, id in vocab.items()],
        "special_tokens": {_text(text): _id(id, f"special_tokens[{text!r:.40}]") for text, id in specials.items()},
        "unknown_id": None if unknown is None else _id(unknown, "unknown_id"),
        "family": family if isinstance(family, str) and family else None,
    }


def _called(plugin: Any, request: dict[str, Any]) -> dict[str, Any]:
    if request["do"] == "encode":
        return _encoded(plugin, request["text"])
    if request["do"] == "decode":
        return {"bytes": [_bytes(plugin.decode(list(ids)), "decode()").hex() for ids in request["batch"]]}
    raise ValueError(request["do"])


def _encoded(plugin: Any, text: str) -> dict[str, Any]:
    # More tokens than bits are no tokenizer's; a generator without an end would fill the memory.
    most = 8 * len(text.encode()) + 1000
    if not callable(getattr(plugin, "encode_with_spans", None)):
        return {"ids": _ids(plugin.encode(text), most, "encode()"), "spans": None}
    answer = plugin.encode_with_spans(text)
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise TypeError("encode_with_spans() must give two things: the IDs and the spans")
    spans = [_span(span, at) for at, span in enumerate(itertools.islice(_iterable(answer[1], "the spans"), most + 1))]
    return {"ids": _ids(answer[0], most, "encode_with_spans()"), "spans": spans}


def _ids(value: Any, most: int, place: str) -> list[int]:
    ids = [_id(id, f"id {at} of {place}") for at, id in enumerate(itertools.islice(_iterable(value, place), most + 1))]
    if len(ids) > most:
        raise ValueError(f"{place} gave more than {most} ids")
    return ids


def _iterable(value: Any, place: str) -> Iterable[Any]:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise TypeError(f"{place} gave a {type(value).__name__}, not a list")
    return value


def _id(value: Any, place: str) -> int:
    if isinstance(value, bool):
        raise TypeError(f"{place} is a bool, not a whole number")
    try:
        number = operator.index(value)  # numpy's integers too
    except TypeError:
        raise TypeError(f"{place} is a {type(value).__name__}, not a whole number") from None
    if not 0 <= number < 2**32:
        raise ValueError(f"{place} is {number}, and IDs are from 0 to 4294967295")
    return number


def _span(value: Any, at: int) -> list[int]:
    pair = list(itertools.islice(_iterable(value, f"span {at}"), 3))
    if len(pair) != 2:
        raise TypeError(f"span {at} is not a pair of start and end")
    return [_id(each, f"span {at}") for each in pair]


def _token(value: Any) -> str:
    return _bytes(value, "a token of vocab()").hex()


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"the special token {value!r:.40} is a {type(value).__name__}, not a str")
    return value


def _bytes(value: Any, place: str) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytes):
        return value
    raise TypeError(f"{place} is a {type(value).__name__}, not a str or bytes")
