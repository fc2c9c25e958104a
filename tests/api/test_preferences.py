"""The page's preferences over HTTP."""

ADDRESS = "/api/v1/preferences"


def test_a_change_leaves_what_another_page_has_saved(client, refused):
    assert client.patch(ADDRESS, json={"theme": "dark"}).json() == {"theme": "dark"}
    assert client.patch(ADDRESS, json={"sets": {"a": ["gpt2"]}}).json() == {"theme": "dark", "sets": {"a": ["gpt2"]}}
    assert (
        client.patch(ADDRESS, json={"sets": {}}).json() == client.get(ADDRESS).json() == {"theme": "dark", "sets": {}}
    )
    # Too much in all: nothing is changed.
    half = {"a": "x" * 40_000}
    client.patch(ADDRESS, json=half)
    refused(client.patch(ADDRESS, json={"b": "x" * 40_000}), 413, "too_large")
    assert client.get(ADDRESS).json() == {"theme": "dark", "sets": {}, **half}
