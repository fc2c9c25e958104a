"""The texts that speed is measured on: English prose, source code, and text in many scripts."""

import sysconfig
from collections.abc import Iterator
from pathlib import Path

from tests.generators import texts as generated

ROOT = Path(__file__).resolve().parents[2]


def shared_data() -> Path | None:
    """The folder of test data beside the checkout; None if there is none."""
    return next((folder for parent in ROOT.parents if (folder := parent / "shared" / "data").is_dir()), None)


def workloads(size: int) -> Iterator[tuple[str, str]]:
    """Texts of at most `size` bytes by name. Python's standard library is the code; without test data, other text is made up."""
    yield "code", cut(_code(size), size)
    data = shared_data()
    if data is None:
        yield "generated", cut(" ".join(generated(max(2000, size // 50), seed=1)), size)
        return
    for name, folder in (("english", "en-prose"), ("multilingual", "multilingual")):
        files = sorted((data / "corpus" / folder).iterdir())
        yield name, cut("".join(path.read_text(encoding="utf-8") for path in files), size)


def cut(text: str, size: int) -> str:
    """The first `size` bytes of a text, or fewer if it is shorter; ends at a whole character.

    >>> cut("ab", 5), cut("né", 2)
    ('ab', 'n')
    """
    return text.encode()[:size].decode(errors="ignore")


def documents(texts: dict[str, str], size: int = 4000) -> list[str]:
    """Documents of about `size` bytes from each text, the texts in turns.

    >>> documents({"a": "xxyy", "b": "zz"}, 2)
    ['xx', 'zz', 'yy']
    """
    parts = [
        [text.encode()[at : at + size].decode(errors="ignore") for at in range(0, len(text.encode()), size)]
        for text in texts.values()
    ]
    longest = max(map(len, parts), default=0)
    return [part[number] for number in range(longest) for part in parts if number < len(part)]


def _code(size: int) -> str:
    library = Path(sysconfig.get_path("stdlib"))
    found: list[str] = []
    read = 0
    for path in sorted(library.glob("*.py")):
        found.append(path.read_text(encoding="utf-8", errors="replace"))
        read += len(found[-1].encode())
        if read >= size:
            break
    return "".join(found)
