import json

import pytest
from typer.testing import CliRunner

from lab_app.cli.app import program
from lab_app.errors import BadValue, LoadFailed, NotFound
from lab_app.services.chats.chat import chat as chat_of
from lab_app.services.chats.conversation import Conversation, find_template, templates_of
from lab_app.services.chats.counting import count_messages
from lab_app.services.lab import Lab
from lab_app.services.tokenizers.tokenizers import add
from lab_app.settings import Settings
from tests import tiny
from tests.unit.chat.templates import CHATML

HELLO = [{"role": "user", "content": "hello"}]


@pytest.fixture
def lab(tmp_path):
    return Lab(Settings(data_dir=tmp_path / "data", offline=True))


def chat(lab, id, messages, template=None, template_text=None, add_generation_prompt=False, variables=None):
    found = find_template(lab, id, template, template_text)
    conversation = Conversation(messages, add_generation_prompt=add_generation_prompt, variables=variables or {})
    return chat_of(lab, id, conversation, found)


@pytest.fixture
def with_files(lab, tmp_path):
    """Adds a tokenizer with control tokens and the files given beside it."""

    def make(id="tiny", **beside) -> str:
        path = tiny.tokenizer_json(tmp_path / id)
        definition = json.loads(path.read_text())
        names = ["<|im_start|>", "<|im_end|>"]
        definition["added_tokens"] = [
            {"id": 3 + at, "content": name, "single_word": False, "lstrip": False, "rstrip": False,
             "normalized": False, "special": True} for at, name in enumerate(names)
        ]  # fmt: skip
        path.write_text(json.dumps(definition))
        for name, content in beside.items():
            file = path.with_name({"config": "tokenizer_config.json", "jinja": "chat_template.jinja"}.get(name, name))
            file.write_text(content if isinstance(content, str) else json.dumps(content))
        return add(lab, path.parent).id

    return make


def test_messages_become_text_and_tokens_with_the_control_tokens_marked(lab, with_files):
    id = with_files(config={"chat_template": CHATML})
    found = chat(lab, id, HELLO, add_generation_prompt=True)
    assert found.text == "<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n"
    assert found.ids == [3, 0, 1, 4, 3, 0]
    assert found.tokens.special == [1, 0, 0, 1, 1, 0]
    assert found.tokens.messages == [0, 0, 0, 0, None, None] and found.tokens.sources == [0, 0, 1, 0, 0, 0]
    assert found.control_tokens == []


def test_control_tokens_that_the_messages_spell_are_told(lab, with_files):
    id = with_files(config={"chat_template": CHATML})
    tools = Conversation(HELLO, tools=[{"name": ["a", {"x": "<|im_end|>"}]}])
    found = chat_of(lab, id, tools, find_template(lab, id, text="x")).control_tokens
    assert [(each.token, each.message, each.index) for each in found] == [("<|im_end|>", None, None)]


def test_named_templates(lab, with_files):
    named = [{"name": "tool_use", "template": "tools"}, {"name": "default", "template": "plain"}]
    id = with_files(config={"chat_template": named})
    assert templates_of(lab, id).templates == ["tool_use", "default"]
    assert chat(lab, id, HELLO).text == "plain" and chat(lab, id, HELLO, template="tool_use").text == "tools"
    with pytest.raises(NotFound, match='no chat template "rag"') as error:
        chat(lab, id, HELLO, template="rag")
    assert "tool_use, default" in error.value.hint


def test_the_file_of_its_own_goes_before_the_configuration(lab, with_files):
    id = with_files(
        jinja="{{ bos_token }}!{{ eos_token }}", config={"chat_template": "old", "bos_token": {"content": "<s>"}}
    )
    assert chat(lab, id, HELLO).text == "<s>!"
    assert chat(lab, id, HELLO, variables={"eos_token": "E"}).text == "<s>!E"


def test_without_a_template_the_way_is_told(lab, with_files):
    assert templates_of(lab, "gpt2").templates == []
    with pytest.raises(NotFound, match="gpt2 has no chat template") as error:
        chat(lab, "gpt2", HELLO)
    assert "chat_template.jinja" in error.value.hint
    with pytest.raises(BadValue, match="messages"):
        chat(lab, "gpt2", HELLO, template_text="", variables={"messages": []})


@pytest.mark.parametrize("value", [3, [], [{"name": "a"}], {"name": "a"}])
def test_a_configuration_that_is_wrong_is_told(lab, with_files, value):
    id = with_files(config={"chat_template": value})
    with pytest.raises(LoadFailed, match="chat_template"):
        chat(lab, id, HELLO)


def test_the_template_of_a_real_model(lab, shared):
    add(lab, shared / "vocab" / "qwen2", pattern="qwen2")
    found = chat(lab, "qwen2", [{"role": "system", "content": "S"}, {"role": "user", "content": "Hi"}])
    assert found.text == "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"


def test_a_name_of_the_tokenizer_goes_before_one_that_is_built_in(lab, with_files):
    id = with_files(config={"chat_template": [{"name": "chatml", "template": "own"}]})
    assert chat(lab, id, HELLO, template="chatml").text == "own"
    assert chat(lab, "gpt2", HELLO, template="chatml").text == "<|im_start|>user\nhello<|im_end|>\n"
    assert templates_of(lab, id).built_in == ["chatml", "harmony"]
    assert "gpt2 has no control token for" in chat(lab, "gpt2", HELLO, template="chatml").warnings[0]


def test_a_count_by_a_rule_and_by_a_template(lab, tmp_path):
    assert count_messages(lab, "cl100k_base", [{"role": "user", "content": "Hello"}]).count == 8
    (tmp_path / "messages.json").write_text(json.dumps([{"role": "user", "content": "Hello"}]))
    (tmp_path / "own.jinja").write_text("{{ messages[0].content }}")
    template = ["--template", str(tmp_path / "own.jinja")]
    for options, printed in (([], "8"), (template, "1"), ([*template, "--format", "ids"], "9906")):
        asked = ["chat", "-t", "cl100k_base", str(tmp_path / "messages.json"), "--format", "count", *options]
        run = CliRunner().invoke(program(), asked)
        assert run.stdout == f"{printed}\n", run.exception
