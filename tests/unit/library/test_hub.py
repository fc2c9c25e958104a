import subprocess
import sys

import pytest

from lab_app.errors import Cancelled, Gated, LabError, LoadFailed, NotFound, Unavailable
from lab_app.library.hub import fetch
from lab_app.library.hub_reference import HubReference
from lab_app.library.progress import Progress
from lab_app.services.lab import Lab
from lab_app.services.tokenizers.tokenizers import add, describe
from lab_app.settings import Settings
from tests import tiny
from tests.fake_hub import TOKEN, FakeHub, Repo
from tests.unit.library.sources import closed_address

NAME = "org/tiny"
REFERENCE = HubReference(NAME)
# Several chunks long, so that a break or a stop comes in the middle.
WORDS = ("\n".join([*tiny.WORDS, *(f"word{number}" for number in range(30_000))]) + "\n").encode()
FILES = {"README.md": b"# Tiny", "vocab.txt": WORDS, "model.safetensors": b"x" * 100, "sub/tokenizer.json": b"{}"}


def downloads(hub):
    """What was asked but for the description of the repository."""
    return [asked for asked in hub.asked if "/api/" not in asked]


def left_over(cache):
    """Unfinished downloads."""
    return list(cache.rglob("*.incomplete"))


@pytest.fixture
def hub():
    with FakeHub({NAME: Repo(dict(FILES))}).running() as running:
        yield running


def test_only_the_tokenizers_files_are_fetched_with_progress_to_the_last_byte(hub, settings, folder):
    hub.repos[NAME].files |= {"tokenizer_config.json": b"{}", "chat_template.jinja": b"x", "tokenizer.gguf": b"x"}
    seen: list[Progress] = []
    found = fetch(REFERENCE, folder, settings, seen.append)
    assert sorted(file.name for file in found.files) == ["chat_template.jinja", "tokenizer_config.json", "vocab.txt"]
    total = len(WORDS) + 3
    assert seen[-1] == Progress("the Hugging Face Hub (org/tiny)", total, total)
    assert [one.done_bytes for one in seen] == sorted(one.done_bytes for one in seen)
    assert (found.repository.licence, found.repository.gated) == ("apache-2.0", False)
    assert {one.total_bytes for one in seen} == {total} and len({one.done_bytes for one in seen}) > 4


def test_a_gguf_is_fetched_where_it_is_named(hub, settings, folder):
    hub.repos[NAME].files = {"m.gguf": b"GGUF"}
    with pytest.raises(NotFound, match="no tokenizer file") as error:
        fetch(REFERENCE, folder, settings)
    assert "hub:org/tiny:m.gguf" in error.value.hint
    assert [file.name for file in fetch(HubReference(NAME, "main", "m.gguf"), folder, settings).files] == ["m.gguf"]


def test_a_tokenizer_is_added_with_where_it_comes_from(hub, settings):
    hub.repos[NAME].files["tokenizer_config.json"] = b"{}"
    entry = add(Lab(settings), f"hub:{NAME}")
    assert (entry.id, entry.source, entry.licence) == ("tiny", "downloaded", "apache-2.0")
    assert (entry.repository, entry.revision) == (NAME, hub.repos[NAME].commit)
    lab = Lab(settings)  # another run has it too, with the files that stand beside it
    assert lab.loaded.get("tiny")[1].encode("hello").ids.tolist() == [2, 5, 3]
    assert [file.name for file in lab.catalog.entry("tiny").files] == ["vocab.txt", "tokenizer_config.json"]
    assert add(lab, f"hub:{NAME}@main").id == "org-tiny"  # the short name is taken
    assert add(lab, f"hub:{NAME}", id="mine").id == "mine"


def test_tokenizer_json_is_loaded_where_there_is_one(hub, settings, tmp_path):
    hub.repos[NAME].files["tokenizer.json"] = tiny.tokenizer_json(tmp_path / "json").read_bytes()
    assert add(Lab(settings), f"hub:{NAME}").family == "WordLevel"


def test_large_files_come_by_a_redirect_and_are_told_by_their_sha256(hub, settings, folder):
    hub.repos[NAME].large = ("vocab.txt",)
    assert fetch(REFERENCE, folder, settings).files[0].read_bytes() == WORDS
    assert any(asked.startswith("GET /cdn/") for asked in hub.asked)


@pytest.mark.parametrize("large", [(), ("vocab.txt",)])
def test_damaged_bytes_are_refused_and_not_kept(hub, settings, folder, large):
    hub.repos[NAME].large = large
    hub.damaged = {"vocab.txt"}
    with pytest.raises(LoadFailed, match=r"vocab\.txt of org/tiny is damaged"):
        fetch(REFERENCE, folder, settings)
    hub.damaged = set()
    assert fetch(REFERENCE, folder, settings).files[0].read_bytes() == WORDS
    assert hub.ranges == [None, None]


@pytest.mark.parametrize("knows_ranges", [True, False])
def test_a_connection_that_breaks_is_taken_up_again(hub, settings, folder, cache, knows_ranges):
    hub.break_after = {"vocab.txt": 100_000}
    hub.knows_ranges = knows_ranges
    assert fetch(REFERENCE, folder, settings).files[0].read_bytes() == WORDS
    assert hub.ranges == [None, "bytes=65536-"]
    assert not left_over(cache)


def test_a_stopped_download_leaves_nothing_and_starts_again(hub, settings, folder, cache):
    seen = []

    def stop(progress: Progress) -> None:
        seen.append(progress.done_bytes)
        if progress.done_bytes > 70_000:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        fetch(REFERENCE, folder, settings, stop)
    assert seen[-1] == 131_072, "it stops with the next chunk"
    assert not list(folder.iterdir()) and not left_over(cache)
    assert fetch(REFERENCE, folder, settings).files[0].read_bytes() == WORDS
    assert hub.ranges == [None, None]


@pytest.mark.parametrize("large", [(), ("vocab.txt",)])
def test_what_is_in_the_cache_is_not_downloaded_again(hub, settings, tmp_path, large):
    hub.repos[NAME].large = large
    (tmp_path / "first").mkdir()
    (tmp_path / "second").mkdir()
    fetch(REFERENCE, tmp_path / "first", settings)
    hub.asked.clear()
    seen: list[Progress] = []
    found = fetch(REFERENCE, tmp_path / "second", settings, seen.append)
    assert found.files[0].read_bytes() == WORDS and seen[-1].done_bytes == len(WORDS)
    assert downloads(hub) == []


def filled(hub, tmp_path):
    """A cache as another program leaves it, and a folder for the files."""
    from huggingface_hub import hf_hub_download

    for name in FILES:
        hf_hub_download(NAME, name, endpoint=hub.address)
    hub.asked.clear()
    (tmp_path / "filled").mkdir()
    return tmp_path / "filled"


@pytest.mark.parametrize("large", [(), ("vocab.txt",)])
@pytest.mark.parametrize("revision", ["main", "c0ffee" + "0" * 34])
def test_the_cache_is_enough_where_nothing_may_be_asked(hub, tmp_path, large, revision):
    hub.repos[NAME].large = large
    folder = filled(hub, tmp_path)
    settings = Settings(data_dir=tmp_path, hub_endpoint=hub.address, offline=True)
    found = fetch(HubReference(NAME, revision), folder, settings)
    assert [file.name for file in found.files] == ["vocab.txt"] and found.files[0].read_bytes() == WORDS
    assert found.repository.commit == hub.repos[NAME].commit and hub.asked == []
    assert add(Lab(settings), f"hub:{NAME}").repository == NAME
    with pytest.raises(Unavailable, match="offline"):
        fetch(HubReference(NAME, "v1"), folder, settings)
    with pytest.raises(Unavailable, match="offline"):
        fetch(HubReference(NAME, revision, "other.txt"), folder, settings)


def test_the_cache_is_enough_where_nobody_answers(hub, tmp_path):
    folder = filled(hub, tmp_path)
    settings = Settings(data_dir=tmp_path, hub_endpoint=closed_address())
    assert fetch(REFERENCE, folder, settings).files[0].read_bytes() == WORDS
    hub.status = 503
    assert add(Lab(Settings(data_dir=tmp_path, hub_endpoint=hub.address)), f"hub:{NAME}").id == "tiny"


def test_a_gated_tokenizer_in_the_cache_needs_no_token(hub, tmp_path):
    folder = filled(hub, tmp_path)
    hub.repos[NAME].gated = True
    hub.repos[NAME].commit = "beef" + "0" * 36  # a newer one
    found = fetch(REFERENCE, folder, Settings(data_dir=tmp_path, hub_endpoint=hub.address))
    assert found.repository.commit.startswith("c0ffee") and found.repository.gated


@pytest.mark.parametrize("status", [503, 429, None])
@pytest.mark.parametrize("revision", ["main", "beef" + "0" * 36])
def test_a_download_that_breaks_between_two_files_is_not_taken_for_whole(hub, tmp_path, status, revision, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _seconds: None)  # between the tries
    filled(hub, tmp_path)  # of an older commit
    files = {"tokenizer.json": tiny.tokenizer_json(tmp_path / "json").read_bytes(), "tokenizer_config.json": b"{}"}
    hub.repos[NAME].files, hub.repos[NAME].commit = files, "beef" + "0" * 36
    hub.refused = {"tokenizer_config.json": status}
    lab = Lab(Settings(data_dir=tmp_path, hub_endpoint=hub.address))
    before = lab.catalog.entries()
    with pytest.raises(Unavailable):
        add(lab, f"hub:{NAME}@{revision}")
    assert lab.catalog.entries() == before
    hub.refused = {}
    assert add(lab, f"hub:{NAME}@{revision}").revision == hub.repos[NAME].commit
    assert [file.name for file in lab.catalog.entry("tiny").files] == list(files)


def test_a_gated_tokenizer_that_is_half_in_the_cache_is_refused(hub, settings, tmp_path):
    folder = filled(hub, tmp_path)
    hub.repos[NAME].files["tokenizer_config.json"] = b"{}"
    hub.repos[NAME].gated = True
    with pytest.raises(Gated):
        fetch(REFERENCE, folder, settings)


def test_a_damaged_file_of_the_cache_is_refused_and_fetched_anew(hub, settings, cache, tmp_path):
    folder = filled(hub, tmp_path)
    next(cache.rglob("snapshots/*/vocab.txt")).write_bytes(WORDS[1:])
    offline = Settings(data_dir=tmp_path, hub_endpoint=hub.address, offline=True)
    with pytest.raises(LoadFailed, match="is damaged"):
        fetch(REFERENCE, folder, offline)
    assert fetch(REFERENCE, folder, settings).files[0].read_bytes() == WORDS


def test_the_token_file_is_read(hub, settings, tmp_path, monkeypatch):
    hub.repos[NAME].private = True
    (tmp_path / "token").write_text(TOKEN)
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "token"))
    assert add(Lab(settings), f"hub:{NAME}").id == "tiny"


def test_the_token_is_sent_to_the_hub_alone(hub, settings, folder, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    with FakeHub({NAME: Repo(dict(FILES), private=True)}).running() as elsewhere:
        hub.repos[NAME].large = ("vocab.txt",)
        hub.address = elsewhere.address  # where the redirect leads
        with pytest.raises(NotFound):
            fetch(REFERENCE, folder, settings)
        assert elsewhere.asked == [f"GET /cdn/{NAME}/vocab.txt"]


def test_a_repository_without_a_tokenizer_shows_what_it_has(hub, settings, folder):
    hub.repos[NAME].files = {"README.md": b"", "tokenizer_config.json": b"{}", "sub/vocab.txt": WORDS}
    with pytest.raises(NotFound, match="no tokenizer file") as error:
        fetch(REFERENCE, folder, settings)
    assert "README.md, tokenizer_config.json, sub/vocab.txt" in error.value.hint


def test_names_that_lead_out_of_the_folder_are_not_taken(hub, settings, folder):
    hub.repos[NAME].files |= {"../vocab.json": b"{}", "..\\vocab.bin": b"", "/vocab.js": b""}
    assert [file.name for file in fetch(REFERENCE, folder, settings).files] == ["vocab.txt"]


def test_offline_asks_nobody(hub, settings, folder, tmp_path):
    with pytest.raises(Unavailable, match="offline"):
        fetch(REFERENCE, folder, Settings(data_dir=tmp_path, hub_endpoint=hub.address, offline=True))
    assert hub.asked == []


def test_hf_hub_offline_is_honoured(hub, tmp_path):
    code = "from lab_app.cli.main import main; import sys; sys.argv[1:] = ['add', 'hub:org/tiny']; main()"
    environment = {"HF_HUB_OFFLINE": "1", "HF_ENDPOINT": hub.address, "TOKENLAB_DATA_DIR": str(tmp_path), "PATH": ""}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 1 and "HF_HUB_OFFLINE" in run.stderr and hub.asked == []


def test_files_that_are_no_tokenizer_leave_the_catalog_as_it_was(hub, settings):
    hub.repos[NAME].files["vocab.txt"] = b"\x89PNG\r\n"
    lab = Lab(settings)
    before = lab.catalog.entries()
    with pytest.raises(LabError, match=r"vocab\.txt"):
        add(lab, f"hub:{NAME}")
    assert lab.catalog.entries() == before
    with pytest.raises(NotFound):
        describe(lab, "tiny")
