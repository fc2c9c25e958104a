"""Plug-ins as they are installed: a module and the metadata of its package in a folder of Python's path."""

import re
import sys
from functools import partial

import pytest

from lab_app.errors import BadValue, Conflict, DecodeFailed, EncodeFailed, LoadFailed
from lab_app.jobs.job import Job, Running
from lab_app.services.analyses.analyses import subjects_of
from lab_app.services.analyses.conformance import ConformanceOptions, conformance
from lab_app.services.analyses.robustness import RobustnessOptions, measure
from lab_app.services.corpora.concordance import Page, Query, concordance
from lab_app.services.lab import Lab
from lab_app.services.text.compare import compare
from lab_app.services.text.decode import decode, decode_batch
from lab_app.services.text.encode import encode, encode_batch
from lab_app.services.tokenizers.tokenizers import SpecialToken, add, describe, list_tokenizers, remove
from lab_app.services.vocabularies.vocabulary import tokens
from lab_app.settings import Settings
from tests import tiny
from tests.plugin_package import install_plugin
from tests.results import plain

GOOD = """
class Good:
    def encode(self, text): return [ord(letter) for letter in text]
    def decode(self, ids): return "".join(map(chr, ids))
    def vocab(self): return {chr(id): id for id in range(32, 1000)}
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Installs a package with one module and its entry points."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))

    return partial(install_plugin, site)


@pytest.fixture
def lab(tmp_path):
    return Lab(Settings(data_dir=tmp_path / "data", offline=True, plugin_timeout_s=20))


def impatient(lab):
    """A lab that gives a plug-in two seconds."""
    return Lab(Settings(data_dir=lab.settings.data_dir, offline=True, plugin_timeout_s=2))


def entry_of(lab, id):
    return next(entry for entry in list_tokenizers(lab).tokenizers if entry.id == id)


def test_what_the_engine_counts_refuses_a_plug_in_and_says_so(install, lab, tmp_path):
    install("good", GOOD, good="Good")
    corpus = str(tmp_path / "a.txt")
    (tmp_path / "a.txt").write_text("some text\n")
    running = Running(Job("1", "test", "", ""))
    for refused in (
        lambda: subjects_of(lab, ["gpt2", "good"]),
        lambda: measure(lab, ["good"], corpus, RobustnessOptions(), running),
        lambda: conformance(lab, "good", ConformanceOptions(), running),
        lambda: concordance(lab, "good", corpus, Query(word="text"), Page(), running),
    ):
        with pytest.raises(BadValue, match="good is a plug-in, and this needs a tokenizer of the engine"):
            refused()


def test_the_example_of_the_guide_works(install, lab, root):
    guide = (root / "docs" / "guide" / "plugins.md").read_text("utf-8")
    code = re.search(r"```python\n(.*?)```", guide, re.S)[1]
    install("every-letter", code, every_letter="EveryLetter")
    entry = entry_of(lab, "every-letter")
    assert (entry.source, entry.family, entry.available) == ("plug-in", "character", True)
    assert entry.origin == "every-letter 1.2, every_letter:EveryLetter"
    assert (entry.vocab_size, entry.base_vocab_size) == (28, 27)
    result = encode(lab, "every-letter", "a cat!")
    assert result.ids.tolist() == [2, 1, 4, 2, 21, 0]
    said = "every-letter: 6 tokens for 6 bytes, 6 characters; 1.00 bytes per token; 1 unknown (17 %); decoding changes"
    summary = result.summary()
    assert (summary.count, summary.unknown_count, summary.round_trip) == (6, 1, False) and said in guide
    assert plain(result.whole())["tokens"][2]["span_utf8"] == [2, 3]


def test_all_that_works_on_a_tokenizer_works_on_a_plug_in(install, lab):
    install("good-one", GOOD, good="Good")
    result = encode(lab, "good", "aé b")
    assert plain(result.whole())["tokens"][1] == {
        "id": 233, "text": "é", "bytes": "c3a9", "span_utf8": [1, 3], "span_char": [1, 2], "span_utf16": [1, 2],
        "special": False, "sequence": 0,
    }  # fmt: skip
    assert result.summary().round_trip and result.summary().pretoken_count is None
    assert decode(lab, "good", [97, 233]) == "aé".encode()
    assert decode_batch(lab, "good", [[97], []]).texts == ["a", ""]
    batch = encode_batch(lab, "good", ["ab", "", "c"])
    assert (batch.ids.tolist(), batch.row_starts.tolist()) == ([97, 98, 99], [0, 2, 2, 3])
    assert tokens(lab, "good", [233]).tokens[0].text == "é"
    found = compare(lab, ["good", "gpt2"], "a cat")
    assert found.results[0].ids.size == 5 and len(found.listed_divergences()) == 1
    assert encode(lab, "good", "").ids.size == 0
    with pytest.raises(DecodeFailed, match="id 7 at 0"):
        decode(lab, "good", [7])
    with pytest.raises(EncodeFailed, match="one text"):
        encode(lab, "good", "a", "b")
    with pytest.raises(BadValue, match="plug-in"):
        lab.loaded.get("good")


def test_ids_are_free_of_others(install, lab, tmp_path):
    install("good-one", GOOD, good="Good", gpt2="Good")
    assert {"good", "good-one-gpt2"} <= {entry.id for entry in list_tokenizers(lab).tokenizers}
    assert describe(lab, "gpt2").source == "built in"
    with pytest.raises(Conflict, match="taken"):
        add(lab, tiny.vocab_txt(tmp_path), id="good")
    with pytest.raises(Conflict, match="uninstall the package good-one") as error:
        remove(lab, "good")
    assert "plug-in" in error.value.message


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("class Good: pass", "no method encode, decode, vocab"),
        ("Good = 3", "no method encode"),
        ("class Good:\n def __init__(self): raise SystemExit(3)", "SystemExit: 3"),
        ("import os; os._exit(7)", "status 7"),
        (GOOD.replace("range(32, 1000)", "()"), "is empty"),
        (GOOD.replace("{chr(id): id for id in range(32, 1000)}", "[1]"), "gave a list, not a mapping"),
        (GOOD.replace("chr(id): id for", "chr(id): 5 for"), "same id"),
        (GOOD.replace("chr(id): id for", "id: id for"), "a token of vocab() is a int"),
        (GOOD.replace("chr(id): id for", "chr(id): -id for"), "IDs are from 0"),
        (GOOD.replace("chr(id): id for", "chr(id): id / 1 for"), "is a float, not a whole number"),
    ],
)
def test_a_plug_in_that_cannot_be_loaded_is_listed_with_its_error_and_the_others_go_on(install, lab, code, words):
    install("bad-one", code, bad="Good")
    install("good-one", GOOD, good="Good")
    entry = entry_of(lab, "bad")
    assert not entry.available and words in entry.problem.message and "bad-one" in entry.problem.hint
    assert entry_of(lab, "good").available and encode(lab, "gpt2", "a").ids.size == 1
    with pytest.raises(LoadFailed):
        encode(lab, "bad", "a")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("None", "gave a NoneType, not a list"),
        ("'abc'", "gave a str, not a list"),
        ("['a']", "id 0 of encode() is a str"),
        ("[True]", "is a bool"),
        ("[97, 5000]", "id 5000 at 1 is not in the vocabulary"),
        ("[-1]", "IDs are from 0"),
        ("iter(int, 1)", "gave more than"),
        ("__import__('os')._exit(9)", "status 9"),
        ("__import__('sys').exit(9)", "SystemExit: 9"),
    ],
)
def test_what_a_plug_in_may_not_answer(install, lab, answer, words):
    install(
        "bad-one", GOOD.replace("[ord(letter) for letter in text]", f"{answer} if 'x' in text else [97]"), bad="Good"
    )
    with pytest.raises(EncodeFailed, match=re.escape(words)):
        encode(lab, "bad", "x")
    assert encode(lab, "bad", "y").ids.tolist() == [97]  # and it goes on


@pytest.mark.parametrize("loop", ["while True: pass", "import time; time.sleep(1000)"])
def test_an_endless_loop_is_stopped_and_the_plug_in_begins_anew(install, lab, loop):
    code = GOOD + f"\nclass Slow(Good):\n def encode(self, text):\n  if text == 'x':\n   {loop}\n  return [97]\n"
    install("slow-one", code, slow="Slow")
    lab = impatient(lab)
    with pytest.raises(EncodeFailed, match="took longer than 2 s to encode"):
        encode(lab, "slow", "x")
    assert encode(lab, "slow", "y").ids.tolist() == [97]


def test_a_plug_in_that_never_ends_loading_is_asked_once(install, lab, monkeypatch):
    install("slow-one", "while True: pass", slow="Good")
    lab = impatient(lab)
    assert "took longer than 2 s to load" in entry_of(lab, "slow").problem.message
    monkeypatch.setattr("lab_app.services.loaded.load", None)  # asking again would fail differently
    assert "took longer" in entry_of(lab, "slow").problem.message


def test_what_a_plug_in_prints_and_reads_reaches_nobody(install, lab, capfd):
    code = GOOD.replace("return [ord", "print('x' * 100_000); import sys; sys.stdin.read(); return [ord")
    install("loud-one", "import os\nos.write(1, b'noise')\n" + code, loud="Good")
    assert encode(lab, "loud", "ab").ids.tolist() == [97, 98]
    assert capfd.readouterr() == ("", "")


SPANS = GOOD + "    def encode_with_spans(self, text): return self.encode(text), SPANS\n"


@pytest.mark.parametrize(
    ("spans", "words"),
    [
        ("[(0, 1)]", "gave 2 IDs but 1 spans"),
        ("[(0, 1), (1, 3)]", "span 1 of the plug-in bad is [1, 3]"),
        ("[(1, 2), (0, 1)]", "span 1 of the plug-in bad is [0, 1]"),
        ("[(1, 0), (0, 1)]", "span 0 of the plug-in bad is [1, 0]"),
        ("[(0, 1), (1,)]", "span 1 is not a pair"),
        ("[(0, 1), 5]", "span 1 gave a int"),
    ],
)
def test_spans_that_cannot_be_are_errors(install, lab, spans, words):
    install("bad-one", SPANS.replace("SPANS", spans), bad="Good")
    with pytest.raises(EncodeFailed, match=re.escape(words)):
        encode(lab, "bad", "éb")


def test_spans_in_characters_become_bytes_and_an_empty_one_is_outside(install, lab):
    install(
        "good-one",
        SPANS.replace("self.encode(text), SPANS", "[97, 98, 99], [(0, 1), (0, 0), (1, 2)]"),
        good="Good",
    )
    result = encode(lab, "good", "日b")
    assert result.span_utf8.tolist() == [[0, 3], [0, 0], [3, 4]]
    assert result.spans_of_text.tolist() == [[0, 3], [3, 4]] and result.summary().added_special_count == 1


def test_spans_follow_from_bytes_and_may_cut_a_character(install, lab):
    code = """
    class Bytes:
        def encode(self, text): return list(text.encode())
        def decode(self, ids): return bytes(ids)
        def vocab(self): return {bytes([id]): id for id in range(256)}
    """
    install("good-one", code, good="Bytes")
    result = encode(lab, "good", "日b")
    assert result.span_utf8.tolist() == [[0, 1], [1, 2], [2, 3], [3, 4]]
    assert result.encoding.span_char.tolist() == [[0, 1], [0, 1], [0, 1], [1, 2]]
    assert result.summary().split_character_count == 1


def test_spans_follow_from_what_each_token_decodes_to(install, lab):
    code = GOOD.replace("{chr(id): id", "{'<' + chr(id) + '>': id")
    install("good-one", code, good="Good")
    result = encode(lab, "good", "ab")
    assert result.has_spans and result.span_utf8.tolist() == [[0, 1], [1, 2]]


def test_spans_are_never_invented(install, lab):
    install("lower-one", GOOD.replace("for letter in text", "for letter in text.lower()"), lower="Good")
    result = encode(lab, "lower", "AB c")
    summary = result.summary()
    assert summary.count == 4 and not summary.has_spans and not summary.round_trip
    assert summary.split_character_count is None and summary.added_special_count is None
    assert [token["span_utf8"] for token in plain(result.whole())["tokens"]] == [None] * 4
    with pytest.raises(EncodeFailed, match="does not report token spans"):
        compare(lab, ["lower", "gpt2"], "AB c")
    assert encode(lab, "lower", "ab").has_spans


def test_a_special_token_of_a_plug_in(install, lab):
    code = GOOD.replace("class Good:", "class Good:\n    special_tokens = {'<end>': 2000}\n    unknown_id = 97")
    install("good-one", code, good="Good")
    assert describe(lab, "good").special_tokens == [SpecialToken("<end>", 2000)]
    assert encode(lab, "good", "ab").summary().unknown_count == 1
    assert tokens(lab, "good", [2000]).tokens[0].special
    with pytest.raises(EncodeFailed, match="<end>"):
        encode(lab, "good", "a<end>", specials="reject")


def test_no_plug_in_is_imported_here(install, lab):
    install("good-one", GOOD, good="Good")
    entry_of(lab, "good")
    encode(lab, "good", "a")
    assert "good_one" not in sys.modules
