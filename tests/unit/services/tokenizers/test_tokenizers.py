import json

import pytest

from lab_app.errors import BadValue, Conflict, Gated, NotFound, TooLarge, Unavailable
from lab_app.services import preferences
from lab_app.services.lab import Lab
from lab_app.services.tokenizers.tokenizers import (
    FilePadding,
    FileTruncation,
    IgnoredField,
    SpecialToken,
    add,
    describe,
    list_tokenizers,
    remove,
    rename,
)
from lab_app.settings import Settings
from tests import tiny


@pytest.fixture
def lab(tmp_path):
    return Lab(Settings(data_dir=tmp_path / "data", offline=True))


def test_an_entry_says_all_there_is_to_know(lab):
    entry = describe(lab, "gpt2")
    assert entry.available and entry.problem is None and entry.source == "built in"
    assert entry.special_tokens == [SpecialToken("<|endoftext|>", 50256)]
    assert set(vars(entry.stages)) == {"normalizer", "pretokenizer", "model", "postprocessor", "decoder"}


def test_one_that_is_not_here_has_no_numbers(lab):
    entry = describe(lab, "t5-base")
    assert not entry.available and entry.problem is None
    assert (entry.vocab_size, entry.base_vocab_size, entry.stages) == (None, None, None)
    assert entry.family == "Unigram" and entry.licence == "Apache-2.0"


def test_a_gated_one_that_is_not_here_says_how_to_get_it(lab):
    with pytest.raises(Gated) as refused:
        lab.loaded.get_any("llama-2")
    page = "https://huggingface.co/meta-llama/Llama-2-7b-hf"
    assert page in refused.value.hint and "HF_TOKEN" in refused.value.hint and "Library" in refused.value.hint
    assert page in refused.value.on_terminal and "`tokenlab add llama-2`" in refused.value.on_terminal


def test_what_it_takes_to_have_one_is_told(lab):
    needs = {entry.id: entry.needs for entry in list_tokenizers(lab).tokenizers}
    assert needs["gpt2"] is None and needs["bert-base-uncased"] is None
    assert needs["t5-base"] == "fetched from https://huggingface.co/google-t5/t5-base"
    assert needs["llama-2"].startswith("gated: ask for access at https://huggingface.co/meta-llama/Llama-2-7b-hf")


def test_a_list_loads_nothing_it_has_loaded_before(lab, monkeypatch):
    first = list_tokenizers(lab)
    again = Lab(lab.settings)
    monkeypatch.setattr(again.loaded, "get", None)
    assert list_tokenizers(again) == first


def test_a_damaged_one_is_listed_with_its_problem(lab, tmp_path):
    add(lab, tiny.vocab_txt(tmp_path / "mine"))
    lab.catalog.entry("mine").files[0].unlink()
    entry = list_tokenizers(Lab(lab.settings)).tokenizers[-1]
    assert entry.id == "mine" and not entry.available
    assert "missing" in entry.problem.message and "remove it" in entry.problem.hint


def test_a_folder_or_a_file_or_a_known_id_can_be_added(lab, tmp_path):
    assert add(lab, tiny.vocab_and_merges(tmp_path / "pair").parent).id == "pair"
    entry = add(lab, tiny.rank_file(tmp_path), pattern="cl100k_base", special_tokens={"<s>": 260}, id="ranks")
    assert entry.family == "byte-level BPE" and entry.special_tokens == [SpecialToken("<s>", 260)]
    assert add(lab, "gpt2").source == "built in"  # it is here already


def test_the_family_is_the_model(lab, tmp_path):
    entry = add(lab, tiny.tokenizer_json(tmp_path / "words"))
    assert (entry.id, entry.family, entry.vocab_size) == ("words", "WordLevel", 3)


@pytest.mark.parametrize(
    ("what", "error", "words"),
    [
        ("no-such-file.txt", NotFound, "neither a file"),
        ("hub:org/name", Unavailable, "offline"),
        ("hub:org name", BadValue, "not the name of a Hub repository"),
        ("", NotFound, "neither a file"),
    ],
)
def test_what_cannot_be_added_is_told(lab, what, error, words, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=words):
        add(lab, what)


def test_a_pattern_that_does_not_exist_is_refused(lab, tmp_path):
    with pytest.raises(BadValue, match="gpt5_base"):
        add(lab, tiny.rank_file(tmp_path), pattern="gpt5_base")


def test_a_new_name_is_kept_and_the_id_stays(lab, tmp_path):
    add(lab, tiny.vocab_txt(tmp_path / "mine"))
    assert rename(lab, "mine", "  My own\ntokenizer ").name == "My own tokenizer"
    kept = next(entry for entry in list_tokenizers(Lab(lab.settings)).tokenizers if entry.id == "mine")
    assert kept.name == "My own tokenizer"
    for name in ("", " \n", "x" * 81):
        with pytest.raises(BadValue, match="1 to 80 characters"):
            rename(lab, "mine", name)
    with pytest.raises(Conflict, match="gpt2 is built in"):
        rename(lab, "gpt2", "mine")
    with pytest.raises(NotFound):
        rename(lab, "yours", "mine")


def test_removing_frees_the_id(lab, tmp_path):
    path = tiny.vocab_txt(tmp_path / "mine")
    add(lab, path)
    lab.loaded.get("mine")
    remove(lab, "mine")
    add(lab, path)


def test_preferences_are_kept_and_bounded(lab):
    assert preferences.load(lab) == {}
    preferences.save(lab, {"theme": "dark", "chosen": ["gpt2"]})
    assert preferences.load(Lab(lab.settings)) == {"theme": "dark", "chosen": ["gpt2"]}
    with pytest.raises(TooLarge):
        preferences.save(lab, {"text": "x" * 64_000})
    assert preferences.load(lab)["theme"] == "dark"


def test_preferences_are_counted_as_the_page_writes_them(lab):
    texts = ["日本語" * 3500]  # 31 500 bytes in UTF-8, 63 000 as escapes
    preferences.save(lab, {"theme": "dark", "compare.texts": texts, "letters": {"gpt2": "G" * 2000}})
    assert preferences.load(lab)["compare.texts"] == texts
    with pytest.raises(TooLarge, match="64004 bytes"):
        preferences.save(lab, {"t": "x" * (64_004 - len('{"t":""}'))})
    preferences.save(lab, {"t": "x" * (64_000 - len('{"t":""}'))})


def test_what_a_file_says_beside_its_stages_is_told(lab, tmp_path):
    path = tiny.tokenizer_json(tmp_path / "words")
    document = json.loads(path.read_text())
    document["truncation"] = {"direction": "Left", "max_length": 5, "strategy": "OnlyFirst", "stride": 1}
    document["padding"] = {
        "strategy": "BatchLongest",
        "direction": "Right",
        "pad_to_multiple_of": 8,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[UNK]",
    }
    document["pre_tokenizer"]["trim_offsets"] = False
    path.write_text(json.dumps(document))
    entry = add(lab, path)
    assert entry.truncation == FileTruncation(max_length=5, stride=1, strategy="only_first", direction="left")
    assert entry.padding == FilePadding(None, 8, 0, 0, "[UNK]", "right")
    assert entry.ignored_fields == [IgnoredField("pre_tokenizer.trim_offsets", "false")]
    gpt2 = describe(lab, "gpt2")
    assert (gpt2.truncation, gpt2.padding, gpt2.ignored_fields) == (None, None, [])
