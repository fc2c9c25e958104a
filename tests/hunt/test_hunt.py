"""The hunt finds what differs, says what is documented, and shrinks it."""

import json

from lab_app.engine import Tokenizer
from tests.hunt.__main__ import write
from tests.hunt.compare import hunt
from tests.hunt.subjects import Subject


def subject(
    their_ids=lambda text, ids: ids, their_spans=lambda text, spans: spans, their_text=None, **fields
) -> Subject:
    """gpt2 beside itself, with mistakes put into the other side."""
    tokenizer = Tokenizer.builtin("gpt2")

    def rows(batch):
        return [
            (found.ids.tolist(), [tuple(span) for span in found.span_char.tolist()])
            for found in tokenizer.encode_batch(batch)
        ]

    def theirs(batch):
        return [
            (their_ids(text, ids), their_spans(text, spans))
            for text, (ids, spans) in zip(batch, rows(batch), strict=True)
        ]

    return Subject("itself", ["the"], rows, theirs, tokenizer.decode, their_text or tokenizer.decode, **fields)


def run(subject: Subject, count: int = 400):
    return hunt("test", lambda: subject, count, 1, lambda found: None)


def test_what_is_equal_is_clean():
    found = run(subject())
    assert found.clean and found.texts == 400 and found.characters > 400 and found.spans_compared


def test_differences_are_counted_and_shrunk():
    found = run(subject(their_ids=lambda text, ids: ids[:-1] if "\n" in text else ids))
    assert not found.clean and found.ids_differ > 5
    assert {example["text"] for example in found.examples} <= {"\n", "\r\n"}
    found = run(subject(their_spans=lambda text, spans: spans[:-1] if "1" in text else spans))
    assert found.ids_differ == 0 and found.spans_differ > 5
    assert all(example == {"differs": "spans", "text": "1"} for example in found.examples)


def test_documented_spans_are_counted_apart():
    wrong = subject(their_spans=lambda text, spans: spans[1:], documented=lambda text: True)
    found = run(wrong)
    assert found.clean and found.documented > 300


def test_a_library_that_raises_ends_its_own_hunt_alone():
    def raises(text, ids):
        raise OverflowError("too many")

    found = run(subject(their_ids=raises))
    assert not found.clean and found.problem == "OverflowError: too many"


def test_the_summary_is_a_file(tmp_path):
    write(tmp_path / "hunt.json", 3, [run(subject(), 10)])
    summary = json.loads((tmp_path / "hunt.json").read_text())
    assert summary["seed"] == 3 and summary["clean"] is True and summary["vocabularies"][0]["texts"] == 10
