"""Where the lab keeps its files. Nothing here makes a folder or a file; who writes does that.

The data folder holds `lab.sqlite3` (catalog, preferences), `tokenizers/` (the files of added tokenizers), `corpora/` (the files of
corpora that were sent to the lab), `analyses/` (the counts of kept analyses), `trainings/` (steps, checkpoints and results of
trainings), `owners/` (see `lab_app.store.owners`), `window.lock`, `window.json` (where the open
lab is reached), `window.html` (opens
the browser) and `window-state.json`; the configuration folder holds `config.toml`. Source of the places: platformdirs.
"""

from pathlib import Path

import platformdirs

from lab_app.settings import Settings

APP = "tokenlab"
# Every name that the data folder may hold.
OWN_NAMES = frozenset(
    (
        *(
            "lab.sqlite3",
            "lab.sqlite3-wal",
            "lab.sqlite3-shm",
            "lab.sqlite3-journal",
            "tokenizers",
            "corpora",
            "analyses",
            "trainings",
            "owners",
        ),
        *("window.lock", "window.json", "window.json.new", "window.html", "window.html.new"),
        *("window-state.json", "window-state.new"),
    )
)


def data_dir(settings: Settings) -> Path:
    """The folder of everything the lab keeps.

    >>> data_dir(Settings(data_dir=Path("/tmp/lab"))).as_posix()
    '/tmp/lab'
    """
    return settings.data_dir or Path(platformdirs.user_data_dir(APP, appauthor=False))


def config_file() -> Path:
    """The file the settings are read from, which need not exist."""
    return Path(platformdirs.user_config_dir(APP, appauthor=False)) / "config.toml"


def database(settings: Settings) -> Path:
    """The SQLite file of the catalog and the preferences."""
    return data_dir(settings) / "lab.sqlite3"


def tokenizers(settings: Settings) -> Path:
    """The folder with one folder of files per added tokenizer."""
    return data_dir(settings) / "tokenizers"


def analyses(settings: Settings) -> Path:
    """The folder with one Parquet file of counts per kept analysis."""
    return data_dir(settings) / "analyses"


def corpora(settings: Settings) -> Path:
    """The folder with one folder of files per corpus that was sent to the lab."""
    return data_dir(settings) / "corpora"


def trainings(settings: Settings) -> Path:
    """The folder with one folder of steps, checkpoint and tokenizer per training."""
    return data_dir(settings) / "trainings"


def owners(settings: Settings) -> Path:
    """The folder with one locked file per program that runs jobs on this data; see `lab_app.store.owners`."""
    return data_dir(settings) / "owners"


def window_lock(settings: Settings) -> Path:
    """The file whose lock the one open window holds; see `lab_app.desktop.single_instance`."""
    return data_dir(settings) / "window.lock"


def browser_page(settings: Settings) -> Path:
    """The page that sends a browser to the open lab; see `lab_app.desktop.browser`."""
    return data_dir(settings) / "window.html"


def window_state(settings: Settings) -> Path:
    """The file in which the window remembers its size and zoom."""
    return data_dir(settings) / "window-state.json"


def packed() -> Path:
    """The folder with one folder per tokenizer whose files come with the lab, and the engine for handouts; made at set-up, and in
    every wheel."""
    return Path(__file__).resolve().parent / "vendor"


def page() -> Path:
    """The folder `lab_ui`, which stands beside `lab_app` in a checkout as in an installed wheel."""
    return Path(__file__).resolve().parent.parent / "lab_ui"


def guide() -> Path:
    """The folder of the guide's pages, which `make guide` makes and a wheel has."""
    return Path(__file__).resolve().parent / "vendor" / "guide"
