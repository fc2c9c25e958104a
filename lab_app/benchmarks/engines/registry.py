"""The engines that the lab knows, which of them are installed, and which can read a tokenizer."""

import importlib
import importlib.metadata
import importlib.util
from dataclasses import dataclass
from typing import cast

from lab_app.benchmarks.engines.engine import Engine, TokenizerFiles
from lab_app.errors import BadValue
from lab_app.version import lab_version

FOLDER = "lab_app.benchmarks.engines"
OURS = "tokenlab"
MODULES: dict[str, str] = {
    OURS: f"{FOLDER}.tokenlab",
    "sentencepiece": f"{FOLDER}.sentencepiece_engine",
    "tiktoken": f"{FOLDER}.tiktoken_engine",
    "tokenizers": f"{FOLDER}.tokenizers_engine",
    "blingfire": f"{FOLDER}.blingfire_engine",
    "fastokens": f"{FOLDER}.fastokens_engine",
    "flash-tokenizer": f"{FOLDER}.flash_tokenizer_engine",
    "gigatoken": f"{FOLDER}.gigatoken_engine",
    "kitoken": f"{FOLDER}.kitoken_engine",
    "omnitoken": f"{FOLDER}.omnitoken_engine",
    "quicktok": f"{FOLDER}.quicktok_engine",
    "riptoken": f"{FOLDER}.riptoken_engine",
    "rs-bpe": f"{FOLDER}.rs_bpe_engine",
    "splintr": f"{FOLDER}.splintr_engine",
    "tokie": f"{FOLDER}.tokie_engine",
    "wordchipper": f"{FOLDER}.wordchipper_engine",
}
"""Adapters by the name of the engine, in the order of a list."""
REFERENCES = ("sentencepiece", "tiktoken", "tokenizers")
"""Engines whose ids are right by definition, the one closest to the format of the tokenizer first."""


@dataclass(frozen=True)
class EngineState:
    """One engine for one tokenizer."""

    name: str
    title: str
    version: str | None
    """None if it is not installed."""
    install: str | None
    """The command that installs it; None if it is installed."""
    misfit: str | None
    """Why it cannot read the tokenizer; None if it can, or if no tokenizer was named."""

    @property
    def usable(self) -> bool:
        """Whether it is installed and reads the tokenizer."""
        return self.version is not None and self.misfit is None


def adapter(name: str) -> Engine:
    """The adapter of an engine; its library is not imported. Raises BadValue for an unknown engine.

    >>> adapter("tiktoken").PACKAGE
    'tiktoken'
    """
    if name not in MODULES:
        raise BadValue(f'there is no engine "{name}"', f"choose among {', '.join(MODULES)}")
    return cast(Engine, importlib.import_module(MODULES[name]))


def version(name: str) -> str | None:
    """The installed version of an engine, without importing it; None if it is not installed."""
    if name == OURS:
        return lab_version()
    found = adapter(name)
    if importlib.util.find_spec(found.MODULE.partition(".")[0]) is None:
        return None
    try:
        return importlib.metadata.version(found.PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def install_command(name: str) -> str:
    """The command that installs an engine.

    >>> install_command("sentencepiece")
    'pip install sentencepiece'
    """
    return f"pip install {adapter(name).PACKAGE}"


def state(name: str, files: TokenizerFiles | None = None) -> EngineState:
    """Whether an engine is installed, and reads a tokenizer. Raises BadValue for an unknown engine."""
    found, installed = adapter(name), version(name)
    return EngineState(
        name=name,
        title=found.TITLE,
        version=installed,
        install=None if installed else install_command(name),
        misfit=None if files is None else found.misfit(files),
    )


def states(files: TokenizerFiles | None = None) -> list[EngineState]:
    """All engines, in the order of a list."""
    return [state(name, files) for name in MODULES]


def reference(files: TokenizerFiles) -> str | None:
    """The engine whose ids the others are compared with: the first reference library that is installed and reads it.

    None if there is none.
    """
    return next((name for name in REFERENCES if name in MODULES and state(name, files).usable), None)
