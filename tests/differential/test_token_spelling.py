"""How tokens are written: as `tokenizers` and `sentencepiece` write them, and back to the same id.

Not here: the bytes of a token (test_sentencepiece.py, test_tiktoken.py).
"""

import base64
from pathlib import Path

import pytest
import sentencepiece
import tokenizers

from lab_app.engine import DecodeError, Encoding, Tokenizer
from tests.differential.vocabularies import FILES, TABLES, Vocabulary
from tests.generators import texts


def every_id(tokenizer: Tokenizer) -> list[int]:
    ids = []
    for id in range(tokenizer.vocab_size):
        try:
            tokenizer.token_bytes(id)
        except DecodeError:
            continue
        ids.append(id)
    assert len(ids) == len(tokenizer)
    return ids


@pytest.mark.parametrize("vocabulary", TABLES, ids=[each.name for each in TABLES])
def test_every_token_is_found_by_its_spelling(vocabulary: Vocabulary, shared: Path):
    tokenizer = vocabulary.load(shared)
    wrong = []
    for id in every_id(tokenizer):
        token = tokenizer.id_to_token(id)
        # A few vocabularies hold U+FFFD itself.
        replaced = "\ufffd" in token and b"\xef\xbf\xbd" not in tokenizer.token_bytes(id)
        if tokenizer.token_to_id(token) != id or replaced:
            wrong.append((id, token))
    assert not wrong, wrong[:10]


UNIGRAM = {"albert-base-v2/tokenizer.json", "t5/tokenizer.json"}
JSON = [name for name in FILES if name.endswith("tokenizer.json")]


@pytest.mark.parametrize("name", JSON)
def test_tokens_of_a_tokenizer_json(name: str, shared: Path):
    path = shared / "vocab" / name
    tokenizer, reference = Tokenizer.from_file(path), tokenizers.Tokenizer.from_file(str(path))
    reference.no_padding()
    reference.no_truncation()
    for id in range(reference.get_vocab_size()):
        token = reference.id_to_token(id)
        assert tokenizer.id_to_token(id) == token
        assert tokenizer.token_to_id(token) == reference.token_to_id(token) == id
    for token in (" world", "Ġ world", "no such token", "", "日本", "ĠĀ", "\u0120\u0120\u0120\u0143"):
        assert tokenizer.token_to_id(token) == reference.token_to_id(token), token
    for text in texts(300, seed=17):
        ours, theirs = tokenizer.encode(text), reference.encode(text)
        # A Unigram model of the reference shows the text in place of its unknown token.
        tokens = [
            "<unk>" if id == tokenizer.unknown_id else token
            for id, token in zip(theirs.ids, theirs.tokens, strict=True)
        ]
        assert ours.tokens == (tokens if name in UNIGRAM else theirs.tokens), text


@pytest.mark.parametrize("name", ["llama2/tokenizer.model", "t5/spiece.model", "sp-small/test_model.model"])
def test_tokens_of_a_sentencepiece_model(name: str, shared: Path):
    path = shared / "vocab" / name
    tokenizer, reference = Tokenizer.from_file(path), sentencepiece.SentencePieceProcessor(str(path))
    for text in texts(200, seed=18):
        encoding = tokenizer.encode(text, add_special_tokens=False)
        assert encoding.tokens == [reference.id_to_piece(int(id)) for id in encoding.ids]


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base", "p50k_base", "r50k_base"])
def test_tokens_of_a_rank_file_are_those_of_the_tokenizer_json_written_from_it(name: str, shared: Path, tmp_path: Path):
    tokenizer = Vocabulary(f"openai/{name}.tiktoken").load(shared)
    tokenizer.to_file(tmp_path / "tokenizer.json")
    reference = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert {token: tokenizer.token_to_id(token) for token in reference.get_vocab()} == reference.get_vocab()
    assert all(tokenizer.id_to_token(id) == token for token, id in reference.get_vocab().items())


def texts_of(encoding: Encoding) -> None:
    """`texts` are the bytes decoded, None where they are part of a character."""
    for token, text, data in zip(encoding.tokens, encoding.texts, encoding.token_bytes, strict=True):
        try:
            assert text == data.decode(), token
        except UnicodeDecodeError:
            assert text is None, token


@pytest.mark.parametrize("vocabulary", TABLES, ids=[each.name for each in TABLES])
def test_text_and_bytes_of_each_token(vocabulary: Vocabulary, shared: Path):
    tokenizer = vocabulary.load(shared)
    for text in texts(100, seed=19):
        encoding = tokenizer.encode(text)
        texts_of(encoding)
        assert encoding.tokens == [tokenizer.id_to_token(int(id)) for id in encoding.ids]
        assert encoding.texts == [tokenizer.token_text(int(id)) for id in encoding.ids]
        assert encoding.token_bytes == [tokenizer.token_bytes(int(id)) for id in encoding.ids]


def test_a_token_that_the_byte_alphabet_cannot_spell_keeps_its_own(tmp_path: Path):
    """No text becomes such a token, but it has an id and a spelling."""
    reference = tokenizers.Tokenizer(tokenizers.models.BPE())
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    vocab = {token: id for id, token in enumerate([*alphabet, "ĠĠ", "日本", "a b"])}
    reference.model = tokenizers.models.BPE(vocab=vocab, merges=[("Ġ", "Ġ")])
    reference.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    reference.decoder = tokenizers.decoders.ByteLevel()
    reference.add_special_tokens(["<|end|>", "日"])
    reference.save(str(tmp_path / "tokenizer.json"))
    tokenizer = Tokenizer.from_file(tmp_path / "tokenizer.json")
    for token, id in reference.get_vocab().items():
        assert (tokenizer.id_to_token(id), tokenizer.token_to_id(token)) == (token, id)
    assert tokenizer.token_to_id("æĹ¥æľ¬") is None and reference.token_to_id("æĹ¥æľ¬") is None


def test_an_id_without_a_token_is_an_error():
    tokenizer = Tokenizer.builtin("gpt2")
    for method in (tokenizer.id_to_token, tokenizer.token_text, tokenizer.token_bytes):
        with pytest.raises(DecodeError, match="no token has id 50257; the ids of this vocabulary are below 50257"):
            method(50257)


def test_rank_files_of_the_same_bytes_write_the_same_tokens(tmp_path: Path):
    """A special token is itself; a rank is spelled byte by byte."""
    lines = [f"{base64.b64encode(token).decode()} {id}" for id, token in enumerate([bytes([n]) for n in range(256)])]
    (tmp_path / "a.tiktoken").write_text("\n".join([*lines, f"{base64.b64encode('é '.encode()).decode()} 256"]))
    tokenizer = Tokenizer.from_file(tmp_path / "a.tiktoken", pattern=r"[\s\S]+", special_tokens={"<é >": 257})
    assert [tokenizer.id_to_token(id) for id in (32, 256, 257)] == ["Ġ", "Ã©Ġ", "<é >"]
    assert tokenizer.encode("é <é >").tokens == ["Ã©Ġ", "<é >"]
