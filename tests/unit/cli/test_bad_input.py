"""What cannot be: each ends with a line that names it and says what to do, never with a traceback, and loses nothing."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lab_app import paths
from lab_app.cli import output
from lab_app.cli.app import program
from tests import tiny
from tests.plugin_package import WITHOUT_SPANS, install_plugin

HUGE = "9" * 30
FULL = Path("/dev/full")
PYTHON_CALL = re.compile(r"\w\(|\w+=[\"'\w]|`[a-z_]+`")


def said(done) -> str:
    return done.stderr.decode()


@pytest.fixture
def mute(tmp_path, monkeypatch):
    """A plug-in without spans."""
    (tmp_path / "site").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    install_plugin(tmp_path / "site", "mute", WITHOUT_SPANS, mute="Mute")
    return "mute"


@pytest.mark.parametrize("id", ["99999999999999999", "4294967296", HUGE, "9" * 5000])
def test_an_id_that_no_special_token_can_have(tokenlab, tmp_path, id):
    path = str(tiny.rank_file(tmp_path))
    done = tokenlab("add", path, "--pattern", "gpt2", "--special", f"x={id}", status=2)
    assert f"x={id[:20]}"[:12] in said(done) or f"id {id}" in said(done)


def test_a_special_token_of_half_a_character(tokenlab, tmp_path):
    path = str(tiny.rank_file(tmp_path))
    done = tokenlab("add", path, "--pattern", "gpt2", "--special", "\udcff=5", status=2)
    assert "special token" in said(done)


@pytest.mark.parametrize(
    "options", [["--pattern", "cl100k_base"], ["--special", "x=5"], ["--pattern", "gpt2", "--special", "x=5"]]
)
@pytest.mark.parametrize("kind", ["vocab_txt", "tokenizer_json", "recipe"])
def test_what_would_have_no_effect_is_refused(tokenlab, tmp_path, kind, options):
    if kind == "recipe":
        path = tmp_path / "mine.toml"
        path.write_text('base = "gpt2"\n')
    else:
        path = getattr(tiny, kind)(tmp_path / "mine")
    done = tokenlab("add", str(path), *options, status=2 if kind == "recipe" else 1)
    assert "leave" in said(done)
    assert json.loads(tokenlab("list", "--format", "json").stdout)["tokenizers"][-1]["id"] != "mine"


@pytest.mark.parametrize("format", ["html", "csv", "json"])
def test_a_plug_in_without_spans_is_exported(tokenlab, tmp_path, mute, format):
    file = tmp_path / f"x.{format}"
    tokenlab("export", "-t", mute, "-o", str(file), "AB c")
    content = file.read_text("utf-8")
    if format == "csv":  # a span that nobody knows is empty, not 0
        row = dict(zip(*csv.reader(content.splitlines()[:2]), strict=True))
        assert {name: value for name, value in row.items() if name.startswith(("start", "end"))} == {
            "start_utf8": "",
            "end_utf8": "",
            "start_char": "",
            "end_char": "",
        }
    if format == "html":
        assert "None" not in content


def test_messages_that_are_nested_too_deep(tokenlab, tmp_path):
    (tmp_path / "t.jinja").write_text("{{ messages[0].role }}")
    nested = "[" * 600 + "]" * 600
    (tmp_path / "m.json").write_text(f'[{{"role": "user", "content": {nested}}}]')
    given = ["chat", "-t", "gpt2", str(tmp_path / "m.json"), "--template", str(tmp_path / "t.jinja")]
    assert "nested more than 100 deep" in said(tokenlab(*given, status=2))


def test_a_template_with_a_syntax_error_is_to_be_corrected(tokenlab, tmp_path):
    (tmp_path / "t.jinja").write_text("{% for %}")
    (tmp_path / "m.json").write_text("[]")
    given = ["chat", "-t", "gpt2", str(tmp_path / "m.json"), "--template", str(tmp_path / "t.jinja")]
    assert "syntax error in line 1" in said(tokenlab(*given, status=1))
    assert "correct the template" in said(tokenlab(*given, status=1))


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (["--truncation", "longest_first", "--max-length", HUGE], 2, "max_length is 9"),
        (["--max-length", "5"], 2, "set --truncation to"),
        (["--truncation", "longest_first", "--max-length", "-1"], 2, "-1"),
        (["--truncation", "longest_first"], 2, "--max-length"),
        (["--stride", "2"], 2, "set --truncation to"),
        (["--padding", "longest"], 1, "no padding token"),
        (["--pad-to-multiple-of", "8"], 2, "set --padding to"),
        (["--specials", "reject", "<|endoftext|>"], 1, "set --specials to"),
    ],
)
def test_lengths_that_cannot_be_are_told_in_options_of_the_command_line(tokenlab, options, status, words):
    text = [] if options[-1].startswith("<") else ["a b c"]
    done = tokenlab("encode", "-t", "gpt2", *options, *text, status=status)
    assert words in said(done)
    assert not PYTHON_CALL.search(said(done)), said(done)


@pytest.mark.parametrize(
    "options",
    [
        ["--stride", "2"],
        ["--pad-to-multiple-of", "8"],
        ["--max-length", "5", "--truncation", "longest_first"],
        ["--padding", "file"],
        ["--pair", "b"],
        ["--format", "ids"],
    ],
)
def test_the_ids_of_a_file_take_no_lengths(tokenlab, tmp_path, options):
    (tmp_path / "a.txt").write_text("a b c")
    ids = tmp_path / "a.npy"
    done = tokenlab("encode", "-t", "gpt2", "--file", str(tmp_path / "a.txt"), "--output", str(ids), *options, status=2)
    named = [each for each in options if each.startswith("--")]
    assert all(name in said(done) for name in named) and "--output writes the IDs of a whole file" in said(done)
    assert not ids.exists()


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (["--threads", "2"], "--threads"),
        (["--force"], "--force"),
        (["--force", "--threads", "2"], "--threads and --force"),
    ],
)
def test_options_of_an_output_need_one(tokenlab, options, names):
    told = said(tokenlab("encode", "-t", "gpt2", *options, "a", status=2))
    assert f"{names} without --output" in told and f"or leave out {names}" in told


def test_every_option_that_errors_name_is_one_of_encode():
    encode = next(
        command for command in program().registered_commands if (command.name or command.callback.__name__) == "encode"
    )
    parameters = encode.callback.__annotations__
    assert set(output.OPTIONS) <= set(parameters)


@pytest.mark.parametrize("to", ["tiktoken", "vocab+merges"])
def test_a_place_that_cannot_be_written_is_told_with_the_reason(tokenlab, tmp_path, to):
    (tmp_path / "file").write_text("x")
    done = tokenlab("convert", "gpt2", "--to", to, str(tmp_path / "file" / "x"), status=1)
    assert "cannot be written" in said(done) and "None" not in said(done)


def test_an_id_beyond_the_vocabulary_says_which_ids_there_are(tokenlab):
    for id in ("50257", "4294967295", HUGE, "-1"):
        assert "give an id below 50257" in said(tokenlab("vocab", "gpt2", "--token", id, status=1))


@pytest.mark.parametrize(
    "command", [["export", "-t", "gpt2", "a", "-o"], ["vocab", "gpt2", "--ids", "1-9", "--export"]]
)
def test_a_file_that_is_there_is_replaced_only_if_asked_for(tokenlab, tmp_path, command):
    file = tmp_path / "x.csv"
    file.write_text("precious")
    assert "--force" in said(tokenlab(*command, str(file), status=1)) and file.read_text() == "precious"
    tokenlab(*command, str(file), "--force")
    assert file.read_text() != "precious" and list(tmp_path.glob(".tokenlab-*")) == []


def test_a_file_that_cannot_be_finished_leaves_the_old_one(tmp_path):
    file = tmp_path / "x.csv"
    file.write_text("precious")

    def chunks():
        yield "half"
        raise OSError(28, "No space left on device")

    with pytest.raises(output.Unavailable, match="No space left"):
        output.write_file(file, chunks(), force=True)
    assert file.read_text() == "precious" and [each.name for each in tmp_path.iterdir()] == ["x.csv"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("real.csv")
    output.write_file(tmp_path / "link.csv", ["new"], force=True)
    assert (tmp_path / "link.csv").is_symlink() and (tmp_path / "real.csv").read_text() == "new"


def test_labels_of_a_table_are_on_the_left_and_numbers_on_the_right(tokenlab):
    lines = tokenlab("overlap", "-t", "gpt2", "-t", "cl100k_base").stdout.decode().splitlines()
    rows = [line for line in lines if re.match(r" ?(tokens|special tokens|all) ", line)][:3]
    assert len({len(line) - len(line.lstrip()) for line in rows}) == 1, lines
    assert len({line.rstrip().rindex(line.split()[-1]) + len(line.split()[-1]) for line in rows}) == 1, lines


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["compare", "-t", "gpt2", "a"], "needs 2 to 8 tokenizers, not 1"),
        (["diff", "-t", "gpt2"], "two tokenizers are needed, not 1"),
    ],
)
def test_how_many_tokenizers_are_needed(tokenlab, arguments, words):
    assert words in said(tokenlab(*arguments, status=2))


def test_a_text_too_long_to_be_explained(tokenlab):
    done = tokenlab("explain", "-t", "gpt2", "a" * 10_050, status=2)
    assert "10050 characters, more than the 10000 that can be explained" in said(done)
    tokenlab("explain", "-t", "gpt2", "--no-edits", "a b " * 2_500)  # 10 000: the engine's own limit


def test_a_full_disk_is_told(data_dir):
    if not FULL.exists():
        pytest.skip(f"this system has no {FULL}")
    with FULL.open("w") as full:
        command = [sys.executable, "-m", "lab_app", "encode", "-t", "gpt2", "--format", "ids", "a"]
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert run.returncode == 1 and "No space left on device" in run.stderr and "Traceback" not in run.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes the streams")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_streams_that_are_closed(data_dir, closed):
    command = f"{sys.executable} -m lab_app encode -t gpt2 --format ids hello {closed}"
    run = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert run.returncode == 0 and "Traceback" not in run.stderr


HOSTILE = [
    ["add", "~nosuchuser/x"],
    ["add", "x" * 5000],
    ["add", "hub:" + "x" * 5000],
    ["add", "hub:a/b@" + "\udcff"],
    ["add", "\udcff"],
    ["add", "a\0b"],
    ["add", ""],
    ["info", "\udcff"],
    ["info", ""],
    ["remove", "x" * 5000],
    ["encode", "-t", "gpt2", "\udcff"],
    ["encode", "-t", "\udcff", "a"],
    ["encode", "-t", "gpt2", "--file", "\0"],
    ["encode", "-t", "gpt2", "--file", "/"],
    ["encode", "-t", "gpt2", "--stride", HUGE, "--truncation", "longest_first", "--max-length", "5", "a"],
    ["encode", "-t", "gpt2", "--pad-to-multiple-of", HUGE, "--padding", "longest", "a"],
    ["encode", "-t", "gpt2", "--max-length", HUGE, "--padding", "max_length", "a"],
    ["decode", "-t", "gpt2", HUGE],
    ["decode", "-t", "gpt2", "9" * 5000],
    ["decode", "-t", "gpt2", "-1"],
    ["decode", "-t", "gpt2", "nan"],
    ["decode", "-t", "gpt2", "١"],
    ["explain", "-t", "gpt2", "--at", HUGE, "a"],
    ["explain", "-t", "gpt2", "--at", "-1", "a"],
    ["vocab", "gpt2", "--ids", f"{HUGE}-{HUGE}"],
    ["vocab", "gpt2", "--ids", "9-1"],
    ["vocab", "gpt2", "--ids", "-"],
    ["vocab", "gpt2", "--hex", "zz"],
    ["vocab", "gpt2", "--search", "("],
    ["vocab", "gpt2", "--search", "\udcff"],
    ["vocab", "gpt2", "--text", "\udcff"],
    ["vocab", "gpt2", "--kind", "\0"],
    ["vocab", "gpt2", "--export", "/nowhere/x.csv"],
    ["export", "-t", "gpt2", "-o", "/nowhere/x.csv", "a"],
    ["export", "-t", "gpt2", "-o", "/x\0.csv", "a"],
    ["convert", "gpt2", "--to", "tiktoken", "/"],
    ["convert", "gpt2", "--to", "\udcff", "x"],
    ["serve", "--port", HUGE],
    ["serve", "--port", "-1"],
    ["chat", "-t", "gpt2", "/"],
    ["textbook", "-t", "gpt2", "\udcff"],
    ["retokenize", "--from", "gpt2", "--to", "\udcff", "a"],
]


@pytest.mark.parametrize("arguments", HOSTILE, ids=lambda arguments: ascii(" ".join(arguments))[:60])
def test_no_argument_ends_in_a_traceback(tokenlab, arguments, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    try:
        done = tokenlab(*arguments, status=2)
    except AssertionError:
        done = tokenlab(*arguments, status=1)
    assert said(done).strip() and "Traceback" not in said(done)
    assert not PYTHON_CALL.search(said(done).partition("\n")[2]), said(done)


@pytest.mark.parametrize(
    "content", ["x = nan", "[" * 5000, "token = 'a b'", "data_dir = 5", "port = inf", "\0", "a = '\ud800'"]
)
def test_a_configuration_that_cannot_be(tokenlab, tmp_path, monkeypatch, content):
    file = tmp_path / "config.toml"
    file.write_bytes(content.encode("utf-8", "surrogatepass"))
    monkeypatch.setattr(paths, "config_file", lambda: file)
    assert "config.toml" in said(tokenlab("list", status=2))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATA_DIR", "~nosuchuser/x"),
        ("PORT", "nan"),
        ("PORT", HUGE),
        ("MAX_REQUEST_MB", "nan"),
        ("MAX_REQUEST_MB", "-inf"),
        ("TOKEN", "a b"),
        ("TOKEN", "é"),
        ("MAX_LOADED", "9" * 5000),
        ("OFFLINE", "perhaps"),
    ],
)
def test_a_variable_that_cannot_be(tokenlab, monkeypatch, name, value):
    monkeypatch.setenv(f"TOKENLAB_{name}", value)
    done = tokenlab("list", status=2)
    assert f"TOKENLAB_{name}" in said(done) and (name != "TOKEN" or value not in said(done).partition("use")[0])


DATA = {
    "a file for a folder": lambda folder: folder.write_text("x"),
    "a folder for the database": lambda folder: (folder / "lab.sqlite3").mkdir(parents=True),
    "a damaged database": lambda folder: (folder.mkdir(), (folder / "lab.sqlite3").write_bytes(b"garbage" * 1000)),
}


@pytest.mark.parametrize("what", DATA)
def test_without_a_database_the_lab_encodes_lists_and_says_what_is_wrong(tokenlab, tmp_path, monkeypatch, what):
    folder = tmp_path / "broken"
    DATA[what](folder)
    monkeypatch.setenv("TOKENLAB_DATA_DIR", str(folder))
    assert tokenlab("encode", "-t", "gpt2", "a b", "--format", "ids").stdout == b"64 275\n"
    done = tokenlab("list")
    assert str(folder) in said(done) and b"cl100k_base" in done.stdout
    assert str(folder) in said(tokenlab("encode", "-t", "mine", "a", status=1))  # it may be in the database
    assert str(folder) in tokenlab("doctor", status=1).stdout.decode()


@pytest.mark.parametrize(
    "content", ["[" * 5000, "base = nan", 'base = "gpt2"\nnormalizers = [1e400]', "\0", "base = 5"]
)
def test_a_recipe_that_cannot_be(tokenlab, tmp_path, content):
    (tmp_path / "mine.toml").write_text(content)
    try:
        done = tokenlab("add", str(tmp_path / "mine.toml"), status=1)
    except AssertionError:
        done = tokenlab("add", str(tmp_path / "mine.toml"), status=2)
    assert said(done).startswith("error: ")
