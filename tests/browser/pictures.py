"""`make pictures`: the pictures of the guide and the readme, made by the lab itself.

Not a test: what a screen must look like is looked at, what it must do is in the tests beside this file.
"""

import os
import subprocess
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import ARGUMENTS, DEBIAN_CHROMIUM, Lab, Server, tokenlab
from tests.conftest import ROOT, fetched_bert_vocab

FOLDER = ROOT / "docs" / "guide" / "images"
CHOSEN = ["bert-base-uncased", "gpt2", "cl100k_base"]


def main() -> None:
    """Writes every picture, light and dark, at 1280 x 800 and one and a half times the pixels."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    bert = fetched_bert_vocab()
    if bert is None:
        raise SystemExit("bert-base-uncased is not here: run `make bert`")
    with tempfile.TemporaryDirectory(prefix="tokenlab-pictures-") as data_dir, sync_playwright() as playwright:
        environment = {**os.environ, "TOKENLAB_DATA_DIR": data_dir}
        command = [tokenlab(), "add", str(bert), "--id", "bert-base-uncased"]
        subprocess.run(command, env=environment, check=True, capture_output=True)
        server = Server(Path(data_dir))
        try:
            path = str(DEBIAN_CHROMIUM) if DEBIAN_CHROMIUM.exists() else None
            browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
            for theme in ("light", "dark"):
                _take(browser, server, theme)
            browser.close()
        finally:
            server.stop()


def _take(browser: Browser, server: Server, theme: str) -> None:
    server.call("PUT", "preferences", {"chosen": CHOSEN, "active": "cl100k_base", "theme": theme})
    page = browser.new_page(viewport={"width": 1280, "height": 800}, device_scale_factor=1.5)
    lab = Lab(page, server)
    lab.open("inspect")
    page.screenshot(path=FOLDER / f"inspect-{theme}.png")
    lab.go("compare")
    lab.ready()
    page.locator("[data-role=divergence]").nth(1).click()
    page.mouse.move(0, 0)
    lab.ready()
    page.screenshot(path=FOLDER / f"compare-{theme}.png")
    lab.go("vocabulary")
    page.locator("[data-role=vocabulary-search]").fill("token")
    page.wait_for_timeout(300)
    lab.ready()
    page.locator("[data-role=vocabulary-rows] [data-row]").get_by_text("tokens", exact=False).first.click()
    lab.ready()
    page.screenshot(path=FOLDER / f"vocabulary-{theme}.png")
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("tab", name="Size").click()
    page.locator("[data-role=cut-slider]").fill("620")
    lab.ready()
    page.screenshot(path=FOLDER / f"vocabulary-size-{theme}.png")
    page.close()


if __name__ == "__main__":
    main()
