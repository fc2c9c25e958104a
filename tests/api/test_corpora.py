"""`/corpora`: add files of this machine or sent ones, list, describe, remove."""

import tempfile

from lab_app import paths
from lab_app.services.corpora import language_examples
from tests.api.conftest import TOKEN

API = "/api/v1/corpora"


def test_files_of_this_machine_stay_where_they_are(client, tmp_path):
    (tmp_path / "en.txt").write_text("one\ntwo\n")
    (tmp_path / "fr.txt").write_text("un\ndeux\n")
    paths = [str(tmp_path / "en.txt"), str(tmp_path / "fr.txt")]
    answer = client.post(API, json={"paths": paths, "parallel": True, "id": "pair", "title": "A pair"})
    assert answer.status_code == 201, answer.text
    added = answer.json()
    assert (added["id"], added["title"], added["documents"], added["languages"]) == ("pair", "A pair", 4, ["en", "fr"])
    assert added["is_parallel"] and [file["language"] for file in added["first_files"]] == ["en", "fr"]
    assert client.get(f"{API}/PAIR").json() == added
    assert [one["id"] for one in client.get(API).json()["corpora"]] == ["udhr", "python", "pair"]
    assert client.delete(f"{API}/pair").status_code == 204
    assert client.get(f"{API}/pair").status_code == 404
    assert (tmp_path / "en.txt").exists()


def test_adding_may_be_a_job(client, tmp_path):
    (tmp_path / "a.txt").write_text("one\n")
    answer = client.post(API, json={"paths": [str(tmp_path / "a.txt")], "wait": False})
    assert answer.status_code == 202 and answer.json()["kind"] == "corpus"
    done = client.app.state.lab.jobs.wait(answer.json()["id"], 30)
    assert done.state == "done" and client.get(f"/api/v1/jobs/{done.id}").json()["result"]["id"] == "a"


def test_files_that_are_sent_are_written_once_where_they_stay(client, settings, monkeypatch, tmp_path):
    """The system's place for temporary files may be another disk, and small."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "no such folder"))
    added = client.post(f"{API}/files", files=[("files", ("a.txt", b"one\n"))])
    assert added.status_code == 201, added.text
    (kept,) = paths.corpora(settings).iterdir()
    assert [path.name for path in kept.iterdir()] == ["a.txt"]


def test_files_that_are_sent_are_kept_and_removed(client, settings):
    files = [
        ("files", ("deep\\a.csv", b"lang,words\nde,eins\nen,one\n")),
        ("files", ("../b.csv", b"lang,words\nde,zwei\n")),
    ]
    fields = {"text_column": "words", "language_column": "lang", "title": "Sent"}
    added = client.post(f"{API}/files", files=files, data=fields)
    assert added.status_code == 201, added.text
    assert (added.json()["documents"], added.json()["languages"]) == (3, ["de", "en"])
    kept = settings.data_dir / "corpora"
    assert sorted(path.name for path in kept.rglob("*.csv")) == ["a.csv", "b.csv"]
    assert client.delete(f"{API}/{added.json()['id']}").status_code == 204
    assert not list(kept.iterdir())

    bad = client.post(f"{API}/files", files=[("files", ("a.txt", b"\n"))])
    assert bad.status_code == 422 and "holds no text" in bad.json()["error"]["message"]
    assert not list(kept.iterdir())


def test_wrong_requests_say_what_is_wrong(client, tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    wrong = [
        ({"paths": []}, "paths"),
        ({"paths": ["a.txt"]}, "not a full path"),
        ({"paths": [str(tmp_path / "none.txt")]}, "there is no file"),
        ({"paths": [str(tmp_path / "a.csv")]}, "does not say which column"),
        ({"paths": [str(tmp_path / "a.csv")], "format": "xml"}, "format"),
        ({"paths": [str(tmp_path / "a.csv")], "id": "?"}, "cannot be an id"),
    ]
    for body, message in wrong:
        answer = client.post(API, json=body)
        assert answer.status_code in (400, 422) and message in answer.text, (body, answer.text)
    assert client.delete(f"{API}/udhr").status_code == 409
    assert client.get(API, headers={"Authorization": f"Bearer {TOKEN}x"}).status_code == 401


def test_a_corpus_that_comes_with_the_lab_is_cleaned_as_another(client, refused):
    made = client.post(API, json={"corpus": "udhr", "cleaning": ["nfc"]})
    assert made.status_code == 201, made.text
    known, cleaned = client.get(f"{API}/udhr").json(), made.json()
    assert (cleaned["id"], cleaned["builtin"], cleaned["cleaning"]) != (known["id"], True, [])
    assert cleaned["title"] == f"{known['title']} (cleaned: nfc)"
    same = ("sha256", "documents", "languages", "scripts", "is_parallel", "first_files")
    assert [cleaned[name] for name in same] == [known[name] for name in same]
    again = client.post(API, json={"corpus": "udhr", "cleaning": ["nfc"]}).json()
    assert again["id"] == cleaned["id"]
    assert client.delete(f"{API}/{cleaned['id']}").status_code == 204
    refused(client.post(API, json={"corpus": "udhr", "cleaning": ["exact_duplicates"]}), 422, "bad_request")
    refused(client.post(API, json={"corpus": "udhr", "text_column": "a"}), 422, "bad_request")
    refused(client.post(API, json={"corpus": "none"}), 404, "not_found")
    refused(client.post(API, json={"cleaning": ["nfc"]}), 422, "bad_request")


def test_cleaning_is_tried_before_it_is_chosen(client, tmp_path):
    (tmp_path / "a.txt").write_text("<b>one</b>\ntwo\n")
    path = str(tmp_path / "a.txt")
    steps = client.get(API).json()["cleaning_steps"]
    assert {"mojibake", "html", "length"} <= {step["name"] for step in steps}
    tried = client.post(f"{API}/preview", json={"paths": [path], "cleaning": ["html", "nfc"]})
    assert tried.status_code == 200, tried.text
    assert tried.json() == {
        "documents": 2,
        "changed": 1,
        "steps": [{"step": "html", "documents": 1}, {"step": "nfc", "documents": 0}],
        "samples": [{"before": "<b>one</b>", "after": "one"}],
    }
    added = client.post(API, json={"paths": [path], "cleaning": ["html"]}).json()
    assert added["cleaning"] == ["html"] and added["sample"] == [
        {"text": text, "language": None} for text in ("<b>one</b>", "two")
    ]
    plain = client.post(API, json={"paths": [path]}).json()
    assert plain["id"] != added["id"]
    by_id = client.post(f"{API}/preview", json={"corpus": "udhr", "cleaning": ["length:1-9"]})
    assert by_id.status_code == 422 and "line N of a parallel corpus" in by_id.text
    both = client.post(f"{API}/preview", json={"corpus": "udhr", "paths": [path], "cleaning": []})
    assert both.status_code == 422 and "exactly one of corpus and paths" in both.text
    sent = client.post(f"{API}/files", files=[("files", ("a.txt", b"<i>x"))], data={"cleaning": "html,length:0-9"})
    assert sent.json()["cleaning"] == ["html", "length:0-9"]


def test_documents_of_a_language_are_shown_with_their_tokens(client, refused, tmp_path):
    (tmp_path / "en.txt").write_text("the cat\n\nthe hat\n" + "word " * 1000 + "\n")
    (tmp_path / "ja.txt").write_text("日本語\n\n<|endoftext|>\n\n", encoding="utf-8")
    paths = [str(tmp_path / name) for name in ("en.txt", "ja.txt")]
    assert client.post(API, json={"paths": paths, "id": "pair", "parallel": True}).status_code == 201
    body = {"corpus": "pair", "language": "ja", "tokenizers": ["gpt2", "bert-base-uncased"]}
    found = client.post(f"{API}/examples", json=body).json()
    assert [(one["text"], one["bytes"], one["is_whole"]) for one in found["examples"]] == [
        ("日本語", 9, True),
        ("<|endoftext|>", 13, True),
    ]
    for n, id in enumerate(found["tokenizers"]):
        for one in found["examples"]:
            asked = {"tokenizer": id, "text": one["text"], "specials": "text", "add_special_tokens": False}
            assert one["tokens"][n] == client.post("/api/v1/tokenize", json=asked).json()["count"] > 1
    assert found["more"] is False and found["language"] == "ja"

    english = {**body, "language": "en"}
    found = client.post(f"{API}/examples", json={**english, "limit": 2}).json()
    assert [one["text"] for one in found["examples"]] == ["the cat", "the hat"] and found["more"] is True
    last = client.post(f"{API}/examples", json=english).json()["examples"][-1]
    assert (len(last["text"]), last["is_whole"], last["bytes"]) == (2000, False, 2000)

    error = refused(client.post(f"{API}/examples", json={**body, "language": "fr"}), 404, "not_found")
    assert '"fr"' in error["message"] and "en, ja" in error["hint"]
    refused(client.post(f"{API}/examples", json={**body, "tokenizers": []}), 422, "bad_request")
    refused(client.post(f"{API}/examples", json={**body, "tokenizers": ["none"]}), 404, "not_found")


def test_a_language_in_a_column_is_found_as_far_as_is_read(client, monkeypatch, tmp_path):
    lines = [f'{{"text": "line {n}", "lang": "{"de" if n % 50 else "fr"}"}}' for n in range(200)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    added = {"paths": [str(tmp_path / "a.jsonl")], "text_column": "text", "language_column": "lang", "id": "mixed"}
    assert client.post(API, json=added).status_code == 201
    body = {"corpus": "mixed", "language": "fr", "tokenizers": ["gpt2"]}
    found = client.post(f"{API}/examples", json=body).json()
    assert [one["text"] for one in found["examples"]] == ["line 0", "line 50", "line 100", "line 150"]
    assert found["more"] is False
    monkeypatch.setattr(language_examples, "BATCH_BYTES", 100)
    monkeypatch.setattr(language_examples, "MAX_BYTES", 600)
    found = client.post(f"{API}/examples", json=body).json()
    assert [one["text"] for one in found["examples"]] == ["line 0", "line 50"] and found["more"] is True
