"""Writes `lab_app/library/builtin_summaries.json`: `python -m tools.builtin_summaries`, after a change of what the engine reports."""

import json
from importlib.resources import files
from pathlib import Path

from lab_app import paths
from lab_app.engine import Tokenizer
from lab_app.library.entry import Known, TokenizerSummary
from lab_app.library.known import SUMMARIES, known_tokenizers


def content() -> str:
    """The file, one line per tokenizer."""
    lines = [f"{json.dumps(known.id)}: {_summary(known)}" for known in known_tokenizers() if known.built_in]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _summary(known: Known) -> str:
    if known.engine is not None:
        tokenizer = Tokenizer.builtin(known.engine)
    else:
        tokenizer = Tokenizer.from_file(paths.packed() / known.id / str(known.file))
    return json.dumps(TokenizerSummary.of(tokenizer).as_json(), ensure_ascii=False)


if __name__ == "__main__":
    Path(str(files("lab_app.library").joinpath(SUMMARIES))).write_text(content(), "utf-8")
