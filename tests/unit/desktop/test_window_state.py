import pytest

from lab_app.desktop.window_state import WindowState, load, save


def test_what_was_saved_is_loaded(tmp_path):
    state = WindowState(900, 700, True, 1.5)
    save(tmp_path / "new" / "window.json", state)
    assert load(tmp_path / "new" / "window.json") == state


@pytest.mark.parametrize(
    "content",
    ["", "{}", "[]", "null", '{"width": "x", "height": 1, "maximized": 0, "zoom": 1}', "\x00", '{"width": 1e999}'],
)
def test_a_file_that_says_nothing_useful_is_ignored(tmp_path, content):
    (tmp_path / "window.json").write_text(content)
    assert load(tmp_path / "window.json") == WindowState()


def test_a_window_is_never_too_small_or_too_large(tmp_path):
    (tmp_path / "window.json").write_text('{"width": 1, "height": 99999, "maximized": false, "zoom": 40}')
    assert load(tmp_path / "window.json") == WindowState(720, 8192, False, 3.0)


def test_nothing_is_lost_where_nothing_can_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    save(tmp_path / "file" / "window.json", WindowState())
    assert load(tmp_path / "file" / "window.json") == WindowState()


def test_zoom_goes_in_steps_and_ends():
    state = WindowState()
    seen = [(state := state.zoomed(1)).zoom for _ in range(9)]
    assert seen == [1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.0, 3.0]
    assert WindowState(zoom=1.07).zoomed(-1).zoom == 1.0
