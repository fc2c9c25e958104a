"""Options of a training, and presets that resemble well-known tokenizers. Not here: what they do (`engine_rs/train`).

The stages are written as in a tokenizer.json. Special tokens get the first ids in their order, so ids in a postprocessor
follow from them.
"""

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_type_hints

from pydantic import TypeAdapter, ValidationError

from lab_app.errors import BadValue, plain_number
from lab_app.number_words import number_of

Algorithm = Literal["bpe", "wordpiece", "unigram", "wordlevel", "character"]
ALGORITHMS: tuple[Algorithm, ...] = ("bpe", "wordpiece", "unigram", "wordlevel", "character")
MAX_VOCAB_SIZE = 10_000_000
CL100K = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
"""The split pattern of cl100k_base, as OpenAI published it for GPT-4."""

Stage = dict[str, Any]


@dataclass(frozen=True)
class TrainingOptions:
    """All options of the trainers; those that an algorithm does not use stay at their defaults.

    >>> TrainingOptions("bpe", vocab_size=300).min_frequency
    2
    """

    algorithm: Algorithm
    vocab_size: int = 4096
    min_frequency: int = 2
    """The least count of a pair (BPE, WordPiece), a word (WordLevel) or a character."""
    special_tokens: tuple[str, ...] = ()
    normalizer: Stage | None = None
    pre_tokenizer: Stage | None = None
    post_processor: Stage | None = None
    decoder: Stage | None = None
    """None: the decoder that undoes the other stages."""
    alphabet: Literal["bytes", "characters"] | None = None
    """None: bytes for BPE and Character without byte fallback, characters otherwise."""
    initial_alphabet: tuple[str, ...] = ()
    limit_alphabet: int | None = None
    character_coverage: float = 1.0
    """The share of all characters that the alphabet covers; the rarest are left out."""
    continuing_prefix: str | None = None
    end_suffix: str | None = None
    max_token_length: int | None = None
    """In characters; of a byte-level alphabet in bytes."""
    whole_characters: bool = False
    """BPE of bytes: a merge joins bytes of one character, or whole characters, never a part of one with another."""
    superwords_from: int | None = None
    """BPE of bytes: the size of the vocabulary from which on merges join words. The tokenizer splits texts into phrases then,
    and `pre_tokenizer` divides the words of the first merges alone."""
    superword_words: int = 4
    """The most words of a superword."""
    superword_digits: bool = False
    superword_marks: bool = False
    """Whether superwords may hold the marks that end a sentence."""
    byte_fallback: bool = False
    whole_text: bool = False
    """BPE and Unigram: the pretokenizer splits texts for training alone, and the tokenizer sees whole texts, as SentencePiece
    does, so that a `.model` can hold it. BPE merges every pair that spells a token."""
    unknown_token: str | None = None
    shrinking_factor: float = 0.75
    em_iterations: int = 2
    seed_size: int = 1_000_000
    variant: Literal["words", "sentencepiece"] = "words"
    """Unigram: "words" takes every word for a first token and makes fewer tokens of a text; "sentencepiece" trains as
    SentencePiece does, within 0.5 % of its tokens and of its loss."""
    score: Literal["frequency", "likelihood"] = "frequency"
    """Which pair WordPiece merges next: the most frequent, or that whose count is highest beside those of its parts."""

    @property
    def all_special_tokens(self) -> tuple[str, ...]:
        """The special tokens in the order of their ids. An unknown token that is not among them comes first."""
        unknown = self.unknown_token
        return (
            self.special_tokens
            if unknown is None or unknown in self.special_tokens
            else (unknown, *self.special_tokens)
        )

    def as_json(self) -> str:
        """The options as the engine reads them."""
        return json.dumps(asdict(self), ensure_ascii=False)


@dataclass(frozen=True)
class Preset:
    """Options under a name."""

    name: str
    title: str
    words: str
    options: TrainingOptions


def _byte_level(use_regex: bool) -> Stage:
    return {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": use_regex}


def _template(prefix: tuple[str, ...], suffix: tuple[str, ...]) -> Stage:
    """A postprocessor that puts special tokens around a text; the ids are filled in by `resolved`."""

    def token(text: str, type_id: int) -> Stage:
        return {"SpecialToken": {"id": text, "type_id": type_id}}

    def text(name: str, type_id: int) -> Stage:
        return {"Sequence": {"id": name, "type_id": type_id}}

    single = [*(token(each, 0) for each in prefix), text("A", 0), *(token(each, 0) for each in suffix)]
    pair = [*single, text("B", 1), *(token(each, 1) for each in suffix)]
    special = {each: {"id": each, "ids": [], "tokens": [each]} for each in (*prefix, *suffix)}
    return {"type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": special}


_SPACE = "▁"
_LINES = {"type": "Split", "pattern": {"String": "\n"}, "behavior": "Isolated", "invert": False}


def _marks(prepend_scheme: str) -> Stage:
    """▁ in the place of spaces; a word begins with each."""
    return {"type": "Metaspace", "replacement": _SPACE, "prepend_scheme": prepend_scheme, "split": True}


PRESETS: tuple[Preset, ...] = (
    Preset(
        "gpt2",
        "GPT-2",
        "Byte-level BPE with the split pattern of GPT-2.",
        TrainingOptions(
            "bpe",
            special_tokens=("<|endoftext|>",),
            pre_tokenizer=_byte_level(use_regex=True),
            alphabet="bytes",
        ),
    ),
    Preset(
        "cl100k",
        "GPT-4 (cl100k)",
        "Byte-level BPE with the split pattern of cl100k_base: numbers in groups of three digits.",
        TrainingOptions(
            "bpe",
            special_tokens=("<|endoftext|>",),
            pre_tokenizer={
                "type": "Sequence",
                "pretokenizers": [
                    {"type": "Split", "pattern": {"Regex": CL100K}, "behavior": "Isolated", "invert": False},
                    _byte_level(use_regex=False),
                ],
            },
            alphabet="bytes",
        ),
    ),
    Preset(
        "llama",
        "Llama (SentencePiece-style BPE)",
        "BPE over characters: ▁ for a space, single digits, bytes for characters outside the vocabulary.",
        TrainingOptions(
            "bpe",
            alphabet="characters",
            special_tokens=("<unk>", "<s>", "</s>"),
            pre_tokenizer={
                "type": "Sequence",
                "pretokenizers": [
                    _LINES,
                    _marks("never"),
                    {"type": "Digits", "individual_digits": True},
                ],
            },
            character_coverage=0.9995,
            byte_fallback=True,
            whole_text=True,
            unknown_token="<unk>",
        ),
    ),
    Preset(
        "bert",
        "BERT",
        "WordPiece: lower case, accents removed, ## before a part that continues a word.",
        TrainingOptions(
            "wordpiece",
            special_tokens=("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
            normalizer={
                "type": "BertNormalizer",
                "clean_text": True,
                "handle_chinese_chars": True,
                "strip_accents": None,
                "lowercase": True,
            },
            pre_tokenizer={"type": "BertPreTokenizer"},
            post_processor=_template(("[CLS]",), ("[SEP]",)),
            limit_alphabet=1000,
            continuing_prefix="##",
            unknown_token="[UNK]",
        ),
    ),
    Preset(
        "t5",
        "T5 (SentencePiece Unigram)",
        "Unigram: Unicode NFKC, ▁ before each word, </s> after the text.",
        TrainingOptions(
            "unigram",
            special_tokens=("<pad>", "</s>", "<unk>"),
            normalizer={"type": "NFKC"},
            pre_tokenizer={
                "type": "Sequence",
                "pretokenizers": [
                    {"type": "WhitespaceSplit"},
                    _marks("always"),
                ],
            },
            post_processor=_template((), ("</s>",)),
            unknown_token="<unk>",
        ),
    ),
    Preset(
        "sentencepiece",
        "SentencePiece Unigram",
        "Unigram that a .model of SentencePiece can hold: ▁ for a space, no normalizer.",
        TrainingOptions(
            "unigram",
            special_tokens=("<unk>", "<s>", "</s>"),
            pre_tokenizer={
                "type": "Sequence",
                "pretokenizers": [
                    _LINES,
                    _marks("never"),
                ],
            },
            whole_text=True,
            unknown_token="<unk>",
            variant="sentencepiece",
        ),
    ),
    Preset(
        "words",
        "Words",
        "WordLevel: the most frequent words and punctuation marks.",
        TrainingOptions(
            "wordlevel", special_tokens=("[UNK]",), pre_tokenizer={"type": "Whitespace"}, unknown_token="[UNK]"
        ),
    ),
    Preset(
        "characters",
        "Characters",
        "The most frequent characters, each a token.",
        TrainingOptions("character", alphabet="characters", special_tokens=("[UNK]",), unknown_token="[UNK]"),
    ),
)

USUAL: Mapping[Algorithm, str] = {
    "bpe": "gpt2",
    "wordpiece": "bert",
    "unigram": "t5",
    "wordlevel": "words",
    "character": "characters",
}
"""The preset of each algorithm if none is named."""


def preset(name: str) -> Preset:
    """The preset of that name. Raises BadValue.

    >>> preset("bert").options.algorithm
    'wordpiece'
    """
    found = next((each for each in PRESETS if each.name == name), None)
    if found is None:
        raise BadValue(f'there is no preset "{name}"', f"choose among {', '.join(each.name for each in PRESETS)}")
    return found


def resolved(preset_name: str | None, overrides: Mapping[str, Any]) -> TrainingOptions:
    """The options of a preset with `overrides` in their place; the preset of the algorithm if none is named.

    Raises BadValue for an unknown option, and for a value that cannot be.

    >>> resolved("gpt2", {"vocab_size": 1000}).vocab_size
    1000
    >>> resolved(None, {"algorithm": "wordpiece"}).continuing_prefix
    '##'
    """
    known = {each.name for each in fields(TrainingOptions)}
    unknown = sorted(set(overrides) - known)
    if unknown:
        raise BadValue(f'there is no option "{unknown[0]}"', f"options are: {', '.join(sorted(known))}")
    algorithm = overrides.get("algorithm")
    if algorithm is not None and algorithm not in ALGORITHMS:
        raise BadValue(f'there is no algorithm "{algorithm}"', f"choose among {', '.join(ALGORITHMS)}")
    if preset_name is None:
        preset_name = USUAL[algorithm or "bpe"]
    base = preset(preset_name).options
    if algorithm not in (None, base.algorithm):
        raise BadValue(
            f'the preset "{preset_name}" trains with {base.algorithm}, not {algorithm}',
            f'choose the preset "{USUAL[algorithm]}", or no preset',
        )
    options = from_plain({**vars(base), **overrides})
    _check(options)
    return replace(options, post_processor=_with_ids(options))


def from_plain(values: Mapping[str, Any]) -> TrainingOptions:
    """The options of a JSON object, whose lists are tuples here. Raises BadValue for a value of the wrong type."""
    found: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    for name, value in found.items():
        if any("\ud800" <= each <= "\udfff" for each in json.dumps(value, ensure_ascii=False, default=repr)):
            raise BadValue(f"{name} holds half of a surrogate pair: {value!r}", "give whole characters")
        try:
            _TYPES[name].validate_python(value, strict=True)
        except ValidationError as error:
            problem = error.errors()[0]["msg"]
            raise BadValue(
                f"{name} cannot be {json.dumps(value, ensure_ascii=False, default=repr)}: {problem[0].lower()}{problem[1:]}",
                "compare it with a preset",
            ) from error
    return TrainingOptions(**found)


_TYPES: Mapping[str, TypeAdapter[Any]] = {
    name: TypeAdapter(kind) for name, kind in get_type_hints(TrainingOptions).items()
}


def _check(options: TrainingOptions) -> None:
    """Raises BadValue for what no algorithm can do; the engine knows the rest."""
    for name, value, low, high in (
        ("vocab_size", options.vocab_size, 1, MAX_VOCAB_SIZE),
        ("min_frequency", options.min_frequency, 0, 2**63 - 1),
        ("em_iterations", options.em_iterations, 1, 100),
        ("seed_size", options.seed_size, 1, 100_000_000),
    ):
        if not low <= value <= high:
            raise BadValue(f"{name} cannot be {value!r}", f"give a whole number from {low} to {high}")
    for name, share, most in (
        ("character_coverage", options.character_coverage, 1.0),
        ("shrinking_factor", options.shrinking_factor, 0.999),
    ):
        if not 0 < share <= most:
            raise BadValue(
                f"{name} cannot be {plain_number(share)}", f"give a number above 0 and at most {plain_number(most)}"
            )
    for token in options.special_tokens:
        if not token:
            raise BadValue(f"{token!r} cannot be a special token", "give a text of one or more whole characters")
    twice = next((each for each in options.special_tokens if options.special_tokens.count(each) > 1), None)
    if twice is not None:
        raise BadValue(f'the special token "{twice}" is given twice', "give each special token once")
    if options.vocab_size <= len(options.all_special_tokens):
        tokens, special = number_of(options.vocab_size, "token"), len(options.all_special_tokens)
        raise BadValue(
            f"a vocabulary of {tokens} has no room beside {number_of(special, 'special token')}",
            "give a larger vocab_size or fewer special tokens",
        )


def _with_ids(options: TrainingOptions) -> Stage | None:
    """The postprocessor with the ids that its special tokens will have. Raises BadValue for one that is not in the list."""
    stage = options.post_processor
    if stage is None or stage.get("type") != "TemplateProcessing":
        return stage
    stage = deepcopy(stage)
    special = stage.get("special_tokens", {})
    if not isinstance(special, dict) or not all(isinstance(entry, dict) for entry in special.values()):
        raise BadValue(
            f"post_processor cannot have the special_tokens {json.dumps(special, ensure_ascii=False)}",
            'give an object per token, as in a tokenizer.json: {"[CLS]": {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]}}',
        )
    for name, entry in special.items():
        if name not in options.all_special_tokens:
            raise BadValue(
                f'the postprocessor adds "{name}", which is not a special token',
                "add it to special_tokens, or set post_processor to null",
            )
        entry["ids"] = [options.all_special_tokens.index(name)]
    return stage
