"""The lab looks like the pictures of its guide, light and dark.

Compared coarsely, by the mean colour of cells of sixteen pixels: a letter that is drawn a little differently is no news, a
control that moved, a colour that changed or a lane that is not drawn is. What is meant to look different now: `make pictures`.
"""

import io
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.browser import pictures
from tests.browser.conftest import Lab, Server

CELLS = (80, 50)
FONTS = ("Inter", "JetBrains Mono", "Noto Sans CJK JP", "Noto Color Emoji")
MOST_MEAN, MOST_OF_A_CELL, CELLS_THAT_MAY = 1.0, 50.0, 8
"""Of 255: the mean difference; that of a cell; and how many cells may have more (figures that tell a time)."""


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory, bert_vocab: Path) -> Iterator[Server]:
    server = pictures.prepare(tmp_path_factory.mktemp("looks"), bert_vocab)
    yield server
    server.stop()


def cells(picture: Image.Image) -> NDArray[np.float64]:
    return np.asarray(picture.convert("RGB").resize(CELLS, Image.Resampling.BOX), dtype=float)


def differences(a: Image.Image, b: Image.Image) -> tuple[float, int]:
    """Mean difference of the cells, and how many differ by much."""
    apart = np.abs(cells(a) - cells(b)).max(axis=2)
    return float(apart.mean()), int(np.count_nonzero(apart > MOST_OF_A_CELL))


def shot(lab: Lab) -> Image.Image:
    return Image.open(io.BytesIO(lab.page.screenshot()))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("scene", pictures.SCENES)
def test_looks_like_its_picture(open_page, own_server: Server, scene: str, theme: str):
    missing = [font for font in FONTS if not has_font(font)]
    if missing:
        pytest.skip(f"the pictures were made with fonts that are not here: {', '.join(missing)}")
    for report in own_server.call("GET", "reports")["reports"]:
        own_server.call("DELETE", f"reports/{report['id']}")
    if any(entry["id"] == pictures.UNIGRAM for entry in own_server.call("GET", "tokenizers")["tokenizers"]):
        own_server.call("DELETE", f"tokenizers/{pictures.UNIGRAM}")
    lab = open_page(device_scale_factor=pictures.PIXELS)
    lab.server = own_server
    lab.page.set_viewport_size(pictures.SIZE)
    pictures.arrange(lab, scene, theme)
    mean, many = differences(shot(lab), Image.open(pictures.FOLDER / f"{scene}-{theme}.png"))
    assert mean <= MOST_MEAN and many <= CELLS_THAT_MAY, f"mean {mean:.2f}, {many} cells: look, then `make pictures`"


def test_a_difference_would_be_seen(open_page, own_server: Server):
    """Tokens that are not drawn, and a drawer that is not there, are more than the tests above let pass."""
    lab = open_page(device_scale_factor=pictures.PIXELS)
    lab.server = own_server
    lab.page.set_viewport_size(pictures.SIZE)
    pictures.arrange(lab, "inspect", "light")
    whole = shot(lab)
    for hidden in (".token-layer.below", ".panel"):
        lab.page.evaluate("name => { document.querySelector(name).style.visibility = 'hidden'; }", hidden)
        mean, many = differences(shot(lab), whole)
        assert mean > MOST_MEAN or many > CELLS_THAT_MAY, (hidden, mean, many)
        lab.page.evaluate("name => { document.querySelector(name).style.visibility = ''; }", hidden)


def has_font(name: str) -> bool:
    """Whether the system has it, by fontconfig; without fontconfig, nobody knows."""
    if not shutil.which("fc-list"):
        return False
    return bool(subprocess.run(["fc-list", name], capture_output=True, text=True, check=True).stdout.strip())
