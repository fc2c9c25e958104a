"""Results as the JSON that programs get."""

import json
from typing import Any

from lab_app.json_text import json_text


def plain(result: object) -> Any:
    """A result as lists, dictionaries, texts and numbers.

    >>> from lab_app.services.text.decode import Decoded
    >>> plain(Decoded("gpt2", None, "e6"))
    {'tokenizer': 'gpt2', 'text': None, 'bytes': 'e6'}
    """
    return json.loads(json_text(result))
