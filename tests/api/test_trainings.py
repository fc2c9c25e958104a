"""Trainings over HTTP: started, watched, paused, kept, resumed after a kill, put into the catalog, deleted."""

import csv
import io
import json
import re
import threading
from pathlib import Path

import pytest

from lab_app import engine
from lab_app.services.lab import Lab
from lab_app.services.trainings import trainings
from lab_app.services.trainings.runs import LiveTraining, LiveTrainings
from lab_app.store import records
from lab_app.training import checkpoint, counting, output, run, saved
from lab_app.training.control import Control
from tests.waiting import until

V1 = "/api/v1"
TEXT = "".join(f"the cat number {number} sat on the mat and looked at the {number * 7} mice\n" for number in range(60))
BODY = {
    "sources": [{"kind": "text", "text": TEXT}],
    "held_out": {"share": 0.1},
    "preset": "gpt2",
    "options": {"vocab_size": 300},
}


def started(client, **changes) -> dict:
    answer = client.post(f"{V1}/trainings", json=BODY | changes)
    assert answer.status_code == 202, answer.text
    return answer.json()


def ended(client, training: dict, state: str = "done") -> dict:
    """The training when its job has ended."""
    client.app.state.lab.jobs.wait(training["job"], 60)
    found = client.get(f"{V1}/trainings/{training['id']}").json()
    assert found["state"] == state, found
    return found


@pytest.fixture
def held_back(monkeypatch: pytest.MonkeyPatch):
    """Trainings make one step at a time, and none above the tenth before somebody has wished something.

    A wish that was made counts for good: it may be taken back before the training looks.
    """
    report, set_wish, asked = run.Run._report, Control._set, set()

    def wait(self, trainer):
        report(self, trainer)
        while (self.tracker.now.done or 0) >= 10 and self.control not in asked and self.control.wish == "run":
            self.control.serve(0.05)

    def note(self, wish):
        done = set_wish(self, wish)
        asked.add(self)
        return done

    monkeypatch.setattr(run, "STEPS_AT_ONCE", 1)
    monkeypatch.setattr(run.Run, "_report", wait)
    monkeypatch.setattr(Control, "_set", note)


def reached(client, training: dict, steps: int = 10) -> dict:
    """The training once it has made ten steps: read from its events."""
    lab = client.app.state.lab

    def is_there() -> bool:
        job = lab.jobs.job(training["job"])
        return bool(job.ended) or job.done >= steps

    until(is_there, "the training makes no steps")
    return client.get(f"{V1}/trainings/{training['id']}").json()


def test_a_training_from_start_to_catalog(client):
    first = started(client)
    assert first["state"] == "running" and first["name"] == "bpe 300, Pasted text" and first["job"]
    found = ended(client, first)
    assert [stage["state"] for stage in found["stages"]] == ["done"] * 5
    assert found["done"] == found["total"] == 43 and found["unit"] == "merges" and found["vocab_size"] == 300
    assert found["corpus"]["invalid_sequences"] == 0 and found["corpus"]["bytes"] == len(TEXT)
    assert found["options"]["pre_tokenizer"]["type"] == "ByteLevel" and found["ended"]
    assert client.get(f"{V1}/trainings").json()["trainings"] == [found]
    address = f"{V1}/trainings/{first['id']}"

    newest = client.get(f"{address}/steps", params={"limit": 2}).json()
    assert newest["total"] == 43 and [row["rank"] for row in newest["rows"]] == [42, 41]
    rows = client.get(f"{address}/steps", params={"order": "first", "offset": 40, "limit": 9}).json()["rows"]
    assert [row["rank"] for row in rows] == [40, 41, 42]

    curve = client.get(f"{address}/curve", params={"tokenizers": "gpt2"}).json()
    assert curve["points"][-1]["held_out_tokens"] == found["held_out"]["tokens"]
    assert curve["points"][-1]["bytes_per_token"] == pytest.approx(found["held_out"]["bytes_per_token"])
    assert curve["references"][0]["vocab_size"] == 50257 and curve["references"][0]["bytes_per_token"] > 2
    assert len(curve["counts"]) == 43 and curve["losses"] == []
    drawn = client.get(f"{address}/figures", params={"tokenizers": "gpt2", "letters": "C", "width": 420}).json()
    assert [chart["name"] for chart in drawn["figures"]] == ["compression", "counts", "size"] and drawn["missing"] == []
    assert drawn["references"] == curve["references"] and drawn["figures"][1]["csv"].count("\r\n") == 44
    assert drawn["figures"][0]["figure"]["data"][-1]["marker"]["color"] == "var(--c)"
    lines = client.get(f"{address}/log").json()["lines"]
    assert any(line["words"].startswith("Counted") for line in lines) and lines[0]["at"].endswith("+00:00")

    row = client.post(f"{address}/tokenizer", json={"name": "cats"}).json()
    assert row["id"] == "cats" and row["vocab_size"] == 300 and row["source"] == "added"
    assert client.get(address).json()["tokenizer"] == "cats"
    ids = client.post(f"{V1}/tokenize", json={"tokenizer": "cats", "text": "the cat"}).json()["ids"]
    assert len(ids) < len("the cat")
    saved = client.get(f"{address}/file")
    assert saved.headers["content-disposition"] == 'attachment; filename="tokenizer.json"'
    assert saved.json()["model"]["type"] == "BPE"
    assert client.get(f"{address}/file", params={"format": "merges.txt"}).text.count("\n") >= 43
    assert client.get(f"{address}/file", params={"format": "vocab+merges"}).content.startswith(b"PK")

    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == client.delete(address).status_code == 404
    assert not (client.app.state.lab.settings.data_dir / "trainings" / str(first["id"])).exists()


def test_one_that_has_only_its_id_is_not_shown(client):
    """As others see it while it starts, and for ever if the program ends there."""
    id = records.add(client.app.state.lab.database, "training", "new", {}, state=records.NEW, owner=1)
    assert client.get(f"{V1}/trainings").json()["trainings"] == []
    assert client.get(f"{V1}/trainings/{id}").status_code == 404
    assert started(client)["id"] == id + 1


def test_pause_continue_and_keep(client, held_back):
    first = started(client)
    address = f"{V1}/trainings/{first['id']}"
    reached(client, first)
    assert client.post(f"{address}/pause").json()["state"] == "paused"
    copy = client.post(f"{address}/tokenizer", json={}).json()
    assert 257 < copy["vocab_size"] < 300
    assert client.get(address).json()["state"] == "paused"
    assert client.get(f"{address}/file").json()["model"]["vocab"]
    assert client.post(f"{address}/keep").status_code == 200
    found = ended(client, first, "kept")
    assert found["ended"].startswith("Stopped after 1") and found["vocab_size"] < 300
    assert client.post(f"{address}/pause").status_code == 409


def test_continue_goes_on_to_the_end(client, held_back):
    first = started(client)
    address = f"{V1}/trainings/{first['id']}"
    reached(client, first)
    client.post(f"{address}/pause")
    assert client.post(f"{address}/continue").json()["state"] == "running"
    assert ended(client, first)["vocab_size"] == 300


def test_paused_trainings_hold_up_no_other_job(client, held_back):
    waiting = [started(client) for _ in range(2)]
    for each in waiting:
        reached(client, each)
        client.post(f"{V1}/trainings/{each['id']}/pause")
    third = started(client)
    reached(client, third)
    assert client.delete(f"{V1}/trainings/{third['id']}").status_code == 204
    ended(client, third, "cancelled")
    for each in waiting:
        client.post(f"{V1}/trainings/{each['id']}/continue")
        ended(client, each)


def test_cancelled_ones_stay_and_can_be_resumed(client, held_back):
    first = started(client)
    address = f"{V1}/trainings/{first['id']}"
    reached(client, first)
    assert client.delete(address).status_code == 204
    found = ended(client, first, "cancelled")
    assert found["ended"].startswith("Cancelled after") and found["error"] is None and found["can_resume"]
    again = client.post(f"{address}/resume").json()
    assert again["state"] == "running" and again["job"] != first["job"] and not again["can_resume"]
    client.post(f"{address}/pause")
    client.post(f"{address}/continue")
    done = ended(client, again)
    for stage in (0, 1, 2):  # those before the checkpoint
        assert done["stages"][stage] == found["stages"][stage] and found["stages"][stage]["elapsed_s"] is not None
    assert done["vocab_size"] == 300 and client.get(f"{address}/steps").json()["total"] == 43 and not done["can_resume"]
    assert client.post(f"{address}/resume").status_code == 409


def test_one_without_a_checkpoint_cannot_be_resumed(client, refused, held_back):
    first = started(client)
    address = f"{V1}/trainings/{first['id']}"
    assert not reached(client, first)["can_resume"]
    client.delete(address)
    assert ended(client, first, "cancelled")["can_resume"]
    (client.app.state.lab.settings.data_dir / "trainings" / str(first["id"]) / checkpoint.NAME).unlink()
    assert not client.get(address).json()["can_resume"]
    assert not client.get(f"{V1}/trainings").json()["trainings"][0]["can_resume"]
    problem = refused(client.post(f"{address}/resume"), 409, "conflict")
    assert problem["message"] == f"training {first['id']} has no checkpoint"
    assert problem["hint"] == "it ended before its first checkpoint: start it again"


def test_one_that_failed_says_what_to_do_in_place_of_resuming(client, refused):
    failed = ended(client, started(client, preset="bert", options={"vocab_size": 8}), "failed")
    problem = refused(client.post(f"{V1}/trainings/{failed['id']}/resume"), 409, "conflict")
    assert problem["message"] == f"training {failed['id']} has no checkpoint"
    assert problem["hint"].startswith("its error says what to change")


def test_one_that_is_cancelled_while_it_counts_says_so_and_resumes(client, monkeypatch: pytest.MonkeyPatch):
    counts = counting.count_unit

    def cancel(reading, unit, words, reports, check, threads):
        counts(reading, unit, words, reports)
        client.delete(f"{V1}/trainings/{client.get(f'{V1}/trainings').json()['trainings'][0]['id']}")
        check()

    with monkeypatch.context() as patched:
        patched.setattr(counting, "count_unit", cancel)
        found = ended(client, started(client), "cancelled")
    assert found["ended"] == "Cancelled while counting words." and found["can_resume"] and found["error"] is None
    address = f"{V1}/trainings/{found['id']}"
    assert client.get(f"{address}/log").json()["lines"][-1]["words"] == "Cancelled while counting words."
    assert ended(client, client.post(f"{address}/resume").json())["vocab_size"] == 300


def test_stopping_the_job_cancels_the_training(client, held_back):
    first = started(client)
    reached(client, first)
    client.delete(f"{V1}/jobs/{first['job']}")
    ended(client, first, "cancelled")


def test_a_killed_one_is_interrupted_and_resumes(client, held_back, monkeypatch):
    """As a new process finds it: a row that says running, an owner that is gone, a checkpoint."""
    first = started(client)
    reached(client, first)
    client.delete(f"{V1}/trainings/{first['id']}")
    cancelled = ended(client, first, "cancelled")
    lab = client.app.state.lab
    facts = cancelled | {"state": "running"}
    records.change(lab.database, "training", first["id"], owner=2**22 + 1, state="running", facts=facts)
    address = f"{V1}/trainings/{first['id']}"
    found = client.get(address).json()
    assert found["state"] == "interrupted" and found["version"] > cancelled["version"]
    assert found["can_resume"] and client.get(f"{V1}/trainings").json()["trainings"] == [found]
    assert client.post(f"{address}/tokenizer", json={}).status_code == 201
    again = client.post(f"{address}/resume").json()
    client.post(f"{address}/pause")
    client.post(f"{address}/continue")
    assert ended(client, again)["vocab_size"] == 300


def test_estimate_and_choices(client):
    found = client.post(f"{V1}/trainings/estimate", json=BODY).json()
    assert (
        found["text_bytes"] == len(TEXT)
        and found["memory_bytes"] > 0
        and found["basis"] == "Measured on the whole text."
    )
    assert found["seconds"] is None or found["seconds"] > 0
    assert client.get(f"{V1}/trainings").json()["trainings"] == []
    forecast = {"seconds": found["seconds"], "memory_bytes": found["memory_bytes"]}
    assert started(client, name="Estimated")["estimate"] == forecast
    assert started(client, options={"vocab_size": 301})["estimate"] is None
    choices = client.get(f"{V1}/trainings/options").json()
    assert [each["name"] for each in choices["presets"]][:2] == ["gpt2", "cl100k"]
    assert choices["algorithms"] == ["bpe", "wordpiece", "unigram", "wordlevel", "character"]
    assert choices["practice"][0]["name"] == "topics" and choices["practice"][0]["bytes"] > 100_000


def test_files_corpora_and_a_held_out_source(client, tmp_path: Path):
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "b.txt").write_text("cats and mats\n")
    found = ended(
        client,
        started(
            client,
            sources=[{"kind": "path", "path": str(tmp_path / "a.txt")}, {"kind": "corpus", "name": "udhr"}],
            held_out={"source": {"kind": "path", "path": str(tmp_path / "b.txt")}},
            name="Mine",
            sample_bytes=50_000,
            threads=2,
        ),
    )
    assert found["name"] == "Mine" and found["held_out"]["bytes"] == 14
    assert len(found["corpus"]["files"]) > 60


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"sources": []}, "no text was named"),
        ({"sources": [{"kind": "text"}]}, "the text source has no text"),
        ({"sources": [{"kind": "path", "path": "relative.txt"}]}, "is not a full path"),
        ({"sources": [{"kind": "path", "path": "/no/such/file.txt"}]}, "there is no file"),
        ({"sources": [{"kind": "practice", "name": "none"}]}, 'no practice corpus "none"'),
        ({"sources": [{"kind": "text", "text": "\ud800"}]}, "surrogate"),
        ({"preset": "gpt9"}, 'no preset "gpt9"'),
        ({"options": {"size": 3}}, 'no option "size"'),
        ({"options": {"vocab_size": 0}}, "vocab_size cannot be 0"),
        ({"options": {"vocab_size": "many"}}, "vocab_size"),
        ({"options": {"special_tokens": ["a", "a"]}}, "given twice"),
        ({"options": {"algorithm": "wordpiece"}}, "trains with bpe"),
        ({"held_out": {"share": 0.9}}, "held_out.share"),
        ({"held_out": {"share": 0.1, "source": {"kind": "text", "text": "a"}}}, "are both given"),
        ({"invalid": "guess"}, "invalid"),
        ({"sample_bytes": 0}, "sample_bytes"),
    ],
)
def test_what_cannot_be_trained_is_refused_at_once(client, changes: dict, words: str):
    answer = client.post(f"{V1}/trainings", content=json.dumps(BODY | changes))
    assert answer.status_code in (400, 422) and words in answer.json()["error"]["message"], answer.text
    assert client.get(f"{V1}/trainings").json()["trainings"] == []


def test_unknown_things_are_not_found(client, refused):
    corpus = {"sources": [{"kind": "corpus", "name": "nobody"}]}
    refused(client.post(f"{V1}/trainings", json=BODY | corpus), 404, "not_found")
    for path in ("", "/steps", "/curve", "/figures", "/log", "/file"):
        refused(client.get(f"{V1}/trainings/7{path}"), 404, "not_found")
    for path in ("pause", "continue", "keep", "resume"):
        refused(client.post(f"{V1}/trainings/7/{path}"), 404, "not_found")


def test_a_state_that_does_not_allow_it_is_a_conflict(client, refused, held_back):
    training = started(client)
    address = f"{V1}/trainings/{training['id']}"
    reached(client, training)
    assert "running" in refused(client.post(f"{address}/resume"), 409, "conflict")["message"]
    assert client.post(f"{address}/keep").status_code == 200
    ended(client, training, "kept")
    for path in ("pause", "continue", "keep", "resume"):
        problem = refused(client.post(f"{address}/{path}"), 409, "conflict")
        assert problem["message"] == f"training {training['id']} is kept" and problem["hint"], path
        assert "interrupted" not in problem["hint"], path
    assert client.get(address).json()["state"] == "kept"


@pytest.mark.parametrize("repeats", [1, 100], ids=["kept with the request", "kept in a file"])
@pytest.mark.parametrize(("name", "title"), [(None, "Pasted text"), ("猫 قطة", "猫 قطة")])
def test_pasted_text_is_known_by_its_name(client, repeats: int, name: str | None, title: str):
    text = "the cat sat on the mat and looked at the mice\n" * repeats
    sources = [{"kind": "text", "text": text, "name": name}]
    found = ended(client, started(client, sources=sources, held_out=None))
    assert found["corpus"]["title"] == title and found["name"] == f"bpe 300, {title}"
    assert {each["name"] for each in found["corpus"]["files"]} <= {title}


@pytest.mark.parametrize("place", [saved.STEPS, saved.HELD_OUT, checkpoint.NAME, output.MAIN, "folder"])
def test_a_file_that_cannot_be_written_fails_the_training_in_words(client, monkeypatch, place: str):
    """A folder takes the place of each file, and a file that of the folder: even root cannot write there."""
    real = run.Run.__init__

    def blocked(self, *given, **settings):
        real(self, *given, **settings, checkpoint_s=0)
        if place == "folder":
            (self.folder / "file").write_text("")
            self.folder = self.folder / "file" / "run"
        else:
            (self.folder / place / "inside").mkdir(parents=True)

    monkeypatch.setattr(run.Run, "__init__", blocked)
    monkeypatch.setattr(run, "STEPS_AT_ONCE", 1)
    found = ended(client, started(client), "failed")
    problem, folder = found["error"], str(client.app.state.lab.settings.data_dir / "trainings" / str(found["id"]))
    assert problem["code"] == "unavailable" and problem["hint"], problem
    assert folder in problem["message"] and "directory" in problem["message"]
    lines = client.get(f"{V1}/trainings/{found['id']}/log").json()["lines"]
    assert lines[-1]["words"] == f"Failed: {problem['message']}; {problem['hint']}."


def test_a_training_that_fails_says_why(client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "a.txt").write_text(TEXT)
    real = run.Run.run

    def changed(self):
        (tmp_path / "a.txt").write_text("another text")
        return real(self)

    monkeypatch.setattr(run.Run, "run", changed)
    found = ended(client, started(client, sources=[{"kind": "path", "path": str(tmp_path / "a.txt")}]), "failed")
    assert found["error"]["code"] == "load_error" and "has changed" in found["error"]["message"]
    address = f"{V1}/trainings/{found['id']}"
    assert not found["can_resume"] and client.post(f"{address}/resume").status_code == 409
    assert client.post(f"{address}/tokenizer", json={}).status_code == 409
    assert client.get(f"{address}/log").json()["lines"][-1]["words"].startswith("Failed: ")


def test_a_copy_that_another_program_makes_takes_nothing_over(client, held_back):
    training = started(client)
    reached(client, training)
    address = f"{V1}/trainings/{training['id']}"
    assert client.post(f"{address}/pause").json()["state"] == "paused"
    lab = client.app.state.lab
    other = Lab(lab.settings)
    trainings.set_tokenizer(other, training["id"], "mine")
    row = records.load(lab.database, "training", training["id"], lambda record: True)[0]
    assert (row.owner, row.state, row.facts["tokenizer"]) == (lab.owners.mine, "paused", "mine")
    assert trainings.load(other, training["id"]).state == "paused"
    assert client.post(f"{address}/keep").status_code == 200
    ended(client, training, "kept")


def test_one_that_ends_while_it_is_read_is_not_called_interrupted(client, held_back, monkeypatch: pytest.MonkeyPatch):
    training, lab = started(client), client.app.state.lab
    reached(client, training)
    read, stale, live = records._select, [], lab.own(LiveTrainings)

    def read_then_end(*arguments):
        rows = read(*arguments)
        if not stale and rows and rows[0][0].kind == "training":
            stale.append(rows[0][0])
            running.keep()
            lab.jobs.wait(training["job"], 60)
        return rows

    monkeypatch.setattr(records, "_select", read_then_end)
    running, find = live.find(training["id"]), live.find
    live.find = lambda id: find(id) if stale else None  # as asked just before it was put there
    found = client.get(f"{V1}/trainings/{training['id']}").json()
    assert stale[0].state == "running" and found["state"] == "kept"


def test_a_start_that_is_written_late_does_not_hide_the_end(client, monkeypatch: pytest.MonkeyPatch):
    trains: set[int] = set()
    work, tell = LiveTraining.work, LiveTraining._tell

    def noted(self, running):
        trains.add(threading.get_ident())
        return work(self, running)

    def late(self):
        tell(self)
        assert threading.get_ident() in trains or self.ended.wait(60)

    monkeypatch.setattr(LiveTraining, "work", noted)
    monkeypatch.setattr(LiveTraining, "_tell", late)
    ended(client, started(client), "done")


@pytest.mark.parametrize(
    ("preset", "held"),
    [
        ("gpt2", {"tokenizer.json", "vocab+merges", "tiktoken"}),
        ("cl100k", {"tokenizer.json", "tiktoken"}),
        ("llama", {"tokenizer.json", "sentencepiece"}),
        ("bert", {"tokenizer.json", "vocab.txt"}),
        ("t5", {"tokenizer.json"}),
        ("sentencepiece", {"tokenizer.json", "sentencepiece"}),
        ("words", {"tokenizer.json"}),
        ("characters", {"tokenizer.json"}),
    ],
)
def test_every_format_that_can_hold_it_is_offered(client, preset: str, held: set[str]):
    size = {"gpt2": 300, "cl100k": 300, "llama": 400, "t5": 60}.get(preset, 100)
    found = ended(client, started(client, preset=preset, options={"vocab_size": size}))
    address = f"{V1}/trainings/{found['id']}"
    offered = {each["format"]: each["problem"] for each in client.get(f"{address}/formats").json()["formats"]}
    assert {format for format, problem in offered.items() if problem is None} == held
    for format, problem in offered.items():
        answer = client.get(f"{address}/file", params={"format": format})
        assert answer.status_code == (200 if problem is None else 422), (format, answer.text)
        assert problem is None or (problem in answer.json()["error"]["message"] and "cannot hold" not in problem)


@pytest.mark.parametrize("preset", ["gpt2", "bert", "t5", "words", "characters"])
def test_the_curve_ends_with_what_the_tokenizer_makes_of_the_held_out_text(client, preset: str):
    size = 300 if preset in ("gpt2", "t5") else 150
    topics = {"sources": [{"kind": "practice", "name": "topics"}], "sample_bytes": 50_000}
    options = {"options": {"vocab_size": size}, "held_out": {"share": 0.2}}
    found = ended(client, started(client, preset=preset, **topics, **options))
    points = client.get(f"{V1}/trainings/{found['id']}/curve").json()["points"]
    held = found["held_out"]
    wanted = {"vocab_size": found["vocab_size"], "held_out_tokens": held["tokens"]}
    assert points[-1] == wanted | {"bytes_per_token": held["bytes_per_token"]}
    assert [point["vocab_size"] for point in points].count(found["vocab_size"]) == 1


def test_parts_of_characters_have_no_text(client):
    found = ended(
        client,
        started(client, sources=[{"kind": "text", "text": "日本語の本 \ufffd " * 40}], options={"vocab_size": 262}),
    )
    rows = client.get(f"{V1}/trainings/{found['id']}/steps", params={"limit": 1000}).json()["rows"]
    pieces = [row[name] for row in rows for name in ("left", "right", "token")]
    for piece in pieces:
        try:
            assert piece["text"] == bytes.fromhex(piece["bytes"]).decode()
        except UnicodeDecodeError:
            assert piece["text"] is None
    assert {piece["text"] is None for piece in pieces} == {True, False}


def test_unknown_text_of_other_tokenizers_is_told(client):
    found = ended(client, started(client, sources=[{"kind": "text", "text": "ᚠᛇᚻ ᛒᛦᚦ words\n" * 400}]))
    address = f"{V1}/trainings/{found['id']}/curve"
    bert, gpt2 = client.get(address, params={"tokenizers": "bert-base-uncased,gpt2"}).json()["references"]
    assert bert["unknown_rate"] > 0.3 and gpt2["unknown_rate"] == 0


def test_the_command_of_a_report_trains_the_same_variant(client):
    options = {"vocab_size": 200, "variant": "sentencepiece"}
    sources = [{"kind": "practice", "name": "topics"}]
    found = ended(client, started(client, preset="t5", options=options, sources=sources, sample_bytes=50_000))
    report = client.get(f"{V1}/trainings/{found['id']}/report", params={"format": "json"}).json()
    assert "train unigram --preset t5 --vocab-size 200 --variant sentencepiece --input" in report["repeat"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"preset": "gpt2", "options": {"vocab_size": 300, "max_token_length": 5, "min_frequency": 2}},
            "train bpe --preset gpt2 --vocab-size 300 --option max_token_length=5 --input",
        ),
        (
            {"preset": None, "options": {"algorithm": "wordpiece", "normalizer": None, "continuing_prefix": "@@"}},
            "train wordpiece --option normalizer=null --option continuing_prefix=@@ --input",
        ),
        (
            {"preset": "words", "options": {"special_tokens": ["[UNK]", "<s>"], "end_suffix": None}},
            "train wordlevel --preset words --special-token '<s>' --input",
        ),
        (
            {"preset": "words", "options": {"special_tokens": ["<s>", "[UNK]"]}},
            'train wordlevel --preset words --option \'special_tokens=["<s>", "[UNK]"]\' --input',
        ),
    ],
)
def test_the_command_of_a_report_has_every_option_that_differs(client, changes: dict, words: str):
    topics = {"sources": [{"kind": "practice", "name": "topics"}], "sample_bytes": 20_000, "held_out": None}
    found = ended(client, started(client, **topics, **changes))
    command = client.get(f"{V1}/trainings/{found['id']}/report", params={"format": "json"}).json()["repeat"]
    assert f"tokenlab {words} practice:topics --sample-bytes 20000 --output trained" == command


def test_reports(client, refused):
    held_out = {"share": 0.1}
    found = ended(
        client, started(client, sources=[{"kind": "practice", "name": "topics"}], held_out=held_out, sample_bytes=9)
    )
    address = f"{V1}/trainings/{found['id']}/report"
    command = (
        "tokenlab train bpe --preset gpt2 --vocab-size 300 --input practice:topics --held-out 0.1 --sample-bytes 9"
        " --output trained"
    )
    for format in ("html", "md", "tex"):
        answer = client.get(address, params={"format": format, "tokenizers": "gpt2"})
        assert answer.status_code == 200 and f"training-{found['id']}.{format}" in answer.headers["content-disposition"]
        for words in ("Python's documentation", "Compression of the held-out text", "Vocabulary", command):
            assert words.replace("'", "&#39;") in answer.text or words in answer.text, words
    page = client.get(address, params={"format": "html", "tokenizers": "gpt2"}).text
    assert re.findall('data-chart="(.*?)"', page) == ["compression", "counts", "size"] and "<td>BPE</td>" in page
    head, *rows = csv.reader(io.StringIO(client.get(address, params={"format": "csv"}).text))
    assert head[:5] == ["rank", "left", "left_bytes", "right", "right_bytes"]
    assert head[5:] == ["count", "token", "token_bytes", "id", "held_out_tokens"]
    assert [row[0] for row in rows] == [str(rank) for rank in range(found["done"])]
    everything = client.get(address, params={"format": "json"}).json()
    assert everything["training"]["id"] == found["id"] and everything["repeat"] == command
    assert len(everything["steps"]) == found["done"] and everything["curve"]["points"]
    refused(client.get(address, params={"format": "pdf"}), 422, "bad_request")
    refused(client.get(f"{V1}/trainings/0/report"), 404, "not_found")


def test_a_report_of_a_text_repeats_over_http_and_names_no_folder(client, tmp_path: Path):
    (tmp_path / "a.txt").write_text(TEXT, "utf-8")
    sources = [{"kind": "path", "path": str(tmp_path / "a.txt")}, {"kind": "text", "text": "日本 | <b>" * 9}]
    found = ended(client, started(client, sources=sources, name="<i>x</i>"))
    answer = client.get(f"{V1}/trainings/{found['id']}/report", params={"format": "html"}).text
    answer = answer.split('<script type="module">')[0]
    assert "POST /api/v1/trainings" in answer and str(tmp_path) not in answer and "<b>" not in answer
    report = client.get(f"{V1}/trainings/{found['id']}/report", params={"format": "md"}).text
    assert report.startswith("# \\<i\\>x\\</i\\>\n") and str(tmp_path) not in report


def test_a_format_that_cannot_hold_it(client, refused):
    found = ended(client, started(client))
    address = f"{V1}/trainings/{found['id']}/file"
    message = refused(client.get(address, params={"format": "vocab.txt"}), 422, "bad_request")["message"]
    assert message == "this tokenizer cannot be saved as vocab.txt: it holds WordPiece vocabularies only"
    refused(client.get(address, params={"format": "zip"}), 422, "bad_request")
    assert "tokenizer.json" in engine.FORMATS


def test_the_beginning_of_its_text_is_read_again(client, tmp_path: Path):
    long = tmp_path / "long.txt"
    long.write_text("naïve words " * 1000, encoding="utf-8")
    for source, text, is_whole in (
        ({"kind": "text", "text": "low lower low"}, "low lower low", True),
        ({"kind": "text", "text": "ab " * 1500}, ("ab " * 1500)[:4000], False),
        ({"kind": "path", "path": str(long)}, ("naïve words " * 1000).encode()[:4000].decode(errors="ignore"), False),
    ):
        training = started(client, sources=[source], held_out=None)
        client.app.state.lab.jobs.wait(training["job"], 60)
        found = client.get(f"{V1}/trainings/{training['id']}/beginning")
        assert found.json() == {"text": text, "is_whole": is_whole}
    long.unlink()
    gone = client.get(f"{V1}/trainings/{training['id']}/beginning")
    assert gone.status_code == 422, gone.text
    assert client.get(f"{V1}/trainings/999/beginning").status_code == 404
