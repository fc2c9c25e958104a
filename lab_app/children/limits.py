"""What a child may hold and use, and which variables of the environment it gets."""

import contextlib
from collections.abc import Mapping

SECRETS = frozenset(
    {
        "TOKEN",
        "TOKENS",
        "SECRET",
        "PASSWORD",
        "PASSWD",
        "KEY",
        "KEYS",
        "APIKEY",
        "CREDENTIAL",
        "CREDENTIALS",
        "AUTH",
        "COOKIE",
    }
)
"""Words in names of variables that hold a secret, such as HF_TOKEN."""
NEEDED = frozenset(
    {
        *("PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "VIRTUAL_ENV"),
        *("SYSTEMROOT", "WINDIR", "TEMP", "TMP", "USERPROFILE", "PATHEXT", "NUMBER_OF_PROCESSORS"),
    }
)
"""Variables without which Python does not start, or reads and writes text differently; so do those of `LC_` and `PYTHON`."""


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables but those whose names say that they hold a secret: templates, plug-ins and other engines run in children.

    >>> without_secrets({"HF_TOKEN": "x", "TOKENLAB_DATA_DIR": "/d", "AWS_SECRET_ACCESS_KEY": "y", "HOME": "/h"})
    {'TOKENLAB_DATA_DIR': '/d', 'HOME': '/h'}
    """
    return {name: value for name, value in environment.items() if SECRETS.isdisjoint(name.upper().split("_"))}


def only_needed(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that Python itself needs, for a child that runs the code of strangers.

    >>> only_needed({"PATH": "/bin", "DATABASE_URL": "x", "LC_ALL": "C", "TOKENLAB_DATA_DIR": "/d"})
    {'PATH': '/bin', 'LC_ALL': 'C'}
    """
    return {
        name: value
        for name, value in environment.items()
        if name.upper() in NEEDED or name.startswith(("LC_", "PYTHON"))
    }


def limit(name: str, value: int) -> None:
    """Sets a limit of this process, such as RLIMIT_DATA; nothing on Windows."""
    try:
        import resource
    except ImportError:
        return  # Windows has no such limits; those of time hold
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(getattr(resource, name), (value, value))
