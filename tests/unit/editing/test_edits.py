"""Each edit against its naive twin, and its result in `tokenizers` against the engine."""

import json
import random
import re
from collections import Counter
from functools import cache
from itertools import pairwise

import pytest
import tokenizers

from lab_app import engine
from lab_app.editing import joining, learning, removal, stages, words
from lab_app.editing.segments import Merging
from lab_app.editing.tables import Tables
from lab_app.errors import BadValue
from lab_app.library.definition import definition
from lab_app.training.functions import train_bpe, train_unigram, train_wordpiece

TEXT = (
    "the lowest tower knew newer widest rivers, whose slower flowers grew wider; "
    "they were low, lower, lowest and new, newer, newest there. "
)
TEXTS = [
    TEXT,
    "low newest rivers",
    " the flowers  were 12 times wider\n",
    "Mars und Straße, naïve 語",
    "regolith towers",
    "",
]


@cache
def base(name):
    """A small definition of each kind of model."""
    texts = [TEXT] * 4
    if name == "bpe":
        return definition(train_bpe(texts, {"vocab_size": 330, "special_tokens": ["<end>"], "min_frequency": 1}))
    if name == "sentencepiece-bpe":
        return definition(train_bpe(texts, {"preset": "llama", "vocab_size": 340, "min_frequency": 1}))
    if name == "wordpiece":
        return definition(train_wordpiece(texts, {"vocab_size": 120, "min_frequency": 1}))
    return definition(train_unigram(texts, {"vocab_size": 90}))


BASES = ("bpe", "sentencepiece-bpe", "wordpiece", "unigram")


def tokens_of(made, text):
    return stages.loaded(made).encode(text).tokens


def check_in_tokenizers(made):
    """The result in both libraries gives the same IDs."""
    theirs, ours = tokenizers.Tokenizer.from_str(json.dumps(made)), stages.loaded(made)
    for text in TEXTS:
        assert theirs.encode(text).ids == ours.encode(text).ids.tolist(), text


@pytest.mark.parametrize("name", BASES)
def test_an_added_word_is_one_token_and_old_tokens_keep_their_ids(name):
    new = ["regolith", "flowerless", "slowest"]
    made = words.add_words(base(name), new)
    old, now = Tables.of(base(name)).all_ids(), Tables.of(made).all_ids()
    assert old.items() <= now.items()
    for word in new:
        tokens = tokens_of(made, f"the {word} were")
        assert len(tokens) == len(tokens_of(made, "the were")) + 1, tokens
    assert words.add_words(made, new) == made
    check_in_tokenizers(made)


def test_texts_without_a_word_or_its_parts_keep_their_tokens():
    made = words.add_words(base("bpe"), ["zzzq"])
    for text in TEXTS:
        assert tokens_of(made, text) == tokens_of(base("bpe"), text)


def test_words_that_cannot_be_are_refused():
    with pytest.raises(BadValue, match=r'make "data" and "-set" of "data-set"|make " data" and "-" and "set"'):
        words.add_words(base("bpe"), ["data-set"])
    with pytest.raises(BadValue, match=r"score is -3\.0, and BPE has none"):
        words.add_words(base("bpe"), ["data"], score=-3.0)
    with pytest.raises(BadValue, match="with a score of -900 the parts still win"):
        words.add_words(base("unigram"), ["lower"[::-1] + "low"], score=-900)


def letters(extra=()):
    """A Unigram model of letters, `▁` and `extra`."""
    vocab = [["<unk>", 0.0], ["▁", -4.0], *([letter, -5.0] for letter in "abcdefghijklmnopqrstuvwxyz"), *extra]
    marks = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    model = {"type": "Unigram", "unk_id": 0, "vocab": vocab}
    return {"version": "1.0", "model": model, "pre_tokenizer": marks, "decoder": marks, "added_tokens": []}


@pytest.mark.parametrize(
    "edits", [[["firetruck", "fire"]], [["firetruck"], ["fire"]], [["firetruck"], ["truck"], ["fire", "tru"]]]
)
def test_words_of_unigram_stay_one_token_when_their_parts_are_added(edits):
    made = letters()
    for edit in edits:
        made = words.add_words(made, edit)
    for word in (word for edit in edits for word in edit):
        assert tokens_of(made, word) == [f"▁{word}"]
    check_in_tokenizers(made)


def test_a_word_of_unigram_that_its_parts_beat_is_raised_above_them():
    made = words.add_words(letters([["▁rove", -90.0]]), ["rove"])
    assert tokens_of(made, "rove") == ["▁rove"]


@pytest.mark.parametrize("name", BASES)
def test_long_words_are_refused(name):
    with pytest.raises(BadValue, match="give words of at most"):
        words.add_words(base(name), ["q" * 250])
    # The mark of a space may be a character, too.
    long = "".join(random.Random(7).choices("qzj", k=100 if name == "wordpiece" else words.LONGEST - 1))
    made = words.add_words(base(name), [long])
    assert len(tokens_of(made, f"the {long} were")) == len(tokens_of(made, "the were")) + 1
    with pytest.raises(BadValue, match="give words of at most"):
        words.add_words(base(name), [long + "qq"])


def naive_removed(made, gone):
    """The tokens that are left, by the definition: drop what nothing makes any more until nothing changes."""
    tables = Tables.of(made)
    left, merges = set(tables.all_ids()) - gone, list(tables.merges)
    had = {"".join(merge) for merge in merges}
    while True:
        merges = [merge for merge in merges if {*merge, "".join(merge)} <= left]
        orphans = (left & had) - {"".join(merge) for merge in merges}
        if not orphans:
            return left, merges
        left -= orphans


def test_removed_tokens_take_what_is_built_from_them_or_refuse():
    tables = Tables.of(base("bpe"))
    made = [tables.product(merge) for merge in tables.merges]
    for seed in range(20):
        gone = set(random.Random(seed).sample(made, 3))
        expected, merges = naive_removed(base("bpe"), gone)
        removed = Tables.of(removal.remove(base("bpe"), sorted(gone), with_built=True))
        assert (set(removed.all_ids()), removed.merges) == (expected, merges)
        built = set(tables.all_ids()) - expected - gone
        if built:
            with pytest.raises(BadValue, match=f"{len(built)} token.* built from them"):
                removal.remove(base("bpe"), sorted(gone))
    check_in_tokenizers(removal.remove(base("bpe"), [made[0]], with_built=True))
    check_in_tokenizers(removal.remove(base("bpe"), [made[0]], with_built=True, keep_ids=False))


def test_needed_tokens_are_not_removed():
    with pytest.raises(BadValue, match='"a": bytes, the unknown token'):
        removal.remove(base("bpe"), ["a"])
    with pytest.raises(BadValue, match=r"\[CLS\]"):
        removal.remove(base("wordpiece"), ["[CLS]"])
    with pytest.raises(BadValue, match="there is no token 'nothere'"):
        removal.remove(base("bpe"), ["nothere"])
    with pytest.raises(BadValue, match=r"\[UNK\]"):
        removal.remove(base("wordpiece"), ["[UNK]"])
    entries = [["<unk>", 0.0], ["a", -1.0], ["b", -1.0]]
    added = [{"id": 0, "content": "<unk>", "special": True}]
    with pytest.raises(BadValue, match="<unk>"):
        removal.remove({"model": {"type": "Unigram", "unk_id": 0, "vocab": entries}, "added_tokens": added}, ["<unk>"])


@pytest.mark.parametrize("keep_ids", [None, False])
@pytest.mark.parametrize("name", BASES)
def test_a_vocabulary_trimmed_to_a_corpus_encodes_the_corpus_as_before(name, keep_ids):
    corpus = ["low newest rivers were slower", "the widest tower"]
    whole = stages.loaded(base(name))
    counts = Counter(id for text in corpus for id in whole.encode_ids(text).tolist())
    made = removal.trim(base(name), counts, keep_ids=keep_ids)
    assert len(Tables.of(made).all_ids()) < len(Tables.of(base(name)).all_ids())
    for text in corpus:
        assert tokens_of(made, text) == whole.encode(text).tokens
    if keep_ids is None and name != "unigram":
        assert Tables.of(made).all_ids().items() <= Tables.of(base(name)).all_ids().items()
    else:
        ids = sorted(Tables.of(made).all_ids().values())
        assert ids == list(range(len(ids)))
    check_in_tokenizers(made)


def test_trim_keeps_what_it_is_told_and_stops_at_a_size():
    tables = Tables.of(base("bpe"))
    longest = max((tables.product(merge) for merge in tables.merges), key=len)
    kept = Tables.of(removal.trim(base("bpe"), {}, keep=[longest]))
    path = {part for merge in kept.merges for part in merge} | {longest}
    assert {tables.product(merge) for merge in kept.merges} <= path
    assert tokens_of(kept.to_definition(), longest.replace("Ġ", " ")) == [longest]
    counts = dict.fromkeys(range(400), 1)
    assert len(Tables.of(removal.trim(base("bpe"), counts, size=300)).all_ids()) == 300
    with pytest.raises(BadValue, match="size 20 is below the 257 tokens"):
        removal.trim(base("bpe"), counts, size=20)


def test_tokens_are_removed_by_a_regular_expression():
    ids = Tables.of(base("bpe")).all_ids()
    texts = {token: token.replace("Ġ", " ") for token in ids if len(token) > 1}
    gone = {token for token, text in texts.items() if re.search("l[aeo]", text)}
    made = removal.remove(base("bpe"), matching="l[aeo]", with_built=True)
    assert len(gone) > 0 and gone == ids.keys() - Tables.of(made).all_ids().keys()
    for pattern, why in (("(", "matching: "), ("qqqq", 'no token matches "qqqq"')):
        with pytest.raises(BadValue, match=why):
            removal.remove(base("bpe"), matching=pattern)
    with pytest.raises(BadValue, match="no token is named"):
        removal.remove(base("bpe"))


@pytest.mark.parametrize("size", [None, 300])
def test_trim_drops_the_rarest_token_that_is_no_part_of_another(size):
    tables = Tables.of(base("bpe"))
    counts = {id: random.Random(id).randrange(6) for id in tables.ids.values()}
    stays = {token for token in tables.ids if len(token) == 1} | {"<end>"}
    left = set(tables.all_ids())
    while True:
        parts = {part for merge in tables.merges if tables.product(merge) in left for part in merge}
        loose = left - parts - stays
        rarest = min(loose, key=lambda token: (counts[tables.ids[token]], -tables.ids[token]), default=None)
        if rarest is None or (counts[tables.ids[rarest]] >= 2 and (size is None or len(left) <= size)):
            break
        left.remove(rarest)
    assert set(Tables.of(removal.trim(base("bpe"), counts, min_count=2, size=size)).all_ids()) == left


@pytest.mark.parametrize("name", ["bpe", "unigram"])
def test_shrink_is_what_the_engine_truncates_to(name):
    whole = stages.loaded(base(name))
    least, most = whole.truncated_sizes
    for size in (least, (least + most) // 2, most - 1):
        made = removal.shrink(base(name), size)
        for text in TEXTS:
            truncated = whole.truncated(size)
            assert tokens_of(made, text) == truncated.encode(text).tokens, (size, text)
    with pytest.raises(BadValue, match=f"give {least} or more"):
        removal.shrink(base(name), least - 1)
    with pytest.raises(BadValue, match="WordPiece has no order"):
        removal.shrink(base("wordpiece"), 100)


def test_compact_moves_the_ids_of_stages():
    made = removal.trim(base("wordpiece"), {}, keep_characters=False, keep_ids=False)
    ids = Tables.of(made).all_ids()
    assert stages.loaded(made).encode("x").ids.tolist() == [ids["[CLS]"], ids["[UNK]"], ids["[SEP]"]]


@pytest.mark.parametrize("name", ["bpe", "wordpiece", "unigram"])
def test_merged_tokenizers_have_the_tokens_of_both(name):
    other = words.add_words(base(name), ["regolith", "perchlorate"])
    made = joining.merge_with(base(name), other)
    assert Tables.of(made).all_ids() == Tables.of(other).all_ids()
    for text in TEXTS:
        assert tokens_of(made, text) == tokens_of(other, text)
    with pytest.raises(BadValue, match="GPT-2 and X cannot be merged"):
        wrong = "wordpiece" if name != "wordpiece" else "bpe"
        joining.merge_with(base(name), base(wrong), names=("GPT-2", "X"))


def naive_learned(made, texts, count):
    """The most frequent pair of the tokens that the old merges make, again and again; lowest IDs first."""
    merging, ids = Merging(Tables.of(made)), dict(Tables.of(made).ids)
    parts = stages.Pretokens(made)
    found = Counter(word for text in texts for word in parts.of(text))
    segmented = {word: merging.tokens(word) for word in found}
    learned = []
    while len(learned) < count:
        pairs = Counter()
        for word, tokens in segmented.items():
            for pair in pairwise(tokens):
                pairs[pair] += found[word]
        allowed = [pair for pair in pairs if "".join(pair) not in ids]
        if not allowed:
            break
        best = max(allowed, key=lambda pair: (pairs[pair], -ids[pair[0]], -ids[pair[1]]))
        ids["".join(best)] = len(ids)
        learned.append(best)
        for tokens in segmented.values():
            at = 0
            while at < len(tokens) - 1:
                if (tokens[at], tokens[at + 1]) == best:
                    tokens[at : at + 2] = ["".join(best)]
                at += 1
    return learned


def test_training_goes_on_after_the_old_merges():
    whole = train_bpe([TEXT] * 4, {"vocab_size": 330, "special_tokens": [], "min_frequency": 1})
    texts = ["regolith and perchlorate, regolith; the drills drill regolith flowers " * 3]
    expected = naive_learned(definition(whole), texts, 25)
    found = learning.learned(definition(whole), [texts], 25, min_count=1)
    assert found == expected
    made = joining.with_merges(definition(whole), found)
    assert Tables.of(definition(whole)).all_ids().items() <= Tables.of(made).all_ids().items()
    check_in_tokenizers(made)
    assert len(tokens_of(made, texts[0])) < len(whole.encode(texts[0]))


def test_training_goes_on_within_words_of_whole_texts():
    found = learning.learned(base("sentencepiece-bpe"), [["regolith regolith 語語"]], 40, min_count=1)
    made = joining.with_merges(base("sentencepiece-bpe"), found)
    assert tokens_of(made, "the regolith")[-1] == "▁regolith"
    check_in_tokenizers(made)
    with pytest.raises(BadValue, match="Unigram has no merges"):
        learning.learned(base("unigram"), [["text"]], 5)


def test_stages_change_and_the_vocabulary_stays():
    for made in (
        stages.lower_case(base("bpe")),
        stages.split_pattern(base("bpe"), r"\w+|\W+"),
        stages.split_pattern(base("bpe"), "gpt2"),
        stages.change_normalizer(base("bpe"), ["NFKC", "Lowercase"]),
    ):
        assert Tables.of(made).all_ids() == Tables.of(base("bpe")).all_ids()
        check_in_tokenizers(made)
    assert tokens_of(stages.lower_case(base("bpe")), "LOWER") == tokens_of(base("bpe"), "lower")
    with pytest.raises(BadValue, match="lower case already"):
        stages.lower_case(stages.lower_case(base("bpe")))
    with pytest.raises(BadValue, match="invalid split pattern"):
        stages.split_pattern(base("bpe"), "(")


def test_lower_case_is_not_written_twice():
    for block in ("BertNormalizer", {"type": "BertNormalizer", "lowercase": True}):
        with pytest.raises(BadValue, match="lower case already"):
            stages.lower_case(stages.change_normalizer(base("bpe"), ["NFC", block]))
    kept = {"type": "BertNormalizer", "lowercase": False}
    stages.lower_case(stages.change_normalizer(base("bpe"), [kept]))


def test_training_goes_on_only_after_merges_in_order():
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "c": 2, "abc": 3, "ab": 4}, "merges": ["ab c", "a b"]}
    with pytest.raises(BadValue, match='has the merge "ab" \\+ "c", and no merge before it makes "ab"'):
        learning.learned({"model": model}, [["abc"]], 1)


def test_greedy_takes_the_longest_token_at_each_place():
    made = stages.greedy(base("bpe"))
    ids, parts = Tables.of(made).ids, stages.Pretokens(made)
    for text in TEXTS:
        expected = []
        for word in parts.of(text):
            while word:
                size = next(size for size in range(len(word), 0, -1) if word[:size] in ids)
                expected.append(word[:size])
                word = word[size:]
        assert tokens_of(made, text) == expected
    with pytest.raises(BadValue, match="WordPiece takes the longest match already"):
        stages.greedy(base("wordpiece"))
    for name in ("sentencepiece-bpe", "unigram"):
        with pytest.raises(BadValue, match="not all bytes are tokens"):
            stages.greedy(base(name))
    some = base("bpe") | {"model": {"type": "BPE", "vocab": {"l": 0, "o": 1}, "merges": []}}
    with pytest.raises(BadValue, match="not all bytes are tokens"):
        stages.greedy(some)


def test_greedy_gives_no_wrong_token_for_a_pretoken_that_is_too_long():
    made = stages.greedy(base("bpe"))
    ours, theirs = stages.loaded(made), tokenizers.Tokenizer.from_str(json.dumps(made))
    longest = "a" * stages.LONGEST_WORD
    assert theirs.encode(longest).ids == ours.encode_ids(longest).tolist()
    assert ours.decode(ours.encode_ids(longest)) == longest
    with pytest.raises(engine.EncodeError, match="no unknown token"):
        ours.encode_ids(longest + "a")
    with pytest.raises(Exception, match="UNK"):
        theirs.encode(longest + "a")


def test_a_renamed_token_keeps_its_id_everywhere():
    ids = Tables.of(base("wordpiece")).all_ids()
    made = words.rename_token(base("wordpiece"), "[CLS]", "<start>")
    assert Tables.of(made).all_ids()["<start>"] == ids["[CLS]"]
    assert stages.loaded(made).encode("low").tokens[0] == "<start>"
    with pytest.raises(BadValue, match="is a token already"):
        words.rename_token(made, "<start>", "[SEP]")
    with pytest.raises(BadValue, match="is made by merges or part of them"):
        words.rename_token(base("bpe"), "low", "high")


def test_added_tokens_get_the_next_ids():
    made = words.add_tokens(base("bpe"), ["<user>", "<bot>"], special=True)
    size = Tables.of(base("bpe")).next_id()
    assert [Tables.of(made).all_ids()[token] for token in ("<user>", "<bot>")] == [size, size + 1]
    assert tokens_of(made, "low<user>low") == ["low", "<user>", "low"]
    check_in_tokenizers(made)


def test_a_built_in_tokenizer_keeps_its_ids_through_a_chain_of_edits():
    made = definition(engine.Tokenizer.builtin("gpt2"))
    made = words.add_words(made, ["regolith"])
    made = removal.remove(made, [" Mars"], with_built=True)
    made = words.add_tokens(removal.shrink(made, 30_000), ["<user>"])
    check_in_tokenizers(made)
