"""Sampled IDs beside those of the encoder, and ends of prompts, compared with encoding each text anew."""

import pytest

from lab_app.engine import Tokenizer
from lab_app.errors import BadValue, DecodeFailed
from lab_app.services.lab import Lab
from lab_app.services.text.drift import drift, prompt_end
from lab_app.settings import Settings

TEXT = "The hydroxychloroquine refill is booked, too. 日本語 👩‍👩‍👧 مرحبا"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return Lab(Settings(data_dir=tmp_path_factory.mktemp("data"), offline=True))


GPT2 = Tokenizer.builtin("gpt2")


def test_ids_of_the_encoder_do_not_drift(lab):
    for ids in (GPT2.encode_ids(TEXT).tolist(), GPT2.encode("a<|endoftext|>b", specials="parse").ids.tolist(), []):
        found = drift(lab, "gpt2", ids)
        assert (found.first, found.places, found.encoded, found.same_text) == (None, [], ids, True)


@pytest.mark.parametrize("seed", range(5))
def test_places_are_all_that_differs(lab, seed):
    ids = GPT2.encode_ids(TEXT, dropout=0.3, seed=seed).tolist()
    found = drift(lab, "gpt2", ids)
    assert found.text == TEXT and found.encoded == GPT2.encode_ids(TEXT).tolist()
    rebuilt, at = [], 0
    for place in found.places:
        rebuilt += ids[at : place.sampled[0]] + found.encoded[slice(*place.encoded)]
        at = place.sampled[1]
        for side, span in ((ids, place.sampled), (found.encoded, place.encoded)):
            data = b"".join(GPT2.token_bytes(each) for each in side[slice(*span)])
            assert data == TEXT.encode()[slice(*place.span_utf8)]
    assert rebuilt + ids[at:] == found.encoded
    same = next((n for n, (a, b) in enumerate(zip(ids, found.encoded, strict=False)) if a != b), None)
    assert found.first == same


def test_the_first_place_is_explained(lab):
    found = drift(lab, "gpt2", [*GPT2.encode_ids("say ").tolist()[:1], 71, 695, 78, 995])
    assert [place.kind for place in found.places] == ["not canonical"]
    assert "is one token" in found.reason


@pytest.mark.parametrize(
    ("ids", "kind"),
    [
        ([15496, *GPT2.encode_ids("<|endoftext|>", specials="text").tolist()], "special text"),
        ([15496, *GPT2.encode_ids(" 語").tolist()[:-1]], "incomplete character"),
        ([15496, *GPT2.encode_ids("wor").tolist(), *GPT2.encode_ids("ld").tolist()], "unstable end"),
    ],
)
def test_kinds_of_drift(lab, ids, kind):
    assert drift(lab, "gpt2", ids).places[-1].kind == kind


def test_ids_of_another_tokenizer_are_suspected(lab):
    assert drift(
        lab, "gpt2", [*GPT2.encode_ids("h").tolist(), 695, 78, *GPT2.encode_ids("w").tolist(), 273, 335]
    ).other_tokenizer
    assert not drift(lab, "gpt2", [15496, 11, 995, 13, 71, 695, 78]).other_tokenizer


def test_bad_ids_are_refused(lab):
    with pytest.raises(DecodeFailed, match="id 50257 at position 1"):
        drift(lab, "gpt2", [1, 50257])
    with pytest.raises(BadValue, match="no text"):
        drift(lab, "gpt2", [GPT2.encode_ids("語").tolist()[-1], 15496])


def test_a_prompt_is_copied_for_some_tokens_at_once(lab, monkeypatch):
    whole = prompt_end(lab, "gpt2", "🙂 The total is ")
    monkeypatch.setattr("lab_app.services.text.drift.AT_ONCE", 997)
    assert prompt_end(lab, "gpt2", "🙂 The total is ") == whole and whole.changing


@pytest.mark.parametrize("prompt", ["The total is ", "Answer: yes", "https:", "", "Hi<|endoftext|>"])
def test_the_end_of_a_prompt_is_that_of_each_next_token(lab, prompt):
    small = GPT2.truncated(2000)
    found = prompt_end(lab, "gpt2", prompt)
    ids = GPT2.encode_ids(prompt, specials="parse").tolist()
    kept = []
    for token in range(small.vocab_size):
        text = GPT2.token_text(token)
        if text and token not in GPT2.special_tokens.values():
            after = GPT2.encode_ids(prompt + text, specials="parse").tolist()
            same = next(
                (n for n, (a, b) in enumerate(zip(ids, after, strict=False)) if a != b), min(len(ids), len(after))
            )
            kept.append(same)
    assert found.ids == ids and found.stable <= min(kept)
    assert found.changing >= sum(each < len(ids) for each in kept)
    if found.example is not None:
        assert GPT2.encode_ids(prompt + found.example, specials="parse").tolist()[: len(ids)] != ids
    if found.rest:
        assert prompt.endswith(found.rest)
    with pytest.raises(BadValue, match="at most 1000"):
        prompt_end(lab, "gpt2", "a" * 1001)
