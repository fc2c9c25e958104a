"""Engines for tests, each of which does one thing wrong: adapters as in lab_app/benchmarks/engines.

Ids are the bytes of the text. `use` puts them into the registry.
"""

import pytest

from lab_app.benchmarks.engines import registry

NAMES = ("honest", "hanging", "crashing", "raising", "panicking", "wrong", "changing")


def use(patch: pytest.MonkeyPatch, *names: str) -> None:
    """Adds fake engines to the registry; "honest" is the reference for all tokenizers."""
    for name in names:
        patch.setitem(registry.MODULES, name, f"tests.fake_engines.{name}")
    patch.setattr(registry, "REFERENCES", ("honest",))
    real = registry.version
    patch.setattr(registry, "version", lambda name: "1.0" if name in names else real(name))
