"""Installs a wheel without a compiler and without Node, and uses the lab: with the newest packages that it may have, and
with the oldest.

Prints how long the installation took and how large it is. The packages come from the package index.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

UV = Path(sys.prefix, "Scripts" if os.name == "nt" else "bin", "uv")


def main(given: Path) -> None:
    """Takes a wheel, or the folder that holds nothing else. Run it where `pyproject.toml` is."""
    (wheel,) = given.glob("*.whl") if given.is_dir() else [given]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began = time.monotonic()
        newest = environment(folder / "newest", [wheel])
        seconds = time.monotonic() - began
        use_in(newest, folder)
        oldest = folder / "oldest.txt"
        compile_ = ["pip", "compile", "--quiet", "--resolution", "lowest-direct", "--python", newest / "python"]
        subprocess.run([UV, *compile_, "-o", oldest, "pyproject.toml"], check=True, stdout=subprocess.DEVNULL)
        use_in(environment(folder / "oldest", ["-r", oldest], ["--no-deps", wheel]), folder)
        uvx = [UV, "tool", "run", "--quiet", "--from", wheel, "tokenlab", "--version"]
        version = subprocess.run(uvx, cwd=folder, capture_output=True, text=True, check=True).stdout
        assert version.startswith("tokenlab "), version
        files = (file for file in newest.parent.rglob("*") if file.is_file() and not file.is_symlink())
        size = sum(file.stat().st_size for file in files) / 1e6
    print(
        f"{wheel.name}: {wheel.stat().st_size / 1e6:.0f} MB; installed with all it needs in {seconds:.0f} s: {size:.0f} MB"
    )


def environment(folder: Path, *installs: list[str | Path]) -> Path:
    """Makes a virtual environment and installs into it; where its programs are."""
    subprocess.run([UV, "venv", "--quiet", "--no-project", folder], check=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    for what in installs:
        command = [UV, "pip", "install", "--quiet", "--only-binary", ":all:", "--python", programs / "python", *what]
        subprocess.run(command, check=True)
    return programs


def use_in(programs: Path, folder: Path) -> None:
    """Uses the lab of an environment, with data of its own and nothing of the checkout."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    data = tempfile.mkdtemp(dir=folder)
    use(programs / "tokenlab", {**own, "PATH": str(programs), "TOKENLAB_DATA_DIR": data}, folder)


def use(tokenlab: Path, environment: dict[str, str], folder: Path) -> None:
    """Encodes a text, and serves the page and the HTTP interface. Raises AssertionError if one of them is not as it should be."""
    encode = [tokenlab, "encode", "-t", "gpt2", "--format", "ids", "Hello, world"]
    done = subprocess.run(encode, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["15496", "11", "995"], done.stdout
    handout = Path(tempfile.mkdtemp(dir=folder), "page.html")
    subprocess.run([tokenlab, "handout", "-t", "gpt2", "-o", handout, "Hello"], cwd=folder, env=environment, check=True)
    assert 1e6 < handout.stat().st_size < 2e6, handout.stat().st_size
    serve = [tokenlab, "serve", "--port", "0"]
    process = subprocess.Popen(serve, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        address, _, token = process.stdout.readline().strip().partition("?token=")
        page = answer(address, token)
        assert b"Tokenization Laboratory" in page and b"vendor/page/app-" in page, "the page came without its bundle"
        catalog = json.loads(answer(f"{address}api/v1/tokenizers", token))
        available = {entry["id"] for entry in catalog["tokenizers"] if entry["available"]}
        assert {"gpt2", "bert-base-uncased"} <= available, available
        assert b"What a tokenizer is" in answer(f"{address}guide/", token)
        corpora = json.loads(answer(f"{address}api/v1/corpora", token))
        assert "udhr" in {corpus["id"] for corpus in corpora["corpora"]}, corpora
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def answer(address: str, token: str) -> bytes:
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return response.read()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
