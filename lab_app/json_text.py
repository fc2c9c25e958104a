"""JSON of results: the one way in which commands, files and the HTTP interface write them.

A result is a dataclass whose fields are those of its JSON. Not here: answers of millions of tokens, which are written in
chunks (`lab_app.services.text.results`).
"""

import json


def json_text(value: object) -> str:
    """`value` as JSON. Dataclasses become objects, at any depth. Raises ValueError for numbers that JSON does not have.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Token:
    ...     id: int
    ...     text: str | None
    >>> json_text({"tokens": [Token(0, None), Token(1, "é")]})
    '{"tokens": [{"id": 0, "text": null}, {"id": 1, "text": "é"}]}'
    """
    return _ENCODER.encode(value)


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=vars, check_circular=False)
