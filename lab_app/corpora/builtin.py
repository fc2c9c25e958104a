"""The corpora that come with the lab: the Universal Declaration of Human Rights, and the Python of this machine.

Source: `lab_app/build_udhr.mjs` makes the files of the first one at set-up.
"""

import csv
import os
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from lab_app import paths
from lab_app.corpora.corpus import Corpus, CorpusFile
from lab_app.corpora.describe import describe
from lab_app.corpora.scan import scan
from lab_app.errors import LoadFailed

LEFT_OUT = {"test", "tests", "idle_test", "site-packages", "dist-packages", "__pycache__"}


def udhr() -> Corpus:
    """The Universal Declaration of Human Rights: line N of each language is article N. Raises LoadFailed without its files.

    >>> corpus = udhr()
    >>> len(corpus.languages) >= 60, corpus.documents == 30 * len(corpus.languages), corpus.languages[0], corpus.scripts[0]
    (True, True, 'English', 'Latin')
    """
    folder = paths.packed() / "udhr"
    try:
        with (folder / "index.tsv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    except OSError as error:
        raise LoadFailed(
            "the Universal Declaration of Human Rights is missing from this installation",
            "in a checkout, run `make udhr`; otherwise install the lab again",
        ) from error
    corpus = describe(
        [folder / f"{row['code']}.txt" for row in rows],
        id="udhr",
        title="Universal Declaration of Human Rights",
        parallel=True,
    )
    corpus = replace(
        corpus,
        languages=tuple(row["name"] for row in rows),
        scripts=tuple(row["script"] for row in rows),
        builtin=True,
    )
    return scan(corpus)[0]


def python() -> Corpus:
    """The documentation topics and the standard library of the interpreter that runs the lab, tests left out.

    Raises LoadFailed where they are not installed as files.
    """
    topics, sources = python_files()
    corpus = describe([topics, *sources], id="python", title="Python: documentation and standard library")
    files = (_as_topics(corpus.files[0]), *(replace(file, language=1) for file in corpus.files[1:]))
    corpus = replace(
        corpus, files=files, format="mixed", languages=("English (documentation)", "Python (source code)"), builtin=True
    )
    return scan(corpus)[0]


def python_files() -> tuple[Path, list[Path]]:
    """The file of Python's documentation topics, and the source files of its standard library without tests.

    Raises LoadFailed where they are not installed as files.
    """
    library = Path(sysconfig.get_paths()["stdlib"])
    topics = library / "pydoc_data" / "topics.py"
    sources = sorted(_modules(library))
    if topics not in sources:
        raise LoadFailed(
            f"the Python of the lab has no documentation in {library}", "use one that is installed as files"
        )
    sources.remove(topics)
    return topics, sources


def _modules(library: Path) -> Iterator[Path]:
    """The source files of the standard library; folders that are left out are not searched."""
    for folder, folders, names in os.walk(library):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        yield from (Path(folder, name) for name in names if name.endswith(".py"))


def _as_topics(file: CorpusFile) -> CorpusFile:
    return replace(file, format="topics", language=0)


MAKERS: dict[str, Callable[[], Corpus]] = {"udhr": udhr, "python": python}


@cache
def builtin(id: str) -> Corpus | None:
    """The corpus of that id, None if there is no such one. It is made once per process. Raises LoadFailed.

    >>> builtin("none") is None
    True
    """
    maker = MAKERS.get(id)
    return maker() if maker else None


def builtins() -> list[Corpus]:
    """The corpora of this installation that can be read."""
    found = []
    for id in MAKERS:
        try:
            corpus = builtin(id)
        except LoadFailed:
            continue
        if corpus:
            found.append(corpus)
    return found
