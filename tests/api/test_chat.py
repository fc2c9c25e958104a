"""Chat templates over HTTP and on the command line."""

import json

from typer.testing import CliRunner

from lab_app.cli.app import app

HELLO = [{"role": "user", "content": "Hi<|endoftext|>"}]
TEMPLATE = "{% for one in messages %}{{ one.content }}<|endoftext|>{% endfor %}"


def test_messages_are_rendered_and_encoded(client):
    answer = client.post(
        "/api/v1/chat", json={"tokenizer": "gpt2", "messages": HELLO, "template_text": TEMPLATE}
    ).json()
    assert answer["text"] == "Hi<|endoftext|><|endoftext|>" and answer["template"] == "default"
    assert answer["result"]["ids"] == [17250, 50256, 50256]
    assert [token["special"] for token in answer["result"]["tokens"]] == [False, True, True]
    assert answer["spelled_by_messages"] == ["<|endoftext|>"]


def test_what_cannot_be_rendered_is_told(client, refused):
    body = {"tokenizer": "gpt2", "messages": HELLO}
    refused(client.post("/api/v1/chat", json=body), 404, "not_found")
    refused(client.post("/api/v1/chat", json={**body, "template_text": "{{"}), 422, "encode_error")
    refused(
        client.post("/api/v1/chat", json={**body, "template_text": "{{ raise_exception('no') }}"}), 422, "bad_request"
    )
    refused(client.post("/api/v1/chat", json={**body, "messages": ["a"]}), 422, "bad_request")
    assert client.get("/api/v1/chat/gpt2").json() == {"templates": []}
    refused(client.get("/api/v1/chat/gpt9"), 404, "not_found")


def test_the_command(tmp_path, data_dir):
    messages, template = tmp_path / "messages.json", tmp_path / "own.jinja"
    messages.write_text(json.dumps(HELLO))
    template.write_text(TEMPLATE)

    def run(*arguments):
        run = CliRunner().invoke(app, ["chat", "-t", "gpt2", "--template-file", str(template), *arguments])
        assert run.exit_code == 0, run.exception
        return run

    assert run(str(messages)).stdout == "Hi<|endoftext|><|endoftext|>\n"
    assert "the messages spell the control token <|endoftext|>" in run(str(messages)).stderr
    assert run(str(messages)).stderr.endswith("3 tokens; each text alone: user 2\n")
    assert run(str(messages), "--format", "ids").stdout == "17250 50256 50256\n"
    messages.write_text(json.dumps({"messages": HELLO, "tools": [], "x": 1}))
    assert json.loads(run(str(messages), "--format", "json").stdout)["result"]["count"] == 3
