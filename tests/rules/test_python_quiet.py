"""Importing lab_app does nothing: no thread, no process, no file written, no network, no database."""

import json
import os
import subprocess
import sys

import pytest

from tests.rules.sources import ROOT, files, module_name

WATCHER = """
import importlib, json, sys, threading

NOISY = ("socket.", "subprocess.", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.system", "os.putenv",
         "os.posix_spawn", "os.fork", "sqlite3.connect", "webbrowser.", "tempfile.")
seen = []

def watch(event, arguments):
    writes = event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+")
    if not (writes or event.startswith(NOISY)):
        return
    # What a library does to itself while it is imported is not ours: only a call from our own line counts.
    frame = sys._getframe(1)
    while frame and frame.f_code.co_filename.startswith("<frozen"):
        frame = frame.f_back
    while frame and "lab_app" not in frame.f_globals.get("__name__", ""):
        if frame.f_code.co_name == "<module>":
            return
        frame = frame.f_back
    if frame:
        seen.append(f"{frame.f_globals['__name__']}:{frame.f_lineno} {event} {arguments!r:.80}")

sys.addaudithook(watch)
for module in json.loads(sys.argv[1]):
    importlib.import_module(module)
seen += [f"thread {thread.name}" for thread in threading.enumerate() if thread is not threading.main_thread()]
print(json.dumps(seen))
"""


def test_importing_any_module_has_no_side_effect(tmp_path):
    modules = [module_name(path) for path in files("lab_app", ".py") if path.stem != "__main__"]
    run = subprocess.run(
        [sys.executable, "-B", "-c", WATCHER, json.dumps(modules)],
        cwd=ROOT,
        env={"PATH": "", "HOME": str(tmp_path), "TOKENLAB_DATA_DIR": str(tmp_path / "data")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, f"a module cannot be imported by itself:\n{run.stderr}"
    seen = json.loads(run.stdout.splitlines()[-1])
    assert not seen, "move this into a function that somebody calls:\n" + "\n".join(seen)
    assert not list(tmp_path.iterdir()), "an import left files in the home or data directory"


def test_the_command_line_starts_without_slow_libraries(tmp_path):
    """What `tokenlab list` waits for before it can begin."""
    slow = ["huggingface_hub", "httpx2", "plotly", "webview", "PySide6", "tokenizers", "tiktoken", "sentencepiece"]
    code = f"import sys, lab_app.cli.main; print([m for m in {slow!r} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout.strip() == "[]", "these are imported before anybody asked; import them where they are used"


COUNTER = """
import collections, json, os, sys
sys.argv = ["tokenlab", *json.loads(sys.argv[1])]
try:
    if sys.argv[1:]:
        from lab_app.cli.main import main
        main()
    else:
        import lab_app.engine
except SystemExit as ended:
    assert not ended.code, ended.code
known = {*sys.stdlib_module_names, "__main__"}
parts = collections.Counter(name.partition(".")[0] for name in sys.modules)
print(json.dumps({part: parts[part] for part in parts if part not in known and not part.startswith("_")}), file=sys.stderr)
"""

PARSER = {"typer", "annotated_doc", "shellingham"}
VALUES = {"pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection"}
"""With them, typer reads the values of options."""
LAB = {"platformdirs", "cachetools"}
STARTS = {
    "the engine": ((), set(), 4),
    "--version": (("--version",), PARSER, 20),
    "encode": (("encode", "-t", "gpt2", "--format", "ids", "Hello"), PARSER | VALUES | LAB, 60),
    "encode, as a table": (("encode", "-t", "gpt2", "Hello"), PARSER | VALUES | LAB | {"rich"}, 60),
    "train": (("train", "bpe", "--vocab-size", "260"), PARSER | VALUES | LAB | {"numpy"}, 112),
}
"""Arguments, libraries that are imported, and the most modules of the lab."""


@pytest.mark.parametrize(("arguments", "libraries", "most"), STARTS.values(), ids=STARTS)
def test_a_start_imports_few_modules(tmp_path, arguments, libraries, most):
    """The time of a short command is that of its imports, and modules can be counted: a time depends on the machine."""
    if "train" in arguments:
        (tmp_path / "text.txt").write_text("low lower lowest")
        arguments = (*arguments, "--input", str(tmp_path / "text.txt"), "--output", str(tmp_path / "trained"))
    run = subprocess.run(
        [sys.executable, "-c", COUNTER, json.dumps(arguments)],
        cwd=ROOT,
        env={**os.environ, "TOKENLAB_DATA_DIR": str(tmp_path / "data")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stderr.splitlines()[-1])
    assert set(found) - {"lab_app"} <= libraries, "import these where they are used"
    assert found["lab_app"] <= most, "import modules of the lab where they are used, or raise the number with a reason"
