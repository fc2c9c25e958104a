import threading

import pytest

from lab_app.errors import Conflict, LoadFailed, NotFound, Unavailable
from lab_app.library.known import known_tokenizers
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
    from lab_app.library.importing import files_of

    files, suggested_id = files_of(path)
    return catalog.add(files, suggested_id, **options)


def test_known_tokenizers_can_be_loaded_or_have_somewhere_to_come_from():
    for known in known_tokenizers():
        assert known.built_in != bool(known.sources) and known.licence
        # One file is known by its sha256; several are checked against what the Hub announces, and by loading.
        one_file = known.engine is not None or known.file is not None
        assert one_file == (known.sha256 is not None) == (known.size_bytes is not None)
        assert known.sha256 is None or len(known.sha256) == 64


def test_a_new_catalog_has_the_known_ones(catalog):
    entries = catalog.entries()
    assert [(entry.id, entry.available) for entry in entries[:4]] == [
        ("gpt2", True),
        ("cl100k_base", True),
        ("o200k_base", True),
        ("bert-base-uncased", True),
    ]
    assert [entry.id for entry in entries] == [known.id for known in known_tokenizers()]
    assert [entry.id for entry in entries if entry.available] == [
        known.id for known in known_tokenizers() if known.built_in
    ]


def test_a_known_one_whose_bytes_nobody_tells_can_be_the_users_own(catalog, tmp_path):
    """A gated repository's files may be here already."""
    entry = add(catalog, tiny.tokenizer_json(tmp_path / "mine"), id="LLAMA-3")
    assert (entry.id, entry.source, entry.available) == ("llama-3", "added", True)
    catalog.remove("llama-3")
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
    catalog.remove("mine")
    assert not list((tmp_path / "data" / "tokenizers").iterdir())
    with pytest.raises(NotFound, match="mine"):
        catalog.remove("mine")
    with pytest.raises(NotFound, match="nothing to remove"):
        catalog.remove("t5-base")
    for id in ("gpt2", "bert-base-uncased"):
        with pytest.raises(Conflict, match="built in"):
            catalog.remove(id)
    add(catalog, tiny.vocab_txt(tmp_path / "mine"))  # the id is free again


def test_files_that_changed_or_went_are_told_and_not_loaded(catalog, tmp_path):
    entry = add(catalog, tiny.vocab_txt(tmp_path / "mine"))
    file = entry.files[0]
    file.write_bytes(file.read_bytes().replace(b"world", b"wOrld"))
    with pytest.raises(LoadFailed, match=r"vocab\.txt of mine has changed"):
        catalog.load(entry)
    file.unlink()
    with pytest.raises(LoadFailed, match="is missing"):
        catalog.load(entry)


def test_a_known_one_that_is_not_here_says_how_to_get_it(catalog):
    with pytest.raises(Unavailable) as error:
        catalog.load(catalog.entry("t5-base"))
    assert "tokenlab" not in error.value.hint and "tokenlab add t5-base" in error.value.on_terminal


def test_an_unknown_id_is_named(catalog):
    with pytest.raises(NotFound, match="gpt9"):
        catalog.entry("gpt9")
