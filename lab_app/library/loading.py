"""Loads the tokenizer of an entry. Not here: keeping it in memory (`lab_app.services.loaded`)."""

from functools import partial

from lab_app import engine
from lab_app.errors import Gated, LoadFailed, Unavailable
from lab_app.library import importing
from lab_app.library.entry import Entry
from lab_app.library.hub_reference import page_of
from lab_app.library.tokenizer import AnyTokenizer
from lab_app.settings import Settings


def load(entry: Entry, settings: Settings) -> AnyTokenizer:
    """The tokenizer of `entry`.

    Raises Unavailable if its files must be fetched first, Gated if their owner must allow it, LoadFailed if they are missing or have changed since they were
    added.
    """
    if entry.engine is not None:
        return engine.Tokenizer.builtin(entry.engine)
    if entry.plugin is not None:
        from lab_app.library.plugins.tokenizer import PluginTokenizer  # needs numpy, which the first answers do not

        return PluginTokenizer(entry.plugin, settings.plugin_timeout_s)
    if not entry.files and entry.gated and entry.repository is not None:
        page = page_of(settings, entry.repository)
        raise Gated(
            f"{entry.id} is not downloaded yet, and its owner asks everybody to accept terms first",
            f"accept them at {page}, set HF_TOKEN, then download it in the Library; or add its files as {entry.id}",
            on_terminal=f"accept them at {page}, set HF_TOKEN, then `tokenlab add {entry.id}`",
        )
    if not entry.files:
        raise Unavailable(
            f"{entry.id} is not downloaded yet",
            "download it in the Library",
            on_terminal=f"download it: `tokenlab add {entry.id}`",
        )
    _check_files(entry)
    return importing.read(entry.files[0], entry.pattern, entry.special_tokens)


def _check_files(entry: Entry) -> None:
    """Raises LoadFailed unless each file has the digest that it had when it was added."""
    failed = partial(
        LoadFailed,
        hint="remove it from the library and add it again",
        on_terminal=f"remove it and add it again: `tokenlab remove {entry.id}`",
    )
    for file, sha256 in zip(entry.files, entry.sha256_of_files, strict=True):
        if not file.is_file() and entry.source == "built in":
            raise LoadFailed(
                f"{file.name} of {entry.id} is missing from this installation: {file}",
                "install the lab again, or run `make bert` in its checkout",
            )
        if not file.is_file():
            raise failed(f"{file.name} of {entry.id} is missing from {file.parent}")
        if importing.sha256_of(file) != sha256:
            raise failed(f"{file.name} of {entry.id} has changed since it was added")
