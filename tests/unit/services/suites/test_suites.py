"""Suites: what passes, what fails and why, and what is no suite."""

import json
from xml.etree import ElementTree

import pytest

from lab_app.errors import BadValue
from lab_app.reports.text import export
from lab_app.services.lab import Lab
from lab_app.services.suites.suites import check, junit, read
from lab_app.settings import Settings

CHAT = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello <b>"}]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return Lab(Settings(data_dir=tmp_path_factory.mktemp("lab"), offline=True))


def suite(*cases, **fields):
    cases = [{"name": f"case {n}", "tokenizer": "gpt2", **case} for n, case in enumerate(cases)]
    found = {"kind": "suite of the Tokenization Laboratory", "version": 1, "name": "mine", "cases": cases}
    return json.dumps(found | fields)


def problems(lab, **case):
    return check(lab, read(suite(case))).cases[0].problems


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ({"ids": [15496, 11, 995]}, []),
        ({"ids": [15496, 11, 995], "count": 3, "at_most": 3}, []),
        ({"ids": [15496, 12, 995]}, ["token 1 is 11 “,”, expected 12 “-”"]),
        ({"ids": [15496, 11]}, ["token 2 is 995 “·world”, expected missing"]),
        ({"ids": [15496, 11, 995, 0]}, ["token 3 is missing, expected 0 “!”"]),
        ({"ids": [15496, 11, 99_999]}, ["token 2 is 995 “·world”, expected 99999, which 50257 tokens do not have"]),
        ({"count": 4}, ["3 tokens, expected 4"]),
        ({"at_most": 2}, ["3 tokens, at most 2 are allowed"]),
    ],
)
def test_a_text_has_what_is_expected_of_it(lab, expected, found):
    assert problems(lab, text="Hello, world", **expected) == found


def test_special_tokens_are_read_as_a_case_says(lab):
    text = "a<|endoftext|>"
    assert problems(lab, text=text, specials="parse", count=2) == []
    assert problems(lab, text=text, specials="text", count=8) == []
    assert "special token" in problems(lab, text=text, specials="reject", count=1)[0]
    bert = {"tokenizer": "bert-base-uncased", "text": "a"}
    assert problems(lab, **bert, ids=[101, 1037, 102]) == []
    assert problems(lab, **bert, add_special_tokens=False, ids=[1037]) == []


def test_a_chat_has_the_tokens_and_the_mask_of_its_template(lab):
    chat = {"messages": CHAT, "template": "chatml"}
    count = int(problems(lab, **chat, count=0)[0].split()[0])
    assert problems(lab, **chat, count=count) == []
    marked = {
        "messages": CHAT,
        "template_text": "{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% endgeneration %}{% else %}{{ m.content }}{% endif %}{% endfor %}",
    }
    mask = [0, 1, 1, 1, 1]
    assert problems(lab, **marked, mask=mask) == []
    assert problems(lab, **marked, mask=[1, *mask[1:]]) == ["the mask of token 0 is 0, expected 1"]
    assert problems(lab, **marked, mask=mask[:-1]) == ["the mask of token 4 is 1, expected missing"]
    unmarked = {"messages": CHAT, "template_text": "{{ messages[0].content }}"}
    assert problems(lab, **unmarked, mask=[0]) == [
        "there is no mask: the template does not mark what a model is trained on"
    ]
    longer = problems(lab, messages=CHAT, template="chatml", add_generation_prompt=True, count=count)
    assert longer and longer[0].endswith(f"expected {count}")


def test_an_error_is_a_problem_of_its_case_alone(lab):
    found = check(lab, read(suite({"tokenizer": "none", "text": "a", "count": 1}, {"text": "a", "count": 1})))
    assert (found.passed, found.failed) == (1, 1)
    assert found.cases[0].count is None and 'no tokenizer "none"' in found.cases[0].problems[0]


def test_an_exported_text_passes_until_something_changes(lab):
    text = "naïve <|endoftext|> 日本 😀\r\n"
    for options in ({}, {"specials": "parse"}, {"add_special_tokens": False}):
        made = export(lab, ["gpt2", "bert-base-uncased"], text, "suite", **options)
        assert made.name == "gpt2-bert-base-uncased.suite.json"
        content = "".join(made.chunks)
        found = check(lab, read(content))
        assert (found.passed, found.failed) == (2, 0)
        changed = json.loads(content)
        changed["cases"][0]["text"] = "another text"
        assert check(lab, read(json.dumps(changed))).failed == 1


def test_junit_holds_every_case_whatever_its_characters(lab):
    found = check(lab, read(suite({"name": "a\x00<\uffff>&", "text": "a", "count": 2}, {"text": "a", "count": 1})))
    root = ElementTree.fromstring(junit(found))
    assert root.attrib["tests"] == "2" and root.attrib["failures"] == "1"
    first, second = root.iter("testcase")
    assert first.attrib["name"] == "a\ufffd<\ufffd>&" and second.find("failure") is None
    failure = first.find("failure")
    assert failure is not None and failure.attrib["message"] == "1 token, expected 2"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "line 1 column 2"),
        ("[]", "the file"),
        (suite(), "cases"),
        (suite({"text": "a", "count": 1}, version=2), "version"),
        (suite({"text": "a", "count": 1}, more=2), "more"),
        (suite({"count": 1}), "give text or messages"),
        (suite({"text": "a", "messages": [], "count": 1}), "give text or messages"),
        (suite({"text": "a"}), "nothing is expected"),
        (suite({"text": "a", "mask": [1]}), "mask belongs to messages"),
        (suite({"messages": CHAT, "mask": [2]}), "cases.0.mask.0"),
        (suite({"text": "a", "count": -1}), "cases.0.count"),
        (suite({"text": "a", "ids": [1.5]}), "cases.0.ids.0"),
    ],
)
def test_what_is_no_suite_is_refused_with_its_place(content, words):
    with pytest.raises(BadValue, match="this is no suite") as refused:
        read(content)
    assert words in str(refused.value)


def test_a_case_says_what_else_its_template_is_given(lab):
    template = "{{ strftime_now('%d %B %Y') }} {{ name }}"
    chat = {"messages": [], "template_text": template, "now": "2023-05-17T12:00:00", "variables": {"name": "<b>"}}
    ids = lab.loaded.get("gpt2")[1].encode_ids("17 May 2023 <b>").tolist()
    assert problems(lab, **chat, ids=ids) == []
    assert problems(lab, **chat | {"now": "2023-05-18"}, ids=ids)[0].startswith("token 0 is")
    with pytest.raises(BadValue, match=r"cases\.0\.now.*Invalid isoformat"):
        problems(lab, **chat | {"now": "today"}, ids=ids)


def test_control_tokens_of_a_message_are_text_where_a_case_says_so(lab):
    template = "{% for m in messages %}{{ m.content }}<|endoftext|>{% endfor %}"
    chat = {"messages": [{"role": "user", "content": "a<|endoftext|>"}], "template_text": template}
    assert problems(lab, **chat, count=3) == [] and problems(lab, **chat, as_text=[0], count=9) == []
    assert "no message 1" in problems(lab, **chat, as_text=[1], count=9)[0]
    with pytest.raises(BadValue, match="as_text belongs to messages"):
        problems(lab, text="a", as_text=[0], count=1)
