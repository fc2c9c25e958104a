"""What all tests share: where the fixtures are, and a data directory of their own.

Not here: how to start a browser (tests/browser) or the window (tests/desktop).
"""

import faulthandler
import gc
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.processes import processor_s
from tests.scale import MOST_PROCESSOR_S, excess_s, scaled

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
BERT_VOCAB = ROOT / "lab_app" / "vendor" / "bert-base-uncased" / "vocab.txt"

# A shell starts a background process with SIGINT ignored, and so would be what the tests start: a test that sends one
# would wait for ever, and so would the Makefile, which ends a stage that hangs with one.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    # A busy machine is slow, which is no fault of the code: no property has a time limit.
    hypothesis.settings.register_profile("lab", deadline=None, max_examples=scaled(100))
    hypothesis.settings.load_profile("lab")
    # Set before anything imports lab_app, and inherited by what the tests start: nothing of the user's is touched.
    config.stash[_DATA_DIR] = tempfile.mkdtemp(prefix="tokenlab-tests-")
    os.environ["TOKENLAB_DATA_DIR"] = config.stash[_DATA_DIR]
    # Settings made in code, as in the examples of docstrings, do not read the lab's own variables.
    os.environ["XDG_DATA_HOME"] = config.stash[_DATA_DIR]
    # Arrow's own allocator keeps the memory of threads that have ended, hundreds of megabytes after some hundred tests.
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
    os.environ["HF_HOME"] = str(Path(config.stash[_DATA_DIR]) / "huggingface")
    config.stash[_STDERR] = os.dup(2)  # while a test runs, 2 is the file that captures its output


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash.get(_DATA_DIR, ""), ignore_errors=True)
    os.close(config.stash[_STDERR])


def pytest_collection_finish(session: pytest.Session) -> None:
    """Spares the modules and tests that stay to the end from the search for garbage, and has it less often: tests that make
    millions of objects spent a third of their time on it. `pytest_runtest_logfinish` has it when memory has grown."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def pytest_runtest_logfinish() -> None:
    """Frees what tests have left in cycles, such as apps with their tokenizers, when it may be much."""
    global _resident_bytes
    from lab_app.benchmarks.memory import reset_peak, resident_bytes

    if (resident_bytes() or 0) > _resident_bytes + GROWTH_BYTES:
        gc.collect()
        reset_peak()
        _resident_bytes = resident_bytes() or 0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fails a test that takes much more of the processor than others, its children included."""
    before = used_s(item)
    result = yield
    used = used_s(item) - before
    if excess_s(item.nodeid, used):
        pytest.fail(f"{used:.1f} s of processor time, at most {MOST_PROCESSOR_S}: try less, the rest with scaled()")
    return result


def used_s(item: pytest.Item) -> float:
    """What this process and its children that have ended took of the processor, in seconds. Where a test has a browser, a
    server or a window, which live on: all that descend from it."""
    is_seen = {"browser", "desktop"} & set(item.path.parts) and Path("/proc/self/stat").is_file()
    return processor_s(os.getpid()) if is_seen else sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Limits the teardown too: pytest stops `faulthandler_timeout` when a test fails, for a debugger."""
    limit_s = float(item.config.getini("faulthandler_timeout"))
    faulthandler.dump_traceback_later(limit_s, exit=True, file=item.config.stash[_STDERR])
    return (yield)


GROWTH_BYTES = 100_000_000
_resident_bytes = 0
_DATA_DIR = pytest.StashKey[str]()
_STDERR = pytest.StashKey[int]()


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
    """The vocab.txt of bert-base-uncased, which `make setup` packs with the lab."""
    return BERT_VOCAB


@pytest.fixture(scope="session")
def page_bundle() -> None:
    """The bundle of the page as it is now, so that tests open what users open."""
    build_page_bundle()


def build_page_bundle() -> None:
    """Makes the bundle again if a source has changed since (`lab_ui/build_page.mjs`, a tenth of a second)."""
    from lab_app.api.page import digest

    if not (ROOT / "lab_ui" / "vendor" / "fonts").is_dir():
        pytest.exit("lab_ui/vendor is older than this checkout: run `make page`", returncode=2)
    made = ROOT / "lab_ui" / "vendor" / "app.digest"
    if not made.is_file() or made.read_text(encoding="ascii") != digest(ROOT / "lab_ui"):
        done = subprocess.run(["node", "lab_ui/build_page.mjs"], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"lab_ui/build_page.mjs ended with {done.returncode}:\n{done.stderr or done.stdout}")


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data directory for one test, also for the processes it starts."""
    folder = tmp_path / "tokenlab-data"
    folder.mkdir()
    monkeypatch.setenv("TOKENLAB_DATA_DIR", str(folder))
    return folder
