"""Recipes: what is read, what is refused with its place, and what is written again."""

from pathlib import Path

import pytest

from lab_app.editing.kinds import KINDS
from lab_app.editing.recipe import Step, steps_of, steps_of_toml, toml_of
from lab_app.errors import BadValue, LoadFailed

REFUSED = [
    ({"kind": "sharpen"}, "edit 1 has the kind 'sharpen': choose one of add_words"),
    ({"kind": ["shrink"]}, "edit 1 has the kind"),
    ({}, "edit 1 has the kind None"),
    ("shrink", "edit 1 is no table"),
    ({"kind": "shrink"}, "edit 1, shrink, needs size: give a number from 1 to 1000000000"),
    ({"kind": "shrink", "size": 0}, "edit 1, shrink: size is '0': give a number from 1 to 1000000000"),
    ({"kind": "continue_training", "tokens": 10**30}, "give a number from 1 to 1000000000"),
    ({"kind": "add_words", "words": ["low"], "score": float("nan")}, "score is 'nan': give a number up to 1000000000"),
    ({"kind": "add_words", "words": ["low"], "score": 10**400}, "give a number up to 1000000000"),
    ({"kind": "shrink", "size": True}, "edit 1, shrink: size is 'True'"),
    (
        {"kind": "shrink", "size": 9, "seize": 9},
        'edit 1, shrink, has no option "seize": choose among its options: size',
    ),
    ({"kind": "add_words", "words": "low"}, "edit 1, add_words: words is 'low': give a list of texts"),
    ({"kind": "add_words", "words": ["low", ""]}, "give a list of texts"),
    ({"kind": "remove", "tokens": [True]}, "give a list of texts or IDs"),
    ({"kind": "greedy", "on": 1}, "edit 1, greedy: on is 1: give true or false"),
]


@pytest.mark.parametrize(("value", "message"), REFUSED)
def test_what_no_edit_is_says_its_place(value, message):
    with pytest.raises(BadValue) as refused:
        steps_of([value])
    assert message in str(refused.value)


def test_a_recipe_is_toml_of_edits_alone():
    with pytest.raises(LoadFailed, match="mine is not a recipe"):
        steps_of_toml("[[edit", "mine")
    with pytest.raises(BadValue, match='a field "base"'):
        steps_of_toml('base = "gpt2"')
    assert steps_of_toml("") == []


def test_a_written_recipe_is_read_as_it_was():
    steps = [
        Step("add_words", {"words": ['quo"te', "back\\slash", "tab\t", "\x7f", "語"], "score": -9.5}),
        Step("rename_token", {"token": 5, "to": "<user>", "special": True}, on=False),
        Step("normalizer", {"normalizers": ["NFC", {"type": "Replace", "pattern": {"String": "a"}, "content": "b"}]}),
        Step("trim", {"corpus": ["udhr", "two"], "min_count": 2, "keep": ["Mars", 7]}),
        Step("greedy", {}),
    ]
    assert steps_of_toml(toml_of(steps)) == steps


def test_every_kind_has_words_and_its_functions_options():
    assert all(kind.name and kind.words.endswith(".") for kind in KINDS.values())
    assert {name: (option.type, option.needed, option.usual) for name, option in KINDS["trim"].options.items()} == {
        "corpus": ("texts", False, None),
        "languages": ("texts", False, None),
        "text": ("text", False, None),
        "min_count": ("count", False, 1),
        "keep": ("tokens", False, None),
        "size": ("count", False, None),
        "keep_characters": ("flag", False, True),
        "keep_ids": ("flag", False, None),
    }
    guide = (Path(__file__).parents[3] / "docs" / "guide" / "workshop.md").read_text("utf-8")
    assert [name for kind in KINDS.values() for name in kind.options if f"`{name}`" not in guide] == []
