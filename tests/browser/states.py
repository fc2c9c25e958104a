"""Every view and state of the screens, each as what one does to a lab that was just opened to come there."""

from collections.abc import Callable
from typing import Literal

from playwright.sync_api import expect

from tests.browser.conftest import Lab


def inspect_text(lab: Lab) -> None:
    pass


def inspect_split(lab: Lab) -> None:
    lab.write("日本語 नमस्ते 👩‍🔬")


def pressed(screen: str, role: Literal["radio", "tab"], name: str) -> Callable[[Lab], None]:
    """The state of a screen after one of its views or tabs was chosen."""

    def act(lab: Lab) -> None:
        lab.go(screen)
        lab.press(lab.page.get_by_role(role, name=name, include_hidden=True))
        lab.ready()

    act.__name__ = f"{screen}_{name.lower().replace(' ', '_')}"
    return act


def inspect_stage(lab: Lab) -> None:
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lab.show_steps()
    lab.page.locator("[data-stage=normalizer]").click()
    lab.select("colour-by", "length")
    lab.ready()


def inspect_everything_drawn(lab: Lab) -> None:
    """Lanes of lost and added text, marks, a legend, what is near in the vocabulary."""
    lab.page.locator("tokenizer-chips [data-tokenizer='bert-base-uncased'] .pick").click()
    lab.set_text("Café É\0x 語 the quick brown fox jumps over the lazy dog")
    lab.press(lab.switch("Normalizer changes"))
    lab.press(lab.switch("Mark every"))
    lab.choose(3)
    lab.reveal(lab.page.locator("[data-role=chunk-size]")).fill("4")
    lab.select("colour-by", "script")
    lab.page.get_by_role("tab", name="Neighbours").click()
    lab.ready()
    expect(lab.page.locator("[data-role=text-change].lost")).to_be_visible()
    expect(lab.page.locator("[data-role=chunk-mark]").first).to_be_visible()


def inspect_budget(lab: Lab) -> None:
    lab.press(lab.switch("Context and cost"))
    lab.page.locator("[data-role=contextSize]").fill("8192")
    lab.page.locator("[data-role=price]").fill("1,500")


def inspect_pieces(lab: Lab) -> None:
    lab.press(lab.page.locator("[data-role=pieces]"))
    lab.page.locator("[data-role=pieces-every]").fill("20")


def inspect_explained(lab: Lab) -> None:
    lab.choose(3)
    lab.page.locator("[data-role=why-end]").click()
    lab.page.locator("[data-role=origin]").click()
    lab.ready()


def inspect_empty(lab: Lab) -> None:
    lab.write("")


def inspect_error(lab: Lab) -> None:
    lab.tolerated = ("status of 422",)
    lab.treat_special_text("error")
    lab.write("a <|endoftext|>")
    expect(lab.error).to_be_visible()


def dialog(lab: Lab) -> None:
    lab.page.locator("[data-role=add-tokenizer]").click()


def palette(lab: Lab) -> None:
    lab.page.keyboard.press("Control+k")


def palette_without_a_find(lab: Lab) -> None:
    lab.page.keyboard.press("Control+k")
    lab.page.keyboard.type("zebra")


def key_map(lab: Lab) -> None:
    lab.page.locator(".rail a").first.focus()
    lab.page.keyboard.press("?")


def compare(lab: Lab) -> None:
    lab.go("compare")


def compare_at_a_divergence(lab: Lab) -> None:
    lab.go("compare")
    lab.page.locator("[data-role=next-divergence]").click()


def compare_with_one(lab: Lab) -> None:
    lab.go("compare")
    lab.page.locator("tokenizer-chips [data-tokenizer=bert-base-uncased] .pick").press("Delete")
    lab.ready()


def compare_with_a_hidden_one(lab: Lab) -> None:
    lab.go("compare")
    lab.page.locator(".card .toggle").first.click()
    lab.ready()


def compare_empty(lab: Lab) -> None:
    lab.go("compare")
    lab.write("")


def vocabulary(lab: Lab) -> None:
    lab.go("vocabulary")


def vocabulary_entry(lab: Lab) -> None:
    lab.go("vocabulary")
    lab.page.locator("[data-role=vocabulary-rows] [data-row='7']").click()
    lab.ready()


def vocabulary_size(lab: Lab) -> None:
    lab.go("vocabulary")
    lab.page.get_by_role("tab", name="Size").click()
    lab.page.locator("[data-role=size-slider]").fill("400")
    lab.ready()


def library(lab: Lab) -> None:
    lab.go("library")


def reports(lab: Lab) -> None:
    lab.go("reports")


def reports_run(lab: Lab) -> None:
    lab.go("reports")
    lab.page.get_by_role("button", name="Save this session").click()
    lab.page.get_by_role("button", name="Compare with current results").first.click()
    lab.ready()


def workshop(lab: Lab) -> None:
    lab.go("workshop")


def workshop_edited(lab: Lab) -> None:
    """An edit, one that is refused, a corpus measured, and its documents."""
    lab.go("workshop")
    for kind, name, value in (("add_words", "words", "regolith\nTokenization"), ("shrink", "size", "9000")):
        lab.page.locator("[data-role=add-edit]").click()
        lab.page.locator(f"[data-role=add-{kind}]").click()
        lab.page.locator(f"#edit-{name}").fill(value)
        lab.page.locator("[data-role=apply-edit]").click()
        lab.ready()
    lab.page.locator("[data-role=corpus]").select_option("udhr")
    lab.page.get_by_role("tab", name="Documents").click()
    lab.ready()


def inspect_finding(lab: Lab) -> None:
    lab.text.focus()
    lab.page.keyboard.press("Control+f")
    lab.page.keyboard.type("e")
    lab.page.keyboard.press("Enter")
    lab.ready()


STATES = [
    library,
    workshop,
    workshop_edited,
    vocabulary,
    vocabulary_entry,
    vocabulary_size,
    reports,
    reports_run,
    palette,
    palette_without_a_find,
    key_map,
    inspect_text,
    inspect_finding,
    inspect_split,
    inspect_explained,
    inspect_stage,
    inspect_everything_drawn,
    inspect_budget,
    inspect_pieces,
    pressed("inspect", "radio", "Table"),
    pressed("inspect", "radio", "Bytes"),
    pressed("inspect", "radio", "IDs"),
    inspect_empty,
    inspect_error,
    dialog,
    compare,
    compare_at_a_divergence,
    pressed("compare", "tab", "Agreement"),
    pressed("compare", "tab", "Transfer"),
    pressed("compare", "tab", "Vocab"),
    compare_with_one,
    compare_with_a_hidden_one,
    pressed("compare", "radio", "Side by side"),
    pressed("compare", "radio", "Table"),
    compare_empty,
]
