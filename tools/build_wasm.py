"""Builds the engine for pages, `lab_app/vendor/engine.wasm.gz`, if what it is made of has changed or it is not there.

Without the target of the compiler, which rustup brings, it says so and the lab goes without: handouts alone need it.
"""

import gzip
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
from build_engine import digest, source_files

TARGET = "wasm32-unknown-unknown"
MODULE = Path("target", TARGET, "wasm", "token_engine_wasm.wasm")
BUILT = Path("lab_app", "vendor", "engine.wasm.gz")
STAMP = BUILT.with_name("engine.wasm.digest")


def main() -> None:
    made_of = digest([*source_files(but="python"), Path("Cargo.lock")])
    if BUILT.is_file() and STAMP.is_file() and STAMP.read_text() == made_of:
        return
    if not has_target():
        print(
            f"The engine for handouts is not built: Rust lacks {TARGET}, and rustup, which adds it, is not here or offline"
        )
        return
    print("Building the engine for handouts (the first time takes a minute or two)", flush=True)
    command = [
        "cargo",
        "build",
        "--quiet",
        "--locked",
        "--profile",
        "wasm",
        "--target",
        TARGET,
        "-p",
        "token-engine-wasm",
    ]
    done = subprocess.run(command, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    BUILT.parent.mkdir(parents=True, exist_ok=True)
    new = BUILT.with_suffix(".new")
    new.write_bytes(gzip.compress(MODULE.read_bytes(), mtime=0))
    new.replace(BUILT)
    STAMP.write_text(made_of)


def has_target() -> bool:
    """Whether the compiler has the target, which rustup adds if it can."""
    if is_installed():
        return True
    rustup = shutil.which("rustup")
    return (
        rustup is not None and not subprocess.run([rustup, "--quiet", "target", "add", TARGET], check=False).returncode
    )


def is_installed() -> bool:
    """Whether there is a compiler with the target."""
    if shutil.which("rustc") is None:
        return False
    command = ["rustc", "--print", "target-libdir", "--target", TARGET]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.returncode == 0 and any(Path(found.stdout.strip()).glob("libstd-*"))


if __name__ == "__main__":
    main()
