"""Compare, the panel of two tokenizers: what is said there is what the backend says."""

from playwright.sync_api import expect

from tests.browser.conftest import Lab


def open_pair(lab: Lab, text: str = "Hello, world") -> None:
    lab.go("compare")
    lab.write(text)
    tab(lab, "Vocab")


def tab(lab: Lab, name: str) -> None:
    lab.page.get_by_role("tab", name=name).click()
    lab.ready()


def facts(lab: Lab) -> dict[str, str]:
    names = lab.page.locator("pair-report dt:visible").all_inner_texts()
    return dict(zip(names, lab.page.locator("pair-report dd:visible").all_inner_texts(), strict=True))


def chosen(lab: Lab) -> tuple[str, str]:
    a, b = (lab.page.locator(f"[data-role=pair-{side}]:visible").input_value() for side in "ab")
    return a, b


def test_says_what_two_tokenizers_share(lab: Lab):
    open_pair(lab)
    a, b = chosen(lab)
    assert {a, b} == {"bert-base-uncased", "gpt2"}
    report = lab.server.call("POST", "vocabulary_overlap", {"a": a, "b": b, "text": "Hello, world"})
    found = facts(lab)
    assert found["same ID in both"].replace("\u202f", "") == str(report["same_ids"])
    rows = [
        [int(cell.replace("\u202f", "")) for cell in row.locator("td").all_inner_texts()]
        for row in lab.page.locator("[data-role=overlap] tbody tr").all()
    ]
    assert rows == [list(each.values()) for each in report["vocabularies"].values()]
    ordinary, special, (only_a, both, only_b) = rows
    assert [sum(column) for column in zip(ordinary, special, strict=True)] == [only_a, both, only_b]
    sizes = {"bert-base-uncased": 30_522, "gpt2": 50_257}
    assert (only_a + both, both + only_b) == (sizes[a], sizes[b])
    a_count, b_count = (f"{count}" for count in report["counts"])
    assert found["divergences"] == str(report["divergences"]) and found["boundaries"].endswith("agree")
    assert a_count in found["tokens"] and b_count in found["tokens"]
    tab(lab, "Transfer")
    assert chosen(lab) == (a, b)
    found = facts(lab)
    assert found["copied"].replace("\u202f", "") == str(report["rows"]["copied"])


def test_another_direction_is_another_answer(lab: Lab):
    open_pair(lab, "Hello 日本語 unseenword")
    tab(lab, "Transfer")
    before = chosen(lab)
    lab.page.locator("[data-role=pair-swap]:visible").click()
    lab.ready()
    assert chosen(lab) == before[::-1]
    if before[0] == "gpt2":
        lab.page.locator("[data-role=pair-swap]:visible").click()
        lab.ready()
    expect(lab.page.locator("pair-report:visible")).to_contain_text("decodes to")
    assert facts(lab)["lost"] != "nothing"


def test_one_tokenizer_is_no_pair(lab: Lab):
    open_pair(lab)
    lab.page.locator("tokenizer-chips [data-tokenizer=bert-base-uncased] .pick").press("Delete")
    tab(lab, "Agreement")
    tab(lab, "Vocab")
    expect(lab.page.locator("pair-report:visible")).to_contain_text("Two tokenizers are needed.")


def test_a_share_of_the_agreement_opens_the_two(lab: Lab):
    lab.go("compare")
    lab.page.locator("[data-role=add-tokenizer]").click()
    lab.page.locator("add-tokenizer [data-tokenizer=p50k_base]").click()
    tab(lab, "Agreement")
    lab.page.locator("[data-pair='p50k_base gpt2']").click()
    lab.ready()
    expect(lab.page.get_by_role("tab", name="Vocab")).to_have_attribute("aria-selected", "true")
    assert chosen(lab) == ("p50k_base", "gpt2")
    report = lab.server.call("POST", "vocabulary_overlap", {"a": "p50k_base", "b": "gpt2", "text": lab.current_text})
    assert facts(lab)["same ID in both"].replace("\u202f", "") == str(report["same_ids"])


def test_a_transfer_follows_the_text_and_its_counts_are_those_of_the_cards_or_say_why_not(lab: Lab):
    open_pair(lab, "Hello world")
    tab(lab, "Transfer")
    report = lab.page.locator("pair-report:visible")
    expect(report).to_contain_text("Added special tokens are left out.")
    text = "one two three four five six"
    lab.write(text)
    source, target = chosen(lab)
    found = lab.server.call("POST", "retokenize", {"source": source, "target": target, "text": text})
    assert facts(lab)["tokens"] == f"{len(found['source_ids'])} → {len(found['target_ids'])}"
    body = {"a": "bert-base-uncased", "b": "gpt2", "text": "Straße NAÏVE 日本語"}
    counts = lab.server.call("POST", "vocabulary_overlap", body)["counts"]
    lab.write(body["text"])
    tab(lab, "Transfer")
    expect(report).to_contain_text(f"GPT-2 has {counts[1]} tokens for the text as it is, and")
