"""Says how a result was made, so that somebody else can repeat it: the one description for exports, citations and sessions.

It names the lab, the tokenizers by the digests of their files, every setting that changes the result, the text by its
digest, and the command that gives the same tokens. It holds no path of this machine and no secret.
Not here: the words of a citation (`citation`).
"""

import hashlib
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from lab_app.engine import Specials
from lab_app.library.entry import Entry
from lab_app.services.lab import Lab
from lab_app.services.text.compare import check_tokenizers
from lab_app.services.text.encode import refuse_surrogates
from lab_app.settings import DEFAULT_SPECIALS
from lab_app.version import LAB, lab_commit, lab_version, short_commit

TEXT_FILE = "text.txt"
"""What the command calls the file of a text that it does not hold itself."""
MAX_COMMAND_TEXT = 300
"""Characters of a text that the command holds itself."""
JOINERS = "\u200c\u200d"
SHORT_DIGEST = 12


@dataclass(frozen=True)
class UsedTokenizer:
    """One tokenizer of a result."""

    id: str
    name: str
    source: str
    """ "built in", "downloaded", "added", "composed" or "plug-in"."""
    sha256: str | None
    """Of its files; None for a plug-in."""
    origin: str | None
    """Who published it; None if only a path of this machine is known."""
    repository: str | None
    revision: str | None
    """The commit of `repository` that its files come from."""


@dataclass(frozen=True)
class UsedSettings:
    """The settings that change tokens or counts."""

    add_special_tokens: bool
    specials: Specials
    ignore_spaces: bool | None
    """None where no boundaries are compared: for one tokenizer, and for a session, which has ids."""


@dataclass(frozen=True)
class UsedText:
    """The text of a result, as somebody recognizes it without having it."""

    bytes: int
    characters: int
    sha256: str
    """Of its UTF-8 bytes."""


@dataclass(frozen=True)
class Provenance:
    """How a result was made."""

    lab: str
    lab_version: str
    commit: str | None
    """The commit of the lab, if it is known; "+modified" follows it if files of the lab differ from it."""
    made_at: str
    """UTC, ISO 8601."""
    tokenizers: list[UsedTokenizer]
    settings: UsedSettings
    text: UsedText
    command: str
    """Repeats the result, for a POSIX shell."""
    command_file: str | None
    """The file the command reads the text from; None if it holds the text itself."""


def provenance(
    lab: Lab,
    tokenizers: Sequence[str],
    text: str,
    *,
    add_special_tokens: bool = True,
    specials: Specials = DEFAULT_SPECIALS,
    ignore_spaces: bool | None = True,
    now: datetime | None = None,
) -> Provenance:
    """How the result of `tokenizers` on `text` is made. Encodes nothing. `ignore_spaces`: None compares no boundaries.

    Raises NotFound for an unknown tokenizer, BadValue for a text with half a character and unless there are one to eight
    different tokenizers.

    >>> from lab_app.settings import Settings
    >>> print(provenance(Lab(Settings()), ["gpt2"], "Hello").command)
    tokenlab encode -t gpt2 --add-special-tokens --specials text -- Hello
    """
    check_tokenizers("a result", tokenizers)
    refuse_surrogates(text)
    settings = UsedSettings(add_special_tokens, specials, ignore_spaces if len(tokenizers) > 1 else None)
    entries = [lab.catalog.entry(id) for id in tokenizers]
    data = text.encode()
    is_short = _fits_a_command(text)
    source = ["--", text] if is_short else ["--file", TEXT_FILE]
    return Provenance(
        lab=LAB,
        lab_version=lab_version(),
        commit=lab_commit(),
        made_at=(now or datetime.now(UTC)).isoformat(timespec="seconds"),
        tokenizers=[_used(entry) for entry in entries],
        settings=settings,
        text=UsedText(len(data), len(text), hashlib.sha256(data).hexdigest()),
        command=shlex.join([*_command([entry.id for entry in entries], settings), *source]),
        command_file=None if is_short else TEXT_FILE,
    )


def caption(made: Provenance) -> str:
    """One line for under a figure."""
    commit = f", commit {short_commit(made.commit)}" if made.commit else ""
    used = "; ".join(_tokenizer_words(each, SHORT_DIGEST) for each in made.tokenizers)
    return f"{used}. {settings_words(made.settings)} {made.lab} {made.lab_version}{commit}, {made.made_at[:10]}."


def tokenizers_words(made: Provenance) -> str:
    """The tokenizers with their whole digests, for where there is room."""
    return "; ".join(_tokenizer_words(each) for each in made.tokenizers)


def settings_words(settings: UsedSettings) -> str:
    """The settings as sentences.

    >>> settings_words(UsedSettings(False, "parse", None))
    'No special tokens are added. Text like <|endoftext|> is read as a special token.'
    """
    reading = {
        "text": "Text like <|endoftext|> is read as ordinary text.",
        "parse": "Text like <|endoftext|> is read as a special token.",
        "reject": "Text like <|endoftext|> is refused.",
    }
    words = [
        "The special tokens of each tokenizer, such as [CLS], are added."
        if settings.add_special_tokens
        else "No special tokens are added."
    ]
    words.append(reading[settings.specials])
    if settings.ignore_spaces is not None:
        words.append(
            "A boundary next to whitespace counts at the start of it."
            if settings.ignore_spaces
            else "A boundary counts where it is, also next to whitespace."
        )
    return " ".join(words)


def source_words(tokenizer: UsedTokenizer) -> str | None:
    """Where a tokenizer's files come from: "OWNER/NAME@REVISION", or who published it; None if that is not known.

    >>> source_words(UsedTokenizer("a", "A", "downloaded", None, None, "openai-community/gpt2", "607a30d"))
    'openai-community/gpt2@607a30d'
    """
    if tokenizer.repository and tokenizer.revision:
        return f"{tokenizer.repository}@{tokenizer.revision}"
    return tokenizer.repository or tokenizer.origin


def _tokenizer_words(tokenizer: UsedTokenizer, digits: int | None = None) -> str:
    facts = [source_words(tokenizer), tokenizer.sha256 and f"sha256 {tokenizer.sha256[:digits]}"]
    known = ", ".join(fact for fact in facts if fact)
    return f"{tokenizer.id} ({known})" if known else tokenizer.id


def _used(entry: Entry) -> UsedTokenizer:
    """The origin of added files is a path on this machine, which is private: it is left out."""
    is_published = entry.source in ("built in", "downloaded")
    return UsedTokenizer(
        id=entry.id,
        name=entry.name,
        source=entry.source,
        sha256=entry.sha256,
        origin=entry.origin if is_published else None,
        repository=entry.repository,
        revision=entry.revision,
    )


def _command(ids: Sequence[str], settings: UsedSettings) -> list[str]:
    """Every setting is named, so that other defaults of another version change nothing."""
    words = ["tokenlab", "encode" if settings.ignore_spaces is None else "compare"]
    for id in ids:
        words += ["-t", id]
    words.append("--add-special-tokens" if settings.add_special_tokens else "--no-special-tokens")
    words += ["--specials", settings.specials]
    if settings.ignore_spaces is not None:
        words.append("--ignore-spaces" if settings.ignore_spaces else "--count-spaces")
    return words


def _fits_a_command(text: str) -> bool:
    """Whether a shell takes `text` as an argument: not too long, nothing that a terminal acts on, not the sign for stdin."""
    is_plain = all(each.isprintable() or each == "\n" or each in JOINERS for each in text)
    return len(text) <= MAX_COMMAND_TEXT and is_plain and text != "-"
