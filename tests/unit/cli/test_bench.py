"""`tokenlab bench`: what people and programs read, what is kept and saved, and the exit status."""

import json

import pytest

from lab_app.benchmarks.environment import usable_cpus
from lab_app.benchmarks.speed import noise, runner
from lab_app.version import lab_version

QUICK = ("bench", "one two three\n" * 50, "-t", "gpt2", "--rounds", "5")


@pytest.fixture(autouse=True)
def quickly(monkeypatch):
    monkeypatch.setattr(noise, "SAMPLES", 10)
    monkeypatch.setattr(runner, "SAMPLE_NS", 1_000_000)


def test_ours_against_the_reference(tokenlab, tmp_path):
    path = tmp_path / "result.csv"
    done = tokenlab(*QUICK, "--format", "json", "--save", str(path), "--keep")
    found = json.loads(done.stdout)
    first, ours = found["runs"]
    assert (first["engine"], first["ratio"], ours["engine"]) == ("tiktoken", None, "tokenlab")
    assert ours["exact"] is True and ours["ratio"]["low"] <= ours["ratio"]["median"] <= ours["ratio"]["high"]
    build = found["environment"]["build"]
    assert build.startswith(f"{lab_version()}, ") and "CPU features compiled in: " in build and "; detected: " in build
    assert found["environment"]["python"] and found["result"]["id"] == 1 and ours["problem"] is None
    assert path.read_text().startswith('"rank","tokenizer","engine"') and "kept as benchmark 1" in done.stderr.decode()

    again = tokenlab(*QUICK, "--against", "tiktoken", "--compare", "1")
    words = again.stdout.decode()
    assert "1 (baseline)" in words and "verdict" in words and "throughput" in words
    assert "pretokenizer" in words and "cache hits" in words
    assert "repeat: tokenlab bench --subject gpt2/tiktoken --subject gpt2/tokenlab -" in again.stderr.decode()


@pytest.mark.skipif(len(usable_cpus()) < 2, reason="needs two CPUs to bind to")
def test_a_cold_batch_on_two_threads(tokenlab):
    options = ("--threads", "2", "--shape", "batch", "--mode", "cold")
    found = json.loads(tokenlab(*QUICK, *options, "--format", "json").stdout)["result"]
    assert found["environment"]["pinned_cpus"] == usable_cpus()[-2:] and found["settings"]["threads"] == 2
    for row in found["rows"]:
        assert (row["state"], row["tokens"], row["exactness"]["differing"]) == ("ok", 200, 0)
    cache = found["rows"][1]["stages"]["cache"]
    assert cache["misses"] >= 3, "a tokenizer that was just loaded remembers no word"


def test_a_file_is_repeated_from_its_folder_and_the_fastest_is_first(tokenlab, tmp_path):
    path = tmp_path / "my.txt"
    path.write_text("one two three\n" * 50)
    done = tokenlab("bench", "-t", "gpt2", "--file", str(path), "--rounds", "5", "--save", str(tmp_path / "result.md"))
    assert f"--file {path} --baseline" in done.stderr.decode()
    assert "--file my.txt" in (tmp_path / "result.md").read_text()  # a report goes to others
    ranks = [words[0] for line in done.stdout.decode().splitlines() if len(words := line.split()) > 1]
    assert ranks[:3] == ["rank", "1", "2"]


def test_engines_are_listed_with_the_command_that_installs_them(tokenlab):
    found = json.loads(tokenlab("bench", "--engines", "-t", "gpt2", "--format", "json").stdout)
    assert {"tokenlab", "tiktoken", "gigatoken"} <= {each["name"] for each in found["engines"]}
    assert "sentencepiece" in tokenlab("bench", "--engines").stdout.decode()


def test_wrong_use(tokenlab, tmp_path):
    for arguments, problem in [
        (("--against", "spacy"), 'there is no engine "spacy"'),
        (("--preset", "reference", "--subject", "gpt2/tokenlab"), "give one of them"),
        (("--corpus", "udhr"), "a text, --corpus and --file are given together"),
        (("--save", "result.pdf"), "no known suffix"),
        (("--rounds", "2"), "rounds is 2"),
        (("--max-bytes", "much"), '"much" is not a size'),
    ]:
        assert problem in tokenlab(*QUICK[:4], *arguments, status=2).stderr.decode()


def test_nothing_measured_is_status_1(tokenlab):
    done = tokenlab("bench", "a text", "--subject", "gpt2/sentencepiece", "--rounds", "5", status=1)
    assert "unsupported" in done.stdout.decode() and "this tokenizer has none" in done.stderr.decode()


@pytest.mark.parametrize(
    ("cost", "head", "subject"),
    [
        ("stages", "cache hits", "gpt2"),
        ("threads", "exponent", "gpt2/tokenlab"),
        ("pathological", "reaches 10 MB/s", "gpt2/tokenlab"),
        ("race", "exponent", "textbook"),
    ],
)
def test_what_encoding_costs(tokenlab, cost, head, subject):
    options = ("--max-bytes", "100", "--rounds", "1", "-t", "gpt2")
    source = ("one two three\n" * 50,) if cost == "stages" else ()
    words = tokenlab("bench", *source, "--cost", cost, *options).stdout.decode()
    assert head in words and subject in words


def test_trainers_race_on_a_text(tokenlab, tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("hug pug pun bun hugs\n" * 20, encoding="utf-8")
    options = ("--cost", "trainers", "--rounds", "1", "--merges", "5")
    done = tokenlab("bench", *options, "--file", path)
    words = done.stdout.decode()
    for each in ("naive", "incremental", "heap", "fast", "pairs counted", "stale entries"):
        assert each in words
    assert "text.txt: up to 5 merges; all make the same merges" in done.stderr.decode()
    report = json.loads(tokenlab("bench", "hug pug hug", *options, "--format", "json").stdout)["trainers"]
    assert (report["text"], report["merges"]) == ("Pasted text", 5)
    assert {each["same_merges"] for each in report["entrants"]} == {True}
    assert [point["size"] for point in report["entrants"][0]["points"]] == [11]


def test_merges_belong_to_trainers(tokenlab):
    for wrong in (("--cost", "race", "--merges", "5"), ("--merges", "5")):
        assert "--merges is given without --cost trainers" in tokenlab("bench", *wrong, status=2).stderr.decode()


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (("--cost", "race", "--file", "a.txt"), "--cost race is given with --file\n"),
        (("text", "--cost", "growth", "--keep"), "--cost growth is given with text, --keep\n"),
        (("--cost", "stages", "--corpus", "udhr", "--baseline", "gpt2/tokenlab"), "given with --baseline\n"),
        (("--cost", "race", "-t", "gpt2", "-t", "cl100k_base"), "--cost race is given with 2 tokenizers"),
    ],
)
def test_what_a_cost_would_ignore_is_refused(tokenlab, given, named):
    assert named in tokenlab("bench", *given, status=2).stderr.decode()


def test_cost_as_json_is_the_report(tokenlab):
    options = ("--max-bytes", "1kB", "--rounds", "1", "--input", "random_letters", "--format", "json")
    report = json.loads(tokenlab("bench", "--cost", "growth", *options).stdout)
    (curve,) = report["growth"][0]["curves"]
    assert [(point["size"], point["state"]) for point in curve["points"]] == [(100, "ok"), (316, "ok"), (1000, "ok")]
    assert report["growth"][0]["text"] and (report["id"], report["race"]) == (None, None)
    assert "add --cost growth" in tokenlab("bench", "a text", "--input", "words", status=2).stderr.decode()
