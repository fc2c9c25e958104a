"""How a browser is let in: the secret is on no command line, and no page or server of another port gets anything."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from lab_app.api.guard.security import cookie_value, page_path
from lab_app.desktop import browser as opening
from lab_app.desktop.window import FILES_WAIT
from tests.browser.conftest import Server

LIST = "api/v1/tokenizers"
# Asks for an address in each way that a page can, and says for each whether it got anything.
ASKING = """async ({address, line}) => {
  const asked = (make, good, bad) => new Promise(end => {
    const thing = make();
    thing[good] = () => { end('answered'); thing.close?.(); };
    thing[bad] = () => { end('nothing'); thing.close?.(); };
  });
  const element = (name, fields) => () => document.body.appendChild(Object.assign(document.createElement(name), fields));
  const status = options => fetch(address, options).then(answer => `status ${answer.status}`, () => 'nothing');
  const frame = document.createElement('iframe');
  frame.src = address;
  document.body.append(frame);
  await new Promise(end => { frame.onload = end; });
  return {
    fetch: await status({credentials: 'include'}),
    opaque: await status({credentials: 'include', mode: 'no-cors'}),
    post: await status({credentials: 'include', mode: 'no-cors', method: 'POST', body: '{}'}),
    image: await asked(element('img', {src: address}), 'onload', 'onerror'),
    script: await asked(element('script', {src: address}), 'onload', 'onerror'),
    events: await asked(() => new EventSource(address, {withCredentials: true}), 'onmessage', 'onerror'),
    socket: await asked(() => new WebSocket(line), 'onopen', 'onerror'),
    frame: frame.contentDocument?.body.innerText ?? 'nothing',
  };
}"""


class Other(BaseHTTPRequestHandler):
    """A program of anybody, on another port. It keeps whatever it is sent."""

    def do_GET(self) -> None:
        self.server.sent += [self.path, *map(str, self.headers.values())]
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>other</title><p>other")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def other() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Other) as listening:
        listening.sent = []
        Thread(target=listening.serve_forever, daemon=True).start()
        yield listening
        listening.shutdown()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_the_page_of_a_file_opens_the_lab(page: Page, server: Server, tmp_path: Path, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(opening.webbrowser, "open", lambda address: bool(asked.append(address) or True))
    assert opening.open_browser(server.address, tmp_path / "window.html")
    page.goto(asked[0])
    page.wait_for_url(f"{server.origin}/**")
    expect(page.locator("tokenizer-chips").first).to_be_visible()
    assert server.token not in page.url and server.token not in asked[0]
    assert server.token not in str(page.context.cookies())
    page.goto(f"{server.origin}/#/compare")  # a link, or an address typed in: this browser is let in
    page.wait_for_url(f"{server.origin}{page_path(server.token)}#/compare**")
    expect(page.locator("tokenizer-chips").first).to_be_visible()


def test_the_page_of_a_file_leads_to_the_files_that_wait(page: Page, server: Server, tmp_path: Path, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(opening.webbrowser, "open", lambda address: bool(asked.append(address) or True))
    assert opening.open_browser(f"{server.address}{FILES_WAIT}", tmp_path / "window.html")
    files = [{"name": "a.txt", "kind": "text", "text": "from a file", "encoding": "UTF-8"}]
    page.route("**/api/v1/window/opened", lambda route: route.fulfill(json={"files": files}))
    page.goto(asked[0])
    expect(page.locator(".status")).to_contain_text("a.txt · UTF-8")
    assert page.evaluate("document.querySelector('token-text').text") == "from a file"
    assert page.url == f"{server.origin}{page_path(server.token)}#/inspect", "the request is not in the address"


def test_another_port_gets_nothing(page: Page, server: Server, other: ThreadingHTTPServer):
    """Browsers send cookies to all ports of a host, so the other program tries all that it gets. Then its page asks."""
    page.goto(server.address)
    expect(page.locator("tokenizer-chips").first).to_be_visible()
    mine = page.evaluate("fetch('api/v1/tokenizers').then(answer => answer.status)")
    assert mine == 200, "the browser was let in"

    there = page.context.new_page()
    there.goto(f"http://127.0.0.1:{other.server_port}/page")
    assert there.inner_text("p") == "other" and other.sent
    assert not [each for each in other.sent if "tokenlab" in each]
    secrets = (server.token, cookie_value(server.token), page_path(server.token).strip("/"))
    assert not [each for each in other.sent if any(secret in each for secret in secrets)]

    answers: list[tuple[int, str]] = []
    there.on("response", lambda answer: answers.append((answer.status, answer.url)))
    # Also with the path that it cannot know: the browser then sends the cookie along.
    for root in (f"{server.origin}/", f"{server.origin}{page_path(server.token)}"):
        address = f"{root}{LIST}"
        line = f"{root.replace('http', 'ws')}api/v1/documents/none/edits"
        got = there.evaluate(ASKING, {"address": address, "line": line})
        assert got == dict.fromkeys(got, "nothing")
    theirs = [(status, url) for status, url in answers if url.startswith(server.origin)]
    assert theirs and all(status in (401, 403) for status, _ in theirs), theirs


def test_the_cookie_and_the_path_alone_let_no_program_in(page: Page, server: Server):
    page.goto(server.address)
    cookies = page.context.cookies(f"{server.origin}{page_path(server.token)}")
    value = next(cookie["value"] for cookie in cookies if cookie["name"] == "tokenlab")
    path = page_path(server.token)
    tries = [
        ("/", {"Cookie": f"tokenlab={value}"}),
        ("/", {"Authorization": f"Bearer {value}"}),
        (path, {"Authorization": f"Bearer {value}"}),
        (path, {}),
    ]
    for root, headers in tries:
        with pytest.raises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(urllib.request.Request(f"{server.origin}{root}{LIST}", headers=headers), timeout=30)
        assert refusal.value.code == 401
