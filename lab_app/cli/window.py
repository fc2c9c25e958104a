"""`tokenlab` without a command: opens the lab."""

from lab_app import paths, settings


def open_lab(browser: bool) -> int:
    """Opens the window, or the browser, and returns when it is closed; the exit status."""
    from lab_app.desktop import shell

    return shell.open_lab(settings.load({"display": "browser" if browser else None}, config_file=paths.config_file()))
