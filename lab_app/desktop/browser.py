"""Opens the lab in the browser without showing its secret to the machine's other users.

Everybody can read the command lines of a machine's programs. So the browser is given the address of a file that only this
user can read, and the page in it leads on to the lab. Not here: the window (`shell`).
"""

import html
import os
import sys
import webbrowser
from pathlib import Path

from lab_app.private import write_private

PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>Tokenization Laboratory</title>
<p><a href="{address}">Open the lab</a></p>
"""


def browser_problem() -> str | None:
    """Why no browser can be opened, or None. A text browser would take the terminal over, so it does not count."""
    graphical = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    if sys.platform not in ("win32", "darwin") and not graphical:
        return "there is no display"
    try:
        webbrowser.get()
    except webbrowser.Error:
        return "none is installed"
    return None


def open_browser(address: str, page: Path) -> bool:
    """Opens `address`, secret included, by way of the file `page`. False if no browser could be started."""
    try:
        write_private(page, PAGE.format(address=html.escape(address)))
    except OSError:
        return False
    return webbrowser.open(page.absolute().as_uri())
