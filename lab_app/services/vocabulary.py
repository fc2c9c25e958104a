"""Looks tokens up in a vocabulary."""

from collections.abc import Sequence
from typing import Any

from lab_app import engine
from lab_app.errors import BadValue, DecodeFailed
from lab_app.services.lab import Lab

MAX_IDS = 1000


def tokens(lab: Lab, id: str, ids: Sequence[int]) -> list[dict[str, Any]]:
    """One object per id: `id`, `text` (None where the bytes are not whole characters), `bytes` (hex), `special`, `rank`.

    Raises BadValue for more than a thousand ids, DecodeFailed for one that is not in the vocabulary.

    >>> from lab_app.settings import Settings
    >>> tokens(Lab(Settings()), "gpt2", [995])
    [{'id': 995, 'text': ' world', 'bytes': '20776f726c64', 'special': False, 'rank': 995}]
    """
    if len(ids) > MAX_IDS:
        raise BadValue(f"{len(ids)} ids are too many", f"ask for at most {MAX_IDS} at a time")
    _, tokenizer = lab.loaded.get_any(id)
    strange = next((each for each in ids if not 0 <= each < tokenizer.vocab_size), None)
    if strange is not None:
        raise DecodeFailed(f"no token has id {strange}", f"the ids of {id} are below {tokenizer.vocab_size}")
    special = set(tokenizer.special_tokens.values())
    try:
        return [
            {
                "id": each,
                "text": tokenizer.id_to_token(each),
                "bytes": tokenizer.token_bytes(each).hex(),
                "special": each in special,
                "rank": tokenizer.rank(each),
            }
            for each in ids
        ]
    except engine.DecodeError as error:  # a hole among the ids
        raise DecodeFailed(str(error), "give ids of this tokenizer's own vocabulary") from error
