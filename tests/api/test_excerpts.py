"""What is told of an excerpt of a text is what `/documents` says of the whole text there."""

import random

import pytest

from tests.api.test_documents import DIVERGENCES, IDS, TOKENS, frame
from tests.generators import texts
from tests.naive_divergence import unpacked

TEMPLATE = 2


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize("specials", ["text", "parse"])
@pytest.mark.parametrize("ignore_spaces", [None, True, False])
def test_an_excerpt_has_the_tokens_of_the_whole(client, specials, ignore_spaces):
    chance, told = random.Random(6), 0
    ids = IDS if ignore_spaces is not None else IDS[:1]
    pieces = list(texts(60, seed=6))
    for number in range(12):
        text = " ".join(chance.choices(pieces, k=12)) + "<|endoftext|> and " * (number % 2)
        asked = {"tokenizers": ids, "specials": specials, "ignore_spaces": ignore_spaces}
        _, whole = frame(client, "documents", text=text, **asked)
        start, end = sorted((chance.choice((0, chance.randrange(len(text)))), chance.randrange(len(text) + 1)))
        head, part = frame(
            client, "documents/excerpt", text=text[start:end], starts=start == 0, ends=end == len(text), **asked
        )
        if head["known_utf8"] is None:
            assert part == {}
            continue
        base = {"utf8": len(text[:start].encode()), "utf16": units(text[:start])}
        first, last = (at + base["utf8"] for at in head["known_utf8"])
        assert [units(text.encode()[:at].decode()) for at in (first, last)] == [
            at + base["utf16"] for at in head["known_utf16"]
        ]
        last += last == len(text.encode())
        for n in range(len(ids)):
            there, here = unpacked(whole, f"{n}/"), unpacked(part, f"{n}/")
            inside = [first <= at < last for at in there["start_utf8"]]
            told += sum(inside)
            for name in TOKENS:
                moved = base.get(name.partition("_")[2], 0)
                expected = [value for value, known in zip(there[name], inside, strict=True) if known]
                assert [value + moved for value in here[name]] == expected, (name, text, start, end)
        if ignore_spaces is None:
            continue
        inside = [first <= at < last for at in whole["divergences/start_utf8"].tolist()]
        for name in DIVERGENCES:
            there, here = whole[f"divergences/{name}"], part[f"divergences/{name}"].tolist()
            rows = there.reshape(len(inside), -1).tolist()
            moved = base.get(name.partition("_")[2], 0)
            expected = [value for row, known in zip(rows, inside, strict=True) if known for value in row]
            assert [value + moved for value in here] == expected, (name, text, start, end)
    assert told > 200


def test_the_template_is_where_the_text_starts_and_ends(client, tmp_path):
    vocab = tmp_path / "vocab.txt"
    vocab.write_text("[UNK]\n[CLS]\n[SEP]\na\nb\n", encoding="utf-8")
    client.post("/api/v1/tokenizers", json={"path": str(vocab), "id": "tiny-bert"})

    def ids(text: str, *, starts: bool, ends: bool) -> list[int]:
        _, arrays = frame(
            client, "documents/excerpt", tokenizers=["tiny-bert"], text=text, specials="parse", starts=starts, ends=ends
        )
        return arrays["0/ids"].tolist()

    text = "a b a b a b a b"
    assert ids(text, starts=True, ends=True) == [1, *[3, 4] * 4, 2]
    # Nearer than the five bytes of "[CLS]" to an end nothing is told.
    assert ids(text, starts=True, ends=False) == [1, 3, 4, 3, 4, 3]
    assert ids(text, starts=False, ends=True) == [4, 3, 4, 3, 4, 2]
    assert ids(text, starts=False, ends=False) == [4, 3]


def test_what_cannot_be_told_is_null(client):
    body = {"tokenizers": ["gpt2"], "text": "no space for cuts".replace(" ", ""), "starts": False, "ends": False}
    head, arrays = frame(client, "documents/excerpt", **body)
    assert (head["known_utf8"], head["known_utf16"], arrays) == (None, None, {})
    head, _ = frame(client, "documents/excerpt", **{**body, "text": "a b " * 20, "specials": "reject"})
    assert head["known_utf8"] is None, "the text may spell a special token elsewhere"


def test_bad_requests_are_told(client, refused):
    body = {"tokenizers": ["gpt2"], "text": "a b", "starts": True, "ends": True}
    refused(client.post("/api/v1/documents/excerpt", json={**body, "tokenizers": []}), 422, "bad_request")
    refused(client.post("/api/v1/documents/excerpt", json={**body, "tokenizers": ["none"]}), 404, "not_found")
    refused(client.post("/api/v1/documents/excerpt", json={"tokenizers": ["gpt2"], "text": "a"}), 422, "bad_request")
