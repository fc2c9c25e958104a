"""Charts of an analysis over HTTP: listed with reasons, made by name, refused with a hint."""

import pytest

from lab_app.charts.registry import CHARTS
from lab_app.services.analyses import analyses
from lab_app.services.corpora.corpora import CorpusOptions, add, corpus

V1 = "/api/v1"


@pytest.fixture
def address(client, tmp_path) -> str:
    """A kept analysis of four lines by one tokenizer."""
    (tmp_path / "lines.txt").write_text("the cat sat\nthe dog ran away\n" * 2, encoding="utf-8")
    lab = client.app.state.lab
    add(lab, [str(tmp_path / "lines.txt")], CorpusOptions(id="lines"))
    subjects = analyses.subjects_of(lab, ["gpt2"])
    row = analyses.keep(lab, analyses.run_analysis(corpus(lab, "lines"), subjects, analyses.AnalysisOptions()))
    return f"{V1}/analyses/{row.id}/figures"


def test_charts_are_listed_and_made_by_name(client, address, refused):
    listed = {each["name"]: each for each in client.get(address).json()["figures"]}
    assert list(listed) == list(CHARTS)
    assert listed["agreement"] == {"name": "agreement", "title": None, "reason": "needs two tokenizers or more"}
    for name, entry in listed.items():
        if entry["title"] is None:
            refused(client.get(f"{address}/{name}"), 404, "not_found")
            continue
        made = client.get(f"{address}/{name}").json()
        assert (made["name"], made["title"]) == (name, entry["title"])
        assert len(made["csv"].splitlines()) == 1 + len(made["table"]["rows"])
    zipf = client.get(f"{address}/zipf").json()
    assert zipf["table"]["rows"][0][1:] == [1, 4], "the most frequent token is there four times"


def test_letters_give_the_look(client, address, refused):
    made = client.get(f"{address}/zipf", params={"letters": "D"}).json()
    assert made["keys"][0]["letter"] == "D" and made["figure"]["data"][0]["line"]["color"] == "var(--d)"
    refused(client.get(f"{address}/zipf", params={"letters": "DE"}), 422, "bad_request")
    refused(client.get(f"{address}/pie"), 404, "not_found")
    refused(client.get(f"{V1}/analyses/99/figures"), 404, "not_found")
