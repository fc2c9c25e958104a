"""Builds the engine into the virtual environment if what it is made of has changed, or it is not there.

Told by content, not by time: cargo believes in times, so a file put back with an old time would not be built.
"""

import hashlib
import subprocess
import sys
from pathlib import Path

SUFFIXES = {".rs", ".toml", ".bin", ".txt"}
NOT_BUILT = {"tests", "bench", "examples", "fuzz", "target"}
BIN = Path(sys.prefix, "bin")
STAMP = Path(sys.prefix, "stamps", "engine")


def main() -> None:
    made = [*Path("lab_app").glob("_engine*.so"), *Path("lab_app").glob("_engine*.pyd")]
    sources = digest(source_files(but="wasm"))
    if made and BIN.joinpath("tokenlab").exists() and STAMP.is_file() and STAMP.read_text() == stamp(sources):
        return
    print("Building the engine (release; the first time takes a minute or two)", flush=True)
    for crate in ("core", "inspect", "python", "train"):
        Path("engine_rs", crate, "src", "lib.rs").touch()
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--reinstall-package", "tokenization-lab"]
    done = subprocess.run([BIN / "uv", "pip", "install", *options, "-e", "."], check=False)
    if done.returncode:
        sys.exit(done.returncode)
    STAMP.write_text(stamp(sources))


def stamp(sources: str) -> str:
    """What the engine is made of. Cargo.lock is read after a build, which may have completed it."""
    return f"{sources} {digest([Path('Cargo.lock')])} {sys.version}"


def source_files(but: str) -> list[Path]:
    """What the engine is built from, without the crate of another binding."""
    others = {*NOT_BUILT, but}
    found = [path for path in Path("engine_rs").rglob("*") if path.suffix in SUFFIXES and others.isdisjoint(path.parts)]
    return sorted([*found, Path("Cargo.toml"), Path("pyproject.toml")])


def digest(files: list[Path]) -> str:
    """A digest of names and contents."""
    found = hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        found.update(f"{path} {len(content)}\n".encode() + content)
    return found.hexdigest()


if __name__ == "__main__":
    main()
