"""Text from files: the open button, dropping, and what is not text."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from lab_app.engine import PATTERNS
from tests import tiny
from tests.browser.conftest import Lab


def open_file(lab: Lab, path: Path) -> None:
    lab.page.locator("[data-role=text-file]").set_input_files(path)
    lab.ready()


def test_open(lab: Lab, tmp_path: Path):
    path = tmp_path / "letter.txt"
    path.write_bytes("Grüße\r\naus 東京".encode())
    open_file(lab, path)
    assert lab.current_text == "Grüße\r\naus 東京"
    assert lab.tokens("gpt2") == lab.expected("gpt2", "Grüße\r\naus 東京")
    expect(lab.page.locator(".status")).to_contain_text("letter.txt · UTF-8, CRLF")


def test_open_button_and_shortcut(lab: Lab, tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_text("by the button")
    with lab.page.expect_file_chooser() as chooser:
        lab.page.locator("[data-role=open-file]").click()
    chooser.value.set_files(path)
    lab.ready()
    assert lab.current_text == "by the button"
    with lab.page.expect_file_chooser():
        lab.page.keyboard.press("Control+o")


def test_utf16(lab: Lab, tmp_path: Path):
    path = tmp_path / "windows.txt"
    path.write_bytes("Ünïcode".encode("utf-16"))
    open_file(lab, path)
    assert lab.current_text == "Ünïcode"
    expect(lab.page.locator(".status")).to_contain_text("UTF-16LE")


def test_what_is_no_text_is_refused_and_the_text_stays(lab: Lab, tmp_path: Path):
    before = lab.current_text
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    open_file(lab, path)
    expect(lab.error).to_contain_text("picture.png is not UTF-8 text: byte 0 is 0x89")
    assert lab.current_text == before
    lab.page.get_by_role("button", name="Dismiss this message").click()
    expect(lab.error).to_be_hidden()


@pytest.mark.parametrize("screen", ["inspect", "compare"])
def test_drop(lab: Lab, screen: str):
    lab.go(screen)
    drop = """text => {
        const data = new DataTransfer();
        data.items.add(new File([text], 'dropped.txt', { type: 'text/plain' }));
        const target = document.querySelector('token-text .cm-content');
        const at = { dataTransfer: data, bubbles: true, cancelable: true };
        target.dispatchEvent(new DragEvent('dragenter', at));
        const shown = !document.querySelector('.drop-hint').hidden;
        const kept = [!target.dispatchEvent(new DragEvent('dragover', at)), !target.dispatchEvent(new DragEvent('drop', at))];
        return [shown, ...kept, document.querySelector('.drop-hint').hidden];
    }"""
    assert lab.page.evaluate(drop, "dropped 語") == [True, True, True, True]
    lab.ready()
    assert lab.current_text == "dropped 語"
    assert lab.tokens("gpt2") == lab.expected("gpt2", "dropped 語")


def test_vocabulary_file_that_is_none(lab: Lab, tmp_path: Path):
    lab.tolerated = ("status of 4",)
    path = tmp_path / "vocab.txt"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    lab.page.locator("[data-role=add-tokenizer]").click()
    lab.page.locator("[data-role=vocabulary-files]").set_input_files(path)
    problem = lab.page.locator(".dialog-problem")
    expect(problem).to_contain_text("vocab.txt")
    assert len(problem.inner_text().splitlines()) >= 2, "a message and what to do"


def test_vocabulary_files_become_a_tokenizer(lab: Lab, tmp_path: Path):
    characters = [chr(c) for c in [*range(33, 127), *range(161, 173), *range(174, 256)]]
    characters += [chr(256 + n) for n in range(256 - len(characters))]
    (tmp_path / "vocab.json").write_text(json.dumps({c: n for n, c in enumerate([*characters, "he", "ll", "hell"])}))
    (tmp_path / "merges.txt").write_text("#version: 0.2\nh e\nl l\nhe ll\n")
    lab.page.locator("[data-role=add-tokenizer]").click()
    lab.page.locator("[data-role=vocabulary-files]").set_input_files([tmp_path / "vocab.json", tmp_path / "merges.txt"])
    added = lab.page.locator("tokenizer-chips .chip").nth(2)
    expect(added).to_be_visible()
    name = added.get_attribute("data-tokenizer") or ""
    lab.page.keyboard.press("Escape")
    added.locator(".pick").click()
    lab.write("hello")
    assert [token["id"] for token in lab.tokens(name)] == [258, characters.index("o")]
    lab.server.call("DELETE", f"tokenizers/{name}")


def test_a_rank_file_is_split_by_an_expression(lab: Lab, tmp_path: Path):
    lab.page.locator("[data-role=add-tokenizer]").click()
    named = lab.page.locator("#patterns option").evaluate_all("all => all.map(option => option.value)")
    assert named == list(PATTERNS)
    lab.page.get_by_label("Split pattern of a rank file").fill(r"hell|[^h]|h")
    lab.page.locator("[data-role=vocabulary-files]").set_input_files(tiny.rank_file(tmp_path))
    added = lab.page.locator("tokenizer-chips .chip").nth(2)
    expect(added).to_be_visible()
    name = added.get_attribute("data-tokenizer") or ""
    lab.page.keyboard.press("Escape")
    added.locator(".pick").click()
    lab.write("hello")
    assert [token["id"] for token in lab.tokens(name)] == [258, ord("o")]
