"""The floor of `make bench-startup`: a window of pywebview whose page asks a server in a thread for one answer.

It imports what such a program needs and nothing else, so that it is as quick as a window of pywebview can be.
"""

import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from lab_app.desktop.binding import import_qt

PAGE = b"""<!doctype html><html><meta charset="utf-8"><title>Bare</title><p>...</p><script>
fetch('answer').then(answer => answer.text()).then(text => {
  document.querySelector('p').textContent = text;
  document.documentElement.dataset.state = 'ready';
});
</script></html>"""


class Handler(BaseHTTPRequestHandler):
    """Answers with the page at `/`, with a word elsewhere."""

    def do_GET(self) -> None:
        body = PAGE if self.path == "/" else b"answer"
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if self.path == "/" else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Nothing is logged."""


def main() -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    import_qt()
    if os.geteuid() == 0:  # Chromium's sandbox refuses to run as root
        os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    import webview

    window = webview.create_window("Bare", f"http://127.0.0.1:{server.server_port}/")
    assert window is not None
    webview.start(gui="qt")


if __name__ == "__main__":
    main()
