"""Where a rendered text has the parts of its messages."""

import pytest

from lab_app.chat.render import render, render_chat
from tests.unit.chat.templates import CHATML, HEADERS, INSTRUCTIONS

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
REASONING = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' }}"
    "{{ m.content.split('</think>')[-1].lstrip('\\n') + '<|im_end|>\\n' }}{% endfor %}"
)
ASKS = (
    "{% for m in messages %}[{{ m.role }}{% if m.content.startswith('<a>') %}!{% endif %} {{ m.content }}]{% endfor %}"
)


def messages(*contents: str) -> list[dict]:
    return [{"role": ("user", "assistant")[n % 2], "content": each} for n, each in enumerate(contents)]


def places(template: str, given: list[dict], **variables):
    found = render_chat(template, {"messages": given, **TOKENS, **variables})
    assert found.text == render(template, {"messages": given, **TOKENS, **variables})
    return found


def own(found) -> list[tuple[int, str]]:
    return [(found.places.leaves[each.leaf].message, found.text[each.start : each.end]) for each in found.places.own]


@pytest.mark.parametrize(
    "content", ["user", " Hi 日\n\n ok ", "a\U000f0000b", "{{ x }}", "<|im_end|>\n<|im_start|>system", "א ב\tج"]
)
def test_texts_are_found_where_the_template_writes_them(content):
    given = messages(content, "user", content)
    assert own(places(CHATML, given)) == [(n, each["content"]) for n, each in enumerate(given)]
    assert own(places(INSTRUCTIONS, given)) == [(n, each["content"].strip()) for n, each in enumerate(given)]


def test_white_space_that_is_trimmed_is_the_templates():
    found = places("{% for m in messages %}<{{ ' ' + m.content | trim + ' ' }}>{% endfor %}", messages(" a "))
    assert [(each.start, each.end) for each in found.places.own] == [(2, 3)]
    found = places("{% for m in messages %}<{{ ' ' + m.content + ' ' }}>{% endfor %}", messages(" a "))
    assert [(each.start, each.end) for each in found.places.own] == [(2, 5)]


@pytest.mark.parametrize("space", ["\t", "  \n ", "\u3000"])
def test_a_text_of_white_space_is_its_messages(space):
    given = messages("a", space, space, " b ")
    assert own(places(CHATML, given)) == [(n, each["content"]) for n, each in enumerate(given)]
    assert own(places(INSTRUCTIONS, given)) == [(0, "a"), (3, "b")]
    assert own(places("<{{ messages[1].content }}>", given)) == [(1, space)]


def test_text_that_is_left_out_is_known_with_its_place():
    given = messages("q", "<think>\nwhy\n</think>\n\nbecause\nof it")
    given[1]["reasoning_content"] = " also "
    found = places(REASONING, given)
    assert own(found) == [(0, "q"), (1, "because\nof it")]
    assert [(leaf.field, start, leaf.text[start:end]) for leaf, start, end in found.places.left_out()] == [
        ("content", 0, "<think>\nwhy\n</think>"),
        ("reasoning_content", 1, "also"),
    ]


def test_blocks_are_what_the_loop_wrote_for_a_message():
    found = places(HEADERS, messages("a", "b"), tools=None, add_generation_prompt=True)
    blocks = [(number, found.text[start:end]) for start, end, number in found.places.blocks]
    assert blocks == [
        (0, "<|start_header_id|>user<|end_header_id|>\n\na<|eot_id|>"),
        (1, "<|start_header_id|>assistant<|end_header_id|>\n\nb<|eot_id|>"),
    ]


def test_a_loop_that_looks_ahead_takes_no_text():
    template = (
        "{% for m in messages %}{% for n in messages %}{% set x = n.role %}{% endfor %}<{{ m.content }}>{% endfor %}"
    )
    found = places(template, messages("a", "b"))
    assert [(number, found.text[start:end]) for start, end, number in found.places.blocks] == [(0, "<a>"), (1, "<b>")]


def test_generation_blocks_are_found_in_macros_too():
    template = (
        "{% macro say(m) %}{% generation %}{{ m.content }}{% endgeneration %}{% endmacro %}"
        "{% for m in messages %}<{{ say(m) if m.role == 'assistant' else m.content }}>{% endfor %}"
    )
    found = places(template, messages("a", "b", "c"))
    assert found.marks_answers and [found.text[slice(*each)] for each in found.places.generated] == ["b"]


def test_json_belongs_to_its_message():
    given = [{"role": "assistant", "content": "", "tool_calls": [{"name": "f", "arguments": {"x": 'a "quote"'}}]}]
    found = places("{% for m in messages %}<{{ m.tool_calls[0] | tojson }}>{% endfor %}", given)
    assert own(found) == [(0, '{"name": "f", "arguments": {"x": "a \\"quote\\""}}')]
    assert not list(found.places.left_out())


def test_a_template_that_asks_how_a_message_begins_has_blocks_alone():
    found = places(ASKS, messages("<a>b", "c"))
    assert found.text == "[user! <a>b][assistant c]" and not found.has_own
    assert [found.text[start:end] for start, end, _ in found.places.blocks] == ["[user! <a>b]", "[assistant c]"]
    assert places(ASKS, messages("b")).has_own


def test_a_text_that_is_written_twice_has_two_places():
    found = places("{% for m in messages %}{{ m.content }}-{{ m.content }}{% endfor %}", messages("ab\ncd"))
    assert own(found) == [(0, "ab\ncd"), (0, "ab\ncd")]
