"""What tests of the library share. None sees the token or the Hugging Face cache of whoever runs it, or of another test."""

import pytest

from lab_app.settings import Settings


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """A cache of Hugging Face for this test."""
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "no-token"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_HUB_OFFLINE", "HF_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "cache"


@pytest.fixture
def settings(request, tmp_path):
    """Those of a lab that asks the test's `hub`; a test module without a Hub has settings of its own."""
    return Settings(data_dir=tmp_path / "data", hub_endpoint=request.getfixturevalue("hub").address)


@pytest.fixture
def folder(tmp_path):
    """An empty folder that files are fetched into."""
    (tmp_path / "target").mkdir()
    return tmp_path / "target"
