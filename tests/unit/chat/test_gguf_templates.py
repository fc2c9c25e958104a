"""Chat templates that stand in a GGUF file."""

import struct
from pathlib import Path

from lab_app.chat.templates import chat_templates
from lab_app.services.chats.chat import chat
from lab_app.services.chats.conversation import Conversation, find_template, templates_of
from lab_app.services.lab import Lab
from lab_app.services.tokenizers.tokenizers import add
from lab_app.settings import Settings
from tests.differential.test_gguf import gguf

BYTES = [chr(n) for n in [*range(33, 127), *range(161, 173), *range(174, 256), *range(256, 324)]]


def string(text: str) -> tuple[int, bytes]:
    return 8, struct.pack("<Q", len(text.encode())) + text.encode()


def test_a_gguf_brings_its_templates_and_tokens(tmp_path: Path):
    vocab = {token: id for id, token in enumerate([*BYTES, "<s>"])}
    more = {
        "tokenizer.chat_template": string("{{ bos_token }}{% for m in messages %}{{ m.content }}{% endfor %}"),
        "tokenizer.chat_template.tool_use": string("tools"),
        "tokenizer.ggml.bos_token_id": (4, struct.pack("<I", vocab["<s>"])),
        "tokenizer.ggml.unknown_token_id": (4, struct.pack("<I", 0)),
    }
    file = gguf(tmp_path / "tiny.gguf", "gpt-2", vocab, [], **more)
    found = chat_templates([file])
    assert (found.by_name["tool_use"], found.tokens) == ("tools", {"bos_token": "<s>", "unk_token": "!"})
    lab = Lab(Settings(data_dir=tmp_path / "data", offline=True))
    id = add(lab, file).id
    assert templates_of(lab, id).templates == ["default", "tool_use"]
    assert chat(lab, id, Conversation([{"role": "user", "content": "hi"}]), find_template(lab, id)).text == "<s>hi"
    (tmp_path / "chat_template.jinja").write_text("beside")
    assert chat_templates([file, tmp_path / "chat_template.jinja"]).by_name == {
        "default": "beside",
        "tool_use": "tools",
    }


def test_a_gguf_without_templates_has_none(tmp_path: Path):
    file = gguf(tmp_path / "tiny.gguf", "gpt-2", {token: id for id, token in enumerate(BYTES)}, [])
    assert chat_templates([file]).by_name == {}
