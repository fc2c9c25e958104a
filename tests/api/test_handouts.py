"""Handouts over HTTP: one file that allows itself nothing but itself, and what cannot be one is refused in words."""

import base64
import hashlib
import io
import re
import zipfile

import pytest

from lab_app.errors import NotFound
from lab_app.services.handouts import page
from tests.page_engine import held, needs_engine

PATH = "/api/v1/handouts"
LESSON = {"name": "bpe-encode", "way": "do", "at": 2}


@needs_engine
def test_a_lesson_is_one_file_with_all_it_needs(client):
    body = {"tokenizers": ["gpt2"], "text": "low </script> lower", "lesson": LESSON}
    answer = client.post(PATH, json=body)
    assert answer.headers["content-disposition"] == 'attachment; filename="handout-bpe-encode-gpt2.html"'
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert len(answer.content) < 2_000_000
    lesson = held(answer.text)["lesson"]
    assert {key: lesson[key] for key in LESSON} == LESSON and lesson["text"] == body["text"]
    [tokenizer] = held(answer.text)["tokenizers"]
    assert (tokenizer["kept"], tokenizer["covered"], tokenizer["licence"]) == (tokenizer["of"], None, "MIT")
    assert "MIT License" in tokenizer["notice"]


@needs_engine
def test_the_policy_allows_the_script_and_the_styles_of_the_file_alone(client):
    text = client.post(PATH, json={"tokenizers": ["gpt2"], "text": "a"}).text
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    assert policy and policy[1].startswith("default-src 'none'; ") and "unsafe-inline" not in policy[1]
    for found in (re.findall(r"<style>(.*?)</style>", text, re.S), re.findall(r"<script>(.*?)</script>", text, re.S)):
        [content] = found
        assert base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() in policy[1]
    assert not re.search(r'\b(src|href)="', text), "the file asks for another"


@needs_engine
def test_a_vocabulary_that_does_not_fit_is_shrunk_and_says_to_what(client):
    text = "Привет, world 日本"
    answer = client.post(PATH, json={"tokenizers": ["o200k_base", "cl100k_base"], "text": text})
    assert answer.status_code == 200, answer.text
    assert len(answer.content) < 2_000_000
    found = held(answer.text)["tokenizers"]
    assert [each["id"] for each in found] == ["o200k_base", "cl100k_base"]
    assert found[0]["kept"] < found[0]["of"], "one of 200,000 tokens fits nowhere"
    for each in found:
        assert each["covered"] is None or set(text) <= set(each["covered"])


@needs_engine
def test_a_conversation_is_kept_as_it_is(client):
    answer = client.post(
        PATH, json={"tokenizers": ["o200k_harmony"], "text": "Hi", "lesson": {"name": "chat-template"}}
    )
    lesson = held(answer.text)["lesson"]
    assert (lesson["engine"], lesson["specials"], lesson["has_text"]) == ("special-tokens", "parse", False)
    assert lesson["text"].startswith("<|start|>") and lesson["facts"]["chat"]["template"]


@needs_engine
def test_a_folder_allows_itself_what_is_beside_it_alone(client):
    answer = client.post(PATH, json={"tokenizers": ["gpt2"], "text": "a", "folder": True})
    assert answer.headers["content-disposition"] == 'attachment; filename="handout-gpt2.zip"'
    files = zipfile.ZipFile(io.BytesIO(answer.content))
    page = files.read("index.html").decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy and "connect-src 'self'" in policy[1] and "unsafe-inline" not in policy[1]
    named = re.findall(r'(?:src|href)="([^"]+)"', page)
    for each in named:
        file, _, version = each.partition("?v=")
        assert hashlib.sha256(files.read(file)).hexdigest().startswith(version) and len(version) == 16, each
    named = [each.partition("?")[0] for each in named]
    assert {*named, "engine.bin", "tokenizer-0.bin", "contents.json", "LICENCES.txt"} <= {*files.namelist()}
    for each in files.infolist():
        assert each.external_attr >> 16 == 0o100644, "a web server may read it, under whoever unpacked it"
        assert (each.compress_type == zipfile.ZIP_STORED) == each.filename.endswith(".bin"), each.filename


@needs_engine
def test_exercises_have_the_mark_of_every_choice_and_no_engine(client):
    sheet = {"kind": "misconceptions", "seed": 7}
    answer = client.post(PATH, json={"tokenizers": ["gpt2"], "exercises": sheet})
    assert answer.headers["content-disposition"].endswith('"handout-exercises-misconceptions-gpt2-7.html"')
    assert len(answer.content) < 300_000
    exercises = held(answer.text)["exercises"]
    for task, marks in zip(exercises["sheet"]["tasks"], exercises["marks"], strict=True):
        assert [each["answer"] for each in marks] == list(range(len(task["choices"])))
        assert sum(each["right"] for each in marks) == 1
    answer = client.post(PATH, json={"tokenizers": ["gpt2"], "exercises": sheet, "folder": True})
    assert answer.headers["content-disposition"].endswith('"handout-exercises-misconceptions-gpt2-7.zip"')
    names = zipfile.ZipFile(io.BytesIO(answer.content)).namelist()
    assert "contents.json" in names and not [each for each in names if each.endswith(".bin")]


@needs_engine
def test_what_cannot_be_one_is_refused(client, refused):
    for body, words in [
        ({"tokenizers": ["gpt2"], "text": "a", "lesson": {"name": "boundaries"}}, '"boundaries" is no lesson'),
        ({"tokenizers": ["gpt2"], "text": "a", "lesson": {"name": "wordpiece-encode"}}, "needs WordPiece"),
        ({"tokenizers": ["gpt2", "gpt2"], "text": "a", "lesson": LESSON}, "there are 2 tokenizers"),
        ({"tokenizers": [], "text": "a"}, "there are 0 tokenizers"),
        ({"tokenizers": ["gpt2"], "exercises": {"kind": "boundaries"}}, "only the lab marks"),
        ({"tokenizers": ["gpt2"], "exercises": {}, "lesson": LESSON, "text": "a"}, "both given"),
        ({"tokenizers": ["gpt2"], "text": "a" * 20_001}, "20001 characters"),
    ]:
        assert words in refused(client.post(PATH, json=body), 422, "bad_request")["message"]
    every = "".join(map(chr, range(0x4E00, 0x4E00 + 20_000)))
    body = {"tokenizers": ["o200k_base", "cl100k_base"], "text": every}
    assert "does not fit" in refused(client.post(PATH, json=body), 422, "bad_request")["message"]


def test_without_the_engine_it_says_how_to_build_it(monkeypatch, tmp_path):
    monkeypatch.setattr(page, "packed", lambda: tmp_path)
    with pytest.raises(NotFound, match=r"engine\.wasm\.gz, which every handout holds, is not built") as error:
        page.built()
    assert error.value.hint == "run `make wasm`"
