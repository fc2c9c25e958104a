"""Importing lab_app does nothing: no thread, no process, no file written, no network, no database."""

import json
import subprocess
import sys

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
