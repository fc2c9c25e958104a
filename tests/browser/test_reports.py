"""Saved sessions and addresses: what was seen is seen again."""

import json
import re
import subprocess
from pathlib import Path

from playwright.sync_api import expect

from lab_app.version import lab_version
from tests.browser.conftest import Axe, Lab
from tests.browser.server import tokenlab

TEXT = "Hello, world 日本語 <b>not bold</b>"


def save(lab: Lab, name: str) -> None:
    lab.go("reports")
    heights = lab.page.locator(".reports .tools :is(input[type=text], .button)").evaluate_all(
        "all => all.filter(e => e.checkVisibility()).map(e => e.offsetHeight)"
    )
    assert set(heights) == {28}, "fields are as high as buttons"
    lab.page.locator("[data-role=session-name]").fill(name)
    lab.page.get_by_role("button", name="Save this session").click()
    lab.ready()


def card(lab: Lab, name: str):
    return lab.page.locator(".session", has=lab.page.get_by_role("heading", name=name, exact=True))


def test_a_session_is_saved_and_opened_again(lab: Lab):
    lab.write(TEXT)
    save(lab, "Mine & <i>yours</i>")
    expect(card(lab, "Mine & <i>yours</i>")).to_contain_text(TEXT)
    lab.go("inspect")
    lab.write("another text")
    lab.go("reports")
    card(lab, "Mine & <i>yours</i>").get_by_role("button", name="Open").click()
    lab.ready()
    assert lab.current_text == TEXT
    assert lab.page.url.endswith("#/inspect"), "on the screen it was saved from"


def test_a_session_keeps_the_view_and_who_is_hidden(lab: Lab):
    lab.go("compare")
    lab.set_text("one two three\n" * 3000)
    lab.page.keyboard.press("Escape")
    lab.press(lab.radio("Table"))
    lab.page.locator(".card[data-tokenizer=gpt2] .toggle").click()
    lab.ready()
    save(lab, "Long, with one hidden")
    lab.go("compare")
    lab.press(lab.radio("Aligned"))
    lab.page.locator(".card[data-tokenizer=gpt2] .toggle").click()
    lab.ready()
    lab.write("short")
    lab.go("reports")
    card(lab, "Long, with one hidden").get_by_role("button", name="Open").click()
    lab.ready()
    assert lab.page.url.endswith("#/compare")
    expect(lab.radio("Table")).to_have_attribute("aria-checked", "true")
    expect(lab.page.locator(".card[data-tokenizer=gpt2]")).to_have_attribute("data-hidden", "true")
    lab.press(lab.radio("Aligned"))
    lab.ready()
    assert lab.current_text == "one two three\n" * 3000


def test_a_session_with_a_tokenizer_that_is_gone(lab: Lab, tmp_path: Path):
    words = tmp_path / "vocab.txt"
    words.write_text("[UNK]\n[CLS]\n[SEP]\nhello\nworld\n", encoding="utf-8")
    with words.open("rb") as file:
        lab.page.request.post(
            f"{lab.server.origin}/api/v1/tokenizers/files",
            headers={"Authorization": f"Bearer {lab.server.token}"},
            multipart={
                "id": "short-lived",
                "files": {"name": "vocab.txt", "mimeType": "text/plain", "buffer": file.read()},
            },
        )
    body = {"name": "With one gone", "tokenizers": ["gpt2", "short-lived"], "text": "hello world"}
    lab.server.call("POST", "sessions", {**body, "add_special_tokens": True, "specials": "text", "view": {}})
    lab.server.call("DELETE", "tokenizers/short-lived")
    lab.page.reload()
    lab.ready()
    lab.go("reports")
    card(lab, "With one gone").get_by_role("button", name="Compare with current results").click()
    lab.ready()
    row = card(lab, "With one gone").locator("tbody tr").nth(1)
    expect(row).to_contain_text("there is no tokenizer")
    expect(row).to_contain_text("the Library")
    card(lab, "With one gone").get_by_role("button", name="Open").click()
    lab.ready()
    assert lab.current_text == "hello world"
    expect(lab.error).to_contain_text("short-lived")  # still there when the rest is drawn
    lab.write("more text")
    expect(lab.error).to_contain_text("short-lived")
    lab.page.get_by_role("button", name="Dismiss this message").click()
    expect(lab.error).to_be_hidden()


def test_comparing_with_now_says_that_nothing_changed(lab: Lab):
    lab.write(TEXT)
    save(lab, "Again")
    card(lab, "Again").get_by_role("button", name="Compare with current results").click()
    lab.ready()
    cells = card(lab, "Again").locator("tbody tr").all_inner_texts()
    assert cells and all("same IDs" in cell for cell in cells)
    expect(card(lab, "Again").locator(".session-changes")).to_contain_text(
        f"No changes: saved with lab {lab_version()},"
    )
    expect(lab.live).to_contain_text("No changes")


def test_a_session_shows_digests_and_settings(lab: Lab):
    lab.write(TEXT)
    save(lab, "Digests")
    entry = lab.server.call("GET", "tokenizers/gpt2")
    row = card(lab, "Digests").locator("tbody tr", has_text="gpt2")
    expect(row.locator(".digest")).to_have_text(entry["sha256"][:12])
    expect(row.locator(".digest")).to_have_attribute("title", entry["sha256"])
    expect(row).to_contain_text("OpenAI, r50k_base.tiktoken")
    expect(card(lab, "Digests").locator(".session-settings")).to_contain_text(
        f"special tokens added · text like <|endoftext|>: ordinary text · lab {lab_version()}"
    )


def test_what_changed_stays_when_another_session_is_compared(lab: Lab):
    """The list is written anew with each answer: cards stay, and so does the focus."""
    for name in ("First of two", "Second of two"):
        save(lab, name)
    for name in ("First of two", "Second of two"):
        button = card(lab, name).get_by_role("button", name="Compare with current results")
        button.focus()
        lab.page.keyboard.press("Enter")
        lab.ready()
        expect(button).to_be_focused()
    for name in ("First of two", "Second of two"):
        expect(card(lab, name).locator(".session-changes")).to_contain_text("No changes")


def test_a_session_goes_to_a_file_and_is_opened_from_it(lab: Lab, tmp_path: Path):
    lab.write(TEXT)
    save(lab, "For a colleague")
    with lab.page.expect_download() as started:
        card(lab, "For a colleague").get_by_role("button", name="Save to a file").click()
    file = tmp_path / "session.json"
    started.value.save_as(file)
    done = subprocess.run(
        [tokenlab(), "report", "run", str(file)], env=lab.server.environment, capture_output=True, check=False
    )
    assert done.returncode == 0 and done.stdout.decode().count("same IDs") == 2, done
    card(lab, "For a colleague").get_by_role("button", name="Delete").click()
    card(lab, "For a colleague").get_by_role("button", name="Confirm delete").click()
    expect(card(lab, "For a colleague")).to_have_count(0)
    lab.page.locator("[data-role=session-file]").set_input_files(file)
    expect(card(lab, "For a colleague")).to_contain_text(TEXT)
    written = json.loads(file.read_text(encoding="utf-8"))
    written["results"][1]["ids"][2] += 1
    file.write_text(json.dumps({**written, "name": "Changed"}), encoding="utf-8")
    lab.page.locator("[data-role=session-file]").set_input_files(file)
    card(lab, "Changed").get_by_role("button", name="Compare with current results").click()
    expect(card(lab, "Changed").locator("tbody tr").nth(1)).to_contain_text("from token 3 on")
    expect(card(lab, "Changed").locator(".session-changes")).to_contain_text("1 of 2 tokenizers differ")
    lab.tolerated = ("status of 422",)
    file.write_text("not json", encoding="utf-8")
    lab.page.locator("[data-role=session-file]").set_input_files(file)
    expect(lab.error).to_contain_text("session.json is not a session")
    file.write_text("{}", encoding="utf-8")
    lab.page.locator("[data-role=session-file]").set_input_files(file)
    expect(lab.error).to_contain_text("kind")


def test_reports_without_a_session_explain_themselves(lab: Lab):
    lab.go("reports")
    empty = lab.page.locator(".reports-empty")
    expect(empty).to_contain_text("Save a session to repeat it later")
    example = lab.server.call("POST", "tokenize", {"tokenizer": "gpt2", "text": empty.locator("q").inner_text()})
    expect(empty.locator("code")).to_have_text(" ".join(map(str, example["ids"])))
    expect(empty).to_contain_text(lab.server.call("GET", "tokenizers/gpt2")["sha256"][:12])
    lab.page.get_by_role("button", name="Save this session").click()
    expect(lab.page.locator(".session")).to_have_count(1)
    expect(empty).to_be_hidden()


def test_deleting_asks_first(lab: Lab):
    save(lab, "Short-lived")
    card(lab, "Short-lived").get_by_role("button", name="Delete").click()
    sure = card(lab, "Short-lived").get_by_role("button", name="Confirm delete")
    expect(sure).to_be_focused()
    sure.click()
    expect(card(lab, "Short-lived")).to_have_count(0)


def test_an_address_brings_the_view_back(lab: Lab):
    lab.page.goto(
        re.sub(r"#.*", "", lab.page.url) + "#/inspect?t=cl100k_base&t=gpt2&view=table&specials=reject&text=a%20b"
    )
    lab.page.reload()
    lab.ready()
    assert lab.current_text == "a b"
    assert lab.page.locator("tokenizer-chips [data-tokenizer]").first.get_attribute("data-tokenizer") == "cl100k_base"
    expect(lab.radio("Table")).to_have_attribute("aria-checked", "true")
    expect(lab.page.locator("[data-role=special-text]")).to_have_value("reject")


def test_an_address_with_a_tokenizer_that_is_not_here_says_so(lab: Lab):
    lab.page.goto(re.sub(r"#.*", "", lab.page.url) + "#/inspect?t=gpt9&t=gpt2")
    lab.ready()
    expect(lab.error).to_contain_text("gpt9")
    lab.write("still said when something works")
    expect(lab.error).to_contain_text("gpt9")


def test_the_address_of_a_view_is_copied(lab: Lab):
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.write("a text")
    lab.page.keyboard.press("Control+k")
    lab.page.keyboard.type("copy link")
    lab.page.keyboard.press("Enter")
    copied = lab.page.evaluate("navigator.clipboard.readText()")
    assert "#/inspect?t=" in copied and "text=a+text" in copied
    lab.set_text("long " * 1000)
    lab.page.keyboard.press("Control+k")
    lab.page.keyboard.type("copy link")
    lab.page.keyboard.press("Enter")
    expect(lab.page.locator(".status")).to_contain_text("without the text")
    assert "text=" not in lab.page.evaluate("navigator.clipboard.readText()")


def test_a_training_that_has_ended_gives_its_report(lab: Lab, tmp_path: Path):
    name = "قطة 日本語 " + "x" * 150
    body = {"sources": [{"kind": "text", "text": "猫が好き قطة تنام low lower\n" * 30}], "name": name, "preset": "bert"}
    body |= {"options": {"vocab_size": 60}, "held_out": {"source": {"kind": "text", "text": "猫 zebra قطة"}}}
    id = lab.server.call("POST", "trainings", body)["id"]
    lab.until(lambda: lab.server.call("GET", f"trainings/{id}")["state"] == "done", "the training has ended")
    lab.go("reports")
    training = lab.page.locator(f"[data-training='{id}']")
    expect(training).to_contain_text(name)
    expect(training).to_contain_text("bytes/token on held-out text")
    expect(training).to_contain_text("% unknown")
    assert lab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    lab.page.set_viewport_size({"width": 700, "height": 720})
    boxes = [each.bounding_box() for each in training.get_by_role("button").all()]
    card = training.bounding_box()
    assert len({round(box["y"] + box["height"] / 2) for box in boxes}) == 1, "the buttons are one row"
    assert all(card["x"] < box["x"] and box["x"] + box["width"] < card["x"] + card["width"] for box in boxes)
    with lab.page.expect_download() as started:
        training.get_by_role("button", name="Report (HTML)").click()
    started.value.save_as(tmp_path / "report.html")
    assert "猫" in (tmp_path / "report.html").read_text("utf-8")
    training.get_by_role("button", name="Open in Train").click()
    expect(lab.page.locator("[data-role=train-done]")).to_be_visible()
    expect(lab.page.locator(".train-fact", has_text="unknown on held-out text")).to_contain_text("%")


def test_a_result_is_named_noted_and_deleted(lab: Lab, axe: Axe):
    page = lab.page
    save(lab, "plain")
    one = card(lab, "plain")
    one.get_by_role("button", name="Name and note").click()
    expect(one.get_by_label("Name of plain")).to_be_focused()
    one.get_by_label("Name of plain").fill("Talk in مايو")
    one.get_by_label("Note on plain").fill("<b>first</b>\nsecond")
    axe.check_themes(lab)
    one.get_by_role("button", name="Save name and note").click()
    named = card(lab, "Talk in مايو")
    expect(named.locator(".result-note")).to_have_text("<b>first</b>\nsecond")
    expect(named.get_by_role("button", name="Name and note")).to_be_focused()
    page.reload()
    lab.ready()
    expect(named.locator(".result-note")).to_be_visible()
    # Esc closes the form, and nothing is kept.
    named.get_by_role("button", name="Name and note").click()
    page.keyboard.type("lost")
    page.keyboard.press("Escape")
    expect(named.locator(".label-form")).to_be_hidden()
    expect(named).to_have_count(1)
