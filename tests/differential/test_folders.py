"""Folders of models: a tokenizer with the files beside it, against `tokenizers` put together as transformers does."""

import json
from pathlib import Path

import pytest
import tokenizers
from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers, processors

from lab_app.engine import LoadError, Tokenizer
from tests import tiny
from tests.differential.conftest import first_difference
from tests.generators import texts

FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
MARKS = ["<new>", " <new> ", "<odd>", "[MASK]", "[CLS]", "<mask>", "  <mask> ", "<s>", "Hello hello", "É"]


def write(folder: Path, **files: dict) -> Path:
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    return folder


def assert_same(ours: Tokenizer, theirs: tokenizers.Tokenizer, count: int = 300) -> None:
    for text in texts(count, seed=31, tokens=MARKS):
        first, second = ours.encode(text), theirs.encode(text)
        assert first.ids.tolist() == second.ids, first_difference(text, first.ids.tolist(), second.ids)
        assert [tuple(span) for span in first.span_char.tolist()] == second.offsets, text
        assert first.type_ids.tolist() == second.type_ids
        assert ours.encode(text, "hello").ids.tolist() == theirs.encode(text, "hello").ids


def words(folder: Path) -> tokenizers.Tokenizer:
    return tokenizers.Tokenizer.from_file(str(tiny.tokenizer_json(folder)))


def test_tokens_that_a_tokenizer_json_lacks(tmp_path: Path):
    reference = words(tmp_path)
    write(tmp_path, added_tokens={"<new>": 3, "<odd>": 4}, special_tokens_map={"pad_token": "<odd>"})
    reference.add_tokens([AddedToken("<new>", special=False)])
    reference.add_special_tokens(["<odd>"])
    ours = Tokenizer.from_file(tmp_path)
    assert_same(ours, reference)
    assert ours.special_tokens == {"<odd>": 4}


def test_the_list_of_the_configuration_counts_with_its_flags(tmp_path: Path):
    reference = words(tmp_path)
    token = {**FLAGS, "content": "<new>", "lstrip": True, "special": False}
    write(
        tmp_path,
        tokenizer_config={"added_tokens_decoder": {"3": token}, "pad_token": "<pad>", "unk_token": "[UNK]", "odd": 1},
        special_tokens_map={"mask_token": "<mask>"},
        added_tokens={"<other>": 77},
    )
    reference.add_tokens([AddedToken("<new>", lstrip=True, normalized=False)])
    reference.add_special_tokens(["[UNK]", "<pad>"])
    ours = Tokenizer.from_file(tmp_path)
    assert_same(ours, reference)
    assert ours.special_tokens == {"[UNK]": 0, "<pad>": 4}


def test_a_file_of_another_name_stands_alone(tmp_path: Path):
    path = tiny.tokenizer_json(tmp_path).rename(tmp_path / "mine.json")
    write(tmp_path, added_tokens={"<new>": 77})
    assert Tokenizer.from_file(path).vocab_size == 3


@pytest.mark.parametrize(
    ("files", "file", "place", "problem"),
    [
        ({"added_tokens": {"<new>": 7}}, "added_tokens.json", "<new>", "would get id 3 in tokenizer.json"),
        ({"added_tokens": {"hello": 7}}, "added_tokens.json", "hello", "has id 1 in tokenizer.json"),
        (
            {"tokenizer_config": {"added_tokens_decoder": {"9": {"content": "<new>"}}}},
            "tokenizer_config.json",
            "added_tokens_decoder.9",
            "would get id 3 in tokenizer.json",
        ),
        ({"tokenizer_config": {"pad_token": 3}}, "tokenizer_config.json", "pad_token", "3 is not an object"),
        ({"special_tokens_map": {"pad_token": {"text": "a"}}}, "special_tokens_map.json", "pad_token", "content"),
        ({"added_tokens": {"<new>": -1}}, "added_tokens.json", "<new>", "-1 is not"),
    ],
)
def test_contradictions_name_both_files(tmp_path: Path, files: dict, file: str, place: str, problem: str):
    tiny.tokenizer_json(tmp_path)
    with pytest.raises(LoadError) as raised:
        Tokenizer.from_file(write(tmp_path, **files))
    assert raised.value.file == file
    assert raised.value.path == place
    assert problem in raised.value.problem


def bert(folder: Path, names: tuple[str, str, str], **rules: bool | None) -> tokenizers.Tokenizer:
    unknown, cls, sep = names
    vocab = models.WordPiece.read_file(str(folder / "vocab.txt"))
    reference = tokenizers.Tokenizer(models.WordPiece(vocab, unk_token=unknown))
    reference.normalizer = normalizers.BertNormalizer(**rules)
    reference.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    reference.post_processor = processors.TemplateProcessing(
        single=f"{cls}:0 $A:0 {sep}:0",
        pair=f"{cls}:0 $A:0 {sep}:0 $B:1 {sep}:1",
        special_tokens=[(cls, vocab[cls]), (sep, vocab[sep])],
    )
    reference.decoder = decoders.WordPiece()
    return reference


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("accents", [True, False, None])
@pytest.mark.parametrize("chinese", [True, False])
def test_bert_with_its_rules(tmp_path: Path, lower: bool, accents: bool | None, chinese: bool):
    tiny.vocab_txt(tmp_path)
    config = {"do_lower_case": lower, "strip_accents": accents, "tokenize_chinese_chars": chinese, "never_split": None}
    write(tmp_path, tokenizer_config={**config, "tokenizer_class": "BertTokenizer", "model_max_length": 512})
    reference = bert(
        tmp_path,
        ("[UNK]", "[CLS]", "[SEP]"),
        lowercase=lower,
        strip_accents=accents,
        handle_chinese_chars=chinese,
        clean_text=True,
    )
    held = [
        token for token in ("[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]") if reference.token_to_id(token) is not None
    ]
    reference.add_special_tokens(held)
    assert_same(Tokenizer.from_file(tmp_path), reference, 100)


def test_bert_with_other_names(tmp_path: Path):
    lines = tiny.vocab_txt(tmp_path).read_text()
    names = {"[UNK]": "<unk>", "[CLS]": "<s>", "[SEP]": "</s>"}
    for old, new in names.items():
        lines = lines.replace(old, new)
    (tmp_path / "vocab.txt").write_text(lines)
    roles = dict(zip(("unk_token", "cls_token", "sep_token"), names.values(), strict=True))
    write(tmp_path, special_tokens_map=roles, tokenizer_config={"do_lower_case": False})
    reference = bert(tmp_path, tuple(names.values()), lowercase=False)
    held = [token for token in (*names.values(), "[PAD]", "[MASK]") if reference.token_to_id(token) is not None]
    reference.add_special_tokens(held)
    assert_same(Tokenizer.from_file(tmp_path), reference)


def byte_level(folder: Path, special: dict[str, int], add_prefix_space: bool) -> tokenizers.Tokenizer:
    path = tiny.vocab_and_merges(folder)
    vocab = json.loads(path.read_text())
    vocab.pop("<|endoftext|>")
    vocab.update({token: len(vocab) + at for token, at in special.items()})
    path.write_text(json.dumps(vocab))
    reference = tokenizers.Tokenizer(models.BPE.from_file(str(path), str(folder / "merges.txt")))
    reference.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
    reference.decoder = decoders.ByteLevel()
    return reference


ROBERTA = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": 4}


@pytest.mark.parametrize("name", ["RobertaTokenizer", "BartTokenizerFast"])
@pytest.mark.parametrize("add_prefix_space", [True, False])
def test_roberta(tmp_path: Path, name: str, add_prefix_space: bool):
    reference = byte_level(tmp_path, ROBERTA, add_prefix_space)
    ids = {token: reference.token_to_id(token) for token in ROBERTA}
    reference.add_special_tokens([AddedToken(token, lstrip=token == "<mask>", normalized=False) for token in ROBERTA])
    reference.post_processor = processors.RobertaProcessing(
        ("</s>", ids["</s>"]), ("<s>", ids["<s>"]), add_prefix_space=add_prefix_space, trim_offsets=True
    )
    config = {"tokenizer_class": name, "add_prefix_space": add_prefix_space, "trim_offsets": True}
    write(tmp_path, tokenizer_config=config)
    assert_same(Tokenizer.from_file(tmp_path), reference)


@pytest.mark.parametrize("add_prefix_space", [True, False])
def test_gpt2_with_a_first_token(tmp_path: Path, add_prefix_space: bool):
    reference = byte_level(tmp_path, {"</s>": 0}, add_prefix_space)
    first = reference.token_to_id("</s>")
    reference.add_special_tokens(["</s>"])
    reference.add_tokens([AddedToken("<new>", special=False)])
    reference.post_processor = processors.TemplateProcessing(
        single="</s>:0 $A:0", pair="</s>:0 $A:0 $B:1", special_tokens=[("</s>", first)]
    )
    config = {"add_bos_token": True, "bos_token": {"__type": "AddedToken", "content": "</s>", **FLAGS}}
    write(
        tmp_path,
        tokenizer_config={**config, "tokenizer_class": "GPT2Tokenizer", "add_prefix_space": add_prefix_space},
        added_tokens={"<new>": first + 1},
    )
    assert_same(Tokenizer.from_file(tmp_path), reference)


@pytest.mark.parametrize(
    ("vocabulary", "config", "place"),
    [
        (tiny.vocab_and_merges, {"frobnicate": True}, "frobnicate"),
        (tiny.vocab_and_merges, {"add_eos_token": True}, "add_eos_token"),
        (tiny.vocab_and_merges, {"tokenizer_class": "RobertaTokenizer", "add_bos_token": True}, "add_bos_token"),
        (tiny.vocab_txt, {"frobnicate": True}, "frobnicate"),
        (tiny.vocab_txt, {"do_basic_tokenize": False}, "do_basic_tokenize"),
        (tiny.vocab_txt, {"never_split": ["a"]}, "never_split"),
        (tiny.vocab_txt, {"tokenizer_class": "MPNetTokenizer"}, "tokenizer_class"),
    ],
)
def test_a_vocabulary_does_not_guess(tmp_path: Path, vocabulary, config: dict, place: str):
    vocabulary(tmp_path)
    with pytest.raises(LoadError) as raised:
        Tokenizer.from_file(write(tmp_path, tokenizer_config=config))
    assert (raised.value.file, raised.value.path) == ("tokenizer_config.json", place)
