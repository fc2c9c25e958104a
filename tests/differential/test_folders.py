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


# As transformers' own tests have them: a few tokens, most bytes without one.
FEW_BYTES = [
    *"lowerstidn",
    "Ġ",
    "Ġl",
    "Ġn",
    "Ġlo",
    "Ġlow",
    "er",
    "Ġlowest",
    "Ġnewer",
    "Ġwider",
    "<unk>",
    "<|endoftext|>",
]
FEW_MERGES = ["Ġ l", "Ġl o", "Ġlo w", "e r"]
WORD_ENDS = [
    *"lowerstidn",
    "lo",
    "l</w>",
    "w</w>",
    "r</w>",
    "t</w>",
    "low</w>",
    "er</w>",
    "lowest</w>",
    "newer</w>",
    "wider",
]
WORD_END_MERGES = ["l o", "lo w</w>", "e r</w>"]


def pair_of_files(folder: Path, tokens: list[str], merges: list[str]) -> tuple[dict[str, int], list[tuple[str, ...]]]:
    vocab = {token: id for id, token in enumerate(dict.fromkeys(tokens))}
    (folder / "vocab.json").write_text(json.dumps(vocab))
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *merges, ""]))
    return vocab, [tuple(merge.split()) for merge in merges]


SMALL_TEXTS = ["lower newer", " lowest l\u00f6wer", "Lower LOWER, lo wer!", "<unk> lower<|endoftext|>", "1 2\n\nlow"]


def assert_same_small(ours: Tokenizer, theirs: tokenizers.Tokenizer, spans: bool = True) -> None:
    for text in [*SMALL_TEXTS, *texts(200, seed=5, tokens=["lower", "low", " newer", "<unk>", "<|startoftext|>"])]:
        first, second = ours.encode(text), theirs.encode(text)
        assert first.ids.tolist() == second.ids, first_difference(text, first.ids.tolist(), second.ids)
        if spans:
            assert [tuple(span) for span in first.span_char.tolist()] == second.offsets, text
        assert ours.decode(first.ids) == theirs.decode(second.ids), text


@pytest.mark.parametrize("named", [True, False])
def test_a_byte_level_vocabulary_may_lack_bytes(tmp_path: Path, named: bool):
    vocab, merges = pair_of_files(tmp_path, FEW_BYTES, FEW_MERGES)
    if named:
        write(tmp_path, tokenizer_config={"tokenizer_class": "GPT2Tokenizer"})
    reference = tokenizers.Tokenizer(models.BPE(vocab, merges))
    reference.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    reference.decoder = decoders.ByteLevel()
    reference.add_special_tokens(["<unk>", "<|endoftext|>"])
    # The reference moves the spans that follow a byte without a token.
    assert_same_small(Tokenizer.from_file(tmp_path), reference, spans=False)


@pytest.mark.parametrize("config", [None, {"tokenizer_class": "OpenAIGPTTokenizer", "unk_token": "<unk>"}])
def test_gpt1(tmp_path: Path, config: dict | None):
    vocab, merges = pair_of_files(tmp_path, [*WORD_ENDS, "<unk>"], WORD_END_MERGES)
    if config:
        write(tmp_path, tokenizer_config=config)
    reference = tokenizers.Tokenizer(models.BPE(vocab, merges, unk_token="<unk>", end_of_word_suffix="</w>"))
    reference.normalizer = normalizers.BertNormalizer(lowercase=True)
    reference.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    reference.decoder = decoders.BPEDecoder(suffix="</w>")
    reference.add_special_tokens(["<unk>"])
    assert_same_small(Tokenizer.from_file(tmp_path), reference)


def clip(vocab: dict[str, int], merges: list, end: str, start: str, unknown: str) -> tokenizers.Tokenizer:
    reference = tokenizers.Tokenizer(models.BPE(vocab, merges, unk_token=unknown, end_of_word_suffix="</w>"))
    reference.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(tokenizers.Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    words = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
    reference.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(tokenizers.Regex(words), behavior="removed", invert=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    reference.decoder = decoders.ByteLevel()
    reference.post_processor = processors.RobertaProcessing(
        (end, vocab[end]), (start, vocab[start]), trim_offsets=False, add_prefix_space=False
    )
    return reference


@pytest.mark.parametrize("named", [True, False])
def test_clip(tmp_path: Path, named: bool):
    vocab, merges = pair_of_files(tmp_path, [*WORD_ENDS, "<unk>", "<|startoftext|>", "<|endoftext|>"], WORD_END_MERGES)
    reference = clip(vocab, merges, "<|endoftext|>", "<|startoftext|>", "<unk>" if named else "<|endoftext|>")
    if named:
        config = {
            "tokenizer_class": "CLIPTokenizer",
            "add_prefix_space": False,
            "do_lower_case": True,
            "unk_token": "<unk>",
        }
        write(tmp_path, tokenizer_config={**config, "bos_token": "<|startoftext|>", "eos_token": "<|endoftext|>"})
        reference.add_special_tokens(["<|startoftext|>", "<|endoftext|>", "<unk>"])
    else:
        reference.add_special_tokens([AddedToken("<|startoftext|>", normalized=True), "<|endoftext|>"])
    assert_same_small(Tokenizer.from_file(tmp_path), reference)


def test_clips_two_files_alone(shared: Path, tmp_path: Path):
    """Those of Stable Diffusion: the vocabulary shows whose it is."""
    whole = json.loads((shared / "vocab" / "clip" / "tokenizer.json").read_text())["model"]
    (tmp_path / "vocab.json").write_text(json.dumps(whole["vocab"]))
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in whole["merges"]]
    (tmp_path / "merges.txt").write_text("\n".join(["#version: 0.2", *merges, ""]))
    ours = Tokenizer.from_file(tmp_path)
    theirs = Tokenizer.from_file(shared / "vocab" / "clip" / "tokenizer.json")
    assert ours.encode("Hello world").ids.tolist() == [49406, 3306, 1002, 49407]
    for text in texts(500, seed=9, tokens=["<|startoftext|>", "<|endoftext|>"]):
        assert ours.encode(text).ids.tolist() == theirs.encode(text).ids.tolist(), text


WHISPER = ["<|startoftranscript|>", "<|en|>", "<|transcribe|>", "<|notimestamps|>"]


@pytest.mark.parametrize("named", [True, False])
def test_whisper(tmp_path: Path, named: bool):
    """As `WhisperTokenizer` puts it together; one id is the empty token's."""
    reference = byte_level(tmp_path, {"": 0, "<|endoftext|>": 1}, add_prefix_space=False)
    size = len(json.loads((tmp_path / "vocab.json").read_text()))
    write(tmp_path, added_tokens={token: size + at for at, token in enumerate(WHISPER)})
    if named:
        config = {"tokenizer_class": "WhisperTokenizer", "add_bos_token": False, "additional_special_tokens": WHISPER}
        write(tmp_path, tokenizer_config={**config, "eos_token": "<|endoftext|>", "normalizer_file": "normalizer.json"})
    else:
        write(tmp_path, special_tokens_map={"eos_token": "<|endoftext|>", "additional_special_tokens": WHISPER})
    reference.add_special_tokens(["<|endoftext|>", *WHISPER])
    around = [*WHISPER[:1], *WHISPER[3:], "<|endoftext|>"]
    reference.post_processor = processors.TemplateProcessing(
        single="<|startoftranscript|> <|notimestamps|> $A:0 <|endoftext|>:0",
        pair="<|startoftranscript|> <|notimestamps|> $A:0 $B:1 <|endoftext|>:1",
        special_tokens=[(token, reference.token_to_id(token)) for token in around],
    )
    assert_same(Tokenizer.from_file(tmp_path), reference)


@pytest.mark.parametrize(
    ("tokens", "problem"),
    [
        ([*WORD_ENDS, "<unk>", "<s>", "</s>", "<pad>"], "neither CLIP's special tokens nor GPT-1's"),
        (["adapt", "re@@", "a@@", "apt", "c@@", "t", "<unk>", "e", "r", "er"], "those of CTRL"),
        (["the", "##s", "##er", "[UNK]", "e", "r", "er"], "those of WordPiece"),
        (["▁the", "▁a", "s", "e", "r", "er"], "those of SentencePiece"),
        (["e", "r", "er"], "no byte-level vocabulary"),
    ],
)
def test_a_vocabulary_of_another_kind_is_named(tmp_path: Path, tokens: list[str], problem: str):
    pair_of_files(tmp_path, tokens, ["e r"] if "er" in tokens else [])
    with pytest.raises(LoadError, match=problem):
        Tokenizer.from_file(tmp_path)


def test_a_pattern_is_for_byte_level_vocabularies(tmp_path: Path):
    pair_of_files(tmp_path, [*WORD_ENDS, "<unk>"], WORD_END_MERGES)
    with pytest.raises(LoadError, match="has no split pattern; leave the pattern out"):
        Tokenizer.from_file(tmp_path, pattern="gpt2")


@pytest.mark.parametrize(
    ("class_name", "problem"),
    [
        ("RoFormerTokenizer", r'"RoFormerTokenizer" makes of a vocab\.txt'),
        ("PhobertTokenizer", "PhobertTokenizer looks tokens up by name after merging.*make a plug-in"),
        ("BertweetTokenizer", "BertweetTokenizer looks tokens up by name"),
    ],
)
def test_a_vocabulary_of_another_class_names_the_class(tmp_path: Path, class_name: str, problem: str):
    (tmp_path / "vocab.txt").write_text("<cls>\n<pad>\n<eos>\n<unk>\nL\nA\n")
    write(tmp_path, tokenizer_config={"tokenizer_class": class_name})
    with pytest.raises(LoadError, match=problem):
        Tokenizer.from_file(tmp_path)


def test_special_tokens_of_esm_come_from_its_configuration(tmp_path: Path):
    (tmp_path / "vocab.txt").write_text("<a>\n<pad>\n<z>\n<unk>\nL\nA\n<mask>")
    names = {"cls_token": "<a>", "eos_token": "<z>", "mask_token": {"content": "<mask>", "lstrip": True}}
    write(tmp_path, tokenizer_config={"tokenizer_class": "EsmTokenizer", "is_folding_model": False, **names})
    tokenizer = Tokenizer.from_file(tmp_path)
    # As `EsmTokenizer` of transformers 4.57.1.
    assert tokenizer.encode("LA <mask>x").ids.tolist() == [0, 4, 5, 6, 3, 2]
    assert tokenizer.special_tokens == {"<a>": 0, "<pad>": 1, "<z>": 2, "<unk>": 3, "<mask>": 6}
    write(tmp_path, tokenizer_config={"tokenizer_class": "EsmTokenizer", "odd": 1, **names})
    with pytest.raises(LoadError, match="odd"):
        Tokenizer.from_file(tmp_path)


@pytest.mark.parametrize("class_name", ["XLMTokenizer", "FlaubertTokenizer", "FSMTTokenizer", "CTRLTokenizer"])
def test_classes_that_look_tokens_up_after_merging_are_refused_by_name(tmp_path: Path, class_name: str):
    pair_of_files(tmp_path, [*WORD_ENDS, "<unk>"], WORD_END_MERGES)
    write(tmp_path, tokenizer_config={"tokenizer_class": class_name})
    with pytest.raises(LoadError, match=f"{class_name} looks tokens up by name after merging"):
        Tokenizer.from_file(tmp_path)
