"""Edits of the stages around a vocabulary: the normalizer, the split pattern, lower case, greedy longest match.

They change no token and no ID; which tokens no text gives any more, the checks say. Not here: blocks by name
(`lab_app.library.recipe`).
"""

import json
from typing import Annotated, Any

from lab_app import engine
from lab_app.editing.options import Blocks
from lab_app.editing.tables import Definition, Tables, stage_types
from lab_app.errors import BadValue
from lab_app.files import temporary_folder
from lab_app.library.definition import definition as definition_of
from lab_app.library.importing import TOKENIZER_JSON, read
from lab_app.library.recipe import Recipe, compose
from lab_app.options import Option

LONGEST_WORD = 4000
"""Bytes of a pretoken for greedy longest match: `tokenizers` needs a time that grows with their third power."""


def change_normalizer(
    definition: Definition, normalizers: Annotated[Blocks, Option("Normalizers, one per line")]
) -> dict[str, Any]:
    """Puts other normalizers in the place of the present ones, by name or as tokenizer.json has them. Raises BadValue.

    >>> change_normalizer({"model": {}, "normalizer": None}, ["NFC"])["normalizer"]
    {'type': 'NFC'}
    """
    return compose(definition, Recipe.of({"base": "the base", "normalizers": list(normalizers)}))


def change_pretokenizer(
    definition: Definition, pretokenizers: Annotated[Blocks, Option("Pretokenizers, one per line")]
) -> dict[str, Any]:
    """As `change_normalizer`, for pretokenizers."""
    return compose(definition, Recipe.of({"base": "the base", "pretokenizers": list(pretokenizers)}))


def split_pattern(definition: Definition, pattern: Annotated[str, Option("Pattern")]) -> dict[str, Any]:
    """Splits texts by a regular expression, or by the pattern of the built-in tokenizer of that name. Raises BadValue.

    >>> split_pattern({"model": {"vocab": {}, "merges": []}}, r"\\w+|\\W+")["pre_tokenizer"]["type"]
    'Split'
    """
    if pattern in engine.BUILTIN:
        split = _split_of(_stages_of(pattern))
    else:
        try:
            engine.check_pattern(pattern)
        except ValueError as error:
            raise BadValue(
                f"invalid split pattern: {error}", f"give a regular expression, or one of {', '.join(engine.BUILTIN)}"
            ) from error
        split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    tables = Tables.of(definition)
    if not tables.is_byte_level:
        return {**definition, "pre_tokenizer": split}
    spelled = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    return {**definition, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, spelled]}}


def lower_case(definition: Definition) -> dict[str, Any]:
    """Writes texts in lower case before all else. Tokens with capitals stay; a normalizer after it may still make them, as
    NFKC makes "°C" of "℃". Raises BadValue if the normalizer writes lower case already.

    >>> lower_case({"model": {}, "normalizer": {"type": "NFC"}})["normalizer"]["normalizers"]
    [{'type': 'Lowercase'}, {'type': 'NFC'}]
    """
    lower, normalizer = {"type": "Lowercase"}, definition.get("normalizer")
    given = normalizer or {}
    old = given["normalizers"] if given.get("type") == "Sequence" else [given]
    lowers = any(step.get("type") == "BertNormalizer" and step.get("lowercase", True) for step in old)
    if lowers or "Lowercase" in stage_types(normalizer, "normalizers"):
        raise BadValue("the normalizer writes lower case already", "leave the edit out")
    if normalizer is None:
        return {**definition, "normalizer": lower}
    return {**definition, "normalizer": {"type": "Sequence", "normalizers": [lower, *old]}}


def greedy(definition: Definition) -> dict[str, Any]:
    """Takes the longest token at each place, left to right, from the same vocabulary: no merges, no scores.

    A pretoken of more than `LONGEST_WORD` bytes becomes the unknown token; without one, its text cannot be encoded. Raises
    BadValue for models that do so already, and for those whose tokens do not have all bytes: one unknown character would
    make its whole pretoken unknown.
    """
    tables = Tables.of(definition)
    if tables.kind not in ("BPE", "Unigram"):
        raise BadValue(f"{tables.kind} takes the longest match already", "leave the edit out")
    if not tables.is_byte_level or not tables.bytes_of <= tables.ids.keys():
        raise BadValue("not all bytes are tokens", "choose a byte-level base, such as gpt2")
    if tables.prefix or tables.model.get("end_of_word_suffix"):
        raise BadValue("the model marks the ends of words", "choose a base that marks spaces")
    model = {
        "type": "WordPiece", "unk_token": tables.unknown or "[UNK]", "continuing_subword_prefix": "",
        "max_input_chars_per_word": LONGEST_WORD, "vocab": tables.ids,
    }  # fmt: skip
    return {**definition, "model": model}


class Pretokens:
    """The stages before a definition's model, alone.

    >>> definition = {"normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "Whitespace"}, "model": {}}
    >>> Pretokens(definition).of("Two words")
    ['two', 'words']
    """

    def __init__(self, definition: Definition) -> None:
        model = {"type": "WordLevel", "vocab": {"?": 0}, "unk_token": "?"}
        stages = {name: definition.get(name) for name in ("normalizer", "pre_tokenizer")}
        none: dict[str, Any] = {"version": "1.0", "added_tokens": [], "post_processor": None, "decoder": None}
        self._tokenizer = loaded({**none, **stages, "model": model})

    def of(self, text: str) -> list[str]:
        """The pretokens of a text, as the model reads them."""
        return [pretoken["text"] for pretoken in self._tokenizer.trace(text).as_dict()["pretokens"]]


def loaded(definition: Definition) -> engine.Tokenizer:
    """The tokenizer of a definition. Raises LoadFailed."""
    with temporary_folder() as folder:
        file = folder / TOKENIZER_JSON
        file.write_text(json.dumps(definition, ensure_ascii=False), "utf-8")
        return read(file)


def _stages_of(name: str) -> Definition:
    """The definition of a built-in tokenizer without most of its vocabulary, which takes long to write."""
    whole = engine.Tokenizer.builtin(name)
    sizes = whole.truncated_sizes
    return definition_of(whole if sizes is None else whole.truncated(sizes[0])) or {}


def _split_of(definition: Definition) -> dict[str, Any]:
    stage = definition["pre_tokenizer"]
    if stage["type"] == "ByteLevel":  # the pattern of GPT-2
        return {**stage, "use_regex": True}
    first: dict[str, Any] = stage["pretokenizers"][0]
    return first
