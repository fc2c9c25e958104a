"""`tokenlab` without a command: opens the lab."""


def open_lab(browser: bool) -> int:
    """Opens the window, or the browser, and returns when it is closed; the exit status."""
    from lab_app.desktop.window_check import missing_for_window
    from lab_app.desktop.window_process import WindowProcess

    # First of all, since what the window imports takes longest: all the rest is imported beside it. The settings, which are
    # among the rest, may say that there is to be none; it ends before it has shown anything then.
    problem = None if browser else missing_for_window()
    window = WindowProcess() if not browser and problem is None else None
    try:
        from lab_app import paths, settings
        from lab_app.desktop import shell

        given = settings.load({"display": "browser" if browser else None}, config_file=paths.config_file())
        return shell.open_lab(given, window, problem)
    finally:
        if window is not None:
            window.end()
