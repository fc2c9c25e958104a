"""The libraries of the table: the adapters of the lab, and those that only `make bench` knows.

`make bench` installs them into a folder of their own, which comes last on the path: the packages of the lab win. The release
candidate of `tokenizers` has a folder again, since it has the module name of the release that the lab is compared with.
"""

import importlib
import importlib.metadata
import sys
from collections.abc import Callable, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from lab_app.peers import registry
from lab_app.peers.peer import Calls, TokenizerFiles
from tests.performance.engine.rows import NEXT, OURS

CRATES = {"model2vec-rs": "a Rust crate without a Python package"}
LEFT_OUT = {"omnitoken"}
"""Takes 26 s to load cl100k_base and returns other ids than tiktoken."""
MODULE = "tokenizers"

Load = Callable[[TokenizerFiles], Calls]


class Libraries:
    """The libraries that are installed. `folders` join the path; `next_release` has the release candidate of `tokenizers`."""

    def __init__(self, folders: Sequence[str], next_release: str | None) -> None:
        sys.path.extend(folder for folder in folders if folder not in sys.path)
        self._next = next_release

    def names(self) -> list[str]:
        """All of them, ours first."""
        return [OURS, *(name for name in registry.MODULES if name not in (OURS, *LEFT_OUT)), NEXT, *CRATES]

    def version(self, name: str) -> str | None:
        """None if it is not installed."""
        if name in CRATES:
            return None
        if name == NEXT:
            found = importlib.metadata.distributions(name=MODULE, path=[self._next]) if self._next else []
            return next((each.version for each in found), None)
        return registry.version(name)

    def problem(self, name: str, files: TokenizerFiles) -> tuple[str, str] | None:
        """Why a library cannot be measured, as a state and words; None if it can."""
        if name in CRATES:
            return "missing", CRATES[name]
        if name == NEXT:
            if self.version(name) is None:
                return "missing", "not installed: make bench brings it"
            misfit = registry.adapter("tokenizers").misfit(files)
        else:
            state = registry.state(name, files)
            if state.version is None:
                return "missing", f"not installed: {state.install}"
            misfit = state.misfit
        return None if misfit is None else ("unsupported", misfit)

    def load(self, name: str, files: TokenizerFiles, threads: int = 1) -> Calls:
        """A tokenizer, fresh. Raises what the library raises."""
        if name == NEXT:
            return self._load_next(files)
        if name == "quicktok":
            return _quicktok(files)
        return registry.adapter(name).load(files, threads)

    def imported(self, name: str) -> None:
        """Imports a library, so that loading a tokenizer does not."""
        if name == NEXT:
            self._module()
        else:
            importlib.import_module(registry.adapter(name).MODULE)

    def _load_next(self, files: TokenizerFiles) -> Calls:
        assert files.tokenizer_json is not None
        module = self._module()
        tokenizer = module.Tokenizer.from_file(files.tokenizer_json)
        for off in ("no_truncation", "no_padding"):  # not all candidates have them
            getattr(tokenizer, off, lambda: None)()
        with suppress(AttributeError):
            tokenizer.encode_special_tokens = True
        array = hasattr(module.Encoding, "ids_array")

        def ids(text: str) -> Any:
            encoding = tokenizer.encode(text, add_special_tokens=False)
            return encoding.ids_array if array else encoding.ids

        return Calls(read_from=files.origin(files.tokenizer_json), ids=ids)

    def _module(self) -> Any:
        """The module of the release candidate, beside that of the release if that is imported too."""
        key = "tokenizers of the next release"
        if key not in sys.modules:
            assert self._next is not None
            with _without_release(), _first_on_path(self._next):
                sys.modules[key] = importlib.import_module(MODULE)
        return sys.modules[key]


def reference(files: TokenizerFiles) -> str | None:
    """The library whose ids are right by definition; None if none is installed that reads the tokenizer."""
    return registry.reference(files)


def _quicktok(files: TokenizerFiles) -> Calls:
    """As the adapter of the lab, with an array instead of a list where the library has that."""
    import quicktok  # type: ignore[import-not-found]

    quicktok._CACHE.clear()
    tokenizer = quicktok.get_encoding(files.pattern)
    to_array = getattr(tokenizer, "encode_to_numpy", None)
    ids = tokenizer.encode_ordinary if to_array is None else lambda text: to_array(text, disallowed_special=())
    return Calls(read_from=f"its own copy of {files.pattern}", ids=ids)


@contextmanager
def _without_release() -> Any:
    """Takes the modules of the release out of the list of imported ones, and puts them back."""

    def names() -> list[str]:
        return [name for name in sys.modules if name == MODULE or name.startswith(MODULE + ".")]

    release = {name: sys.modules.pop(name) for name in names()}
    try:
        yield
    finally:
        for name in names():
            del sys.modules[name]
        sys.modules.update(release)


@contextmanager
def _first_on_path(folder: str) -> Any:
    sys.path.insert(0, str(Path(folder)))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(folder)
