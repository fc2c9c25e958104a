"""The chat templates that a tokenizer's files bring, and the texts of its control tokens that they may ask for.

A template stands in `chat_template.jinja`, or in `tokenizer_config.json` as `chat_template`: one text, or a list of named
ones; or in a GGUF file. Not here: rendering one (`render`).

Source: the files that Hugging Face's `transformers` writes; `docs/gguf.md` of ggml.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab_app import engine
from lab_app.errors import LoadFailed, NotFound

DEFAULT = "default"
MAX_BYTES = 64_000_000
TOKENS = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")


@dataclass(frozen=True)
class ChatTemplates:
    """The templates by name, and the variables that all of them see, such as `bos_token`."""

    by_name: dict[str, str]
    tokens: dict[str, str]

    def named(self, name: str | None, owner: str) -> tuple[str, str]:
        """Name and text of the template `name`, or of the one used without a name. Raises NotFound.

        >>> ChatTemplates({"default": "{{ messages }}"}, {}).named(None, "mine")
        ('default', '{{ messages }}')
        """
        if not self.by_name and name is None:
            raise NotFound(
                f"{owner} has no chat template",
                "choose the template chatml or harmony, give one of your own, or add the tokenizer with its"
                " tokenizer_config.json or chat_template.jinja",
                on_terminal="give a template with --template chatml|harmony|FILE, or add the tokenizer with its "
                "tokenizer_config.json or chat_template.jinja",
            )
        wanted = name or (DEFAULT if DEFAULT in self.by_name else next(iter(self.by_name)))
        if wanted not in self.by_name:
            raise NotFound(
                f'{owner} has no chat template "{wanted}"',
                f"choose one of its templates: {', '.join(self.by_name)}; or chatml, harmony",
            )
        return wanted, self.by_name[wanted]


def chat_templates(files: Iterable[Path]) -> ChatTemplates:
    """What a tokenizer's files say. Raises LoadFailed where one is not what its name says."""
    found = {file.name: file for file in files}
    config = _json(found.get("tokenizer_config.json"))
    named = _named(config.get("chat_template"))
    alone = found.get("chat_template.jinja")
    if alone is not None:
        named = {DEFAULT: _text(alone), **{name: text for name, text in named.items() if name != DEFAULT}}
    tokens = {**_tokens(_json(found.get("special_tokens_map.json"))), **_tokens(config)}
    for file in found.values():
        if file.suffix == ".gguf":
            # Files beside it are of whoever added it, and say more.
            templates, of_file = _in_gguf(file)
            named, tokens = {**templates, **named}, {**of_file, **tokens}
    return ChatTemplates(named, tokens)


def _in_gguf(file: Path) -> tuple[dict[str, str], dict[str, str]]:
    try:
        return engine.gguf_chat(file) or ({}, {})
    except engine.LoadError as error:
        raise LoadFailed(str(error), "download or add the tokenizer again") from error


def _named(value: Any) -> dict[str, str]:
    if isinstance(value, str):
        return {DEFAULT: value}
    if value is None:
        return {}
    listed = value if isinstance(value, list) else []
    named: dict[str, str] = {}
    for one in listed:
        name, text = (one.get("name"), one.get("template")) if isinstance(one, dict) else (None, None)
        if isinstance(name, str) and isinstance(text, str):
            named[name] = text
    if not named or len(named) != len(listed):
        raise LoadFailed(
            "tokenizer_config.json: chat_template is neither a text nor a list of named ones",
            'write it as "..." or as [{"name": "...", "template": "..."}]',
        )
    return named


def _tokens(config: dict[str, Any]) -> dict[str, str]:
    given = {name: config.get(name) for name in TOKENS}
    texts = {name: value.get("content") if isinstance(value, dict) else value for name, value in given.items()}
    return {name: text for name, text in texts.items() if isinstance(text, str)}


def _json(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        value = json.loads(_text(file))
    except (ValueError, RecursionError) as error:
        raise LoadFailed(f"{file.name} is not JSON: {error}", "download or add the tokenizer again") from error
    return value if isinstance(value, dict) else {}


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > MAX_BYTES:
            raise LoadFailed(
                f"{file.name} has more than {MAX_BYTES} bytes",
                "give a template of fewer bytes: no chat template is that long",
            )
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LoadFailed(f"{file.name} cannot be read: {error}", "download or add the tokenizer again") from error
