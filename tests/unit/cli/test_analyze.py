"""`tokenlab analyze`: tables for people, JSON for programs, files by their suffix."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "lines.txt"
    path.write_text("the cat sat\nthe dog ran away\n\nthe end\n", encoding="utf-8")
    return path


def test_tables_for_people(tokenlab, lines: Path, tmp_path: Path):
    done = tokenlab("analyze", str(lines), "-t", "gpt2", "-t", "cl100k_base", "--top", "2")
    shown, notes = done.stdout.decode(), done.stderr.decode()
    assert "50 % coverage" in shown and "Rényi efficiency" in shown
    assert "cumulative" in shown and "3 documents, 34 bytes of lines.txt" in notes
    assert "premium, parity, gini: not measured, the corpus is not parallel" in notes
    assert (
        "characters are unknown" not in notes
        and "zipf of gpt2" in notes
        and "not measured, a fit needs 50 types" in notes
    )


def test_only_what_was_chosen_is_shown(tokenlab, lines: Path):
    done = tokenlab("analyze", str(lines), "-t", "gpt2", "--measure", "tokens", "--top", "0")
    shown, notes = done.stdout.decode(), done.stderr.decode()
    assert "bytes per token" in shown and "fertility" not in shown and "round trip" not in shown
    assert "left out of this analysis" not in notes and "a fit needs 50 types" in notes


def test_the_json_has_every_metric_and_the_files_their_kind(tokenlab, lines: Path, tmp_path: Path):
    names = [str(tmp_path / f"result.{suffix}") for suffix in ("json", "csv", "parquet")]
    outputs = [word for name in names for word in ("-o", name)]
    done = tokenlab("analyze", str(lines), "-t", "gpt2", "--all", "--format", "json", *outputs)
    found = json.loads(done.stdout)
    assert found["corpus"] | {"documents": 3, "bytes": 34, "sampled": None, "empty": 1} == found["corpus"]
    assert {"tokens", "types", "milestones", "lengths", "zipf", "unknown_rate"} <= found["tokenizers"][0].keys()
    assert found["command"] == "tokenlab analyze lines.txt -t gpt2 --alpha 2.5 --top 20 --all"
    assert json.loads(Path(names[0]).read_bytes()) == found and all(Path(name).stat().st_size for name in names)
    refused = tokenlab("analyze", str(lines), "-t", "gpt2", *outputs, status=1)
    assert b"already exists" in refused.stderr
    tokenlab("analyze", str(lines), "-t", "gpt2", *outputs, "--force")


def test_parallel_files_and_keeping(tokenlab, lines: Path, tmp_path: Path):
    (tmp_path / "de.txt").write_text("die Katze saß\nder Hund lief weg\n\nEnde\n", encoding="utf-8")
    files = (str(lines), str(tmp_path / "de.txt"))
    done = tokenlab("analyze", *files, "--parallel", "--reference", "lines", "-t", "gpt2", "--keep")
    assert "premium, lines is 1" in done.stdout.decode() and b"kept as analysis 1" in done.stderr


def test_columns_and_cleaning_are_part_of_the_command(tokenlab, tmp_path: Path):
    path = tmp_path / "rows.csv"
    path.write_text("words,kind\n<b>the cat</b>,a\nthe dog,b\n", encoding="utf-8")
    options = ("--text-column", "words", "--language-column", "kind", "--clean", "html", "--clean", "length:1-9")
    done = tokenlab("analyze", str(path), "-t", "gpt2", "--all", *options, "--format", "json")
    found = json.loads(done.stdout)
    assert found["corpus"]["cleaning"] == {"html": 1, "length:1-9": 0} and found["corpus"]["languages"] == ["a", "b"]
    assert found["corpus"]["bytes"] == len("the catthe dog")
    assert f"analyze rows.csv {' '.join(options)} -t gpt2" in found["command"]
    cleaned = tokenlab("analyze", "udhr", "-t", "gpt2", "--sample", "1kB", "--clean", "nfc", "--format", "json")
    assert "analyze udhr --clean nfc -t gpt2" in json.loads(cleaned.stdout)["command"]


def test_a_cluster_that_is_not_there(tokenlab, lines: Path):
    words = ("analyze", str(lines), "-t", "gpt2", "--scheduler", "tcp://127.0.0.1:1")
    assert b"the scheduler tcp://127.0.0.1:1 does not answer" in tokenlab(*words, status=1).stderr
    assert b"give --scheduler or --workers" in tokenlab(*words, "--workers", "2", status=2).stderr


def test_much_unknown_is_said(tokenlab, lines: Path):
    lines.write_text("ภาษาไทย ภาษา\n", encoding="utf-8")
    notes = tokenlab("analyze", str(lines), "-t", "bert-base-uncased").stderr.decode()
    assert "of the characters are unknown, so compression looks better than it is" in notes


def test_comparing_with_a_kept_analysis(tokenlab, lines: Path):
    tokenlab("analyze", str(lines), "-t", "gpt2", "-t", "cl100k_base", "--keep")
    same = tokenlab("analyze", str(lines), "-t", "gpt2", "--compare", "1")
    assert b"0 metrics of " in same.stderr and b"cl100k_base: only in analysis 1" in same.stderr
    lines.write_text("the cat sat\n", encoding="utf-8")
    other = tokenlab("analyze", str(lines), "-t", "gpt2", "--compare", "1")
    assert "sha256 of the corpus" in other.stdout.decode() and "bytes_per_token" in other.stdout.decode()
    assert b"there is no analysis 9" in tokenlab("analyze", str(lines), "-t", "gpt2", "--compare", "9", status=1).stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-t", "gpt9"), b"gpt9"),
        (("-t", "gpt2", "--sample", "many"), b'"many" is not a size'),
        (("-t", "gpt2", "-o", "x.docx"), b"ends in .json, .csv, .parquet"),
        (("-t", "gpt2", "--measure", "wrods"), b'no measure "wrods"'),
        (("-t", "gpt2", "--clean", "htm"), b'no step of cleaning "htm"'),
    ],
)
def test_wrong_use_is_explained(tokenlab, lines: Path, arguments: tuple[str, ...], words: bytes):
    assert words in tokenlab("analyze", str(lines), *arguments, status=1 if "gpt9" in arguments else 2).stderr
