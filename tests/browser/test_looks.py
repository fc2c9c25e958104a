"""The lab looks as it did when the pictures of its guide were taken, light and dark.

Compared without letters and coarsely, by the mean colour of cells of sixteen pixels: no font and no version of a browser
makes a difference, but a control that moved, a colour that changed or a lane that is not drawn does. What is meant to look
different now: `make pictures`.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.browser import pictures
from tests.browser.conftest import Lab, Server
from tests.scale import few

MOST_MEAN, MOST_OF_A_CELL, CELLS_THAT_MAY = 1.0, 50.0, 8
"""Of 255: the mean difference; that of a cell; and how many cells may have more."""
ONE_A_SCREEN = ["inspect", "compare", "vocabulary", "corpus", "benchmark", "train", "learn", "library", "reports"]


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("looks"))
    yield server
    server.stop()


def differences(a: Image.Image, b: Image.Image) -> tuple[float, int]:
    """Mean difference of the cells, and how many differ by much."""
    apart = np.abs(np.asarray(a, dtype=float) - np.asarray(b.convert("RGB"), dtype=float)).max(axis=2)
    return float(apart.mean()), int(np.count_nonzero(apart > MOST_OF_A_CELL))


@pytest.fixture(scope="module")
def finer_page(browser: Browser, own_server: Server) -> Iterator[Lab]:
    """A page with the pixels of the pictures. It stays, so that its scripts are compiled once."""
    context = browser.new_context(viewport=pictures.SIZE, device_scale_factor=pictures.PIXELS)
    lab = Lab(context.new_page(), own_server)
    lab.watch()
    yield lab
    context.close()


@pytest.fixture
def arranged(finer_page: Lab) -> Iterator[Callable[[str], Lab]]:
    """Opens the lab anew and brings a scene on the screen."""

    def arrange(scene: str) -> Lab:
        pictures.arrange(finer_page, scene, "light", pictures.PLAIN)
        return finer_page

    yield arrange
    finer_page.page.unroute_all()
    finer_page.page.evaluate("tested.end()")
    finer_page.saved()
    finer_page.server.reset()
    finer_page.check()


@pytest.mark.parametrize(
    "scene", few([*ONE_A_SCREEN, *(name for name in pictures.SCENES if name not in ONE_A_SCREEN)], 9)
)
def test_looks_as_in_its_picture(arranged: Callable[[str], Lab], scene: str):
    lab = arranged(scene)
    for theme in ("light", "dark"):
        assert (pictures.FOLDER / f"{scene}-{theme}.png").is_file()
        stored = Image.open(pictures.GOLDEN / f"{scene}-{theme}.png")
        mean, many = differences(pictures.shapes(lab, theme), stored)
        assert mean <= MOST_MEAN and many <= CELLS_THAT_MAY, (
            f"{theme}: mean {mean:.2f}, {many} cells: look, then `make pictures`"
        )


def test_a_difference_would_be_seen(arranged: Callable[[str], Lab]):
    """Tokens that are not drawn, and a drawer that is not there, are more than the test above lets pass."""
    lab = arranged("inspect")
    whole = pictures.shapes(lab, "light")
    for hidden in (".token-layer.below", ".panel"):
        lab.page.evaluate("name => { document.querySelector(name).style.visibility = 'hidden'; }", hidden)
        mean, many = differences(pictures.shapes(lab, "light"), whole)
        assert mean > MOST_MEAN or many > CELLS_THAT_MAY, (hidden, mean, many)
        lab.page.evaluate("name => { document.querySelector(name).style.visibility = ''; }", hidden)


def test_no_font_makes_a_difference(arranged: Callable[[str], Lab]):
    """Other glyphs for every letter, of the same widths: the pictures stay as they are."""
    lab = arranged("inspect")
    whole = pictures.shapes(lab, "light")
    lab.page.evaluate("document.querySelectorAll('.cm-line').forEach(line => { line.style.fontStyle = 'italic'; })")
    mean, many = differences(pictures.shapes(lab, "light"), whole)
    assert mean <= MOST_MEAN and many <= CELLS_THAT_MAY
