"""A guess beside the real boundaries: what counts, and a reason for each miss that the trace has."""

import pytest

from lab_app.errors import BadValue
from lab_app.services.exercises.boundaries import guess_of, mark_boundaries
from lab_app.services.text.encode import encode
from lab_app.services.text.explain import explain_text


def marked(lab, id: str, guess: str):
    text = guess.replace("|", "")
    return mark_boundaries(lab, id, text, guess_of(text, guess), specials="parse")


@pytest.mark.parametrize(
    ("id", "guess", "kinds"),
    [
        ("cl100k_base", "The |tokenizer| did|n't", {"leading space", "contraction", "merge"}),
        ("cl100k_base", "of 12345", {"leading space", "space", "digits"}),
        ("gpt2", "(a)", {"split"}),
        ("gpt2", "un|believ|able", {"missing merge"}),
        ("gpt2", "low|er", {"merge"}),
        ("gpt2", "a<|endoftext|>b", {"leading space"}),
        ("words", "token|iz|ations hello,", {"longest match", "split", "space"}),
        ("words", "wor|lds qu|ux", {"longest match", "space", "unknown"}),
        ("unigram", "a|bca", {"best path"}),
        ("unigram", "aza", {"unknown"}),
        ("level", "hel|lo world", {"token", "space"}),
    ],
)
def test_each_miss_has_the_kind_of_its_reason(lab, id: str, guess: str, kinds: set[str]):
    if guess == "a<|endoftext|>b":
        found = mark_boundaries(lab, id, guess, [3], specials="parse")
        kinds = {"added token"}
    else:
        found = marked(lab, id, guess)
    assert {each.kind for each in found.places if each.number} == kinds
    for each in found.places:
        assert (each.reason is None) == (each.number is None)
        if each.reason:
            assert each.reason.at == each.at and each.reason.boundary == (each.mark == "missing")


@pytest.mark.parametrize("id", ["gpt2", "cl100k_base", "bert-base-uncased", "unigram", "level"])
@pytest.mark.parametrize("text", ["", " ", "a", "  Hello,  world's é日🙂!\n 2048", "cab", "hello world"])
def test_the_real_boundaries_are_all_found(lab, id: str, text: str):
    data = text.encode()
    spans = encode(lab, id, text, add_special_tokens=False).span_utf8.tolist()
    ends = {end for _, end in spans[:-1]} - {0, len(data)}
    inside = [at for at in explain_text(lab, id, text, edits=False).boundaries if data[at] & 0xC0 == 0x80]
    guess = sorted(ends - set(inside))
    found = mark_boundaries(lab, id, text, guess)
    assert found.ids == encode(lab, id, text, add_special_tokens=False).ids.tolist()
    assert found.inside_letters == len(inside) and (found.missing, found.extra) == (0, 0)
    assert found.f1 == (1.0 if found.found else None)
    nothing = mark_boundaries(lab, id, text, [])
    assert nothing.missing == found.found and nothing.recall == (0.0 if found.found else None)
    assert nothing.precision is None


def test_a_dropped_space_is_one_boundary_wherever_it_is_marked(lab):
    for guess in ([5], [6], [5, 6]):
        found = mark_boundaries(lab, "words", "hello world", guess)
        assert (found.found, found.extra, found.f1) == (1, 0, 1.0)


@pytest.mark.parametrize("letter", ["👨‍👩‍👧", "क्ष", "é", "👍🏽", "日"])
def test_a_boundary_inside_of_a_letter_is_no_miss(lab, letter: str):
    text = f"{letter}{letter}"
    data = len(letter.encode())
    spans = encode(lab, "gpt2", text, add_special_tokens=False).span_utf8.tolist()
    cuts = {end for _, end in spans[:-1]} - {end for start, end in spans if start == end}
    found = mark_boundaries(lab, "gpt2", text, [data])
    assert (found.missing, found.found + found.extra) == (0, 1)
    assert found.inside_letters == len(cuts - {data}) > 0
    between = [at for at in sorted(cuts - {data}) if text.encode()[at] & 0xC0 != 0x80]
    if between:
        known = mark_boundaries(lab, "gpt2", text, [data, between[0]])
        assert (known.missing, known.extra, known.found) == (0, found.extra, found.found + 1)


def test_misses_after_a_hundred_have_no_reason(lab):
    found = mark_boundaries(lab, "gpt2", "a b" * 120, [])
    assert found.left_out == found.missing - 100 > 0
    assert sum(each.reason is not None for each in found.places) == 100


@pytest.mark.parametrize(
    ("guess", "problem"),
    [
        ([0], "byte 0 is not inside the text, which has 6 bytes: give bytes from 1 to 5"),
        ([6], "byte 6 is not inside"),
        ([-1], "byte -1 is not inside"),
        ([2], "byte 2 is inside the character “é”"),
        ([4, 1, 4], "the guess has byte 4 twice"),
    ],
)
def test_what_can_be_no_boundary_is_refused(lab, guess: list[int], problem: str):
    with pytest.raises(BadValue) as refused:
        mark_boundaries(lab, "gpt2", "héllo", guess)
    assert problem in str(refused.value)


def test_the_guess_is_the_text_with_marks():
    assert guess_of("日本", "日|本") == [3] and guess_of("", "") == []
    for text, guess, mark, problem in (
        ("a|b", "a|b", "|", "the text has | itself"),
        ("ab", "a|c", "|", "they differ after “a”"),
        ("ab", "a|b|c", "|", "they differ after “ab”"),
        ("ab", "ab", "", "the mark is empty"),
    ):
        with pytest.raises(BadValue, match=problem.replace("|", r"\|")):
            guess_of(text, guess, mark)
