"""A recipe as data. Not here: the tokenizers that recipes make (`tests/unit/services/test_recipes.py`)."""

import json

import pytest

from lab_app.errors import BadValue, LoadFailed
from lab_app.library.recipe import Recipe, compose, composed
from tests import tiny


@pytest.fixture
def definition(tmp_path):
    return json.loads(tiny.tokenizer_json(tmp_path).read_text())


def test_what_is_not_named_stays_as_it_is(definition):
    assert compose(definition, Recipe("words")) == definition


def test_the_base_is_left_as_it_is(definition):
    before = json.dumps(definition)
    recipe = Recipe.of({"base": "words", "normalizers": ["NFC", "Lowercase"], "special_tokens": ["<s>"]})
    made = compose(definition, recipe)
    assert [block["type"] for block in made["normalizer"]["normalizers"]] == ["NFC", "Lowercase"]
    assert json.dumps(definition) == before


@pytest.mark.parametrize("field", ["normalizers", "pretokenizers"])
def test_an_empty_list_takes_a_stage_out(definition, field):
    made = compose(definition, Recipe.of({"base": "words", field: []}))
    assert made["normalizer" if field == "normalizers" else "pre_tokenizer"] is None


def test_new_tokens_get_the_ids_after_the_largest(definition):
    largest = max(definition["model"]["vocab"].values())
    made = compose(definition, Recipe.of({"base": "words", "added_tokens": ["x", "y"], "special_tokens": ["<s>"]}))
    added = {token["content"]: (token["id"], token["special"]) for token in made["added_tokens"]}
    assert added == {"x": (largest + 1, False), "y": (largest + 2, False), "<s>": (largest + 3, True)}


def test_a_token_of_the_vocabulary_keeps_its_id(definition):
    text, id = next(iter(definition["model"]["vocab"].items()))
    made = compose(definition, Recipe.of({"base": "words", "special_tokens": [text]}))
    assert [token["id"] for token in made["added_tokens"]] == [id]
    with pytest.raises(BadValue, match="already"):
        compose(made, Recipe.of({"base": "words", "added_tokens": [text]}))


def test_the_tokenizer_of_a_recipe(definition):
    assert composed(definition, Recipe.of({"base": "words", "normalizers": ["Lowercase"]})).encode(
        "HELLO"
    ).ids.tolist() == [1]
    with pytest.raises(LoadFailed, match="klingon"):
        composed(definition, Recipe.of({"base": "words", "normalizers": [{"type": "Language", "rule": "klingon"}]}))


def test_equal_recipes_have_equal_keys():
    block = {"type": "Replace", "pattern": {"String": "a"}, "content": "b"}
    turned = dict(reversed(block.items()))
    first, second = (Recipe.of({"base": "gpt2", "normalizers": [each]}) for each in (block, turned))
    assert first == second and first.key == second.key
    assert first.key != Recipe.of({"base": "gpt2", "pretokenizers": []}).key != Recipe("gpt2").key
