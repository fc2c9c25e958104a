"""Makes the demonstration site, `dist/site`: a page with every lesson, texts with their tokens, and the guide beside it.

    python -m tools.build_site [FOLDER]

The folder is for any web server. It asks no other one, and every file that a page names is there, or the build fails. It takes the
place of a site that was built before, and of nothing else.
"""

import json
import shlex
import shutil
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lab_app import paths
from lab_app.engine import Trainer, WordCounter
from lab_app.files import temporary_folder
from lab_app.services.exercises.options import SheetKind, SheetOptions
from lab_app.services.handouts.contents import Subject
from lab_app.services.handouts.handouts import folder, lesson_subject, sheet_subject, text_subject
from lab_app.services.handouts.page import VOCABULARIES
from lab_app.services.lab import Lab
from lab_app.services.lessons.lessons import LessonOptions
from lab_app.services.tokenizers.tokenizers import add_path
from lab_app.settings import Settings
from lab_app.version import LAB

SITE = Path("dist", "site")
SENTENCE = "The tokenizer didn't split 12345 unaffordable words."
WORDS = " low low low low low lower lower newest newest newest newest newest newest widest widest widest"
UNIGRAM = "udhr-unigram"
"""Learnt here: no tokenizer that comes with the lab is of this kind."""
TOKENS = [
    (["gpt2"], SENTENCE),
    (["gpt2", "cl100k_base", "bert-base-uncased"], "Naïve cafés, 日本語 and हिन्दी: 🙂"),
]
SHEETS: list[SheetKind] = ["mixed", "misconceptions"]
LESSONS = {
    "utf8": ("gpt2", "aé日🙂"),
    "pipeline": ("bert-base-uncased", "Naïve cafés don't panic."),
    "sentencepiece": (UNIGRAM, "Everyone has the right to life"),
    "special-tokens": ("bert-base-uncased", "Hello, world"),
    "chat-template": ("o200k_harmony", "What is a token?"),
    "bpe-encode": ("gpt2", "unbelievable"),
    "wordpiece-encode": ("bert-base-uncased", "unaffordable"),
    "unigram-encode": (UNIGRAM, "discrimination"),
    "bpe-train": ("gpt2", WORDS),
    "wordpiece-train": ("bert-base-uncased", WORDS),
    "unigram-train": (UNIGRAM, WORDS),
    "encoders": ("gpt2", "unbelievable"),
    "languages": ("gpt2", ""),
}


def main(to: Path) -> None:
    write(to, site_files(), paths.guide())
    size = sum(file.stat().st_size for file in to.rglob("*") if file.is_file())
    print(f"{to}: {size // 10**6} MB; to look at it: python -m http.server --directory {shlex.quote(str(to))}")


def site_files() -> dict[str, bytes]:
    """All but the guide."""
    with tempfile.TemporaryDirectory() as data:
        lab = Lab(Settings(data_dir=Path(data), offline=True))
        add_path(
            lab, trained(Path(data, "unigram.json")), id=UNIGRAM, origin="the lab, from the declaration of human rights"
        )
        return folder(lab, subjects(lab), guide="guide/index.html")


def write(to: Path, files: Mapping[str, bytes], guide: Path) -> None:
    """Writes a site, all of it or nothing. Exits with the links that lead nowhere, or if something else than a site is there."""
    if not is_free(to, {*files, "guide"}):
        sys.exit(f"{to} is no site that was built here, or has files of others: name another folder")
    to = to.resolve()
    to.parent.mkdir(parents=True, exist_ok=True)
    with temporary_folder(to.parent) as beside:
        site = beside / "site"
        site.mkdir()
        for name, content in files.items():
            (site / name).write_bytes(content)
        shutil.copytree(guide, site / "guide")
        if dead := dead_links(site):
            sys.exit("these links lead nowhere:\n" + "\n".join(dead))
        if to.exists():
            to.rename(beside / "before")
        site.rename(to)


def is_free(to: Path, names: set[str]) -> bool:
    """Whether a site of these names may stand there: nothing does, or an empty folder, or a site of before and nothing else."""
    if not to.is_dir():
        return not to.exists()
    found = {each.name for each in to.iterdir() if not each.match(VOCABULARIES)}
    with suppress(OSError, ValueError, KeyError, TypeError):
        contents = json.loads((to / "contents.json").read_text(encoding="utf-8"))
        return contents["lab"].startswith(LAB) and found <= names
    return not found


def subjects(lab: Lab) -> list[Subject]:
    """What the first page lists."""
    texts = [text_subject(lab, ids, text) for ids, text in TOKENS]
    lessons = [lesson_subject(lab, name, id, text, LessonOptions()) for name, (id, text) in LESSONS.items()]
    return [*texts, *lessons, *(sheet_subject(lab, "gpt2", SheetOptions(kind=kind)) for kind in SHEETS)]


def trained(file: Path) -> Path:
    """A small Unigram tokenizer of the English text that comes with the lab."""
    text = Path(paths.packed(), "udhr", "eng.txt").read_text(encoding="utf-8")
    mark = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    options = json.dumps({"algorithm": "unigram", "vocab_size": 800, "pre_tokenizer": mark})
    counter = WordCounter(options)
    counter.add([text])
    trainer = Trainer(options, counter)
    while not json.loads(trainer.run(1000, 1000))["finished"]:
        pass
    trainer.tokenizer().to_file(file)
    return file


class Links(HTMLParser):
    """The addresses that a page names."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def dead_links(site: Path) -> list[str]:
    """`PAGE: ADDRESS` of each address in the pages of a folder that names no file of it; addresses of other servers are not asked.

    One that begins with / is dead: the folder may stand anywhere on its server.
    """
    site = site.resolve()
    dead = []
    for page in sorted(site.rglob("*.html")):
        for address in Links(page.read_text(encoding="utf-8")).found:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or not parts.path:
                continue
            file = Path(page.parent, unquote(parts.path)).resolve()
            is_inside = file.is_relative_to(site) and not parts.path.startswith("/")
            if not is_inside or not (file / "index.html" if file.is_dir() else file).is_file():
                dead.append(f"{page.relative_to(site)}: {address}")
    return dead


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SITE)
