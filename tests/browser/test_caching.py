"""What the browser keeps: a second opening of the page reads none of its files again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from lab_app.api.guard.security import page_path
from tests.browser.conftest import Lab


@contextmanager
def transfers(lab: Lab) -> Iterator[dict[str, int]]:
    """Bytes that came over the network for each path, without the calls and the page itself."""
    session = lab.page.context.new_cdp_session(lab.page)
    session.send("Network.enable")
    paths: dict[str, str] = {}
    kept: set[str] = set()
    found: dict[str, int] = {}

    def answered(event: dict) -> None:
        path = urlsplit(event["response"]["url"]).path
        paths[event["requestId"]] = path.replace(page_path(lab.server.token), "/")
        if event["response"].get("fromDiskCache"):
            kept.add(event["requestId"])

    def finished(event: dict) -> None:
        path = paths.get(event["requestId"], "/")
        if path != "/" and not path.startswith("/api/") and event["requestId"] not in kept:
            found[path] = found.get(path, 0) + int(event["encodedDataLength"])

    session.on("Network.responseReceived", answered)
    session.on("Network.requestServedFromCache", lambda event: kept.add(event["requestId"]))
    session.on("Network.loadingFinished", finished)
    yield found
    session.detach()


def test_a_second_opening_reads_no_file_again(open_page: Callable[..., Lab]):
    lab = open_page(alone=True)  # others have filled the cache of the shared process
    with transfers(lab) as first:
        lab.open()
        lab.idle()
    assert any(path.endswith(".css") for path in first) and any(path.endswith(".woff2") for path in first)
    assert sum(first.values()) > 100_000
    lab.page.goto("about:blank")
    with transfers(lab) as second:
        lab.open()
        lab.idle()
    assert second == {}
