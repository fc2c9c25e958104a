"""The conversation of the lesson on chat templates: where the template's text has each message, and no system role."""

import json

import pytest

from lab_app.errors import BadValue
from lab_app.services.lab import Lab
from lab_app.services.lessons.conversation import conversation
from lab_app.services.tokenizers.tokenizers import add
from lab_app.settings import Settings
from tests import tiny

WRITTEN = "{{ message.role }}: {{ message.content | trim }}\n"
NO_SYSTEM = "{% if message.role == 'system' %}{{ raise_exception('no system role') }}{% endif %}"


@pytest.fixture
def lab(tmp_path):
    return Lab(Settings(data_dir=tmp_path / "data", offline=True))


@pytest.fixture
def with_template(lab, tmp_path):
    """Adds a tokenizer whose template writes this for each message."""

    def make(template: str, id="tiny") -> str:
        path = tiny.tokenizer_json(tmp_path / id)
        config = {"chat_template": f"{{% for message in messages %}}{template}{{% endfor %}}"}
        path.with_name("tokenizer_config.json").write_text(json.dumps(config))
        return add(lab, path.parent).id

    return make


@pytest.mark.parametrize("said", ["user", "a", "<|end|>", "<|start|>user<|message|>", "é\U000f0000"])
def test_a_message_stands_behind_its_own_role(lab, said: str):
    text, found = conversation(lab, "o200k_harmony", said)
    before = text.encode().index(b"<|start|>user<|message|>") + len(b"<|start|>user<|message|>")
    assert found.messages[1].span == (before, before + len(said.encode()))


@pytest.mark.parametrize("said", ["", " \n"])
def test_a_message_without_letters_has_no_place(lab, said: str):
    _, found = conversation(lab, "o200k_harmony", said)
    assert [message.span is None for message in found.messages] == [False, True, False]


def test_space_around_a_message_is_not_part_of_its_place(lab, with_template):
    text, found = conversation(lab, with_template(WRITTEN), " user ")
    assert text.splitlines()[1] == "user: user"
    assert [text[slice(*message.span)] for message in found.messages if message.span][1] == "user"


def test_what_the_template_changes_has_no_place(lab, with_template):
    _, found = conversation(lab, with_template("{{ message.content[:9] }}|"), "A text of many letters")
    assert [message.span for message in found.messages] == [None, None, None]
    _, found = conversation(
        lab, with_template("{{ message.content | replace('many', 'few') }}|", "few"), "many letters"
    )
    assert [message.span for message in found.messages] == [(0, 27), None, (40, 81)]
    _, found = conversation(lab, with_template("{{ message.content }}{{ message.content }}", "twice"), "a")
    assert [message.span for message in found.messages] == [None, None, None], "twice in the text"


def test_a_template_without_a_system_role_renders_the_others(lab, with_template):
    text, found = conversation(lab, with_template(NO_SYSTEM + WRITTEN), "Hi")
    assert text == "user: Hi\nassistant: A token is a piece of text with a number.\n"
    assert [(message.role, message.span) for message in found.messages] == [("user", (6, 8)), ("assistant", (20, 61))]
    with pytest.raises(BadValue, match="nobody speaks"):
        conversation(lab, with_template("{{ raise_exception('nobody speaks') }}", "silent"), "Hi")
