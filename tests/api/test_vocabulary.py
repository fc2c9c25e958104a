"""`/vocabulary/{id}` and what is below it: fields, pages, files, refusals."""

import csv
import io

GPT2 = "/api/v1/vocabulary/gpt2"
ROW = {
    "id", "text", "bytes", "length", "characters", "kind", "script", "special", "rank", "score", "merged_into_count", "parts",
    "reachable",
}  # fmt: skip


def test_a_search_has_every_field_of_the_interface(client):
    found = client.get(f"{GPT2}/search", params={"q": "^token", "mode": "regex", "limit": 2}).json()
    assert set(found) == {"tokenizer", "count", "total", "offset", "tokens", "facets", "lengths", "elapsed_ns"}
    assert found["count"] == 50257 and len(found["tokens"]) == 2 and set(found["tokens"][0]) == ROW
    assert found["facets"]["verdicts"] is None and len(found["lengths"]) == 33
    assert "".join(part["text"] for part in found["tokens"][0]["parts"]) == found["tokens"][0]["text"] == "Tokens"


def test_parameters_that_repeat(client):
    params = {"kind": ["digits", "punctuation"], "order": "length", "descending": True, "limit": 1000}
    rows = client.get(f"{GPT2}/search", params=params).json()["tokens"]
    assert {row["kind"] for row in rows} == {"digits", "punctuation"}
    assert [row["length"] for row in rows] == sorted((row["length"] for row in rows), reverse=True)


def test_one_token(client):
    found = client.get(f"{GPT2}/token/995").json()
    assert set(found) == {
        "tokenizer", "token", "merge_count", "reachability", "origin", "segmentation_without", "merged_into", "containing_tokens", "variants",
    }  # fmt: skip
    assert found["token"]["text"] == " world" and found["origin"]["nodes"][-1]["rank"] == found["token"]["rank"]
    assert found["reachability"] == {
        "verdict": "reachable", "reason": "own_text", "explanation": "its own text gives it", "text": " world",
    }  # fmt: skip


def test_the_audit(client):
    found = client.get(f"{GPT2}/audit").json()
    assert found["verdicts"] == {"reachable": 50244, "unreachable": 13, "undecided": 0}
    assert client.get(f"{GPT2}/search", params={"limit": 1}).json()["tokens"][0]["reachable"] == "reachable"


def test_files_hold_what_the_search_finds(client):
    response = client.get(f"{GPT2}/export", params={"q": '"', "format": "csv"})
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.headers["content-disposition"] == 'attachment; filename="gpt2-vocabulary.csv"'
    rows = list(csv.DictReader(io.StringIO(response.text, newline="")))
    assert len(rows) > 100 and all('"' in row["text"] for row in rows)
    assert client.get(f"{GPT2}/export", params={"q": '"', "format": "json"}).json()[0]["id"] == int(rows[0]["id"])


def test_a_text_under_a_smaller_vocabulary(client):
    found = client.post(f"{GPT2}/truncate", json={"text": "Hello 日", "size": 300}).json()
    assert found["size"] == 300 and found["token_count"] == len(found["tokens"]) > found["whole_count"]
    assert found["tokens"][-1]["span_utf16"] == [6, 7]


def test_refusals(client, refused):
    refused(client.get(f"{GPT2}/search", params={"q": "(", "mode": "regex"}), 422, "bad_request")
    refused(client.get(f"{GPT2}/search", params={"q": "(", "mode": "wild"}), 422, "bad_request")
    refused(client.get(f"{GPT2}/search", params={"limit": 1001}), 422, "bad_request")
    refused(client.get(f"{GPT2}/search", params={"kind": "word"}), 422, "bad_request")
    refused(client.get(f"{GPT2}/export", params={"format": "xls"}), 422, "bad_request")
    refused(client.get(f"{GPT2}/token/50257"), 422, "decode_error")
    refused(client.get("/api/v1/vocabulary/gpt9/audit"), 404, "not_found")
    refused(client.post(f"{GPT2}/truncate", json={"text": "a", "size": 3}), 422, "bad_request")
    refused(client.post(f"{GPT2}/truncate", json={"text": "a" * 20_001}), 422, "bad_request")
