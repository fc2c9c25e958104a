import pytest

from lab_app.chat import render as render_module
from lab_app.chat.render import render
from lab_app.errors import BadValue, EncodeFailed
from tests.unit.chat.templates import CHATML, HEADERS, INSTRUCTIONS, LINES

HELLO = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": " Hi 日 "},
    {"role": "assistant", "content": "Hello"},
    {"role": "user", "content": "Bye"},
]
TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}

# Each was also given to `transformers` 5 (render_jinja_template), which makes the same texts.
CASES = [
    (
        CHATML,
        {"add_generation_prompt": True},
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n Hi 日 <|im_end|>\n<|im_start|>assistant\nHello<|im_end|>\n"
        "<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n",
    ),
    (
        INSTRUCTIONS,
        {},
        "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nHi 日 [/INST] Hello </s><s>[INST] Bye [/INST]",
    ),
    (
        HEADERS,
        {"tools": [{"name": "é<b>"}], "add_generation_prompt": True},
        '<s><|start_header_id|>tools<|end_header_id|>\n\n{\n  "name": "é<b>"\n}\nToday: 26 Jul 2024\n'
        "<|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\nHi 日<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\nHello<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\nBye<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
    ),
    (
        LINES,
        {},
        '<system> {"é": "Be brief.", "b": [1, true, null]}\n<user>\n   Hi 日 \n'
        '<assistant> {"é": "Hello", "b": [1, true, null]}\n<user>\n  Bye\n',
    ),
]


@pytest.mark.parametrize(("template", "variables", "expected"), CASES)
def test_templates_of_the_usual_forms(template, variables, expected):
    given = {"messages": HELLO, "tools": None, "add_generation_prompt": False, **TOKENS, **variables}
    assert render(template, given, now="2024-07-26T12:00:00") == expected


def test_a_loop_is_left():
    found = render(HEADERS, {"messages": [{"role": "stop"}], "tools": None, **TOKENS}, now="2024-07-26T12:00:00")
    assert found == "<s>Today: 26 Jul 2024\n"


def test_a_template_refuses_messages_in_its_own_words():
    with pytest.raises(BadValue, match="roles must alternate"):
        render(INSTRUCTIONS, {"messages": HELLO[2:], **TOKENS})


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{% for x in %}", "syntax error in line 1"),
        ("\n\n{{ 'a' | no_such_filter }}", "syntax error in line 3"),
        ("{{ messages[0].role + 1 }}", "TypeError"),
        ("{{ 1 / 0 }}", "ZeroDivisionError"),
        ("{% include '/etc/passwd' %}", "failed"),
        ("{{ ''.__class__.__mro__ }}", "SecurityError"),
        ("{{ messages.append(1) }}", "SecurityError"),
        ("{{ raise_exception.__globals__.x }}", "SecurityError"),
        ("{{ cycler.__init__.__globals__.os.system('true') }}", "failed"),
        ("{% for x in range(999999999) %}{% endfor %}", "OverflowError"),
        ("{% for a in range(99999) %}{% for b in range(99999) %}{{ a }}{% endfor %}{% endfor %}", "characters"),
        ("{{ 'x' * 9999999999 }}", "memory"),
        ("{{ '%09999999999d' % 1 }}", "memory|ValueError|OverflowError|process"),
    ],
)
def test_broken_and_hostile_templates_end_with_an_error(template, words):
    with pytest.raises(EncodeFailed, match=words):
        render(template, {"messages": [{"role": "user"}]}, timeout_s=120)


@pytest.mark.parametrize(
    "template",
    [
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
        "{{ 9 ** (9 ** 9) }}",
    ],
)
def test_an_endless_template_is_stopped(template):
    with pytest.raises(EncodeFailed, match="longer than 2 s"):
        render(template, {"messages": []}, timeout_s=2)


def test_a_text_may_be_as_long_as_the_limit_and_no_longer(monkeypatch):
    monkeypatch.setattr(render_module, "MAX_CHARACTERS", 5)
    assert render("{{ 'a' * 5 }}", {}) == "aaaaa"
    with pytest.raises(EncodeFailed, match="more than 5 characters"):
        render("{{ 'a' * 6 }}", {})
