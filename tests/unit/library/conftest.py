"""No test of the library sees the token or the Hugging Face cache of whoever runs it, nor those of another test."""

import pytest


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """A cache of Hugging Face for this test."""
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "no-token"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_HUB_OFFLINE", "HF_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "cache"
