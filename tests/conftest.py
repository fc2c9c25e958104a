"""What all tests share: where the fixtures are, and a data directory of their own.

Not here: how to start a browser (tests/browser) or the window (tests/desktop).
"""

import os
import shutil
import tempfile
from pathlib import Path

import hypothesis
import platformdirs
import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"

# The user's own, where `make bert` puts what it fetches. Read, never written. Tests that run in several processes inherit
# the changed environment of the first one, which therefore says where it was.
USERS_DATA_DIR = Path(
    os.environ.get("TOKENLAB_TESTS_USERS_DATA_DIR")
    or os.environ.get("TOKENLAB_DATA_DIR")
    or platformdirs.user_data_dir("tokenlab", appauthor=False)
)


def pytest_configure(config: pytest.Config) -> None:
    # A busy machine is slow, which is no fault of the code: no property has a time limit.
    hypothesis.settings.register_profile("lab", deadline=None)
    hypothesis.settings.load_profile("lab")
    # Set before anything imports lab_app, and inherited by what the tests start: nothing of the user's is touched.
    config.stash[_DATA_DIR] = tempfile.mkdtemp(prefix="tokenlab-tests-")
    os.environ["TOKENLAB_TESTS_USERS_DATA_DIR"] = str(USERS_DATA_DIR)
    os.environ["TOKENLAB_DATA_DIR"] = config.stash[_DATA_DIR]
    # Settings made in code, as in the examples of docstrings, do not read the lab's own variables.
    os.environ["XDG_DATA_HOME"] = config.stash[_DATA_DIR]


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash.get(_DATA_DIR, ""), ignore_errors=True)


_DATA_DIR = pytest.StashKey[str]()


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real vocabularies, texts and expected results; they lie beside the checkout and are not part of it."""
    if not (SHARED / "data").is_dir():
        pytest.skip("the shared test data are not here: a folder ../shared/data beside the checkout")
    return SHARED / "data"


@pytest.fixture(scope="session")
def bert_vocab() -> Path:
    """The vocab.txt of bert-base-uncased: the shared one, or what `make bert` fetched."""
    found = fetched_bert_vocab()
    if found is None:
        pytest.skip("bert-base-uncased is neither in ../shared/data nor fetched: run `make bert`")
    return found


def fetched_bert_vocab() -> Path | None:
    """The same for what is no test; None where it is not here."""
    fetched = sorted(USERS_DATA_DIR.glob("tokenizers/*-bert-base-uncased/vocab.txt"))
    shared = SHARED / "data" / "vocab" / "bert-base-uncased" / "vocab.txt"
    return next((path for path in [shared, *fetched] if path.is_file()), None)


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data directory for one test, also for the processes it starts."""
    folder = tmp_path / "tokenlab-data"
    folder.mkdir()
    monkeypatch.setenv("TOKENLAB_DATA_DIR", str(folder))
    return folder
