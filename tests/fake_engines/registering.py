"""Puts the engines of this folder into the registry of the lab."""

import pytest

from lab_app.peers import registry


def use(patch: pytest.MonkeyPatch, *names: str) -> None:
    """Adds fake engines to the registry; "honest" is the reference for all tokenizers."""
    for name in names:
        patch.setitem(registry.MODULES, name, f"tests.fake_engines.{name}")
    patch.setattr(registry, "REFERENCES", ("honest",))
    real = registry.version
    patch.setattr(registry, "version", lambda name: "1.0" if name in names else real(name))
