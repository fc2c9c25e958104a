import pytest

from lab_app.errors import LoadFailed, Unavailable
from lab_app.library.adding import add
from lab_app.library.loading import load
from lab_app.services.lab import Lab
from lab_app.settings import Settings
from tests import tiny


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path / "data", offline=True)


@pytest.fixture
def catalog(settings):
    return Lab(settings).catalog


def test_files_that_changed_or_went_are_told_and_not_loaded(catalog, settings, tmp_path):
    entry = add(catalog, [tiny.vocab_txt(tmp_path / "mine")], "mine")
    file = entry.files[0]
    file.write_bytes(file.read_bytes().replace(b"world", b"wOrld"))
    with pytest.raises(LoadFailed, match=r"vocab\.txt of mine has changed"):
        load(entry, settings)
    file.unlink()
    with pytest.raises(LoadFailed, match="is missing"):
        load(entry, settings)


def test_a_known_one_that_is_not_here_says_how_to_get_it(catalog, settings):
    with pytest.raises(Unavailable) as error:
        load(catalog.entry("t5-base"), settings)
    assert "tokenlab" not in error.value.hint and "tokenlab add t5-base" in error.value.on_terminal
