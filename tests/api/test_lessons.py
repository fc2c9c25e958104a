"""Lessons over HTTP: JSON and frame say the same, and what cannot be shown is refused in words."""

import json

import pytest

from lab_app.api.frame import unpack
from lab_app.services.lessons.lessons import LessonFrames
from tests.api.declared import check_json
from tests.lesson_examples import unigram_file

V1 = "/api/v1"


def asked(client, name: str, tokenizer: str, text: str, **headers: str):
    return client.post(f"{V1}/lessons/{name}", json={"tokenizer": tokenizer, "text": text}, headers=headers)


@pytest.mark.parametrize(
    ("name", "tokenizer"),
    [("utf8", "gpt2"), ("pipeline", "gpt2"), ("bpe-encode", "gpt2"), ("wordpiece-encode", "bert-base-uncased")],
)
@pytest.mark.parametrize("text", ["", "lower", "é日🙂 'don't' \u0000"])
def test_json_and_frame_say_the_same(client, name: str, tokenizer: str, text: str):
    answer = asked(client, name, tokenizer, text)
    assert answer.status_code == 200
    check_json(LessonFrames, answer.text)
    found = answer.json()
    header, arrays = unpack(asked(client, name, tokenizer, text, accept="application/octet-stream").content)
    assert {key: header[key] for key in found["facts"]} == found["facts"]
    ends = arrays["ends"].tolist()
    frames = arrays["frames"].tobytes()
    assert [json.loads(frames[a:b]) for a, b in zip([0, *ends[:-1]], ends, strict=True)] == found["frames"]
    ids = client.post(f"{V1}/tokenize", json={"tokenizer": tokenizer, "text": text, "add_special_tokens": False}).json()
    assert found["facts"]["ids"] == [token["id"] for token in ids["tokens"]]
    assert found["facts"]["tokenizer"] == tokenizer and found["facts"]["lesson"] == name


def test_a_text_is_learnt_from(client, refused):
    body = {"tokenizer": "gpt2", "text": "low lower lowest slow", "learn": 2}
    found = client.post(f"{V1}/lessons/bpe-train", json=body)
    check_json(LessonFrames, found.text)
    steps = [frame["now"] for frame in found.json()["frames"]]
    assert [now["step"] for now in steps] == ["start", "merge", "merge", "done"]
    facts = found.json()["facts"]
    assert [facts["named"][str(now["id"])]["text"] for now in steps[1:3]] == ["lo", "low"]
    assert "".join(facts["named"][str(id)]["text"] for id in facts["ids"]) == body["text"]
    for learn, text, words in [
        (0, "a", "not between 1 and 1000"),
        (3, "", "no words"),
        (3, "word", "no two neighbours"),
    ]:
        answer = client.post(f"{V1}/lessons/bpe-train", json={"tokenizer": "gpt2", "text": text, "learn": learn})
        assert words in refused(answer, 422, "encode_error")["message"]


def test_a_tokenizer_of_another_family_is_told_who_can(client, refused):
    problem = refused(asked(client, "bpe-encode", "bert-base-uncased", "a"), 422, "bad_request")
    assert problem["message"] == "the lesson bpe-encode needs BPE, and bert-base-uncased is WordPiece"
    assert problem["hint"].startswith("choose one of ") and "gpt2" in problem["hint"]
    hint = refused(asked(client, "unigram-encode", "gpt2", "a"), 422, "bad_request")["hint"]
    assert hint.startswith("add a Unigram tokenizer first, or download one of ")


def test_languages_are_compared_on_sentences_of_the_lab_where_no_text_is_given(client):
    found = asked(client, "languages", "gpt2", "")
    check_json(LessonFrames, found.text)
    facts, start = found.json()["facts"], found.json()["frames"][0]
    sentences = start["key"]["sentences"]
    assert facts["languages"][0] == "English" and len(facts["languages"]) == len(sentences) > 20
    assert facts["text"].splitlines() == [each["text"] for each in sentences]
    premiums = [
        item[2]["premium"] for frame in found.json()["frames"] for item in frame.get("lists", {}).get("sentences", [])
    ]
    assert premiums[0] == 1 and max(premiums) > 5 and len(premiums) == len(sentences)
    assert asked(client, "languages", "gpt2", "a\nb").json()["facts"]["languages"] == []


def test_a_conversation_is_rendered_by_the_template_of_the_tokenizer(client, refused):
    found = asked(client, "chat-template", "o200k_harmony", "What is <|end|>? é")
    check_json(LessonFrames, found.text)
    facts, frames = found.json()["facts"], found.json()["frames"]
    chat, text = facts["chat"], facts["text"].encode()
    said = [message["content"] for message in chat["messages"]]
    assert said[1] == "What is <|end|>? é" and chat["template"] == "default"
    assert [text[slice(*message["span"])].decode() for message in chat["messages"]] == said
    assert chat["spelled_by_messages"] == ["<|end|>"]
    messages = [{"role": each["role"], "content": each["content"]} for each in chat["messages"]]
    rendered = client.post(f"{V1}/chat", json={"tokenizer": "o200k_harmony", "messages": messages}).json()
    assert rendered["text"] == facts["text"]
    assert rendered["ids"] == facts["ids"]
    assert frames[0]["key"]["pieces"][0]["text"] == facts["text"]
    problem = refused(asked(client, "chat-template", "gpt2", "a"), 404, "not_found")
    assert problem["message"] == "gpt2 has no chat template"
    assert problem["hint"].startswith("choose one of o200k_harmony")


@pytest.mark.parametrize(("add_special_tokens", "steps"), [(True, ["template", "done"]), (False, ["tokens", "done"])])
def test_special_tokens_are_added_where_they_are_asked_for(client, add_special_tokens: bool, steps: list[str]):
    body = {"tokenizer": "bert-base-uncased", "text": "a", "add_special_tokens": add_special_tokens}
    frames = client.post(f"{V1}/lessons/special-tokens", json=body).json()["frames"]
    assert [frame["now"]["step"] for frame in frames[-2:]] == steps


def test_what_a_lesson_cannot_show_is_said(client, refused):
    for name, text, words in [("languages", "one line", "the text has 1 line"), ("sentencepiece", "a", "the mark ▁")]:
        assert words in refused(asked(client, name, "gpt2", text), 422, "encode_error")["message"]
    hint = refused(asked(client, "encoders", "bert-base-uncased", "a"), 422, "bad_request")["hint"]
    assert "gpt2" in hint


def test_a_tokenizer_that_was_added_is_shown(client, tmp_path):
    vocab = [["<unk>", 0.0], ["l", -3.0], ["o", -3.0], ["w", -3.0], ["low", -4.0]]
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": {"type": "Unigram", "unk_id": 0, "vocab": vocab}}))
    assert client.post(f"{V1}/tokenizers", json={"path": str(tmp_path), "id": "uni"}).status_code == 201
    facts = asked(client, "unigram-encode", "uni", "low").json()["facts"]
    assert facts["ids"] == [4] and facts["named"]["4"] == {"token": "low", "text": "low", "bytes": "6c6f77"}


def test_paths_are_drawn_with_a_seed(client, refused, tmp_path):
    path = unigram_file(tmp_path)
    assert client.post(f"{V1}/tokenizers", json={"path": str(path), "id": "few-words"}).status_code == 201
    body = {"tokenizer": "few-words", "text": "unable"}

    def drawn(seed: int) -> list:
        answer = client.post(f"{V1}/lessons/unigram-encode", json=body | {"seed": seed})
        check_json(LessonFrames, answer.text)
        frame = next(frame for frame in answer.json()["frames"] if frame["now"]["step"] == "draws")
        return frame["lists"]["paths"]

    assert drawn(0) == drawn(0) and any(drawn(seed) != drawn(0) for seed in (1, 2, 2**64 - 1))
    for seed in (-1, 2**64):
        problem = refused(client.post(f"{V1}/lessons/utf8", json=body | {"seed": seed}), 422, "bad_request")
        assert problem["message"] == f"seed is {seed}"
        assert problem["hint"] == "give a whole number from 0 to 18446744073709551615"


def test_what_cannot_be_shown_is_refused(client, refused):
    assert "utf8" in refused(asked(client, "bpe", "gpt2", "a"), 422, "bad_request")["hint"]
    refused(asked(client, "utf8", "nobody", "a"), 404, "not_found")
    assert "10000" in refused(asked(client, "utf8", "gpt2", "a" * 10_001), 422, "bad_request")["message"]
    refused(asked(client, "utf8", "gpt2", "a" * 1_000_000), 413, "too_large")
    # A hundred letters of which only single ones are known take some five thousand look-ups.
    words = " ".join(["\u014b" * 100] * 20)
    assert (
        "steps"
        in refused(asked(client, "wordpiece-encode", "bert-base-uncased", words), 422, "encode_error")["message"]
    )


def test_a_guess_is_marked(client, refused):
    body = {"tokenizer": "gpt2", "text": "Hello world", "guess": [6]}
    found = client.post(f"{V1}/lessons/boundaries", json=body).json()
    assert (found["missing"], found["extra"], found["f1"]) == (1, 1, 0)
    first, second = found["places"]
    assert first["number"] == second["number"] == 1 and first["kind"] == "leading space"
    assert first["reason"]["rule"] == "GPT-2 pattern" and first["reason"]["edit"] is None
    problem = refused(client.post(f"{V1}/lessons/boundaries", json=body | {"guess": [11]}), 422, "bad_request")
    assert problem["hint"] == "give bytes from 1 to 10"
    refused(client.post(f"{V1}/lessons/boundaries", json=body | {"guess": None}), 422, "bad_request")
