"""Analyses over HTTP: started as a job, listed, read in pages, run again, compared, saved, deleted."""

import io

import pytest
from pyarrow import parquet

from lab_app.services.corpora.corpora import CorpusOptions, add

V1 = "/api/v1"
BODY = {"corpus": "lines", "tokenizers": ["gpt2", "cl100k_base"]}


@pytest.fixture
def lab(client, tmp_path):
    for name, lines in (("en", "the cat sat\nthe dog ran away\n"), ("de", "die Katze saß\nder Hund lief weg\n")):
        (tmp_path / f"{name}.txt").write_text(lines, encoding="utf-8")
    lab = client.app.state.lab
    add(lab, [str(tmp_path / "en.txt"), str(tmp_path / "de.txt")], CorpusOptions(id="lines", parallel=True))
    return lab


def run(client, lab, path: str = "/analyses", body: object = BODY) -> dict:
    """Waits for the job that a call starts and returns the row of what it kept."""
    answer = client.post(V1 + path, json=body)
    assert answer.status_code == 202, answer.text
    lab.jobs.wait(answer.json()["id"], 60)
    job = client.get(f"{V1}/jobs/{answer.json()['id']}").json()
    assert job["state"] == "done", job
    return job["result"]


def test_an_analysis_from_start_to_end(client, lab):
    row = run(client, lab)
    assert client.get(f"{V1}/analyses").json()["analyses"] == [row]
    address = f"{V1}/analyses/{row['id']}"
    found = client.get(address).json()
    gpt2 = found["tokenizers"][0]
    assert (gpt2["tokens"], found["corpus"]["documents"]) == (row["tokens"]["gpt2"], 4)
    assert next(each["premium"] for each in gpt2["languages"]) == 1 and found["settings"]["reference_language"] == "en"

    assert [each["script"] for each in gpt2["languages"]] == ["Latin", "Latin"]
    assert [(each["script"], each["tokens"]) for each in gpt2["scripts"]] == [("Latin", gpt2["tokens"])]

    page = client.get(f"{address}/frequencies", params={"tokenizer": "gpt2", "limit": 3, "offset": 1}).json()
    assert page["rows"] == gpt2["frequencies"][1:4] and page["total"] == gpt2["types"]
    unseen = client.get(f"{address}/never_seen", params={"tokenizer": "gpt2", "search": "elephant"}).json()
    assert unseen["rows"] and unseen["total"] == len(unseen["rows"])

    again = run(client, lab, f"/analyses/{row['id']}/run", None)
    compared = client.get(f"{address}/compare/{again['id']}").json()
    assert compared["metrics"] == compared["settings"] == [] and compared["compared"] > 40

    assert client.get(f"{address}/compare/{again['id']}/figures").json() == {"figures": []}
    other = run(client, lab, "/analyses", {**BODY, "tokenizers": ["gpt2"], "sample_bytes": 20})
    [chart] = client.get(f"{address}/compare/{other['id']}/figures", params={"letters": "B"}).json()["figures"]
    assert chart["name"] == "changes" and [key["letter"] for key in chart["keys"]] == ["B"]

    saved = client.get(f"{address}/file", params={"format": "csv"})
    assert saved.headers["content-disposition"] == f'attachment; filename="analysis-{row["id"]}.csv"'
    assert '"gpt2","de","premium",' in saved.text
    table = parquet.read_table(io.BytesIO(client.get(f"{address}/file", params={"format": "parquet"}).content))
    assert set(table["tokenizer"].to_pylist()) == {"gpt2", "cl100k_base"}
    assert client.get(f"{address}/file").json() == found

    assert client.delete(address).status_code == 204
    assert [each["id"] for each in client.get(f"{V1}/analyses").json()["analyses"]] == [other["id"], again["id"]]


def test_the_metrics_in_words(client):
    found = client.get(f"{V1}/analyses/metrics").json()["metrics"]
    assert {"name", "unit", "denominator", "aggregation", "how_to_read"} <= found[0].keys() and len(found) > 30


def test_what_is_refused(client, lab, refused):
    post = lambda **changes: client.post(f"{V1}/analyses", json=BODY | changes)  # noqa: E731
    refused(post(corpus="nothing"), 404, "not_found")
    refused(post(tokenizers=["gpt9"]), 404, "not_found")
    refused(post(tokenizers=[]), 422, "bad_request")
    assert "wrods" in refused(post(measures=["wrods"]), 422, "bad_request")["message"]
    refused(post(alpha=0), 422, "bad_request")
    refused(post(reference_language="Elvish"), 422, "bad_request")
    refused(client.get(f"{V1}/analyses/77"), 404, "not_found")
    refused(client.get(f"{V1}/analyses/77/compare/78"), 404, "not_found")
    row = run(client, lab)
    for format in ("docx", "tar.csv"):
        refused(client.get(f"{V1}/analyses/{row['id']}/file", params={"format": format}), 422, "bad_request")
    refused(client.get(f"{V1}/analyses/{row['id']}/frequencies", params={"tokenizer": "bert"}), 404, "not_found")
    refused(client.get(f"{V1}/analyses/{row['id']}/frequencies"), 422, "bad_request")


def test_a_given_name_is_the_title_of_the_report_and_of_the_analysis(client, lab):
    id = run(client, lab)["id"]
    address = f"{V1}/analyses/{id}"
    assert client.get(f"{address}/file", params={"format": "md"}).text.startswith("# en.txt and 1 more: GPT-2, cl100k")
    client.put(f"{V1}/labels/analysis/{id}", json={"name": "For the paper"})
    assert client.get(address).json()["name"] == "For the paper"
    assert client.get(f"{address}/file", params={"format": "md"}).text.startswith("# For the paper\n")
