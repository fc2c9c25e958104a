"""What says how a result was made is true: its command gives the same tokens, and it holds nothing private."""

import shlex
import subprocess
from dataclasses import asdict
from datetime import UTC, datetime

import pytest

from lab_app import version
from lab_app.errors import BadValue, NotFound
from lab_app.json_text import json_text
from lab_app.library.entry import Entry
from lab_app.reports.citation import bibtex, cite
from lab_app.reports.latex import plain as latex
from lab_app.services.lab import Lab
from lab_app.services.sessions.provenance import TEXT_FILE, caption, provenance
from lab_app.services.tokenizers.tokenizers import add
from lab_app.settings import Settings
from lab_app.version import _head, lab_commit
from tests import tiny

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    lab = Lab(Settings(data_dir=folder / "data", offline=True, token="sesame"))
    add(lab, tiny.vocab_txt(folder / "words"), id="words")
    return lab


def test_it_names_all_that_influences_the_result(lab):
    made = provenance(lab, ["GPT2", "words"], "a 日", add_special_tokens=False, specials="reject", now=NOON)
    assert [each.id for each in made.tokenizers] == ["gpt2", "words"]
    assert [each.sha256 for each in made.tokenizers] == [lab.catalog.entry(id).sha256 for id in ("gpt2", "words")]
    assert asdict(made.settings) == {"add_special_tokens": False, "specials": "reject", "ignore_spaces": True}
    assert (made.text.bytes, made.text.characters, made.made_at) == (5, 3, "2024-05-01T12:00:00+00:00")
    for word in ("gpt2", "words", made.lab_version, "2024-05-01", "refused", made.tokenizers[1].sha256[:12]):
        assert word in caption(made)


def test_it_holds_no_path_and_no_secret(lab):
    told = json_text(cite(lab, ["gpt2", "words"], "a"))
    assert str(lab.settings.data_dir.parent) not in told and "sesame" not in told


def test_a_revision_of_the_hub_is_named(lab, monkeypatch):
    facts = {"id": "hub", "name": "Hub", "family": "BPE", "sha256": "a" * 64}
    entry = Entry(**facts, source="downloaded", repository="openai-community/gpt2", revision="607a30d")
    monkeypatch.setattr(lab.catalog, "entry", lambda _id: entry)
    made = provenance(lab, ["hub"], "a")
    assert "openai-community/gpt2@607a30d" in caption(made) and "openai-community/gpt2@607a30d" in bibtex(made)


@pytest.mark.parametrize(
    ("text", "is_inside"),
    [
        ('it\'s "quoted" $HOME `x`', True),
        ("--help", True),
        ("two\nlines", True),
        ("👩\u200d🔬", True),
        ("", True),
        ("-", False),
        ("x" * 301, False),
        ("bell \x07", False),
        ("\u202eevil", False),
        ("a\r\nb", False),
    ],
)
def test_a_command_holds_texts_that_a_shell_takes(lab, text, is_inside):
    made = provenance(lab, ["gpt2"], text)
    assert made.command_file == (None if is_inside else TEXT_FILE)
    assert shlex.split(made.command)[-2:] == (["--", text] if is_inside else ["--file", TEXT_FILE])


def test_what_cannot_be_told_is_refused(lab):
    with pytest.raises(NotFound):
        provenance(lab, ["gpt9"], "a")
    with pytest.raises(BadValue):
        provenance(lab, ["gpt2"], "\ud83d")
    for ids in ([], ["gpt2", "GPT2"], [f"gpt{number}" for number in range(9)]):
        with pytest.raises(BadValue):
            cite(lab, ids, "a")


def test_the_entry_for_bibtex_is_whole(lab):
    entry = bibtex(provenance(lab, ["o200k_base", "words"], "a", now=NOON))
    assert entry.startswith("@software{tokenization_laboratory_2024,\n") and entry.endswith("}\n")
    assert entry.count("{") == entry.count("}")
    assert "  year = {2024}" in entry and "o200k\\_base" in entry and lab.catalog.entry("words").sha256 in entry


def test_latex_has_no_live_character_left():
    assert latex("a_b & 50% #1 {x} $ ~ ^ \\") == (
        r"a\_b \& 50\% \#1 \{x\} \$ \textasciitilde{} \textasciicircum{} \textbackslash{}"
    )


def test_the_commit_is_found_in_a_checkout_and_in_a_linked_one(tmp_path):
    commit, other = "a" * 40, "b" * 40
    git = tmp_path / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "refs" / "heads" / "main").write_text(commit + "\n")
    assert _head(git) == commit
    (git / "refs" / "heads" / "main").unlink()
    (git / "packed-refs").write_text(f"# pack-refs\n{other} refs/heads/main\n")
    assert _head(git) == other
    linked = git / "worktrees" / "second"
    linked.mkdir(parents=True)
    (linked / "HEAD").write_text("ref: refs/heads/main\n")
    (linked / "commondir").write_text("../..\n")
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / ".git").write_text(f"gitdir: {linked}\n")
    assert _head(tmp_path / "second" / ".git") == other
    (git / "HEAD").write_text(commit)
    assert _head(git) == commit


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout that the lab seems to run in, with one file."""
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    (tmp_path / "file").write_text("as committed\n")
    for words in (("init", "-q"), ("add", "file"), (*who, "commit", "-qm", "One file")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    monkeypatch.setattr(version, "ROOT", tmp_path)
    lab_commit.cache_clear()
    yield tmp_path
    lab_commit.cache_clear()


def test_the_commit_of_a_changed_checkout_says_so(checkout, lab):
    commit = _head(checkout / ".git")
    assert lab_commit() == commit
    (checkout / "file").write_text("changed\n")
    lab_commit.cache_clear()
    assert lab_commit() == f"{commit}+modified"
    assert f"commit {commit[:12]}+modified, " in caption(provenance(lab, ["gpt2"], "a"))
    assert f"commit {commit[:12]}+modified on " in cite(lab, ["gpt2"], "a").sentence


def test_without_git_the_commit_is_told_as_it_is(checkout, monkeypatch):
    (checkout / "file").write_text("changed\n")
    monkeypatch.setenv("PATH", str(checkout))
    assert lab_commit() == _head(checkout / ".git")
