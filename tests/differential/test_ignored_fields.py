"""Fields that nobody knows: ignored and listed wherever `tokenizers` ignores them, refused wherever it refuses them."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tokenizers

from lab_app.engine import LoadError, Tokenizer

TOKEN = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
BYTES = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
REPLACE = {"type": "Replace", "pattern": {"String": "a"}, "content": "b"}
TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "a", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {"a": {"id": "a", "ids": [0], "tokens": ["a"]}},
}
BASE: dict[str, Any] = {
    "version": "1.0",
    "truncation": {"direction": "Right", "max_length": 5, "strategy": "LongestFirst", "stride": 0},
    "padding": {
        "strategy": {"Fixed": 3},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "a",
    },
    "added_tokens": [{"id": 0, "content": "a", **TOKEN}],
    "normalizer": None,
    "pre_tokenizer": None,
    "post_processor": None,
    "decoder": None,
    "model": {"type": "WordLevel", "vocab": {"a": 0, "?": 1, "b": 2}, "unk_token": "?"},
}
COMPONENTS: dict[str, list[dict[str, Any]]] = {
    "normalizer": [
        {"type": "NFC"},
        {"type": "Lowercase"},
        {"type": "Strip", "strip_left": True, "strip_right": True},
        {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "x"}, REPLACE]},
    ],
    "pre_tokenizer": [
        {"type": "Whitespace"},
        BYTES,
        METASPACE,
        {"type": "CharDelimiterSplit", "delimiter": "e"},
        {"type": "Split", "pattern": {"String": "a"}, "behavior": "Isolated", "invert": False},
        {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}]},
    ],
    "post_processor": [
        {"type": "BertProcessing", "sep": ["a", 0], "cls": ["b", 2]},
        {
            "type": "RobertaProcessing",
            "sep": ["a", 0],
            "cls": ["b", 2],
            "trim_offsets": True,
            "add_prefix_space": True,
        },
        TEMPLATE,
        {"type": "Sequence", "processors": [BYTES, TEMPLATE]},
    ],
    "decoder": [
        BYTES,
        METASPACE,
        {"type": "WordPiece", "prefix": "##", "cleanup": True},
        {"type": "Sequence", "decoders": [REPLACE, {"type": "Fuse"}]},
    ],
    "model": [
        BASE["model"],
        {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]},
        {"type": "Unigram", "unk_id": 0, "vocab": [["a", 0.0], ["b", -1.0]], "byte_fallback": False},
        {
            "type": "WordPiece",
            "unk_token": "a",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {"a": 0, "##b": 1},
        },
    ],
    "truncation": [BASE["truncation"]],
    "padding": [BASE["padding"]],
    "added_tokens": [BASE["added_tokens"]],
}


def objects(value: Any, path: tuple = ()) -> Iterator[tuple]:
    """Paths of all objects that have fields with a meaning; a vocabulary has entries."""
    if isinstance(value, dict) and path[-1:] != ("vocab",) and path[-1:] != ("special_tokens",):
        yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, child in children:
        yield from objects(child, (*path, name))


def cases() -> Iterator[tuple[str, tuple, dict[str, Any]]]:
    yield "top", (), BASE
    for field, components in COMPONENTS.items():
        for number, component in enumerate(components):
            document = {**BASE, field: component}
            for path in objects(component, (field,)):
                yield f"{field}[{number}]", path, document


def place(path: tuple) -> str:
    """As the engine writes it."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


@pytest.mark.parametrize(
    ("name", "path", "document"), list(cases()), ids=lambda value: place(value) if isinstance(value, tuple) else None
)
def test_ignored_where_the_reference_ignores(tmp_path: Path, name: str, path: tuple, document: dict[str, Any]):
    del name
    for field, value in (("zzz", 1), ("zzz", None), ("add_prefix_space", True)):
        changed = copy.deepcopy(document)
        target = changed
        for part in path:
            target = target[part]
        if field in target or (field == "add_prefix_space" and target.get("type") == "Metaspace"):
            continue
        target[field] = value
        file = tmp_path / "x.json"
        file.write_text(json.dumps(changed))
        try:
            reference = tokenizers.Tokenizer.from_file(str(file))
        except Exception:  # the library has no type of its own
            with pytest.raises(LoadError):
                Tokenizer.from_file(file)
            continue
        ours = Tokenizer.from_file(file)
        assert ours.ignored_fields == [(f"{place(path)}.{field}", json.dumps(value))]
        reference.no_padding()
        reference.no_truncation()
        assert ours.encode("a b ab").ids.tolist() == reference.encode("a b ab").ids
        # They are not written again.
        ours.to_file(tmp_path / "again.json")
        assert Tokenizer.from_file(tmp_path / "again.json").ignored_fields == []
