"""`/corpora`: add files of this machine or sent ones, list, describe, remove."""

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
    same = ("title", "sha256", "documents", "languages", "scripts", "is_parallel", "first_files")
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
    assert added["cleaning"] == ["html"] and added["sample"] == ["<b>one</b>", "two"]
    plain = client.post(API, json={"paths": [path]}).json()
    assert plain["id"] != added["id"]
    by_id = client.post(f"{API}/preview", json={"corpus": "udhr", "cleaning": ["length:1-9"]})
    assert by_id.status_code == 422 and "line N of a parallel corpus" in by_id.text
    both = client.post(f"{API}/preview", json={"corpus": "udhr", "paths": [path], "cleaning": []})
    assert both.status_code == 422 and "exactly one of corpus and paths" in both.text
    sent = client.post(f"{API}/files", files=[("files", ("a.txt", b"<i>x"))], data={"cleaning": "html,length:0-9"})
    assert sent.json()["cleaning"] == ["html", "length:0-9"]
