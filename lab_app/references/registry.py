"""The reference libraries the lab knows, which are installed, and which can read a tokenizer."""

import importlib.metadata
import importlib.util
from dataclasses import dataclass
from typing import cast

from lab_app.errors import BadValue, Unavailable
from lab_app.references import sentencepiece_library, tiktoken_library, tokenizers_library
from lab_app.references.reference import Adapter, Material, Reference

ADAPTERS: dict[str, Adapter] = {
    adapter.PACKAGE: cast(Adapter, adapter) for adapter in (sentencepiece_library, tiktoken_library, tokenizers_library)
}
"""By name. A library that reads only files of its own format comes before `tokenizers`, for which they may be converted."""


@dataclass(frozen=True)
class ReferenceState:
    """One reference library for one tokenizer."""

    name: str
    version: str | None
    """None if it is not installed."""
    install: str | None
    """The command that installs it; None if it is installed."""
    misfit: str | None
    """Why it cannot read the tokenizer; None if it can."""

    @property
    def usable(self) -> bool:
        """Whether it is installed and reads the tokenizer."""
        return self.version is not None and self.misfit is None


def version(name: str) -> str | None:
    """The installed version of a reference library, without importing it; None if it is not installed."""
    if importlib.util.find_spec(name) is None:
        return None
    return importlib.metadata.version(name)


def install_command(name: str) -> str:
    """The command that installs a reference library.

    >>> install_command("tiktoken")
    'pip install tiktoken'
    """
    return f"pip install {ADAPTERS[name].PACKAGE}"


def state(name: str, material: Material) -> ReferenceState:
    """Whether the library `name` is installed and reads this tokenizer. Raises BadValue for an unknown library.

    >>> from lab_app.engine import Tokenizer
    >>> state("sentencepiece", Material(Tokenizer.builtin("gpt2"), pattern="gpt2")).misfit
    'sentencepiece reads one .model file, and this tokenizer has other files'
    """
    if name not in ADAPTERS:
        raise BadValue(f'"{name}" is no reference library of the lab', f"choose one of {', '.join(ADAPTERS)}")
    found = version(name)
    return ReferenceState(name, found, None if found else install_command(name), ADAPTERS[name].misfit(material))


def states(material: Material) -> list[ReferenceState]:
    """All reference libraries for one tokenizer, the best one first."""
    return [state(name, material) for name in ADAPTERS]


def check(name: str, material: Material) -> ReferenceState:
    """Raises BadValue if the library does not exist or cannot read the tokenizer, Unavailable if it is not installed."""
    found = state(name, material)
    if found.misfit is not None:
        raise BadValue(f"{name} cannot read this tokenizer: {found.misfit}", "choose another library, or leave it out")
    if found.install is not None:
        raise Unavailable(f"{name} is not installed", f"install it: `{found.install}`")
    return found


def load(name: str, material: Material) -> Reference:
    """The tokenizer in the library `name`. Raises what `check` raises, and Unavailable if the library fails to load it."""
    found = check(name, material)
    try:
        return ADAPTERS[name].load(material)
    except Exception as error:
        raise Unavailable(
            f"{name} {found.version} cannot load this tokenizer: {error}", "choose another library"
        ) from error
