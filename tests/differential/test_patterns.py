"""Split patterns beyond OpenAI's against tiktoken and `tokenizers`: Llama 3, Qwen2, Kimi, DeepSeek, patterns of the caller.

Not here: OpenAI's own (test_tiktoken.py).
"""

import base64
import hashlib
import json
from pathlib import Path

import pytest
import tiktoken
import tokenizers

from lab_app.engine import EncodeError, LoadError, SaveError, Tokenizer
from lab_app.library.known import rank_file
from tests.differential.conftest import first_difference
from tests.differential.references import ranks_of
from tests.generators import texts
from tests.scale import scaled
from tests.tiny import rank_file as tiny_rank_file

_END = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}" + _END
QWEN2 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}" + _END
_HEAD, _TAIL = (rf"[\p{{L{a}}}\p{{Lt}}\p{{Lm}}\p{{Lo}}\p{{M}}&&[^\p{{Han}}]]" for a in "ul")
_TAIL = _TAIL.replace(r"\p{Lt}", "")
KIMI = "|".join(
    [
        r"[\p{Han}]+",
        rf"[^\r\n\p{{L}}\p{{N}}]?{_HEAD}*{_TAIL}+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        rf"[^\r\n\p{{L}}\p{{N}}]?{_HEAD}+{_TAIL}*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}" + _END,
    ]
)
DEEPSEEK = [
    r"\p{N}{1,3}",
    "[一-龥\u3040-ゟ゠-ヿ]+",
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"""
    r"|\s*[\r\n]+|\s+(?!\S)|\s+",
]
OWN = r"\p{Lu}?\p{Ll}++|[\p{L}\p{M}]{1,3}+|\d+(?=\.)|\S"  # leaves white space out


@pytest.fixture(scope="module")
def llama3(shared: Path) -> tuple[Path, dict[bytes, int]]:
    path = shared / "vocab" / "llama3" / "tokenizer.model"
    return path, ranks_of(path)


@pytest.mark.parametrize(
    ("pattern", "regex"),
    [("llama3", LLAMA3), ("qwen2", QWEN2), ("kimi", KIMI), (OWN, OWN), (LLAMA3, LLAMA3)],
    ids=["llama3", "qwen2", "kimi", "own", "llama3-spelled"],
)
def test_patterns_equal_tiktoken(llama3, pattern: str, regex: str, corpus):
    path, ranks = llama3
    special = rank_file(hashlib.sha256(path.read_bytes()).hexdigest()).special_tokens
    reference = tiktoken.Encoding("x", pat_str=regex, mergeable_ranks=ranks, special_tokens=special)
    tokenizer = Tokenizer.from_file(path, pattern=pattern, special_tokens=special)
    assert tokenizer.vocab_size == reference.n_vocab == 128_256
    corpus_texts = [text[:5000] for _, text in corpus]
    for text in [*texts(scaled(800), seed=5, tokens=["<|eot_id|>", "'s", "漢", "Ab"]), *corpus_texts]:
        ours, theirs = tokenizer.encode_ids(text).tolist(), reference.encode_ordinary(text)
        assert ours == theirs, first_difference(text, ours, theirs)
    text = "<|begin_of_text|>a<|reserved_special_token_250|><|eot_id|>"
    assert tokenizer.encode(text).ids.tolist() == reference.encode(text, allowed_special="all")


def reference_split(patterns: list[str]) -> tokenizers.pre_tokenizers.PreTokenizer:
    split = [tokenizers.pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated") for pattern in patterns]
    return tokenizers.pre_tokenizers.Sequence(split)


@pytest.mark.parametrize(("name", "patterns"), [("deepseek", DEEPSEEK), ("llama3", [LLAMA3]), ("qwen2", [QWEN2])])
def test_patterns_equal_tokenizers(tmp_path: Path, name: str, patterns: list[str], corpus):
    reference = reference_split(patterns)
    tokenizer = Tokenizer.from_file(tiny_rank_file(tmp_path), pattern=name)
    for text in [*texts(scaled(800), seed=6, tokens=["'s", "漢", "か"]), *(text[:2000] for _, text in corpus)]:
        theirs = [span for _, span in reference.pre_tokenize_str(text)]
        encoding = tokenizer.encode(text, specials="text")
        ours: dict[int, list[int]] = {}
        for word, (start, end) in zip(encoding.word_ids, encoding.span_char.tolist(), strict=True):
            span = ours.setdefault(word, [start, end])
            span[:] = min(span[0], start), max(span[1], end)
        assert [tuple(span) for span in ours.values()] == theirs, text[:300]


LOOK_AROUNDS = [
    r"(?<=\d)(?=[a-z])",
    r"(?!x)\d+",
    r"\p{L}+(?!\p{L})|\s+(?!\S)|\s+",
    r"\p{L}+(?=z)",
    r"[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s*[\r\n]|\s+(?!\S)|\s",
    r"\b\w+\b",
    r"(?<!\w)the(?!\w)",
    r"^\s+|$",
    r"(?<=[.!?])\s+(?=\p{Lu})",
    r"(?<=a|bc)d|(?<!ab|c)b",
    r"(?>a+)b|\w",
    r"(?i:THE)(?= )|(a|ab)(c|bcd)*(?=\s)",
    r"(?i:\p{Ll}+[\p{Lu}]?)(?=\P{Lu})",
    r"(\w)\1",
]


def split_by(pattern: str, folder: Path) -> Tokenizer:
    """A tokenizer whose tokens are what a pattern and the text between its matches are."""
    path = folder / "tokenizer.json"
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    model = {"type": "WordLevel", "vocab": {"[unk]": 0}, "unk_token": "[unk]"}
    path.write_text(json.dumps({"version": "1.0", "pre_tokenizer": split, "model": model}))
    return Tokenizer.from_file(path)


@pytest.mark.parametrize("pattern", LOOK_AROUNDS)
def test_look_arounds_equal_tokenizers(tmp_path: Path, pattern: str, corpus):
    reference, tokenizer = reference_split([pattern]), split_by(pattern, tmp_path)
    random_texts = texts(scaled(400), seed=8, tokens=["abcd ", "the ", "1a", "zz", "aab", ". A"])
    for text in [*random_texts, *(text[:2000] for _, text in corpus)]:
        theirs = [span for _, span in reference.pre_tokenize_str(text)]
        assert [tuple(span) for span in tokenizer.encode(text).span_char.tolist()] == theirs, text[:300]


NUMBERS = [
    r"[\101\o{102}]",
    r"\101|\o{102}|\x{43}",
    r"(a)\1|\12",
    r"\cA|\C-b|\c?",
    r"\p{Cs}+|\P{Cs}{2}",
    r"[\p{Cs}b]+",
    r"[^\p{Cs}b]+",
    r"\p{^Surrogate}{3}",
    r"(?<a>.)(?<b>.)\k<a>",
]


@pytest.mark.parametrize("pattern", NUMBERS)
def test_characters_by_number_equal_tokenizers(tmp_path: Path, pattern: str):
    reference, tokenizer = reference_split([pattern]), split_by(pattern, tmp_path)
    for text in ["ABCaab", "aa\n\x07\x01\x02\x7fb", "bb日bA", "aba", *texts(40, seed=8)]:
        theirs = [span for _, span in reference.pre_tokenize_str(text)]
        assert [tuple(span) for span in tokenizer.encode(text).span_char.tolist()] == theirs, text


def test_a_reference_to_one_of_several_groups_is_refused(tmp_path: Path):
    split_by(r"(?<a>.)(?<a>b)", tmp_path)
    with pytest.raises(LoadError, match='several groups are named "a"'):
        split_by(r"(?<a>.)(?<a>.)\k<a>", tmp_path)


@pytest.mark.parametrize("pattern", ["(?i)ss", "(?i)ß", "(?i:st)", "(?i)[ß]", "(?i)ﬀ"])
def test_what_folds_to_several_characters_is_refused(tmp_path: Path, pattern: str):
    """There `ss` matches ß, and ß matches `ss`; the lab would make other pretokens."""
    with pytest.raises(LoadError, match=r"under \(\?i\) .* also matches"):
        split_by(pattern, tmp_path)


FOLDING = ["(?i)s+s", "(?i)a|s(s)", "(?i:'s|'t|'re)class", "(?i)(?-i:ss)|s", "(?i:a)ss", "(?i)[st]"]


@pytest.mark.parametrize("pattern", FOLDING)
def test_case_that_folds_to_one_character_equals_tokenizers(tmp_path: Path, pattern: str):
    reference, tokenizer = reference_split([pattern]), split_by(pattern, tmp_path)
    for text in ["ssSS ß ẞ s ss", "'S'T'RE class ClaSS 'sclass", "st ﬆ ST ſ", "aSS Ass ass aß"]:
        theirs = [span for _, span in reference.pre_tokenize_str(text)]
        assert [tuple(span) for span in tokenizer.encode(text).span_char.tolist()] == theirs, text


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"(?<=\d)(?=[a-z])", "abc " * 300_000),
        (r"(?!x)\d+", "abc " * 300_000),
        (r"\p{L}+(?!\p{L})|\s+(?!\S)|\s+", " " * 1_200_000 + "x"),
        (r"\p{L}+(?=z)", "a" * 3000),
        (r"(\w)\1", "abc " * 300_000),
    ],
    ids=["behind", "ahead", "spaces", "letters", "reference"],
)
def test_long_texts_without_a_match_equal_tokenizers(tmp_path: Path, pattern: str, text: str):
    theirs = [span for _, span in reference_split([pattern]).pre_tokenize_str(text)]
    assert [tuple(span) for span in split_by(pattern, tmp_path).encode(text).span_char.tolist()] == theirs


def test_a_pattern_that_needs_too_many_steps_is_an_error(tmp_path: Path):
    tokenizer = split_by(r"(a*)*\1c", tmp_path)
    with pytest.raises(EncodeError, match="needs more than 10000000 steps at one position of the text"):
        tokenizer.encode("a" * 40 + "b")


@pytest.mark.parametrize("name", ["gpt2", "p50k_base", "cl100k_base", "o200k_base", "llama3"])
def test_rank_files_as_tokenizer_json(name: str, shared: Path, tmp_path: Path, corpus):
    if name == "llama3":
        path = shared / "vocab" / "llama3" / "tokenizer.model"
    else:
        path = shared / "vocab" / "openai" / f"{name.replace('gpt2', 'r50k_base')}.tiktoken"
    published = rank_file(hashlib.sha256(path.read_bytes()).hexdigest())
    tokenizer = Tokenizer.from_file(path, pattern=published.pattern, special_tokens=published.special_tokens)
    written, again = tmp_path / "tokenizer.json", tmp_path / "again.json"
    tokenizer.to_file(written)
    read = Tokenizer.from_file(written)
    read.to_file(again)
    assert written.read_bytes() == again.read_bytes()
    reference = tokenizers.Tokenizer.from_file(str(written))
    assert reference.get_vocab_size() == len(tokenizer) == len(read)
    special = next(iter(published.special_tokens))
    for text in [f"a{special}b", *texts(scaled(250), seed=7), *(text[: scaled(2000)] for _, text in corpus)]:
        ours = tokenizer.encode(text).ids.tolist()
        assert reference.encode(text).ids == ours, first_difference(text, ours, reference.encode(text).ids)
        assert read.encode(text).ids.tolist() == ours
        assert reference.decode(ours, skip_special_tokens=False) == tokenizer.decode(ours, skip_special_tokens=False)


def test_what_a_tokenizer_json_cannot_say_is_an_error(tmp_path: Path):
    tokenizer = Tokenizer.from_file(tiny_rank_file(tmp_path), pattern=r"\p{N}{1,3}+|\P{N}+")
    with pytest.raises(SaveError, match=r"tokenizer.json cannot hold the pattern"):
        tokenizer.to_file(tmp_path / "tokenizer.json")


def test_tokens_that_rank_before_their_parts(tmp_path: Path):
    ranks = "".join(f"{_b64(bytes([byte]))} {byte}\n" for byte in range(256))
    path = tmp_path / "odd.tiktoken"
    # abc ranks before ab and bc, either of which may make it.
    path.write_text(ranks + "".join(f"{_b64(token)} {256 + n}\n" for n, token in enumerate([b"abc", b"ab", b"bc"])))
    tokenizer = Tokenizer.from_file(path, pattern="gpt2")
    tokenizer.to_file(tmp_path / "odd.json")
    reference = tokenizers.Tokenizer.from_file(str(tmp_path / "odd.json"))
    for text in ["abc", "abcbc", "ababc", "bcabcab", "abbcabc"]:
        assert reference.encode(text).ids == tokenizer.encode_ids(text).tolist(), text


def test_a_portable_pattern_of_the_caller_is_written(tmp_path: Path):
    pattern = r"\p{L}+|[^\p{L}\s]"
    tokenizer = Tokenizer.from_file(tiny_rank_file(tmp_path), pattern=pattern)
    assert tokenizer.lossy == "what the pattern does not match is left out"
    tokenizer.to_file(tmp_path / "own.json")
    split = json.loads((tmp_path / "own.json").read_text())["pre_tokenizer"]["pretokenizers"][0]
    assert split == {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Removed", "invert": True}
    reference = tokenizers.Tokenizer.from_file(str(tmp_path / "own.json"))
    for text in texts(scaled(500), seed=8):
        assert reference.encode(text).ids == tokenizer.encode(text).ids.tolist(), text


def _b64(token: bytes) -> str:
    return base64.b64encode(token).decode()
