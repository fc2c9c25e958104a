import threading

import pytest

from lab_app.errors import Conflict, NotFound
from lab_app.library import adding
from lab_app.library.importing import files_of
from lab_app.services.lab import Lab
from lab_app.settings import Settings
from tests import tiny


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path / "data", offline=True)


@pytest.fixture
def catalog(settings):
    return Lab(settings).catalog


def add(catalog, path, **options):
    files, suggested_id = files_of(path)
    return adding.add(catalog, files, suggested_id, **options)


def test_a_known_one_whose_bytes_nobody_tells_can_be_the_users_own(catalog, tmp_path):
    """A gated repository's files may be here already."""
    entry = add(catalog, tiny.tokenizer_json(tmp_path / "mine"), id="LLAMA-3")
    assert (entry.id, entry.source, entry.available) == ("llama-3", "added", True)
    adding.remove(catalog, "llama-3")
    assert not catalog.entry("llama-3").available


def test_what_was_added_survives_a_restart(settings, tmp_path):
    path = tiny.vocab_and_merges(tmp_path / "mine")
    add(Lab(settings).catalog, path)
    for file in path.parent.iterdir():
        file.unlink()  # the lab has its own copy
    lab = Lab(settings)
    assert lab.catalog.entries()[-1].id == "mine"
    assert lab.loaded.get("MINE")[1].encode("hello").ids.tolist() == [259]


def test_added_ones_come_last_in_their_order(catalog, tmp_path):
    for name in ("zebra", "ant", "mole"):
        add(catalog, tiny.vocab_txt(tmp_path / name))
    assert [entry.id for entry in catalog.entries()][-3:] == ["zebra", "ant", "mole"]


@pytest.mark.parametrize("id", ["mine", "MINE", "gpt2", "GPT2", "bert-base-uncased"])
def test_a_taken_id_is_refused_and_changes_nothing(catalog, tmp_path, id):
    add(catalog, tiny.vocab_txt(tmp_path / "mine"))
    before = catalog.entries()
    with pytest.raises(Conflict, match=r"(?i)" + id):
        add(catalog, tiny.rank_file(tmp_path), id=id, pattern="gpt2")
    assert catalog.entries() == before
    assert len(list((tmp_path / "data" / "tokenizers").iterdir())) == 1


def test_two_programs_adding_the_same_id_at_once_end_with_one(settings, tmp_path):
    paths = [tiny.vocab_txt(tmp_path / "a"), tiny.rank_file(tmp_path / "b")]
    outcomes: list[object] = []
    ready = threading.Barrier(len(paths))

    def run(path):
        catalog = Lab(settings).catalog
        ready.wait()
        try:
            outcomes.append(add(catalog, path, id="both", pattern="gpt2" if path.suffix == ".tiktoken" else None).id)
        except Conflict as error:
            outcomes.append(error.code)

    threads = [threading.Thread(target=run, args=(path,)) for path in paths]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, outcomes)) == ["both", "conflict"]
    lab = Lab(settings)
    lab.loaded.get("both")
    assert len(list((tmp_path / "data" / "tokenizers").iterdir())) == 1


def test_removing(catalog, tmp_path):
    add(catalog, tiny.vocab_txt(tmp_path / "mine"))
    adding.remove(catalog, "mine")
    assert not list((tmp_path / "data" / "tokenizers").iterdir())
    with pytest.raises(NotFound, match="mine"):
        adding.remove(catalog, "mine")
    with pytest.raises(NotFound, match="nothing to remove"):
        adding.remove(catalog, "t5-base")
    for id in ("gpt2", "bert-base-uncased"):
        with pytest.raises(Conflict, match="built in"):
            adding.remove(catalog, id)
    add(catalog, tiny.vocab_txt(tmp_path / "mine"))  # the id is free again
