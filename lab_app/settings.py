"""Everything that can be set, in one table: name, default, unit, help.

A value comes from, strongest first: a flag of the command line, the environment (`TOKENLAB_` and the name in capitals),
the file `config.toml` in the configuration folder, the default here. `docs/reference/settings.md` shows the same table.
Not here: choices of the page such as the theme (`lab_app.services.preferences`).
"""

import os
import re
import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

from lab_app.errors import BadValue, plain_number

PREFIX = "TOKENLAB_"

SpecialText = Literal["parse", "text", "reject"]
"""How to treat text that looks like a special token."""
DEFAULT_SPECIALS: Literal["text"] = "text"
"""How the page, the command line and HTTP read text that looks like a special token: as ordinary text, since users type
it to see what becomes of it. (`Tokenizer.encode` in Python parses it, as `tokenizers` does.)"""
DEFAULT_LEARN = 30
"""How many tokens a lesson on training learns."""


def setting(default: Any, unit: str, help: str) -> Any:
    """A field of `Settings`."""
    return field(default=default, metadata={"unit": unit, "help": help})


@dataclass(frozen=True)
class Settings:
    """One value per setting. `load` fills it; tests make it directly.

    >>> Settings(port=8123).port
    8123
    """

    data_dir: Path | None = setting(
        None, "folder", "the folder of the catalog and added tokenizers; default: the system's data folder"
    )
    host: str = setting("127.0.0.1", "address", "the address the server listens on")
    port: int = setting(0, "port", "the port the server listens on; 0 takes any free one")
    token: str = setting("", "text", "the secret of a run, at least 16 characters; a new one each time if empty")
    tokens_file: Path | None = setting(
        None, "file", "the people who may use the server: a name and a token, or its hash, per line"
    )
    allowed_hosts: tuple[str, ...] = setting(
        (), "names", "further host names of the server, NAME or NAME:PORT, separated by commas"
    )
    max_request_mb: float = setting(64.0, "10^6 bytes", "the largest accepted request body")
    max_connections: int = setting(500, "connections", "how many connections are open at a time; more are refused")
    drain_timeout_s: float = setting(
        8.0, "seconds", "how long requests under way may go on after SIGTERM; 0 ends the server at once"
    )
    max_loaded: int = setting(
        16, "tokenizers", "how many tokenizers stay in memory; the least recently used is dropped first"
    )
    max_documents: int = setting(16, "texts", "how many edited texts stay in memory; the page reopens dropped ones")
    max_documents_mb: float = setting(
        512.0, "10^6 bytes", "how much memory edited texts may take together; one always stays"
    )
    hub_endpoint: str = setting(
        "", "address", "the Hugging Face Hub to download from; default: HF_ENDPOINT or the public Hub"
    )
    connect_timeout_s: float = setting(
        4.0, "seconds", "how long to wait for a source to answer before trying the next one"
    )
    plugin_timeout_s: float = setting(10.0, "seconds", "the time limit of one answer of a plug-in")
    offline: bool = setting(False, "yes or no", "never fetch anything")
    display: str = setting("auto", "auto, window, browser or none", "how `tokenlab` shows the lab")
    dev: bool = setting(False, "yes or no", "serve the page as the modules it is written in, never as a bundle")
    log_level: str = setting("warning", "debug, info, warning or error", "how much is written to stderr")
    log_format: str = setting("text", "text or json", "how it is written; from level info on a line per request")


CHOICES: Mapping[str, tuple[str, ...]] = {
    "display": ("auto", "window", "browser", "none"),
    "log_format": ("text", "json"),
    "log_level": ("debug", "info", "warning", "error"),
}

SHORTEST_TOKEN = 16
TOKEN = re.compile(r"[A-Za-z0-9._~-]*")
"""What a secret may be made of, so that an address can hold it."""

# (smallest, largest) value of the settings that are numbers
LIMITS: Mapping[str, tuple[float, float]] = {
    "port": (0, 65535),
    "max_request_mb": (0.001, 4000),
    "max_connections": (1, 100_000),
    "drain_timeout_s": (0, 3600),
    "max_loaded": (1, 1000),
    "max_documents": (1, 1000),
    "max_documents_mb": (1, 100_000),
    "connect_timeout_s": (0.1, 600),
    "plugin_timeout_s": (0.1, 3600),
}


def load(
    flags: Mapping[str, object] | None = None,
    environ: Mapping[str, str] | None = None,
    config_file: Path | None = None,
) -> Settings:
    """The settings of this run.

    `flags` holds values from the command line, where None means not given; `environ` is `os.environ` unless given;
    `config_file` is read where it exists. Raises BadValue with the setting, its value and where it came from.

    >>> load({"port": 8123}, {"TOKENLAB_PORT": "9", "TOKENLAB_HOST": "::1"})
    ... # doctest: +ELLIPSIS
    Settings(data_dir=None, host='::1', port=8123, ...)
    """
    values: dict[str, Any] = {}
    if config_file is not None:
        values |= _from_file(config_file)
    values |= _from_environment(os.environ if environ is None else environ)
    for name, value in (flags or {}).items():
        if value is not None:
            values[name] = _convert(name, value, f"--{name.replace('_', '-')}")
    return Settings(**values)


def help_of(name: str) -> str:
    """What the setting `name` is, as a sentence with its default.

    >>> help_of("host")
    'The address the server listens on. [default: 127.0.0.1]'
    """
    found = next(each for each in fields(Settings) if each.name == name)
    words = str(found.metadata["help"])
    default = f" [default: {plain_number(found.default) if isinstance(found.default, float) else found.default}]"
    return f"{words[0].upper()}{words[1:]}.{'' if found.default in (None, (), '') else default}"


def with_token(settings: Settings) -> Settings:
    """The same settings with a secret of 256 bits where they have none.

    >>> with_token(Settings(token="T")).token, len(with_token(Settings()).token)
    ('T', 43)
    """
    return settings if settings.token else replace(settings, token=secrets.token_urlsafe(32))


def _from_file(path: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadValue(f"{path} cannot be read: {error}", "correct the file or move it away") from error
    return {name: _convert(name, value, str(path)) for name, value in table.items()}


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    names = {PREFIX + each.name.upper(): each.name for each in fields(Settings)}
    return {names[key]: _convert(names[key], value, key) for key, value in environ.items() if key in names and value}


def _convert(name: str, value: object, place: str) -> Any:
    """`value` in the type of the setting `name`; `place` says in errors where it was found."""
    types = {each.name: each.type for each in fields(Settings)}
    if name not in types:
        known = ", ".join(sorted(types))
        raise BadValue(f'{place}: there is no setting "{name}"', f"settings are: {known}")
    try:
        converted = _CONVERTERS[types[name]](value)
    except (TypeError, ValueError) as error:
        raise BadValue(f"{place}: {name} cannot be {value!r}", _expected(name)) from error
    if name == "token" and not TOKEN.fullmatch(converted):
        # Not the value: it is a secret, and errors are seen.
        raise BadValue(f"{place}: the token has characters that an address cannot hold", "use letters, digits and -._~")
    if name == "token" and 0 < len(converted) < SHORTEST_TOKEN:
        hint = f"give at least {SHORTEST_TOKEN} characters, or none for a new one in each run"
        raise BadValue(f"{place}: the token has {len(converted)} characters, which can be guessed", hint)
    if name in CHOICES and converted not in CHOICES[name]:
        raise BadValue(f"{place}: {name} cannot be {value!r}", _expected(name))
    if name in LIMITS and not LIMITS[name][0] <= converted <= LIMITS[name][1]:
        raise BadValue(f"{place}: {name} cannot be {value!r}", _expected(name))
    return converted


def _expected(name: str) -> str:
    if name in CHOICES:
        return "give one of " + ", ".join(CHOICES[name])
    if name in LIMITS:
        return "give a number from {} to {}".format(*map(plain_number, LIMITS[name]))
    unit = next(each.metadata["unit"] for each in fields(Settings) if each.name == name)
    return f"give this as {unit}"


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _folder(value: object) -> Path:
    given = os.fspath(_text(value) if not isinstance(value, os.PathLike) else value)
    if "\0" in given:
        raise ValueError(value)
    try:
        return Path(given).expanduser()
    except RuntimeError:  # the home folder of a user that does not exist
        raise ValueError(value) from None


def _yes_or_no(value: object) -> bool:
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if isinstance(value, bool):
        return value
    try:
        return words[str(value).strip().lower()]
    except KeyError:
        raise ValueError(value) from None


def _names(value: object) -> tuple[str, ...]:
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, (list, tuple)):
        raise TypeError(value)
    return tuple(_text(name).strip() for name in names if _text(name).strip())


def _whole(value: object) -> int:
    if isinstance(value, (bool, float)):
        raise TypeError(value)
    return int(str(value))


def _number(value: object) -> float:
    if isinstance(value, bool):
        raise TypeError(value)
    return float(str(value))


_CONVERTERS: Mapping[Any, Any] = {
    Path | None: _folder,
    str: _text,
    int: _whole,
    float: _number,
    bool: _yes_or_no,
    tuple[str, ...]: _names,
}
