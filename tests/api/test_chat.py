"""Chat templates over HTTP and on the command line."""

import json

import pytest
from typer.testing import CliRunner

from lab_app.cli.app import program
from lab_app.engine import Tokenizer
from lab_app.errors import BadValue, NotFound

HELLO = [{"role": "user", "content": "Hi<|endoftext|>"}]
TEMPLATE = "{% for one in messages %}{{ one.content }}<|endoftext|>{% endfor %}"


def test_messages_are_rendered_and_encoded(client):
    answer = client.post(
        "/api/v1/chat", json={"tokenizer": "gpt2", "messages": HELLO, "template_text": TEMPLATE}
    ).json()
    assert answer["text"] == "Hi<|endoftext|><|endoftext|>" and answer["template"] == "default"
    assert answer["ids"] == [17250, 50256, 50256] and answer["tokens"]["special"] == [0, 1, 1]
    assert answer["mask"] is None and "Mask unknown" in answer["warnings"][0]
    message = answer["messages"][0]
    assert (message["count"], message["template_count"], message["other_count"]) == (2, 1, 8)
    found = answer["control_tokens"]
    assert [(each["token"], each["index"], each["span_utf16"], each["reads"]) for each in found] == [
        ("<|endoftext|>", 1, [2, 15], "message end")
    ]


def test_what_cannot_be_rendered_is_told(client, refused):
    body = {"tokenizer": "gpt2", "messages": HELLO}
    refused(client.post("/api/v1/chat", json=body), 404, "not_found")
    refused(client.post("/api/v1/chat", json={**body, "template_text": "{{"}), 422, "encode_error")
    refused(
        client.post("/api/v1/chat", json={**body, "template_text": "{{ raise_exception('no') }}"}), 422, "bad_request"
    )
    refused(client.post("/api/v1/chat", json={**body, "messages": ["a"]}), 422, "bad_request")
    assert client.get("/api/v1/chat/gpt2").json() == {"templates": [], "built_in": ["chatml", "harmony"]}
    refused(client.get("/api/v1/chat/gpt9"), 404, "not_found")


def test_the_command(tmp_path, data_dir):
    messages, template = tmp_path / "messages.json", tmp_path / "own.jinja"
    messages.write_text(json.dumps(HELLO))
    template.write_text(TEMPLATE)

    def run(*arguments):
        run = CliRunner().invoke(program(), ["chat", "-t", "gpt2", "--template", str(template), *arguments])
        assert run.exit_code == 0, run.exception
        return run

    assert run(str(messages)).stdout == "Hi<|endoftext|><|endoftext|>\n"
    assert "message 1 spells the control token <|endoftext|>" in run(str(messages)).stderr
    assert run(str(messages)).stderr.endswith("3 tokens; user 2 + 1\n")
    assert run(str(messages), "--as-text", "1").stderr.endswith("9 tokens; user 8 + 1\n")
    told = run(str(messages), "--context", "12", "--reserve", "4").stderr
    assert told.endswith("of 12: user 2, template 1, reserved 4, free 5\n")
    assert run(str(messages), "--format", "ids").stdout == "17250 50256 50256\n"
    messages.write_text(json.dumps({"messages": HELLO, "tools": [], "x": 1}))
    assert json.loads(run(str(messages), "--format", "json").stdout)["count"] == 3


def test_messages_of_openai_are_counted_by_its_rule(client, refused, data_dir, tmp_path):
    messages = [
        {"role": "system", "name": "editor", "content": "Be brief."},
        {"role": "user", "content": "Hi<|endoftext|>"},
    ]
    for tokenizer in ("cl100k_base", "o200k_base"):
        found = client.post("/api/v1/chat/count", json={"tokenizer": tokenizer, "messages": messages}).json()
        encode = Tokenizer.builtin(tokenizer).encode_ids
        texts = [sum(encode(text).size for text in one.values()) for one in messages]
        assert found["messages"] == [3 + texts[0] + 1, 3 + texts[1]] and found["reply_prompt"] == 3
        assert found["count"] == sum(found["messages"]) + 3 and "OpenAI" in found["source"]
        told = refused(
            client.post("/api/v1/chat", json={"tokenizer": tokenizer, "messages": messages}), 404, "not_found"
        )
        assert "/chat/count" in told["hint"]
    body = {"tokenizer": "cl100k_base", "messages": [{"role": "user", "content": [{"type": "text"}]}]}
    assert "messages[0].content" in refused(client.post("/api/v1/chat/count", json=body), 422, "bad_request")["message"]
    refused(client.post("/api/v1/chat/count", json={**body, "tokenizer": "gpt2"}), 404, "not_found")
    file = tmp_path / "messages.json"
    file.write_text(json.dumps(messages[1:]))
    run = CliRunner().invoke(program(), ["chat", "-t", "cl100k_base", str(file), "--format", "count"])
    assert run.stdout == "15\n" and "user 12, prompt for the answer 3" in run.stderr
    run = CliRunner().invoke(program(), ["chat", "-t", "cl100k_base", str(file)])
    assert isinstance(run.exception, NotFound)
    assert "--format count" in run.exception.on_terminal and "--template chatml" in run.exception.on_terminal


@pytest.mark.parametrize(
    ("field", "options", "named"),
    [
        ({"tools": [{"name": "now"}]}, [], "tools"),
        ({"add_generation_prompt": False}, [], "add_generation_prompt"),
        ({"model": "gpt-4"}, [], "model"),
        ({}, ["--template", "default"], "--template"),
        ({}, ["--add-generation-prompt"], "--add-generation-prompt"),
    ],
)
def test_a_count_by_the_rule_refuses_what_the_rule_does_not_know(data_dir, tmp_path, field, options, named):
    file = tmp_path / "messages.json"
    file.write_text(json.dumps({"messages": [{"role": "user", "content": "Hi"}], "documents": None, **field}))
    run = CliRunner().invoke(program(), ["chat", "-t", "cl100k_base", str(file), "--format", "count", *options])
    assert isinstance(run.exception, BadValue) and str(run.exception).startswith(f"{named} is not counted by the rule")
    assert run.stdout == ""


def test_gpt_oss_has_the_published_template(client, refused):
    messages = [
        {"role": "system", "content": "Reasoning: low"},
        {"role": "developer", "content": "Be kind."},
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "channel": "analysis", "content": "Ask."},
        {"role": "assistant", "channel": "commentary", "recipient": "functions.now", "content_type": "json", "content": "{}"},
        {"role": "tool", "name": "functions.now", "content": "rain"},
        {"role": "assistant", "content": "Rain."},
    ]  # fmt: skip
    body = {"tokenizer": "o200k_harmony", "messages": messages, "add_generation_prompt": True}
    found = client.post("/api/v1/chat", json=body).json()
    assert found["text"] == (
        "<|start|>system<|message|>Reasoning: low<|end|>"
        "<|start|>developer<|message|># Instructions\n\nBe kind.<|end|>"
        "<|start|>user<|message|>Weather?<|end|>"
        "<|start|>assistant<|channel|>analysis<|message|>Ask.<|end|>"
        "<|start|>assistant<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}<|call|>"
        "<|start|>functions.now to=assistant<|channel|>commentary<|message|>rain<|end|>"
        "<|start|>assistant<|channel|>final<|message|>Rain.<|end|>"
        "<|start|>assistant"
    )
    assert found["ids"][0] == 200006 and found["ids"][2] == 200008
    assert client.get("/api/v1/chat/o200k_harmony").json()["templates"] == ["default"]
    refused(client.post("/api/v1/chat", json={**body, "tools": [{"name": "now"}]}), 422, "bad_request")
    told = refused(client.post("/api/v1/chat", json={**body, "variables": {"effort": "low"}}), 422, "bad_request")
    assert "does not render effort" in told["message"]


@pytest.mark.parametrize(
    ("message", "header"),
    [
        ({"recipient": "functions.now"}, "assistant<|channel|>commentary to=functions.now"),
        ({"recipient": "python"}, "assistant<|channel|>analysis to=python"),
        ({"recipient": "browser.open"}, "assistant<|channel|>analysis to=browser.open"),
        ({"recipient": "browser.open", "channel": "commentary"}, "assistant<|channel|>commentary to=browser.open"),
        ({"recipient": None, "tool_calls": None}, "assistant<|channel|>final"),
        ({"role": "tool", "name": "python"}, "python to=assistant<|channel|>commentary"),
        ({"role": "tool", "name": "functions.now"}, "functions.now to=assistant<|channel|>commentary"),
    ],
)
def test_a_call_of_a_tool_goes_to_the_channel_that_the_description_of_gpt_oss_names(client, message, header):
    body = {"tokenizer": "o200k_harmony", "messages": [{"role": "assistant", "content": "{}", **message}]}
    text = client.post("/api/v1/chat", json=body).json()["text"]
    assert text == f"<|start|>{header}<|message|>{{}}<|{'call' if message.get('recipient') else 'end'}|>"


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ({"role": "critic"}, "role that harmony does not have: give system, developer"),
        ({"role": ["user"]}, "role"),
        ({"content": ["a"]}, "content that is not a text"),
        ({"content": None}, "no content"),
        ({"name": "student"}, "name, which is not rendered"),
        ({"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}, "tool_calls, which is not rendered"),
        ({"role": "assistant", "thinking": "Ask."}, "thinking, which is not rendered"),
        ({"role": "assistant", "reasoning_content": "Ask."}, "reasoning_content, which is not rendered"),
        ({"role": "assistant", "channel": "thoughts"}, "channel that harmony does not have: give analysis"),
        ({"role": "assistant", "recipient": "now"}, "write functions.now"),
        ({"role": "assistant", "recipient": 1}, "recipient that is not a text"),
        ({"role": "tool"}, "no name"),
        ({"role": "tool", "name": "now"}, "write functions.now"),
        ({"role": "tool", "name": "functions.now", "tool_call_id": "1"}, "tool_call_id, which is not rendered"),
    ],
)
def test_what_the_template_of_gpt_oss_does_not_render_is_refused_by_name(client, refused, message, named):
    messages = [{"role": "user", "content": "a"}, {"role": "user", "content": "a", **message}]
    told = refused(
        client.post("/api/v1/chat", json={"tokenizer": "o200k_harmony", "messages": messages}), 422, "bad_request"
    )
    assert "message 2 " in told["message"] and named in told["message"] + told.get("hint", "")
