import pytest

from lab_app.errors import BadValue
from lab_app.library.hub_reference import HubReference


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hub:org/name", HubReference("org/name")),
        ("org/name", HubReference("org/name")),
        ("gpt2", HubReference("gpt2")),
        ("https://huggingface.co/org/name", HubReference("org/name")),
        ("hub:org/name@refs/pr/1", HubReference("org/name", "refs/pr/1")),
        ("hub:org/name:model.gguf", HubReference("org/name", "main", "model.gguf")),
        ("hub:org/name@v1:model.gguf", HubReference("org/name", "v1", "model.gguf")),
    ],
)
def test_references(text, expected):
    assert HubReference.parse(text) == expected


@pytest.mark.parametrize(
    "text", ["", "hub:", "a/b/c", "org/../name", "org/na me", "http://other.test/org/name", "/etc"]
)
def test_what_is_no_reference_is_told(text):
    with pytest.raises(BadValue, match="not the name of a Hub repository"):
        HubReference.parse(text)
