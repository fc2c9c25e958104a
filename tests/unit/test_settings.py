from pathlib import Path

import pytest

from lab_app.errors import BadValue
from lab_app.settings import Settings, load, with_token


def test_defaults():
    assert load({}, {}) == Settings()


def test_a_flag_beats_the_environment_beats_the_file_beats_the_default(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text("port = 1\nhost = '::1'\nmax_loaded = 2\n", encoding="utf-8")
    found = load({"port": 3}, {"TOKENLAB_PORT": "2", "TOKENLAB_HOST": "127.0.0.2"}, file)
    assert (found.port, found.host, found.max_loaded) == (3, "127.0.0.2", 2)


def test_a_flag_that_was_not_given_leaves_the_others_alone():
    assert load({"port": None}, {"TOKENLAB_PORT": "2"}).port == 2


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("offline", "yes", True),
        ("offline", "0", False),
        ("max_request_mb", "0.5", 0.5),
        ("allowed_hosts", "lab.example, other:81,", ("lab.example", "other:81")),
        ("data_dir", "/data/lab", Path("/data/lab")),
        ("display", "browser", "browser"),
    ],
)
def test_values_are_read_in_their_type(name, text, value):
    assert getattr(load({}, {f"TOKENLAB_{name.upper()}": text}), name) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("port", "many"),
        ("port", "65536"),
        ("port", "-1"),
        ("port", "80.5"),
        ("offline", "perhaps"),
        ("display", "screen"),
        ("log_level", "loud"),
        ("max_loaded", "0"),
        ("max_request_mb", "nan"),
        ("connect_timeout_s", ""),
    ],
)
def test_a_wrong_value_is_named_with_its_place(name, text):
    key = f"TOKENLAB_{name.upper()}"
    if text == "":
        assert load({}, {key: text}) == Settings()  # an empty variable is one that is not set
        return
    with pytest.raises(BadValue, match=f"{key}: {name} cannot be '{text}'") as error:
        load({}, {key: text})
    assert error.value.hint.startswith("give")


@pytest.mark.parametrize("content", ["port = ", "colour = 'red'", "port = true", "host = 3", "port = 1.5", "\xff"])
def test_a_wrong_file_is_named(tmp_path, content):
    file = tmp_path / "config.toml"
    file.write_bytes(content.encode("latin-1"))
    with pytest.raises(BadValue, match=r"config\.toml"):
        load({}, {}, file)


def test_a_run_has_a_secret_of_its_own():
    first, second = with_token(Settings()), with_token(Settings())
    assert first.token != second.token and len(first.token) >= 43
    assert with_token(Settings(token="given")).token == "given"


def test_a_secret_that_can_be_guessed_is_refused_without_repeating_it():
    with pytest.raises(BadValue, match=r"TOKENLAB_TOKEN: the token has 6 characters.*at least 16") as error:
        load(environ={"TOKENLAB_TOKEN": "secret"})
    assert "secret" not in str(error.value)
    assert load(environ={"TOKENLAB_TOKEN": "x" * 16}).token == "x" * 16
