"""Merge ranks of one tokenizer from each of its files: places in the list of merges, never ids."""

import base64
from pathlib import Path

import pytest

from lab_app.engine import LoadError, Tokenizer, VocabularyIndex
from tests.scale import step
from tests.tiny import BYTE_CHARACTERS

TEXT = "Tokeization unaffordablly tokeniser naïveté 日本語 hellooo"


@pytest.fixture(scope="module")
def listed(shared: Path) -> dict[bytes, int]:
    """What each merge of GPT-2's own list makes, read the simplest way: the first rank of each."""
    lines = (shared / "vocab" / "gpt2" / "vocab.bpe").read_text(encoding="utf-8").split("\n")[1:-1]
    alphabet = {spelled: bytes([byte]) for byte, spelled in BYTE_CHARACTERS.items()}
    ranks: dict[bytes, int] = {}
    for rank, line in enumerate(lines):
        ranks.setdefault(b"".join(alphabet[each] for each in line.replace(" ", "")), rank)
    return ranks


def gpt2(shared: Path, source: str) -> Tokenizer:
    if source == "built in":
        return Tokenizer.builtin("gpt2")
    if source.endswith(".tiktoken"):
        return Tokenizer.from_file(shared / "vocab" / source, pattern="gpt2", special_tokens={"<|endoftext|>": 50256})
    return Tokenizer.from_file(shared / "vocab" / source)


def pretokens(tokenizer: Tokenizer) -> list[dict]:
    return tokenizer.trace(TEXT).as_dict()["pretokens"]


@pytest.mark.parametrize(
    "source", ["built in", "gpt2/tokenizer.json", "gpt2/encoder.json", "openai/r50k_base.tiktoken", "gguf/gpt-2.gguf"]
)
def test_a_merge_has_its_place_in_the_list_from_every_file(shared: Path, listed: dict[bytes, int], source: str):
    tokenizer = gpt2(shared, source)
    assert tokenizer.merge_count == len(listed) == 50_000
    ranks = {tokenizer.token_bytes(id): tokenizer.rank(id) for id in range(50_257)}
    assert {token: rank for token, rank in ranks.items() if rank is not None} == listed
    assert tokenizer.rank(tokenizer.token_to_id("Token")) == 30_386

    expected = Tokenizer.builtin("gpt2")
    steps = [(a["steps"], b["steps"]) for a, b in zip(*map(pretokens, (tokenizer, expected)), strict=True)]
    # A rank file takes a pretoken that is a token without merging it.
    steps = [(a, b) for a, b in steps if not b["whole"]]
    assert len(steps) >= 4 and all(a == b for a, b in steps)
    index, other = VocabularyIndex(tokenizer), VocabularyIndex(expected)
    for text in (b"Token", b" world", b"ization"):
        id = expected.token_to_id(text)
        assert index.origin(id) == other.origin(id) and index.merged_into(id) == other.merged_into(id)


def facts(tokenizer: Tokenizer, path: Path) -> list[object]:
    """The definition, as a tokenizer.json holds it, the bytes and ranks of all tokens, and all merges that make some of them."""
    tokenizer.to_file(path)
    tokens, index = tokenizer.vocab(), VocabularyIndex(tokenizer)
    ids = list(tokens.values())
    ranks, origins = [tokenizer.rank(id) for id in ids], [index.origin(id) for id in ids[:: step(4)]]
    return [path.read_bytes(), tokenizer.merge_count, tokens, ranks, origins]


# The other built-in tokenizers have parts of these tables.
@pytest.mark.parametrize(
    ("name", "pattern"), [("p50k_base", "p50k_base"), ("cl100k_base", "cl100k_base"), ("o200k_harmony", "o200k_base")]
)
def test_an_embedded_table_is_what_its_rank_file_says(name: str, pattern: str, tmp_path: Path):
    """The table names the pair that makes each token; of a rank file the engine finds it."""
    embedded = Tokenizer.builtin(name)
    embedded.to_file(tmp_path / "ranks", "tiktoken")
    read = Tokenizer.from_file(tmp_path / "ranks", pattern=pattern, special_tokens=embedded.special_tokens)
    pairs = zip(facts(embedded, tmp_path / "embedded"), facts(read, tmp_path / "read"), strict=True)
    assert [one == other for one, other in pairs] == [True] * 5


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(LoadError, match=r"gpt5: is not built in.*gpt2"):
        Tokenizer.builtin("gpt5")


def test_ranks_of_a_rank_file_count_merges_and_not_ids(tmp_path: Path):
    """abc has a lower id than its parts, and nothing merges to xyz."""
    tokens = [bytes([byte]) for byte in range(256)] + [b"abc", b"ab", b"xyz", b"bc"]
    lines = "".join(f"{base64.b64encode(token).decode()} {id}\n" for id, token in enumerate(tokens))
    path = tmp_path / "small.tiktoken"
    path.write_text(lines)
    tokenizer = Tokenizer.from_file(path, pattern="gpt2")
    assert [tokenizer.rank(id) for id in (97, 256, 257, 258, 259)] == [None, 0, 1, None, 2]
    tokenizer.to_file(tmp_path / "tokenizer.json")
    again = Tokenizer.from_file(tmp_path / "tokenizer.json")
    assert [again.rank(id) for id in range(260)] == [tokenizer.rank(id) for id in range(260)]
    assert again.merge_count == tokenizer.merge_count == 3


@pytest.mark.parametrize("source", ["bert-base-uncased/vocab.txt", "t5/tokenizer.json"])
def test_models_without_merges_have_no_ranks(shared: Path, source: str):
    path = shared / "vocab" / source
    if not path.exists():
        pytest.skip(f"{path} is not here")
    tokenizer = Tokenizer.from_file(path)
    assert tokenizer.merge_count is None and tokenizer.rank(5) is None
