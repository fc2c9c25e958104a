"""Special tokens that a text spells, such as `<|endoftext|>` typed by a user.

Text that looks like a special token is ordinary text in the page, on the command line and over HTTP, unless the caller
asks otherwise (`DEFAULT_SPECIALS` in `lab_app.settings`).
"""

from lab_app.engine import SPECIAL, TEMPLATE
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab


def special_text(lab: Lab, id: str, text: str) -> list[str]:
    """The special tokens that `text` would become with `specials="parse"`, each once, in the order of their ids.

    Raises as `encode` does.

    >>> from lab_app.settings import Settings
    >>> special_text(Lab(Settings()), "gpt2", "a <|endoftext|> b")
    ['<|endoftext|>']
    """
    _, tokenizer = lab.loaded.get_any(id)
    # Cheap, and almost always empty. The encoding decides: a match may need a word boundary, or not be possible at all.
    if not any(token and token in text for token in tokenizer.special_tokens):
        return []
    with translate_engine_errors():
        encoding = tokenizer.encode(text, add_special_tokens=False, specials="parse")
    found = set(encoding.ids[(encoding.flags & (SPECIAL | TEMPLATE)) == SPECIAL].tolist())
    return [token for token, token_id in tokenizer.special_tokens.items() if token_id in found]
