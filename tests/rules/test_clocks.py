"""Durations come from a clock that does not jump: progress, time left, limits and ages of work under way.

The time of day changes with the network's time, by hand and on resuming a laptop. It says when something was made, and is
compared with times of files, which are times of day as well.
"""

import re

from tests.rules.sources import files, matches, name

OF_FILES = {
    "lab_app/files.py": "the youngest temporary folders, whose lock may not be taken yet",
    "lab_app/store/database.py": "whether the file was written just now",
}
TIME_OF_DAY = r"\btime\.time(_ns)?\(|\bdatetime\.(utc)?now\([^)]*\)\s*-|-\s*datetime\.(utc)?now\("


def test_no_duration_is_measured_with_the_time_of_day():
    found = [place for place, _ in matches(files("lab_app", ".py"), TIME_OF_DAY)]
    others = [place for place in found if place.rpartition(":")[0] not in OF_FILES]
    assert not others, "use time.monotonic() or time.perf_counter(): " + ", ".join(others)
    assert {place.rpartition(":")[0] for place in found} == set(OF_FILES), "a line of OF_FILES is not needed any more"


def test_the_page_measures_no_duration_with_the_time_of_day():
    found = [place for place, _ in matches(files("lab_ui/js", ".js"), r"Date\.now\(\)")]
    assert not found, "use performance.now(): " + ", ".join(found)


def test_the_rule_finds_them():
    assert all(
        re.search(TIME_OF_DAY, one) for one in ("time.time() - a", "datetime.now(UTC) - a", "a - datetime.now(UTC)")
    )
    assert not re.search(TIME_OF_DAY, "datetime.now(UTC).isoformat()") and name(files("lab_app", ".py")[0]).startswith(
        "lab_app"
    )
