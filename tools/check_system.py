"""Checks what `make` needs of the system: cargo, and packages of Debian and Ubuntu.

Arguments are packages; names joined by | are the same package in different releases. Missing ones are installed by root and
named otherwise. A system without dpkg is left alone.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys

CARGO = (1, 89)


def main(packages: list[str]) -> None:
    check_cargo()
    if not shutil.which("dpkg-query"):
        return
    if not all(map(importlib.util.find_spec, ("ensurepip", "venv"))):
        packages.append(f"python3.{sys.version_info.minor}-venv")
    shown = output("dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n").splitlines()
    have = {line.split()[0] for line in shown if line.endswith(" installed")}
    missing = [names for names in packages if have.isdisjoint(names.split("|"))]
    if missing:
        install(missing)


def check_cargo() -> None:
    """Ends the program if cargo is missing or too old."""
    if not shutil.which("cargo"):
        sys.exit("cargo is missing. Install Rust: https://rustup.rs")
    version = output("cargo", "--version").split()[1]
    if tuple(map(int, version.split(".")[:2])) < CARGO:
        needed = ".".join(map(str, CARGO))
        sys.exit(
            f"cargo {version} is too old, the engine needs {needed}. Update Rust: rustup update, or https://rustup.rs"
        )


def install(missing: list[str]) -> None:
    """Installs packages if this is root, or says how to."""
    is_root = os.geteuid() == 0
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    if is_root:
        subprocess.run(["apt-get", "update", "-qq"], check=False)
    found = []
    for names in missing:
        alternatives = names.split("|")
        available = [
            name for name in alternatives if re.search(r"Candidate: [^(]", output("apt-cache", "policy", name))
        ]
        if available:
            found.append(available[-1])
        else:
            say(f"This system has no package {' or '.join(alternatives)}")
    if not found:
        return
    command = ["apt-get", "install", "--no-install-recommends", *found]
    if not is_root:
        say(f"Missing system packages; going on without them. To install them:\n    sudo {' '.join(command)}")
        return
    print("Installing system packages:", *found, flush=True)
    if subprocess.run([*command, "-y", "-qq"], stdout=subprocess.DEVNULL, check=False).returncode:
        say(f"Some could not be installed; going on without them. To try again: {' '.join(command)}")


def say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


if __name__ == "__main__":
    main(sys.argv[1:])
