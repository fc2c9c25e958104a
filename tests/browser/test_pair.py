"""Compare, the panel of two tokenizers: what is said there is what the backend says."""

from playwright.sync_api import expect

from tests.browser.conftest import Lab


def open_pair(lab: Lab, text: str = "Hello, world") -> None:
    lab.go("compare")
    lab.write(text)
    lab.page.get_by_role("tab", name="Pair").click()
    lab.ready()


def facts(lab: Lab) -> dict[str, str]:
    names = lab.page.locator("pair-report dt").all_inner_texts()
    return dict(zip(names, lab.page.locator("pair-report dd").all_inner_texts(), strict=True))


def test_says_what_two_tokenizers_share(lab: Lab):
    open_pair(lab)
    a, b = (lab.page.locator(f"[data-role=pair-{side}]").input_value() for side in "ab")
    assert {a, b} == {"bert-base-uncased", "gpt2"}
    report = lab.server.call("POST", "compatibility", {"a": a, "b": b, "text": "Hello, world"})
    found = facts(lab)
    assert found["with the same id"].replace("\u2009", "") == str(report["same_ids"])
    assert found["tokens of both"].replace("\u2009", "").startswith(str(report["shared_tokens"]))
    assert found["rows to copy"].replace("\u2009", "") == str(report["rows"]["copied"])


def test_another_direction_is_another_answer(lab: Lab):
    open_pair(lab, "Hello 日本語 unseenword")
    lab.page.locator("[data-role=pair-a]").select_option("gpt2")
    lab.page.locator("[data-role=pair-b]").select_option("bert-base-uncased")
    lab.ready()
    expect(lab.page.locator("pair-report")).to_contain_text("gives back")
    assert facts(lab)["lost"] != "nothing"


def test_follows_the_text(lab: Lab):
    open_pair(lab)
    lab.write("one two three four five six")
    lab.ready()
    found = lab.server.call(
        "POST",
        "transfer",
        {
            "from": lab.page.locator("[data-role=pair-a]").input_value(),
            "to": lab.page.locator("[data-role=pair-b]").input_value(),
            "text": "one two three four five six",
        },
    )
    assert facts(lab)["tokens"] == f"{found['from_count']} → {found['to_count']}"


def test_one_tokenizer_is_no_pair(lab: Lab):
    open_pair(lab)
    lab.page.get_by_role("button", name="Remove BERT", exact=False).click()
    lab.page.get_by_role("tab", name="Agreement").click()
    lab.page.get_by_role("tab", name="Pair").click()
    expect(lab.page.locator("pair-report")).to_contain_text("Two tokenizers are needed.")
