"""A definition's model as tables that edits change: tokens with IDs, merges and scores, and the added tokens beside them.

Tokens are spelled as in a tokenizer.json. Not here: the edits (`words`, `removal`, `joining`, `stages`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from lab_app.analysis.tokenizer_diff import merges_of
from lab_app.errors import BadValue

Definition = Mapping[str, Any]
"""A parsed tokenizer.json. No edit changes the one that it is given."""
Merge = tuple[str, str]
MARK = "▁"
"""Stands for a space in SentencePiece's vocabularies."""
SHOWN = 10
"""How many tokens an error names."""


@dataclass(frozen=True)
class Tables:
    """`ids`: tokens of the model; `scores`: those of Unigram; `added`: the entries of `added_tokens`. Nothing in it is changed:
    definitions and tables share their parts."""

    definition: Definition
    ids: dict[str, int]
    merges: list[Merge]
    scores: dict[str, float]
    added: list[dict[str, Any]]

    @classmethod
    def of(cls, definition: Definition) -> "Tables":
        """Reads a definition. Raises BadValue for a model without a vocabulary.

        >>> tables = Tables.of({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}})
        >>> tables.kind, tables.ids["ab"], tables.merges
        ('BPE', 2, [('a', 'b')])
        """
        vocab = definition["model"].get("vocab")
        if vocab is None:
            raise BadValue("the model has no vocabulary", "choose a base with one")
        is_list = isinstance(vocab, list)
        ids = {token: id for id, (token, _) in enumerate(vocab)} if is_list else vocab
        scores = dict(vocab) if is_list else {}
        added = [dict(token) for token in definition.get("added_tokens") or []]
        merges = merges_of(definition)
        model = {**definition["model"], "merges": merges} if merges else definition["model"]
        return cls({**definition, "model": model}, ids, merges, scores, added)

    @property
    def model(self) -> Mapping[str, Any]:
        """The model as the definition has it."""
        found: Mapping[str, Any] = self.definition["model"]
        return found

    @property
    def kind(self) -> str:
        """BPE, WordPiece, Unigram or WordLevel."""
        if (named := self.model.get("type")) is not None:
            return str(named)
        if self.scores:
            return "Unigram"
        return "BPE" if "merges" in self.model else "WordPiece"

    @property
    def prefix(self) -> str:
        """What tokens inside of words begin with; "" for nothing."""
        return self.model.get("continuing_subword_prefix") or ""

    @property
    def is_byte_level(self) -> bool:
        """Whether tokens are bytes, spelled in the byte alphabet of GPT-2."""
        return "ByteLevel" in stage_types(self.definition.get("decoder"), "decoders")

    @property
    def unknown(self) -> str | None:
        """The unknown token."""
        if self.kind != "Unigram":
            return self.model.get("unk_token")
        place = self.model.get("unk_id")
        return next((token for token, id in self.ids.items() if id == place), None)

    def symbols(self, tokens: Iterable[str]) -> set[str]:
        """Those of the tokens that are one character or byte, but for the marks of the model."""
        prefix, suffix = self.prefix, self.model.get("end_of_word_suffix") or ""
        if not prefix and not suffix:
            return {token for token in tokens if len(token) == 1}
        return {token for token in tokens if len(token.removeprefix(prefix).removesuffix(suffix)) == 1}

    def all_ids(self) -> Mapping[str, int]:
        """Every token with its ID, added ones included."""
        return self._all_ids

    @cached_property
    def _all_ids(self) -> dict[str, int]:
        return self.ids | {token["content"]: token["id"] for token in self.added}

    def next_id(self) -> int:
        """One more than the largest ID."""
        return max(self.all_ids().values(), default=-1) + 1

    def product(self, merge: Merge) -> str:
        """What a merge makes: the right part loses the prefix."""
        left, right = merge
        return left + (right.removeprefix(self.prefix) if self.prefix else right)

    def products(self) -> list[str]:
        """What each merge makes."""
        return list(map(self.product, self.merges)) if self.prefix else [left + right for left, right in self.merges]

    def spelled(self, text: str) -> str:
        """The spelling of a token with this text.

        >>> Tables.of({"model": {"vocab": {}, "merges": []}, "decoder": {"type": "ByteLevel"}}).spelled(" é")
        'ĠÃ©'
        """
        if self.is_byte_level:
            return "".join(byte_alphabet()[byte] for byte in text.encode())
        return text.replace(" ", MARK) if self.marks_spaces else text

    @property
    def bytes_of(self) -> frozenset[str]:
        """How tokens of one byte are spelled; empty for a model without them."""
        if self.is_byte_level:
            return frozenset(byte_alphabet())
        return frozenset(f"<0x{byte:02X}>" for byte in range(256)) if self.model.get("byte_fallback") else frozenset()

    @property
    def marks_spaces(self) -> bool:
        """Whether `▁` stands for a space."""
        return MARK in self.ids or MARK in str(self.definition.get("decoder"))

    def find(self, tokens: Sequence[str | int]) -> list[str]:
        """The spellings of tokens that are named by ID, by spelling or by text. Raises BadValue."""
        known = self.all_ids()
        by_id = {id: token for token, id in known.items()}
        found = []
        for token in tokens:
            if isinstance(token, int):
                spelling = by_id.get(token)
            else:
                spelling = next((each for each in (token, self.spelled(token)) if each in known), None)
            if spelling is None:
                raise BadValue(
                    f"there is no token {token!r}", "name one by its ID, by its text or as the vocabulary spells it"
                )
            found.append(spelling)
        return found

    def to_definition(self) -> dict[str, Any]:
        """The definition with these tables. Raises BadValue for IDs that its format cannot hold."""
        tables = self._with_added_in_vocabulary()
        model = dict(self.model)
        if self.scores:
            model["vocab"] = [[token, self.scores[token]] for token in _in_places(tables.ids)]
        else:
            model["vocab"] = tables.ids
        if "merges" in model:
            model["merges"] = self.merges
        return {**self.definition, "model": model, "added_tokens": sorted(self.added, key=lambda token: token["id"])}

    def _with_added_in_vocabulary(self) -> "Tables":
        """Added tokens are put into the vocabulary unless readers, who count their IDs on from it, count these.

        Source: `add_tokens` of `tokenizers` 0.23, which ignores the IDs of the file.
        """
        every, size = self.all_ids(), len(self.ids)
        has_holes = self.next_id() != len(every)
        is_counted = all(token["content"] in self.ids or token["id"] >= size for token in self.added)
        return self if self.scores or (is_counted and not has_holes) else replace(self, ids=dict(every))


def _in_places(ids: Mapping[str, int]) -> list[str]:
    """The tokens of a Unigram model, whose IDs are their places. Raises BadValue for a hole."""
    ordered = sorted(ids, key=ids.__getitem__)
    for place, token in enumerate(ordered):
        if ids[token] != place:
            raise BadValue(
                f"Unigram lists tokens by place, and no token has the ID {place}, before {token!r} with {ids[token]}",
                "let IDs move: keep_ids = false",
            )
    return ordered


def stage_types(stage: Any, name: str) -> list[str]:
    """The types of a stage's steps; `name` is the field of a sequence that lists them.

    >>> stage_types({"type": "Sequence", "decoders": [{"type": "Fuse"}, {"type": "ByteLevel"}]}, "decoders")
    ['Fuse', 'ByteLevel']
    """
    if not isinstance(stage, Mapping):
        return []
    if stage.get("type") == "Sequence":
        return [kind for step in stage.get(name) or [] for kind in stage_types(step, name)]
    return [str(stage.get("type"))]


@cache
def byte_alphabet() -> tuple[str, ...]:
    """The character that spells each byte.

    >>> byte_alphabet()[0x20], byte_alphabet()[0x41]
    ('Ġ', 'A')

    Source: `bytes_to_unicode`, Radford et al. 2019, the code of GPT-2.
    """
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = (byte for byte in range(256) if byte not in plain)
    spelled = {byte: chr(byte) for byte in plain} | {byte: chr(256 + place) for place, byte in enumerate(others)}
    return tuple(spelled[byte] for byte in range(256))


def named(tokens: Iterable[str]) -> str:
    """Some tokens for an error: the first ones, and how many there are.

    >>> named(["a", "b"])
    '"a", "b"'
    """
    every = list(tokens)
    more = f" and {len(every) - SHOWN} more" if len(every) > SHOWN else ""
    return ", ".join(f'"{token}"' for token in every[:SHOWN]) + more
