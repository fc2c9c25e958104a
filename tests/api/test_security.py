"""One test per thing the server refuses, and what every answer carries."""

import re

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse

from lab_app.api.app import create_app
from lab_app.api.guard.security import cookie_value, page_path
from lab_app.settings import Settings
from tests.api.conftest import ADDRESS, TOKEN

LIST = "/api/v1/tokenizers"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8123", "0.0.0.0", "localhost.", "", "127.0.0.1:8123@evil", "[::1"]
)
def test_another_host_is_refused(client, refused, host):
    refused(client.get(LIST, headers={"Host": host}), 403, "forbidden")


@pytest.mark.parametrize("hosts", [["127.0.0.1:8123", "evil.example"], ["127.0.0.1:8123", "127.0.0.1:8123"]])
def test_two_hosts_are_refused(client, refused, hosts):
    refused(client.get(LIST, headers=[("Host", host) for host in hosts]), 403, "forbidden")


# Another port is a forwarded one (`ssh -L 9:localhost:8123`): a page of another site has its own name in Host, whatever the port.
@pytest.mark.parametrize("host", ["127.0.0.1:8123", "localhost:8123", "LOCALHOST:8123", "[::1]:8123", "localhost:9"])
def test_names_of_this_machine_are_its_own(client, host):
    assert client.get(LIST, headers={"Host": host}).status_code == 200


def test_a_host_in_the_settings_is_its_own(settings):
    app = create_app(
        Settings(data_dir=settings.data_dir, token=TOKEN, allowed_hosts=("lab.example", "other.example:81"))
    )
    with TestClient(app, base_url=ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        assert client.get(LIST, headers={"Host": "lab.example"}).status_code == 200
        assert client.get(LIST, headers={"Host": "lab.example:9"}).status_code == 200
        assert client.get(LIST, headers={"Host": "other.example:81"}).status_code == 200
        assert client.get(LIST, headers={"Host": "other.example"}).status_code == 403
        assert client.get(LIST, headers={"Host": "lab.example", "Origin": "https://lab.example"}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:8124", "http://localhost:8123", "file://"]
)
def test_another_origin_is_refused(client, refused, origin):
    refused(client.get(LIST, headers={"Origin": origin}), 403, "forbidden")
    refused(client.post("/api/v1/tokenize", json={}, headers={"Origin": origin}), 403, "forbidden")


def test_the_own_origin_is_let_in(client):
    assert client.get(LIST, headers={"Origin": ADDRESS}).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("path", [LIST, "/healthz", "/docs", "/icon.svg", f"{page_path(TOKEN)}"])
def test_a_request_that_another_page_sends_is_refused(client, refused, path, site):
    refused(client.get(path, headers={"Sec-Fetch-Site": site}), 403, "forbidden")


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_requests_of_the_page_and_of_the_user_are_answered(client, site):
    assert client.get(LIST, headers={"Sec-Fetch-Site": site}).status_code == 200


def test_no_other_page_is_let_read_anything(client):
    response = client.options(LIST, headers={"Origin": ADDRESS, "Access-Control-Request-Method": "GET"})
    assert not [name for name in response.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": TOKEN},
        {"Cookie": "tokenlab=wrong"},
        {"Cookie": f"tokenlab={TOKEN}"},
        {"Cookie": f"tokenlab={cookie_value(TOKEN)}"},  # counts under the path of the page alone
        {"Authorization": f"Bearer {cookie_value(TOKEN)}"},
        {"Authorization": f"Bearer {page_path(TOKEN).strip('/')}"},
        {"Authorization": "Bearer \u00e9".encode("latin-1").decode("latin-1")},
    ],
)
@pytest.mark.parametrize(
    "path", [LIST, "/", "/docs", "/openapi.json", "/js/main.js", "/?token=wrong", f"{LIST}?token={TOKEN}"]
)
def test_without_the_secret_nothing_is_shown(stranger, refused, headers, path):
    headers = {name: value.encode("latin-1") for name, value in headers.items()}
    response = stranger.get(path, headers=headers)
    refused(response, 401, "unauthorized")
    assert response.headers["www-authenticate"] == "Bearer"


def test_a_browser_without_the_secret_sees_words(stranger):
    response = stranger.get("/", headers={"Accept": "text/html"})
    assert response.status_code == 401 and response.headers["content-type"].startswith("text/html")
    assert "?token=" in response.text
    nonce = re.search('<script nonce="([^"]+)">', response.text)[1]
    assert f"script-src 'nonce-{nonce}'" in response.headers["content-security-policy"]


def test_the_secret_is_taken_once_and_becomes_a_cookie_of_the_page(stranger):
    response = stranger.get(f"/?token={TOKEN}&screen=compare")
    assert response.status_code == 303 and response.headers["location"] == f"{page_path(TOKEN)}?screen=compare"
    cookie = response.headers["set-cookie"].lower()
    assert (
        cookie.startswith(f"tokenlab={cookie_value(TOKEN)};") and "httponly" in cookie and "samesite=strict" in cookie
    )
    assert f"path={page_path(TOKEN)}" in cookie and "secure" not in cookie
    below = page_path(TOKEN).rstrip("/")
    for path in ["/", LIST, "/docs", "/icon.svg", "/openapi.json"]:
        assert stranger.get(below + path).status_code == 200, path  # the client has kept the cookie
        assert stranger.get(path).status_code == 401, path


def test_the_path_of_the_page_is_no_secret_by_itself(stranger, refused):
    below = page_path(TOKEN).rstrip("/")
    for cookie in ["", "tokenlab=wrong", f"tokenlab={TOKEN}", f"other={cookie_value(TOKEN)}"]:
        refused(stranger.get(below + LIST, headers={"Cookie": cookie}), 401, "unauthorized")
    # A server on another port can set cookies of the same name for all paths.
    both = f"tokenlab=theirs; tokenlab={cookie_value(TOKEN)}; tokenlab=theirs"
    assert stranger.get(below + LIST, headers={"Cookie": both}).status_code == 200


def test_behind_tls_the_cookie_is_secure(settings):
    with TestClient(create_app(settings), base_url="https://127.0.0.1:8123", follow_redirects=False) as client:
        assert "secure" in client.get(f"/?token={TOKEN}").headers["set-cookie"].lower()


def test_the_interactive_documentation_works_under_the_path_of_the_page(stranger):
    stranger.get(f"/?token={TOKEN}")
    below = page_path(TOKEN).rstrip("/")
    page = stranger.get(f"{below}/docs").text
    named = re.findall('(?:href|src)="([^"]+)"', page)
    assert named and all(stranger.get(f"{below}/{each}").status_code == 200 for each in named)
    assert stranger.get(f"{below}/openapi.json").json()["servers"] == [{"url": below}]


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_of_a_file_leads_on_with_the_cookie(stranger, site):
    """A browser sends no strict cookie along with a redirect that another page began: the lab's own page leads on."""
    response = stranger.get(f"/?token={TOKEN}&q=%22%3E%3Cb%3E", headers={"Sec-Fetch-Site": site})
    assert response.status_code == 200 and "tokenlab=" in response.headers["set-cookie"]
    assert f'content="0; url={page_path(TOKEN)}?q=%22%3E%3Cb%3E"' in response.text and TOKEN not in response.text


def test_the_page_has_one_address(client):
    response = client.get("/index.html?screen=compare", follow_redirects=False)
    assert response.status_code == 308 and response.headers["location"] == "./?screen=compare"


def test_health_needs_no_secret_and_tells_nothing(stranger):
    response = stranger.get("/healthz")
    assert response.status_code == 200 and set(response.json()) == {"status", "version"}


@pytest.mark.parametrize("path", ["/", LIST, "/docs", "/nothing", "/healthz", "/css/base.css"])
def test_every_answer_is_safe_to_show(client, path):
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe-eval" not in headers["content-security-policy"]


def test_a_page_runs_its_own_scripts_only(client):
    policies = [client.get("/").headers["content-security-policy"] for _ in range(2)]
    nonces = [re.search(r"'nonce-([\w-]{20,})'", policy)[1] for policy in policies]
    assert nonces[0] != nonces[1]
    assert "script-src 'self';" in policies[0] and "'unsafe-inline'" not in policies[0].replace(
        "style-src-attr 'unsafe-inline'", ""
    )


def test_the_page_has_the_nonce_of_its_policy(client):
    response = client.get("/")
    nonce = re.search(r"'nonce-([\w-]+)'", response.headers["content-security-policy"])[1]
    assert f'content="{nonce}"' in response.text and "__NONCE__" not in response.text


LINE = f"{ADDRESS.replace('http', 'ws')}/api/v1/documents/none/edits"


@pytest.mark.parametrize(
    ("who", "headers", "status"),
    [
        ("stranger", {}, 401),
        ("stranger", {"Authorization": "Bearer wrong"}, 401),
        ("client", {"Origin": "http://example.com"}, 403),
        ("client", {"Host": "example.com:8123"}, 403),
    ],
)
def test_a_websocket_passes_the_same_checks(who, headers, status, request):
    with (
        pytest.raises(WebSocketDenialResponse) as refusal,
        request.getfixturevalue(who).websocket_connect(LINE, headers=headers),
    ):
        pass
    assert refusal.value.status_code == status


@pytest.mark.parametrize("headers", [{}, {"Origin": ADDRESS}, {"Origin": ADDRESS.replace("http", "https")}])
def test_the_page_may_open_a_websocket(client, headers):
    with client.websocket_connect(LINE, headers=headers) as line:
        line.send_text("{}")
        assert line.receive_json()["error"]["code"]


def test_a_websocket_where_there_is_none_is_refused(client):
    with pytest.raises(WebSocketDenialResponse) as refusal, client.websocket_connect("/api/v1/tokenizers"):
        pass
    assert refusal.value.status_code == 405


def test_images_come_from_the_page_itself_and_nothing_from_elsewhere(client):
    policy = dict(
        part.strip().split(" ", 1) for part in client.get("/").headers["Content-Security-Policy"].split(";") if part
    )
    assert policy["img-src"].split() == ["'self'", "data:", "blob:"]  # blob: a picture is made a PNG by way of it
    assert policy["default-src"] == "'none'" and policy["connect-src"] == "'self'"
