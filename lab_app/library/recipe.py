"""Recipes: the model of one tokenizer with normalizers, pretokenizers and added tokens of the user's choice.

A recipe changes the stages of its base's tokenizer.json. The result is a tokenizer.json too; loading it checks it. Blocks
are those of that format and the lab's own normalizers. Not here: the base's tokenizer.json (`definition`), keeping the
result (`adding`).

Source: the stages of the format, docs/reference/formats.md.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lab_app import engine
from lab_app.errors import BadValue, LoadFailed
from lab_app.files import temporary_folder
from lab_app.library.importing import TOKENIZER_JSON, read

# Blocks by name, with the settings most people want.
NORMALIZERS: Mapping[str, dict[str, Any]] = {
    "NFC": {"type": "NFC"},
    "NFD": {"type": "NFD"},
    "NFKC": {"type": "NFKC"},
    "NFKD": {"type": "NFKD"},
    "Lowercase": {"type": "Lowercase"},
    "StripAccents": {"type": "StripAccents"},
    "Strip": {"type": "Strip", "strip_left": True, "strip_right": True},
    "CollapseWhitespace": {"type": "CollapseWhitespace"},
    "RemoveControls": {"type": "RemoveControls"},
    "Nmt": {"type": "Nmt"},
    "BertNormalizer": {
        "type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
        "lowercase": True,
    },
    "turkish_lowercase": {"type": "Language", "rule": "turkish_lowercase"},
    "german_sharp_s": {"type": "Language", "rule": "german_sharp_s"},
    "arabic_diacritics": {"type": "Language", "rule": "arabic_diacritics"},
    "arabic_tatweel": {"type": "Language", "rule": "arabic_tatweel"},
    "hindi_nukta": {"type": "Language", "rule": "hindi_nukta"},
    "full_width": {"type": "Language", "rule": "full_width"},
}  # fmt: skip
PRETOKENIZERS: Mapping[str, dict[str, Any]] = {
    "Whitespace": {"type": "Whitespace"},
    "WhitespaceSplit": {"type": "WhitespaceSplit"},
    "Punctuation": {"type": "Punctuation", "behavior": "Isolated"},
    "Digits": {"type": "Digits", "individual_digits": False},
    "IndividualDigits": {"type": "Digits", "individual_digits": True},
    "BertPreTokenizer": {"type": "BertPreTokenizer"},
    "UnicodeScripts": {"type": "UnicodeScripts"},
    "ByteLevel": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True},
    "Metaspace": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
}
MAX_BLOCKS = 64
MAX_ADDED = 100_000


@dataclass(frozen=True)
class Recipe:
    """`base` is the tokenizer whose model is taken. A stage that is None stays as the base has it; [] takes it out."""

    base: str
    normalizers: tuple[dict[str, Any], ...] | None = None
    pretokenizers: tuple[dict[str, Any], ...] | None = None
    keep_template: bool = True
    added_tokens: tuple[str, ...] = ()
    special_tokens: tuple[str, ...] = ()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Recipe":
        """Reads a recipe's fields. Raises BadValue with the field.

        >>> Recipe.of({"base": "gpt2", "normalizers": ["NFKC"]}).normalizers
        ({'type': 'NFKC'},)
        """
        known = ("base", "normalizers", "pretokenizers", "keep_template", "added_tokens", "special_tokens")
        strange = next((name for name in values if name not in known), None)
        if strange is not None:
            raise BadValue(f'a recipe has no field "{strange}"', f"choose among its fields: {', '.join(known)}")
        base, keep = values.get("base"), values.get("keep_template", True)
        if not isinstance(base, str) or not base:
            raise BadValue("base is missing", 'name the tokenizer whose model is taken: base = "bert-base-uncased"')
        if not isinstance(keep, bool):
            raise BadValue(f"keep_template cannot be {keep!r}", "give true or false")
        return cls(
            base,
            _blocks(values, "normalizers", NORMALIZERS),
            _blocks(values, "pretokenizers", PRETOKENIZERS),
            keep,
            _texts(values, "added_tokens"),
            _texts(values, "special_tokens"),
        )

    @property
    def key(self) -> str:
        """The recipe as a text: equal for equal recipes."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_toml(cls, file: Path) -> "Recipe":
        """Reads a recipe's file. Raises LoadFailed if it is not TOML, BadValue with the field."""
        try:
            return cls.of(tomllib.loads(file.read_text("utf-8")))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
            raise LoadFailed(
                f"{file.name} is not a recipe: {error}", "correct it; docs/guide/library.md has one"
            ) from error


def compose(definition: Mapping[str, Any], recipe: Recipe) -> dict[str, Any]:
    """The tokenizer.json of `recipe`, made from that of its base, which is left as it is.

    >>> made = compose({"normalizer": None, "model": {}}, Recipe("gpt2", normalizers=({"type": "NFC"},)))
    >>> made["normalizer"]
    {'type': 'NFC'}
    """
    made = dict(definition)
    if recipe.normalizers is not None:
        made["normalizer"] = _stage(recipe.normalizers, "normalizers")
    if recipe.pretokenizers is not None:
        made["pre_tokenizer"] = _stage(recipe.pretokenizers, "pretokenizers")
    if not recipe.keep_template:
        made["post_processor"] = None
    made["added_tokens"] = _added(definition, recipe)
    return made


def composed(definition: Mapping[str, Any], recipe: Recipe) -> engine.Tokenizer:
    """The tokenizer of a recipe. `definition` is its base's. Raises LoadFailed and BadValue; keeps no file."""
    with composed_file(definition, recipe) as file:
        return read(file)


@contextmanager
def composed_file(definition: Mapping[str, Any], recipe: Recipe) -> Iterator[Path]:
    """The tokenizer.json of a recipe, in a file that exists until the block ends."""
    with temporary_folder() as folder:
        file = folder / TOKENIZER_JSON
        file.write_text(json.dumps(compose(definition, recipe), ensure_ascii=False), "utf-8")
        yield file


def _added(definition: Mapping[str, Any], recipe: Recipe) -> list[dict[str, Any]]:
    added = list(definition.get("added_tokens") or [])
    there = {token["content"] for token in added}
    vocab = _vocab(definition)
    next_id = max([*vocab.values(), *(token["id"] for token in added)], default=-1) + 1
    wanted = dict.fromkeys(recipe.added_tokens, False) | dict.fromkeys(recipe.special_tokens, True)
    for text, special in wanted.items():
        if text in there:
            raise BadValue(f'"{text}" is an added token of {recipe.base} already', "leave it out")
        id = vocab.get(text)
        if id is None:
            id, next_id = next_id, next_id + 1
        added.append(
            {"id": id, "content": text, "single_word": False, "lstrip": False, "rstrip": False,
             "normalized": not special, "special": special}
        )  # fmt: skip
    return sorted(added, key=lambda token: token["id"])


def _vocab(definition: Mapping[str, Any]) -> dict[str, int]:
    vocab = definition.get("model", {}).get("vocab", {})
    return {token: id for id, (token, _) in enumerate(vocab)} if isinstance(vocab, list) else vocab


def _stage(blocks: tuple[dict[str, Any], ...], name: str) -> dict[str, Any] | None:
    if not blocks:
        return None
    return blocks[0] if len(blocks) == 1 else {"type": "Sequence", name: list(blocks)}


def _blocks(
    values: Mapping[str, Any], field: str, named: Mapping[str, dict[str, Any]]
) -> tuple[dict[str, Any], ...] | None:
    given = values.get(field)
    if given is None:
        return None
    if not isinstance(given, list) or len(given) > MAX_BLOCKS:
        raise BadValue(
            f"{field} is not a list of at most {MAX_BLOCKS} blocks", f'give a list, such as {field} = ["NFKC"]'
        )
    blocks = []
    for at, block in enumerate(given):
        if isinstance(block, str):
            if block not in named:
                raise BadValue(
                    f'{field}[{at}]: there is no block "{block}"', f"name one of those there are: {', '.join(named)}"
                )
            blocks.append(dict(named[block]))
        elif isinstance(block, dict) and isinstance(block.get("type"), str):
            blocks.append(block)
        else:
            raise BadValue(
                f"{field}[{at}] is neither a name nor a block",
                'give "NFKC", or {type = "Replace", ...} as tokenizer.json',
            )
    return tuple(blocks)


def _texts(values: Mapping[str, Any], field: str) -> tuple[str, ...]:
    given = values.get(field, [])
    if not isinstance(given, list) or not all(isinstance(one, str) and one for one in given) or len(given) > MAX_ADDED:
        raise BadValue(f"{field} is not a list of texts", f'give a list, such as {field} = ["<sep>"]')
    if len(set(given)) != len(given):
        raise BadValue(f"{field} has a text twice", "give each once")
    return tuple(given)
