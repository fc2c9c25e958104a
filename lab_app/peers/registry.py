"""The libraries that the lab knows, itself among them, which are installed, and which can read a tokenizer."""

import importlib
import importlib.metadata
import importlib.util
from dataclasses import dataclass, replace
from typing import cast

from lab_app.errors import BadValue, Unavailable
from lab_app.peers.peer import Calls, Engine, TokenizerFiles
from lab_app.version import lab_version

OURS = "tokenlab"
MODULES: dict[str, str] = {
    OURS: "lab_app.peers.tokenlab",
    "sentencepiece": "lab_app.peers.sentencepiece",
    "tiktoken": "lab_app.peers.tiktoken",
    "tokenizers": "lab_app.peers.tokenizers",
    "blingfire": "lab_app.peers.blingfire",
    "fastokens": "lab_app.peers.fastokens",
    "flash-tokenizer": "lab_app.peers.flash_tokenizer",
    "gigatoken": "lab_app.peers.gigatoken",
    "kitoken": "lab_app.peers.kitoken",
    "omnitoken": "lab_app.peers.omnitoken",
    "quicktok": "lab_app.peers.quicktok",
    "riptoken": "lab_app.peers.riptoken",
    "rs-bpe": "lab_app.peers.rs_bpe",
    "splintr": "lab_app.peers.splintr",
    "tokie": "lab_app.peers.tokie",
    "wordchipper": "lab_app.peers.wordchipper",
}
"""Adapters by the name of the engine, in the order of a list."""
REFERENCES = ("sentencepiece", "tiktoken", "tokenizers")
"""Libraries whose ids are right by definition, the one closest to the format of the tokenizer first."""
PARSING = ("tiktoken", "tokenizers")
"""Of them, those that can read text that spells a special token as one."""


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


def reference_state(name: str, files: TokenizerFiles) -> EngineState:
    """As `state`, of a library of REFERENCES. Raises BadValue for another.

    >>> reference_state("sentencepiece", TokenizerFiles("gpt2")).misfit
    'sentencepiece reads .model files, and this tokenizer has none'
    """
    if name not in REFERENCES:
        raise BadValue(f'"{name}" is no reference library of the lab', f"choose one of {', '.join(REFERENCES)}")
    found = state(name, files)
    if name == "tokenizers" and files.sentencepiece_model and files.tokenizer_json in files.written:
        # Converted, ties between equally good segmentations are broken otherwise.
        return replace(
            found, misfit="sentencepiece reads its file itself; a converted one gives other IDs for some texts"
        )
    return found


def check_reference(name: str, files: TokenizerFiles) -> EngineState:
    """Raises BadValue if the library does not exist or cannot read the tokenizer, Unavailable if it is not installed."""
    found = reference_state(name, files)
    if found.misfit is not None:
        raise BadValue(f"{name} cannot read this tokenizer: {found.misfit}", "choose another library, or leave it out")
    if found.install is not None:
        raise Unavailable(f"{name} is not installed", f"install it: `{found.install}`")
    return found


def load_reference(name: str, files: TokenizerFiles) -> Calls:
    """The tokenizer in a reference library, on one thread. Raises what `check_reference` raises, and Unavailable if it fails."""
    found = check_reference(name, files)
    try:
        return adapter(name).load(files, 1)
    except Exception as error:
        raise Unavailable(
            f"{name} {found.version} cannot load this tokenizer: {error}", "choose another library"
        ) from error


def reference(files: TokenizerFiles) -> str | None:
    """The engine whose ids the others are compared with: the first reference library that is installed and reads it.

    None if there is none.
    """
    return next((name for name in REFERENCES if reference_state(name, files).usable), None)
