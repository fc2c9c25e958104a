"""Playlists: the one of the guide can be shown, others are kept, shared and tried."""

import json
import re

import pytest

from lab_app.errors import BadValue, NotFound
from lab_app.services.exercises import playlists
from lab_app.services.exercises.playlists import bundled, check, forget, list_playlists, load, read, save
from lab_app.services.lessons.frames import states
from lab_app.services.lessons.lessons import LessonOptions, lesson_of
from lab_app.services.text.encode import encode
from lab_app.settings import DEFAULT_LEARN
from tests.conftest import ROOT

PART = {"title": "Merges", "minutes": 5, "show": "bpe-encode", "tokenizer": "gpt2", "text": "lower"}


def made(*parts: dict, **more):
    head = {"kind": "playlist of the Tokenization Laboratory", "version": 1, "name": "An hour"}
    return read(json.dumps(head | {"parts": list(parts or [PART])} | more))


def test_the_plan_of_the_guide_is_the_one_that_comes_with_the_lab(lab):
    plan = bundled()
    assert plan.minutes == 45 and check(lab, plan).problems == []
    page = (ROOT / "docs" / "guide" / "lecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+)–(\d+) \| \*\*(.+?)\*\* \|", page, re.M)
    done, expected = 0, []
    for part in plan.parts:
        expected.append((str(done), str(done + part.minutes), part.title))
        done += part.minutes
    assert rows == expected
    # The texts and the numbers that it quotes are those that are shown.
    assert all(part.text.strip() in page for part in plan.parts)
    of = {part.show: part for part in plan.parts}
    assert f"It is {encode(lab, 'cl100k_base', of['text'].text).whole().count} for 7 words" in page
    merges = [now for now, _ in steps_of(lab, of["bpe-encode"]) if now["step"] == "merge"]
    assert len(merges) == 8 and "Eight merges" in page
    found = [now["found"] is not None for now, _ in steps_of(lab, of["wordpiece-encode"]) if now["step"] == "look_up"]
    assert found.index(True) == 9 and "after ten look-ups" in page
    first = next(now for now, _ in steps_of(lab, of["bpe-train"]) if now["step"] == "merge")
    assert first["count"] == 9 and "together nine times" in page


def steps_of(lab, part):
    made = lesson_of(lab, part.show, part.tokenizer, part.text, LessonOptions(learn=part.learn or DEFAULT_LEARN))
    return states(made.frames, made.ends.tolist())


def test_a_part_on_training_learns_as_much_as_it_says(lab):
    part = {"title": "Late", "minutes": 5, "show": "bpe-train", "tokenizer": "gpt2", "text": "low lower"}
    assert made(part).parts[0].learn is None
    learnt = [list(steps_of(lab, made(part | {"learn": learn}).parts[0])) for learn in (1, 2)]
    assert len(learnt[0]) + 1 == len(learnt[1])
    assert check(lab, made(part | {"learn": 1000})).problems == []
    for learn in (0, 1001):
        with pytest.raises(BadValue, match="learn"):
            made(part | {"learn": learn})


def test_what_a_check_says_is_read_as_its_playlist():
    playlist = made()
    assert read(json.dumps({"playlist": playlist.model_dump(), "minutes": 5, "problems": []})) == playlist
    with pytest.raises(BadValue, match="playlist"):
        read(json.dumps({"playlist": None}))


def test_a_playlist_is_kept_in_place_of_one_of_its_name(lab):
    first = save(lab, made())
    second = save(lab, made(PART, PART))
    other = save(lab, made(name="Another"))
    listed = list_playlists(lab).playlists
    assert [(each.id, each.minutes) for each in listed] == [(None, 45), (other.id, 5), (second.id, 10)]
    assert load(lab, second.id) == second.playlist == read(second.playlist.model_dump_json())
    for each in (second, other):
        forget(lab, each.id)
    for gone in (first.id, second.id):
        with pytest.raises(NotFound, match="there is no playlist"):
            load(lab, gone)


def test_a_part_keeps_the_step_at_which_it_begins(lab):
    playlist = made(PART, PART | {"step": 3}, PART | {"step": 65_535})
    assert [part.step for part in playlist.parts] == [0, 3, 65_535]
    assert [part.step for part in load(lab, save(lab, playlist).id).parts] == [0, 3, 65_535]
    assert [part.step for part in read(playlist.model_dump_json()).parts] == [0, 3, 65_535]
    # A step beyond the last one is shown as the last one: the text may be another in that lab.
    assert check(lab, playlist).problems == []


def test_a_part_that_cannot_be_shown_says_why(lab):
    found = check(
        lab,
        made(
            PART,
            PART | {"tokenizer": "bert-base-uncased"},
            PART | {"tokenizer": "of-a-colleague"},
            PART | {"tokenizer": None},
            PART | {"show": "exercises", "sheet": "path"},
            PART | {"show": "boundaries"},
            PART | {"show": "text", "text": ""},
        ),
    )
    assert [each.part for each in found.problems] == [1, 2, 4] and found.minutes == 35
    assert found.problems[0].message == "the lesson bpe-encode needs BPE, and bert-base-uncased is WordPiece"
    assert "of-a-colleague" in found.problems[1].message and found.problems[2].hint


def test_parts_are_tried_for_a_limited_time(lab, monkeypatch):
    times = iter([0, 1, 19, 21, 22])
    monkeypatch.setattr(playlists, "monotonic", lambda: next(times))
    wrong = PART | {"tokenizer": "bert-base-uncased"}
    found = check(lab, made(PART, wrong, PART, PART | {"tokenizer": None}, PART))
    assert [each.part for each in found.problems] == [1, 2, 4]
    for each in found.problems[1:]:
        assert each.message == "this part was not tried, since the parts before it took 20 seconds"
        assert each.hint == "check a playlist that begins with it"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"parts": []}, "parts: List should have at least 1 item"),
        ({"parts": [PART] * 51}, "parts: List should have at most 50 items"),
        ({"parts": [PART | {"minutes": 0}]}, "parts.0.minutes: "),
        ({"parts": [PART | {"show": "bpe"}]}, 'parts.0.show: Value error, "bpe" is none of text, boundaries, '),
        ({"parts": [PART, PART | {"text": "a" * 10_001}]}, "parts.1.text: "),
        ({"parts": [PART | {"minute": 5}]}, "parts.0.minute: "),
        ({"parts": [PART | {"step": -1}]}, "parts.0.step: "),
        ({"parts": [PART, PART | {"step": 65_536}]}, "parts.1.step: "),
        ({"parts": [PART | {"step": 1.5}]}, "parts.0.step: "),
        ({"parts": [PART | {"step": "last"}]}, "parts.0.step: "),
        ({"name": ""}, "name: "),
        ({"name": "\ud800"}, "name: "),
        ({"kind": "session"}, "kind: "),
        ({"version": 2}, "version: "),
    ],
)
def test_a_file_that_is_none_says_where(change: dict, problem: str):
    with pytest.raises(BadValue, match="this is not a playlist: ") as refused:
        made(**change)
    assert problem in str(refused.value)
