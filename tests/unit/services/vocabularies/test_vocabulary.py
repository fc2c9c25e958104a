"""Vocabularies as services: searches against plain Python over all tokens, details against what the tokenizer says."""

import csv
import io
import json
import re

import pytest

from lab_app.errors import BadValue, DecodeFailed, NotFound
from lab_app.services.lab import Lab
from lab_app.services.tokenizers.tokenizers import add
from lab_app.services.vocabularies import vocabulary
from lab_app.services.vocabularies.search import COLUMNS, Query, audit, export, search
from lab_app.settings import Settings
from tests import tiny
from tests.results import plain


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    lab = Lab(Settings(data_dir=folder / "data", offline=True))
    add(lab, tiny.vocab_txt(folder / "words"))
    return lab


@pytest.fixture(scope="module")
def tokens(lab):
    """All tokens of gpt2 by id."""
    tokenizer = lab.loaded.get("gpt2")[1]
    return {id: data for data, id in tokenizer.vocab().items()}


def found(lab, query):
    return [row.id for row in search(lab, "gpt2", query, limit=1000).tokens]


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        (Query("Token", ignore_case=False), lambda id, data: b"Token" in data),
        (Query("token"), lambda id, data: b"token" in data.lower()),
        (Query(" tok"), lambda id, data: b" tok" in data.lower()),
        (Query(r"^ [A-Z]{3}$", "regex", ignore_case=False), lambda id, data: re.fullmatch(rb" [A-Z]{3}", data) and id),
        (Query("e6 97", "hex"), lambda id, data: b"\xe6\x97" in data),
        (Query("50250-60000", "ids"), lambda id, data: id >= 50250),
        (Query("995", "ids"), lambda id, data: id == 995),
        (Query(shortest=20, longest=21), lambda id, data: 20 <= len(data) <= 21),
    ],
)
def test_a_search_finds_what_a_loop_over_all_tokens_finds(lab, tokens, query, holds):
    expected = [id for id, data in sorted(tokens.items()) if holds(id, data)][:1000]
    assert expected and found(lab, query) == expected


def test_whole_words_come_first_and_unused_tokens_last(lab):
    first = search(lab, "bert-base-uncased", Query(order="words"), limit=4)
    assert [token.text for token in first.tokens] == ["the", "of", "and", "in"]
    unused = {facet.name: facet.count for facet in first.facets.kinds}["unused"]
    last = search(lab, "bert-base-uncased", Query(order="words"), first.total - unused - 1, 1000)
    assert last.tokens[0].text == "[MASK]"
    assert all(re.fullmatch(r"\[unused\d+\]", str(token.text)) for token in last.tokens[1:]) and unused == 994


def test_orders_sort_as_python_does(lab, tokens):
    longest = sorted(tokens, key=lambda id: (-len(tokens[id]), id))[:1000]
    assert found(lab, Query(order="length", descending=True)) == longest
    ranks = [row.rank for row in search(lab, "gpt2", Query(order="rank"), limit=1000).tokens]
    assert ranks == sorted(ranks)


def test_pages_make_the_whole(lab):
    query = Query("token")
    whole = plain(search(lab, "gpt2", query, limit=1000))
    pages = [plain(search(lab, "gpt2", query, offset, 7))["tokens"] for offset in range(0, whole["total"], 7)]
    assert [row for page in pages for row in page] == whole["tokens"] and whole["total"] == len(whole["tokens"])
    assert sum(whole["lengths"]) == whole["total"]


def test_a_facet_counts_what_choosing_it_gives(lab):
    every = plain(search(lab, "gpt2", Query("a")))
    for facet, field in (("kinds", "kinds"), ("scripts", "scripts")):
        for one in every["facets"][facet]:
            if one["count"]:
                assert search(lab, "gpt2", Query("a", **{field: (one["name"],)})).total == one["count"]
    both = plain(search(lab, "gpt2", Query("a", kinds=("digits", "word_start"))))
    assert both["facets"]["kinds"] == every["facets"]["kinds"]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (Query("(a", "regex"), "unclosed group"),
        (Query(r"(?=a)", "regex"), "look-around"),
        (Query("e6 9", "hex"), "is not hexadecimal bytes"),
        (Query("nine", "ids"), "not a range of ids"),
        (Query("9-5", "ids"), "no id is from 9 to 5"),
        (Query(kinds=("wrd",)), 'no kind is called "wrd"'),
        (Query(shortest=5, longest=4), "no length is from 5 to 4"),
        (Query(order="size"), "no order"),
    ],
)
def test_a_search_that_is_none_says_why(lab, query, words):
    with pytest.raises(BadValue, match=re.escape(words)):
        search(lab, "gpt2", query)


def test_the_tree_of_a_token_spells_it_all_the_way_down(lab, tokens):
    for id in (995, 30001, 47623, 262):
        detail = plain(vocabulary.token(lab, "gpt2", id))
        nodes = detail["origin"]["nodes"]
        assert nodes[-1]["id"] == id
        for node in nodes:
            if node["left"] is None:
                assert len(node["bytes"]) == 2
            else:
                assert node["bytes"] == nodes[node["left"]]["bytes"] + nodes[node["right"]]["bytes"]
        assert [part["id"] for part in detail["token"]["parts"]] == [
            nodes[nodes[-1][side]]["id"] for side in ("left", "right")
        ]
        made = detail["merged_into"]
        assert made["count"] == detail["token"]["merged_into_count"]
        for merge in made["merges"]:
            assert id in (merge["left"]["id"], merge["right"]["id"])
            assert merge["made"]["bytes"] == merge["left"]["bytes"] + merge["right"]["bytes"]
        assert detail["containing_tokens"]["count"] == sum(tokens[id] in data for data in tokens.values()) - 1


def test_variants_and_reach(lab):
    detail = plain(vocabulary.token(lab, "gpt2", 1169))
    assert {token["text"] for token in detail["variants"]} == {" the", "The", " The", "THE", " THE"}
    assert detail["token"]["text"] == "the" and detail["reachability"]["verdict"] == "reachable"
    assert 1169 in lab.loaded.get("gpt2")[1].encode(detail["reachability"]["text"]).ids


def test_a_model_without_merges_says_so(lab):
    detail = plain(vocabulary.token(lab, "words", 8))
    assert detail["origin"]["method"] == "no_merges" and detail["token"]["kind"] == "continuation"
    assert detail["reachability"]["verdict"] == "reachable"
    with pytest.raises(BadValue, match="cannot be truncated"):
        vocabulary.truncate(lab, "words", 5, "a")


def test_strangers_are_refused(lab):
    with pytest.raises(DecodeFailed, match="no token of gpt2 has id 50257"):
        vocabulary.token(lab, "gpt2", 50257)
    with pytest.raises(NotFound):
        search(lab, "gpt9", Query())


def test_after_the_audit_searches_know_the_verdicts(lab):
    report = plain(audit(lab, "gpt2"))
    assert report["verdicts"] == {"reachable": 50244, "unreachable": 13, "undecided": 0}
    assert sum(reason["count"] for reason in report["reasons"]) == report["count"] == 50257
    lost = plain(search(lab, "gpt2", Query(verdicts=("unreachable",))))
    assert {row["bytes"] for row in lost["tokens"]} == {"c0", "c1", *(f"{byte:02x}" for byte in range(0xF5, 0x100))}
    assert [one["count"] for one in lost["facets"]["verdicts"]] == [50244, 13, 0]
    assert all(row["reachable"] == "unreachable" for row in lost["tokens"])


def test_an_export_gives_every_token_back_unchanged(lab, tokens):
    text = "".join(export(lab, "gpt2", Query(), "csv"))
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert list(rows[0]) == list(COLUMNS)
    assert {int(row["id"]): bytes.fromhex(row["bytes"]) for row in rows} == tokens
    for row in rows:
        whole = bytes.fromhex(row["bytes"]).decode("utf-8", "ignore").encode() == bytes.fromhex(row["bytes"])
        assert row["text"].encode() == (bytes.fromhex(row["bytes"]) if whole else b"")
    some = json.loads("".join(export(lab, "gpt2", Query("token"), "json")))
    assert [row["id"] for row in some] == found(lab, Query("token")) and set(some[0]) == set(COLUMNS)
    assert json.loads("".join(export(lab, "gpt2", Query("no such token"), "json"))) == []


def test_a_smaller_vocabulary_never_needs_fewer_tokens_of_this_text(lab):
    text = "Tokenization splits text into pieces."
    counts = [vocabulary.truncate(lab, "gpt2", size, text).token_count for size in (257, 500, 2000, 10_000, 50_257)]
    assert counts[0] == len(text) and counts == sorted(counts, reverse=True)
    whole = plain(vocabulary.truncate(lab, "gpt2", None, text))
    assert whole["token_count"] == whole["whole_count"] == whole["kept_count"] == counts[-1]
    truncated = plain(vocabulary.truncate(lab, "gpt2", 2000, text))
    assert (
        truncated["size"] == 2000
        and truncated["sizes"] == [257, 50257]
        and truncated["kept_count"] < truncated["whole_count"]
    )
    assert b"".join(bytes.fromhex(token["bytes"]) for token in truncated["tokens"]).decode() == text
    for size in (256, 50_258):
        with pytest.raises(BadValue, match="is not a possible size"):
            vocabulary.truncate(lab, "gpt2", size, text)
