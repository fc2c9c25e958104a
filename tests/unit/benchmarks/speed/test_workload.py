"""The text of a run: what is left out, how it is divided."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.benchmarks.speed.workload import Workload, workload
from lab_app.errors import BadValue


def test_text_above_the_limit_is_left_out_as_whole_documents():
    found = workload("t", iter(["aaaa", "", "bbbb", "cccc", "dddd"]), 10, total_bytes=16)
    assert found.documents == ("aaaa", "bbbb") and found.left_out_bytes == 8
    assert workload("t", ["aaaa", "bb"], 10).left_out_bytes == 0


def test_a_long_first_document_is_shortened_to_whole_characters():
    found = workload("t", ["é" * 10, "rest"], 5)
    assert "".join(found.documents) == "éé" and found.left_out_bytes == 16


def test_lone_surrogates_and_empty_texts():
    assert "".join(workload("t", ["a\udc80b"], 100).documents) == "a?b"
    with pytest.raises(BadValue, match="t has no text"):
        workload("t", ["", ""], 100)


@given(st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=40), st.integers(1, 40))
def test_parts_cover_all_documents_in_order_and_none_is_empty(documents: list[str], count: int):
    found = Workload("t", tuple(documents))
    if count > len(documents):
        with pytest.raises(BadValue):
            found.parts(count)
        return
    parts = found.parts(count)
    assert len(parts) == count and parts[0][0] == 0 and parts[-1][1] == len(documents)
    assert all(begin < end for begin, end in parts)
    assert [end for _, end in parts[:-1]] == [begin for begin, _ in parts[1:]]


def test_the_file_and_the_facts_agree(tmp_path: Path):
    found = Workload("t", ("é\n", "日本"))
    written = found.write(tmp_path)
    assert Path(written["text"]).read_text(encoding="utf-8") == "é\n日本" and written["ends"] == [3, 9]
    facts = found.facts()
    assert (facts.bytes, facts.characters, facts.documents) == (9, 4, 2)
