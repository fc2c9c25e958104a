"""`make pictures`: the pictures of the guide and the readme, made by the lab itself, and small ones without letters.

`test_looks.py` compares the small ones with the lab, so that it says when the pictures of the guide are out of date.
"""

import io
import json
import math
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import httpx2
from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser import kept_benchmarks
from tests.browser.conftest import PATIENCE_S, Lab, Server, launch
from tests.conftest import ROOT, build_page_bundle

GOLDEN = ROOT / "tests" / "golden" / "looks"
CELLS = (80, 50)
"""Of a picture without letters, as it is stored: one pixel for the mean colour of sixteen by sixteen."""
PLAIN = "The unaffordable naïve café served 2048 guests.\nдва слова, κόσμε\n\tdef scroll(self, by=42): return by\n"
"""A text in scripts that the page's own fonts have, so that every token is as wide on every machine."""
LETTERS = """() => {
    const style = new CSSStyleSheet();
    style.replaceSync(`*, *::before, *::after, *::placeholder { -webkit-text-fill-color: transparent !important;
        caret-color: transparent !important; text-decoration-color: transparent !important; }
        svg text { fill: transparent !important; }`);
    document.adoptedStyleSheets.push(style);
}"""
FOLDER = ROOT / "docs" / "guide" / "images"
CHOSEN = ["bert-base-uncased", "gpt2", "cl100k_base"]
SIZE = {"width": 1280, "height": 800}
PIXELS = 1.5
"""Per CSS pixel."""
COLOURS = 256
"""Of a picture. Nobody sees the difference, and the file has a third of the bytes."""

CROPS = {
    "compare": (72, 200, 862, 490),
    "inspect-why": (941, 48, 1280, 580),
    "corpus-languages": (165, 335, 940, 575),
    "learn": (292, 140, 932, 710),
}
"""The part of a scene that the README shows, at most 830 pixels wide: left, top, right, bottom."""


UNIGRAM = "small-unigram"
COUNTS = {
    "un": 60, "believ": 5, "able": 70, "vable": 28, "be": 40, "lie": 40, "li": 9, "eva": 4, "ble": 60, "a": 50,
    "b": 11, "e": 80, "i": 44, "l": 30, "n": 38, "u": 16, "v": 9, " ": 90, "t": 41, "o": 33, "k": 8, "s": 52, "token": 18, "tokens": 9,
    " token": 24, " tokens": 11, "to": 35, "ken": 6, "en": 29,
}  # fmt: skip
"""How often each token of that vocabulary was met; its score is the logarithm of its share."""


def inspect(lab: Lab) -> None:
    lab.go("inspect")


def inspect_why(lab: Lab) -> None:
    lab.go("inspect")
    lab.page.evaluate("document.querySelector('token-text').moveCaret(2)")
    lab.page.locator("[data-role=why-end]").click()
    lab.ready()


def inspect_ways(lab: Lab) -> None:
    """A Unigram tokenizer of a few words, small enough that everything it weighs can be seen. `UNIGRAM` is its id."""
    total = sum(COUNTS.values())
    vocab = [["<unk>", 0.0], *([token, math.log(times / total)] for token, times in COUNTS.items())]
    stages = dict.fromkeys(["truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder"])
    model = {"type": "Unigram", "unk_id": 0, "byte_fallback": False, "vocab": vocab}
    file = json.dumps({"version": "1.0", "added_tokens": [], "model": model, **stages})
    upload(lab.server, "tokenizer.json", file.encode(), UNIGRAM)
    lab.page.goto(lab.page.url.partition("#")[0] + f"#/inspect?t={UNIGRAM}&text=unbelievable tokens")
    lab.page.reload()
    lab.ready()
    lab.page.evaluate("document.querySelector('token-text').moveCaret(9)")
    lab.page.locator("[data-role=why-start]").click()
    lab.ready()
    lab.page.locator("[data-role=mechanism] summary").click()
    lab.page.locator("[data-role=segmentations]").scroll_into_view_if_needed()


def compare(lab: Lab) -> None:
    lab.go("compare")
    lab.page.locator("[data-role=divergence]").nth(1).click()


def compare_side(lab: Lab) -> None:
    lab.go("compare")
    lab.page.get_by_role("radio", name="Side by side").click()
    lab.page.get_by_role("tab", name="Agreement").click()


def compare_table(lab: Lab) -> None:
    lab.go("compare")
    lab.page.get_by_role("radio", name="Table").click()
    lab.page.get_by_role("tab", name="Vocab").click()


def vocabulary(lab: Lab) -> None:
    lab.go("vocabulary")
    lab.page.locator("[data-role=vocabulary-search]").fill("token")
    lab.idle()
    lab.page.locator("[data-role=vocabulary-rows] [data-row]").get_by_text("tokens", exact=False).first.click()


def vocabulary_size(lab: Lab) -> None:
    lab.go("vocabulary")
    lab.page.get_by_role("tab", name="Size").click()
    lab.page.locator("[data-role=size-slider]").fill("620")


def corpus(lab: Lab) -> None:
    lab.go("corpus")
    if lab.page.locator(".corpus first-invitation").is_visible():
        lab.page.locator("[data-role=analyze]").click()
    lab.page.locator("fact-cards [data-role=count]").first.wait_for()


def corpus_languages(lab: Lab) -> None:
    corpus(lab)
    lab.page.get_by_role("tab", name="Languages").click()


def benchmark(lab: Lab) -> None:
    """An example that is the same on every machine."""
    kept_benchmarks.keep(lab.page)
    lab.go("benchmark")


def train(lab: Lab) -> None:
    """On a text that is the same on every machine: so are all merges."""
    if not lab.server.call("GET", "trainings")["trainings"]:
        source = {"kind": "corpus", "name": "udhr"}
        body = {"sources": [source], "preset": "gpt2", "options": {"vocab_size": 4000}, "held_out": {"share": 0.05}}
        id = lab.server.call("POST", "trainings", body)["id"]
        lab.until(lambda: lab.server.call("GET", f"trainings/{id}")["state"] == "done", "the training has ended")
    lab.go("train")
    lab.page.get_by_role("radio", name="First").click()


def learn(lab: Lab) -> None:
    """A miss in the lesson on BPE: the pair that was pressed, and the one that goes first."""
    lab.page.goto(
        lab.page.url.partition("#")[0] + "#/learn?lesson=bpe-encode&way=do&at=13&sample=unbelievable tokenizers"
    )
    lab.ready()
    lab.page.locator(".lesson-svg [data-choice]").first.click()


def library(lab: Lab) -> None:
    lab.go("library")


def reports(lab: Lab) -> None:
    lab.go("reports")
    lab.page.get_by_placeholder("Name of the session").fill("Mixed scripts")
    lab.page.get_by_role("button", name="Save this session").click()
    lab.ready()
    lab.page.get_by_role("button", name="Compare with current results").first.click()


SCENES: dict[str, Callable[[Lab], None]] = {
    "inspect": inspect,
    "inspect-why": inspect_why,
    "inspect-ways": inspect_ways,
    "compare": compare,
    "compare-side": compare_side,
    "compare-table": compare_table,
    "vocabulary": vocabulary,
    "vocabulary-size": vocabulary_size,
    "corpus": corpus,
    "corpus-languages": corpus_languages,
    "benchmark": benchmark,
    "train": train,
    "learn": learn,
    "library": library,
    "reports": reports,
}


def upload(server: Server, name: str, content: bytes, id: str) -> None:
    """Adds a tokenizer as the page does with files that are dropped on it."""
    address = f"{server.origin}/api/v1/tokenizers/files"
    server.note("POST", address)
    answer = httpx2.post(
        address,
        headers={"Authorization": f"Bearer {server.token}"},
        files={"files": (name, content)},
        data={"id": id},
        timeout=PATIENCE_S,
    )
    answer.raise_for_status()


def arrange(lab: Lab, scene: str, theme: str, text: str | None = None) -> None:
    """Brings a scene on the screen, with nothing under the pointer. Of the first sample, if no `text` is given."""
    preferences = {"chosen": CHOSEN, "active": "cl100k_base", "theme": theme}
    lab.server.call("PUT", "preferences", preferences)
    lab.page.emulate_media(reduced_motion="reduce")
    lab.open()
    if text is not None:
        lab.set_text(text)
    SCENES[scene](lab)
    lab.page.mouse.move(0, 0)
    lab.idle()


def shapes(lab: Lab, theme: str) -> Image.Image:
    """What is on the screen in a theme, small and without letters: where things are and which colours they have."""
    lab.page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    lab.page.evaluate(LETTERS)
    lab.idle()
    whole = Image.open(io.BytesIO(lab.page.screenshot())).convert("RGB")
    return whole.resize(CELLS, Image.Resampling.BOX)


def crop(picture: Image.Image, scene: str, theme: str) -> None:
    """Writes the part of a picture that the README shows."""
    left, top, right, bottom = (round(side * PIXELS) for side in CROPS[scene])
    picture.crop((left, top, right, bottom)).save(FOLDER / f"part-{scene}-{theme}.png", optimize=True)


def main() -> None:
    """Writes every picture, or those named, light and dark, at 1280 x 800 and one and a half times the pixels."""
    build_page_bundle()
    for folder in (FOLDER, GOLDEN):
        folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        unhinted = launch(playwright, "--font-render-hinting=none")  # letters at their true distances, for people
        for theme in ("light", "dark"):
            for scene in sys.argv[1:] or SCENES:
                with tempfile.TemporaryDirectory(prefix="tokenlab-pictures-") as folder:
                    server = Server(Path(folder))  # its own: nothing that was added or saved before
                    page = unhinted.new_page(viewport=SIZE, device_scale_factor=PIXELS)
                    lab = Lab(page, server)
                    lab.watch()
                    arrange(lab, scene, theme)
                    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS)
                    picture.save(FOLDER / f"{scene}-{theme}.png", optimize=True)
                    page.close()
                    if scene in CROPS:
                        crop(picture, scene, theme)
                    if theme == "light":
                        page = browser.new_page(viewport=SIZE, device_scale_factor=PIXELS)
                        lab = Lab(page, server)
                        server.reset()
                        arrange(lab, scene, theme, PLAIN)
                        for each in ("light", "dark"):
                            shapes(lab, each).save(GOLDEN / f"{scene}-{each}.png", optimize=True)
                        page.close()
                    server.stop()
        browser.close()
        unhinted.close()


if __name__ == "__main__":
    main()
