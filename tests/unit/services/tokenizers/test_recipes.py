import json

import pytest

from lab_app.errors import BadValue, Conflict, LabError, LoadFailed, NotFound
from lab_app.library.recipe import NORMALIZERS, PRETOKENIZERS, Recipe
from lab_app.services.lab import Lab
from lab_app.services.text.encode import encode
from lab_app.services.tokenizers import recipes
from lab_app.services.tokenizers.recipes import keep, preview
from lab_app.services.tokenizers.tokenizers import SpecialToken, add, describe, remove
from lab_app.settings import Settings
from tests import tiny


@pytest.fixture
def lab(tmp_path):
    lab = Lab(Settings(data_dir=tmp_path / "data", offline=True))
    add(lab, tiny.tokenizer_json(tmp_path / "words"))
    return lab


def made(lab, id="mine", **fields):
    return describe(lab, keep(lab, Recipe.of({"base": "words", **fields}), id).id)


def ids(lab, text, id="mine"):
    return encode(lab, id, text, specials="parse").ids.tolist()


def test_a_file_with_a_recipe_is_added(lab, tmp_path):
    file = tmp_path / "loud.toml"
    file.write_text('base = "words"\nnormalizers = ["Lowercase"]\nspecial_tokens = ["<end>"]\n')
    entry = add(lab, file)
    assert (entry.id, entry.source, entry.origin) == ("loud", "composed", "composed from words")
    assert entry.special_tokens == [SpecialToken("<end>", 3)]
    assert ids(lab, "HELLO<end>", "loud") == [1, 3] and ids(lab, "HELLO", "words") == [0]
    assert ids(Lab(lab.settings), "HELLO", "loud") == [1]  # after a restart too


@pytest.mark.parametrize("name", NORMALIZERS)
def test_every_normalizer_is_one_of_the_engine(lab, name):
    assert made(lab, normalizers=[name]).stages.normalizer != "none"


@pytest.mark.parametrize("name", PRETOKENIZERS)
def test_every_pretokenizer_is_one_of_the_engine(lab, name):
    assert made(lab, pretokenizers=[name]).stages.pretokenizer != "none"


@pytest.mark.parametrize(
    ("blocks", "text", "expected"),
    [
        (["RemoveControls", "Lowercase"], "HEL\u200eLO", [1]),
        (["full_width", "Lowercase"], "ｈｅｌｌｏ\u3000ＷＯＲＬＤ", [1, 2]),
        (["turkish_lowercase", {"type": "Replace", "pattern": {"String": "ı"}, "content": "hello"}], "I", [1]),
        (["Lowercase", {"type": "Replace", "pattern": {"String": "i"}, "content": "hello"}], "I", [1]),
        ([{"type": "Replace", "pattern": {"String": "i"}, "content": "hello"}, "Lowercase"], "I", [0]),
        ([], "hello", [1]),
    ],
)
def test_blocks_are_applied_in_their_order(lab, blocks, text, expected):
    made(lab, normalizers=blocks)
    assert ids(lab, text) == expected


def test_a_composed_one_can_be_a_base_again(lab):
    made(lab, normalizers=["turkish_lowercase"])
    keep(lab, Recipe.of({"base": "mine", "added_tokens": ["new word"]}), "more")
    assert ids(lab, "HELLO new word", "more") == [1, 3]


def test_a_built_in_one_can_be_a_base(lab):
    keep(lab, Recipe.of({"base": "gpt2", "normalizers": ["Lowercase"]}), "quiet")
    assert ids(lab, "HELLO", "quiet") == ids(lab, "hello", "gpt2")


def test_the_template_can_be_left_out(lab, bert_vocab):
    add(lab, bert_vocab, id="bert")
    keep(lab, Recipe.of({"base": "bert", "keep_template": False}), "bare")
    assert ids(lab, "hello", "bare") == ids(lab, "hello", "bert")[1:-1]


@pytest.mark.parametrize(
    ("fields", "error", "words"),
    [
        ({"base": ""}, BadValue, "base is missing"),
        ({"base": "nobody"}, NotFound, "nobody"),
        ({"normalizer": []}, BadValue, 'no field "normalizer"'),
        ({"normalizers": "NFC"}, BadValue, "normalizers is not a list"),
        ({"normalizers": ["NFQ"]}, BadValue, r'normalizers\[0\]: there is no block "NFQ"'),
        ({"pretokenizers": [3]}, BadValue, r"pretokenizers\[0\] is neither"),
        ({"normalizers": [{"type": "NFQ"}]}, LoadFailed, "NFQ"),
        ({"normalizers": [{"type": "Language", "rule": "klingon"}]}, LoadFailed, "klingon"),
        ({"normalizers": [{"type": "Replace"}]}, LoadFailed, "pattern"),
        ({"added_tokens": ["a", "a"]}, BadValue, "twice"),
        ({"added_tokens": [""]}, BadValue, "not a list of texts"),
        ({"keep_template": 1}, BadValue, "keep_template"),
    ],
)
def test_what_does_not_go_together_is_told_and_nothing_is_kept(lab, fields, error, words):
    before = lab.catalog.entries()
    with pytest.raises(error, match=words):
        made(lab, **fields)
    assert lab.catalog.entries() == before


def test_a_taken_id_and_a_broken_file(lab, tmp_path):
    with pytest.raises(Conflict):
        made(lab, "gpt2")
    file = tmp_path / "broken.toml"
    file.write_text("base = ")
    with pytest.raises(LabError, match=r"broken\.toml is not a recipe"):
        add(lab, file)


def test_the_recipe_of_the_guide_works_and_names_every_block(lab, root, tmp_path):
    guide = (root / "docs" / "guide" / "library.md").read_text("utf-8")
    file = tmp_path / "quiet.toml"
    file.write_text(guide.split("```toml\n")[1].split("```")[0], "utf-8")
    assert [token.text for token in add(lab, file).special_tokens] == ["<|endoftext|>", "<|user|>", "<|lab|>"]
    assert ids(lab, "İ42<|lab|>", "quiet") == [
        *ids(lab, "i", "gpt2"),
        *ids(lab, "4", "gpt2"),
        *ids(lab, "2", "gpt2"),
        50258,
    ]
    missing = [name for name in [*NORMALIZERS, *PRETOKENIZERS] if name not in guide]
    assert not missing


def test_a_base_is_taken_with_what_the_files_beside_it_say(lab, tmp_path):
    folder = tmp_path / "refined"
    tiny.tokenizer_json(folder)
    config = {"added_tokens_decoder": {"3": {"content": "<new>", "special": True}}}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")
    add(lab, folder, id="refined")
    assert ids(lab, "hello<new>", "refined") == [1, 3]
    keep(lab, Recipe.of({"base": "refined", "normalizers": ["Lowercase"]}), "lower")
    assert ids(lab, "HELLO<new>", "lower") == [1, 3]


def test_a_recipe_that_is_tried_is_made_once(lab, monkeypatch):
    made = []
    make = recipes.composed
    monkeypatch.setattr(recipes, "composed", lambda *parts: made.append(parts) or make(*parts))
    lower, plain = (Recipe.of({"base": "words", "normalizers": names}) for names in (["Lowercase"], []))
    tries = [(lower, "HELLO"), (lower, "WORLD"), (plain, "hello"), (plain, "HELLO"), (lower, "HELLO")]
    assert [preview(lab, recipe, text).ids.tolist() for recipe, text in tries] == [[1], [2], [1], [0], [1]]
    assert [recipe for _, recipe in made] == [lower, plain, lower]
    assert made[0][0] is made[1][0] is made[2][0], "the base is written out once"


def test_a_base_that_was_replaced_is_looked_at_anew(lab, tmp_path):
    recipe = Recipe.of({"base": "words", "normalizers": ["Lowercase"]})
    assert preview(lab, recipe, "HELLO").ids.tolist() == [1]
    remove(lab, "words")
    with pytest.raises(NotFound):
        preview(lab, recipe, "HELLO")
