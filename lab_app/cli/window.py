"""`tokenlab` without a command: opens the lab."""

from lab_app.cli.common import the_settings


def open_lab(browser: bool) -> int:
    """Opens the window, or the browser, and returns when it is closed; the exit status."""
    settings = the_settings(display="browser" if browser else None)
    from lab_app.desktop.shell import open_lab

    return open_lab(settings)
