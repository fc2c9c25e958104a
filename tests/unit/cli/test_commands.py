"""The command line as programs and people use it: arguments and stdin in, bytes and an exit status out.

Most run in this process, which is twenty times as quick; what depends on a process runs in one of its own.
"""

import json
import os
import subprocess
import sys
from importlib.metadata import version

import numpy as np
import pytest
from safetensors.numpy import save_file

from lab_app.settings import Settings
from tests import tiny


def process(*arguments: str | bytes, **environment: str) -> subprocess.CompletedProcess:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "lab_app.cli.main", *arguments]
    return subprocess.run(command, capture_output=True, env={**os.environ, **environment}, timeout=120, check=False)


def words(done) -> str:
    return done.stdout.decode()


def test_version(data_dir):
    assert process("--version").stdout.decode() == f"tokenlab {version('tokenization-lab')}\n"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("tokenlab en", {"encode"}),
        ("tokenlab encode -t cl", {"cl100k_base"}),
        ("tokenlab encode --forma", {"--format"}),
    ],
)
def test_a_shell_completes_commands_options_and_tokenizers(data_dir, typed: str, offered: set[str]):
    asked = {"_TOKENLAB_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1)}
    assert set(words(process(**asked)).split()) == offered


def test_encode_as_json_is_the_interfaces_result(tokenlab):
    whole = json.loads(words(tokenlab("encode", "-t", "gpt2", "Hello 日", "--format", "json")))
    assert whole["tokenizer"] == "gpt2" and whole["text_bytes"] == 9 and whole["count"] == 4
    assert whole["ids"] == [15496, 10545, 245, 98]
    assert {"id", "text", "bytes", "span_utf8", "span_char", "span_utf16", "special"} <= set(whole["tokens"][0])
    assert whole["tokens"][1]["text"] is None and whole["tokens"][1]["bytes"] == "20e6"


def test_encode_with_several_tokenizers(tokenlab):
    two = ("encode", "-t", "gpt2", "-t", "cl100k_base", "Hello, world")
    assert [each["tokenizer"] for each in json.loads(words(tokenlab(*two, "--format", "json")))] == [
        "gpt2",
        "cl100k_base",
    ]
    assert words(tokenlab(*two, "--format", "ids")) == "15496 11 995\n9906 11 1917\n"
    shown = words(tokenlab(*two))
    assert "gpt2: 3 tokens for 12 bytes, 12 characters" in shown and "·world" in shown and "20 77 6f 72 6c 64" in shown


def test_encode_writes_the_ids_of_a_file(tokenlab, tmp_path):
    text, ids = tmp_path / "text.txt", tmp_path / "ids.npy"
    text.write_bytes(b"Hello, world")
    command = ("encode", "-t", "gpt2", "--file", str(text), "--output", str(ids))
    assert b"3 IDs written" in tokenlab(*command).stderr
    assert np.load(ids).tolist() == [15496, 11, 995]
    assert b"already exists" in tokenlab(*command, status=1).stderr
    tokenlab(*command, "--force", "--threads", "1")
    raw = tmp_path / "ids.bin"
    tokenlab(*command[:-1], str(raw))
    assert np.fromfile(raw, "<u4").tolist() == [15496, 11, 995]
    absent = (*command[:-3], str(tmp_path / "absent"), "--output", str(tmp_path / "no.npy"))
    assert b"cannot be read" in tokenlab(*absent, status=1).stderr
    assert b"cannot be written" in tokenlab(*command[:-1], str(tmp_path / "no" / "ids.npy"), status=1).stderr
    tokenlab("encode", "-t", "gpt2", "Hello", "-o", str(ids), status=2)


@pytest.fixture(scope="module")
def long_text() -> bytes:
    """More than is read as a whole, with characters and words across the bounds of parts."""
    return "".join(f"word{number} 日本 👩\u200d🔬 naïve\n" for number in range(60_000)).encode()


def process_with(stdin: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "lab_app.cli.main", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=120, check=False)


@pytest.mark.parametrize("tokenizer", ["gpt2", "bert-base-uncased"])
def test_a_long_text_from_a_pipe_has_the_ids_of_the_whole(data_dir, long_text, tmp_path, tokenizer):
    from lab_app.services.lab import Lab
    from lab_app.services.text.encode import encode

    expected = encode(Lab(Settings()), tokenizer, long_text.decode()).ids
    done = process_with(long_text, "encode", "-t", tokenizer, "--format", "ids")
    assert done.returncode == 0 and done.stdout.decode() == " ".join(map(str, expected.tolist())) + "\n"
    for options in ([], ["--threads", "1"]):
        done = process_with(long_text, "encode", "-t", tokenizer, "--output", "-", *options)
        assert np.array_equal(np.frombuffer(done.stdout, "<u4"), expected)
    file = tmp_path / "text.txt"
    file.write_bytes(long_text)
    done = process_with(b"", "encode", "-t", tokenizer, "--file", str(file), "--format", "ids")
    assert done.stdout.decode() == " ".join(map(str, expected.tolist())) + "\n"


@pytest.mark.skipif(sys.platform == "win32", reason="stdin has no name there")
def test_the_ids_of_a_pipe_go_to_a_file(data_dir, tmp_path):
    ids = tmp_path / "ids.npy"
    done = process_with(b"Hello, world", "encode", "-t", "gpt2", "--output", str(ids))
    assert b"3 IDs written" in done.stderr and np.load(ids).tolist() == [15496, 11, 995]


def test_a_long_text_that_is_not_utf8_is_named_with_its_byte(data_dir, long_text):
    done = process_with(long_text + b"\xff", "encode", "-t", "gpt2", "--format", "ids")
    assert done.returncode == 1 and f"stdin: the byte 0xFF at {len(long_text)}".encode() in done.stderr


def test_a_template_with_the_text_twice_needs_the_whole_text(tokenlab, long_text, tmp_path):
    path = tiny.tokenizer_json(tmp_path / "twice")
    text = {"Sequence": {"id": "A", "type_id": 0}}
    pair = [text, {"Sequence": {"id": "B", "type_id": 0}}]
    template = {"type": "TemplateProcessing", "single": [text, text], "pair": pair, "special_tokens": {}}
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"post_processor": template}), encoding="utf-8")
    tokenlab("add", str(path), "--id", "twice")
    file = tmp_path / "text.txt"
    file.write_bytes(long_text)
    whole = words(tokenlab("encode", "-t", "twice", "--file", str(file), "--format", "ids")).split()
    assert len(whole) == 2 * len(long_text.split())
    for done in (
        process_with(long_text, "encode", "-t", "twice", "--format", "ids"),
        tokenlab("encode", "-t", "twice", "--file", str(file), "-o", str(tmp_path / "ids.npy"), status=1),
    ):
        assert b"give --no-special-tokens" in done.stderr and b"add_special_tokens" not in done.stderr


def test_who_reads_only_the_first_ids_of_a_long_text_sees_no_error(data_dir, long_text, tmp_path):
    file = tmp_path / "text.txt"
    file.write_bytes(long_text * 4)
    command = f"'{sys.executable}' -m lab_app.cli.main encode -t gpt2 --file '{file}' --format ids | head -c 10"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, timeout=120, check=False)
    assert len(done.stdout) == 10 and b"Traceback" not in done.stderr and b"error" not in done.stderr, done.stderr


def test_a_text_comes_from_the_argument_a_file_or_stdin(tokenlab, tmp_path):
    file = tmp_path / "text.txt"
    file.write_text("Hello, world", encoding="utf-8")
    for arguments in (["Hello, world"], ["--file", str(file)], ["-"], []):
        done = tokenlab("encode", "-t", "gpt2", "--format", "ids", *arguments, stdin=b"Hello, world")
        assert words(done) == "15496 11 995\n"


def test_special_tokens_have_their_switches(tokenlab):
    ids = ("encode", "-t", "gpt2", "--format", "ids", "<|endoftext|>")
    assert words(tokenlab(*ids, "--specials", "parse")) == "50256\n"
    assert words(tokenlab(*ids, "--specials", "text")) == words(tokenlab(*ids)) == "27 91 437 1659 5239 91 29\n"
    assert b"<|endoftext|>" in tokenlab(*ids, "--specials", "reject", status=1).stderr


@pytest.mark.parametrize(
    "command",
    [
        ("encode", "-t", "gpt2"),
        ("encode", "-t", "gpt2", "--format", "json"),
        ("encode", "-t", "gpt2", "--format", "ids"),
        ("compare", "-t", "gpt2", "-t", "cl100k_base"),
        ("explain", "-t", "gpt2"),
        ("retokenize", "--from", "gpt2", "--to", "cl100k_base"),
        ("overlap", "-t", "gpt2", "-t", "cl100k_base"),
        ("diff", "-t", "gpt2", "-t", "cl100k_base"),
    ],
)
def test_special_tokens_in_the_text_are_reported_with_how_they_were_read(tokenlab, command):
    note = b"gpt2: <|endoftext|> in the text read as ordinary text; --specials parse reads special tokens\n"
    assert note in tokenlab(*command, "a <|endoftext|> b").stderr
    parsed = b"gpt2: <|endoftext|> in the text read as special tokens; --specials text reads ordinary text\n"
    assert parsed in tokenlab(*command, "--specials", "parse", "a <|endoftext|> b").stderr
    assert b"in the text read as" not in tokenlab(*command, "a <|endoftex b").stderr


@pytest.mark.parametrize("ids", ["15496 11 995", "15496,11,995", "[15496, 11, 995]"])
def test_decode(tokenlab, ids):
    assert words(tokenlab("decode", "-t", "gpt2", *ids.split())) == "Hello, world\n"
    assert words(tokenlab("decode", "-t", "gpt2", "-", stdin=ids.encode())) == "Hello, world\n"
    assert json.loads(words(tokenlab("decode", "-t", "gpt2", ids, "--format", "json")))["text"] == "Hello, world"


def test_decoded_bytes_that_are_not_utf8_come_out_as_they_are(tokenlab):
    assert tokenlab("decode", "-t", "gpt2", "10545", "245").stdout == b" \xe6\x97\n"
    found = json.loads(words(tokenlab("decode", "-t", "gpt2", "10545", "--format", "json")))
    assert found["text"] is None and found["bytes"] == "20e6"


def test_compare(tokenlab):
    two = ("compare", "-t", "gpt2", "-t", "cl100k_base", "a 2048-token window")
    whole = json.loads(words(tokenlab(*two, "--format", "json")))
    assert set(whole) >= {"text_bytes", "tokenizers", "agreement", "divergences"}
    assert whole["divergences"][0]["boundaries"] == {"gpt2": [], "cl100k_base": [5]}
    shown = words(tokenlab(*two))
    assert "2 divergences" in shown and "·204│8" in shown


def test_a_long_divergence_is_shown_in_part(tokenlab, tmp_path):
    (tmp_path / "word.txt").write_text("x" + "é" * 100_000, encoding="utf-8")
    given = ("compare", "-t", "gpt2", "-t", "bert-base-uncased", "--file", str(tmp_path / "word.txt"))
    shown = words(tokenlab(*given))
    assert "1 divergence" in shown and "é…" in shown and len(shown) < 10_000


def test_a_tokenizer_is_added_listed_used_and_removed(tokenlab, tmp_path):
    folder = tiny.vocab_and_merges(tmp_path / "mine").parent
    assert words(tokenlab("add", str(folder))).startswith("mine: byte-level BPE, 261 tokens, added")
    entries = json.loads(words(tokenlab("list", "--format", "json")))["tokenizers"]
    assert [entry["id"] for entry in entries][-1] == "mine"
    assert words(tokenlab("encode", "-t", "mine", "hello", "--format", "ids")) == "259\n"
    assert json.loads(words(tokenlab("info", "mine", "--format", "json")))["source"] == "added"
    assert "<|endoftext|> 260" in words(tokenlab("info", "mine"))
    assert words(tokenlab("remove", "mine")) == "mine is removed\n"
    assert b"mine" in tokenlab("info", "mine", status=1).stderr


def test_a_rank_file_takes_its_pattern_and_special_tokens(tokenlab, tmp_path):
    path = str(tiny.rank_file(tmp_path))
    assert b"pattern" in tokenlab("add", path, status=1).stderr
    tokenlab("add", path, "--pattern", "cl100k_base", "--special", "<s>=260", "--special", "a=b=261", "--id", "ranks")
    assert (
        words(tokenlab("encode", "-t", "ranks", "hello<s>a=b", "--specials", "parse", "--format", "ids"))
        == "259 260 261\n"
    )
    assert b"TEXT=ID" in tokenlab("add", path, "--special", "<s>", status=2).stderr


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["encode", "-t", "gpt9", "a"], 1, "gpt9"),
        (["encode", "-t", "t5-base", "a"], 1, "tokenlab add t5-base"),
        (["encode", "a"], 2, "--tokenizer"),
        (["encode", "-t", "gpt2", "a", "--file", "b"], 2, "both"),
        (["encode", "-t", "gpt2", "--file", "no-such-file"], 1, "no-such-file"),
        (["encode", "-t", "gpt2", "a", "--format", "xml"], 2, "xml"),
        (["decode", "-t", "gpt2", "99999999"], 1, "99999999"),
        (["decode", "-t", "gpt2", "twelve"], 2, "twelve"),
        (["compare", "-t", "gpt2", "a"], 2, "2 to 8"),
        (["add", "hub:org name"], 2, "hub:org name"),
        (["add", "no-such-file"], 1, "no-such-file"),
        (["add", "t5-base"], 1, "offline"),
        (["remove", "gpt2"], 1, "built in"),
        (["serve", "--port", "99999"], 2, "99999"),
        (["dance"], 2, "dance"),
    ],
)
def test_an_error_is_a_line_on_stderr_and_a_status(tokenlab, arguments, status, said):
    done = tokenlab(*arguments, status=status)
    assert said in done.stderr.decode() and "Traceback" not in done.stderr.decode()
    assert done.stdout == b""


def test_input_that_is_not_utf8_is_named_with_its_byte(tokenlab, tmp_path):
    (tmp_path / "latin.txt").write_bytes("naïve".encode("latin-1"))
    done = tokenlab("encode", "-t", "gpt2", "--file", str(tmp_path / "latin.txt"), status=2)
    assert "latin.txt is not UTF-8: byte 2 (0xef)" in done.stderr.decode()
    done = tokenlab("encode", "-t", "gpt2", "-", stdin=b"ab\xff", status=2)
    assert "stdin is not UTF-8: byte 2 (0xff)" in done.stderr.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are UTF-16 on Windows")
def test_an_argument_that_is_not_utf8_is_named_with_its_byte(data_dir):
    done = process("encode", "-t", "gpt2", b"ab\xff")
    assert done.returncode == 2 and b"the text is not UTF-8: byte 2 (0xff)" in done.stderr


def test_output_is_utf8_whatever_the_terminal_speaks(data_dir):
    done = process("decode", "-t", "gpt2", "33768", "98", PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    assert done.stdout.decode() == "日\n"
    text = process("encode", "-t", "gpt2", "ни", "--format", "json", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert "н" in json.loads(text.stdout.decode())["tokens"][0]["text"]


def test_a_wrong_setting_is_named(tokenlab, monkeypatch):
    monkeypatch.setenv("TOKENLAB_MAX_LOADED", "none")
    assert b"TOKENLAB_MAX_LOADED" in tokenlab("list", status=2).stderr


def test_doctor_says_what_is_there(tokenlab, monkeypatch):
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    checks = json.loads(words(tokenlab("doctor", "--format", "json")))
    found = {check["name"]: check for check in checks["checks"]}
    assert found["engine"]["ok"] and found["data folder"]["ok"] and found["gpt2"]["ok"]
    assert found["bert-base-uncased"]["ok"]
    if sys.platform == "linux":
        assert not found["window"]["ok"] and "display" in found["window"]["detail"]


def test_a_reader_that_goes_away_is_no_error(data_dir):
    script = f"{sys.executable} -m lab_app.cli.main encode -t gpt2 --format json --file {__file__} | head -c 10"
    done = subprocess.run(["/bin/sh", "-c", script], capture_output=True, timeout=60, check=False)
    assert b"Traceback" not in done.stderr and done.stdout == b'{"tokenize'


def test_lengths(tokenlab):
    cut = ("encode", "-t", "gpt2", "--truncation", "only_first", "--max-length", "2", "Hello, world")
    assert words(tokenlab(*cut, "--format", "ids")) == "15496 11\n"
    assert "truncated; 1 more part" in words(tokenlab(*cut))
    assert json.loads(tokenlab(*cut, "--format", "json").stdout)["overflowing"] == [[995]]
    failed = tokenlab("encode", "-t", "gpt2", "--padding", "longest", "a", status=1)
    assert b"no padding token" in failed.stderr


def test_convert_writes_a_tokenizer_or_says_why_not(tokenlab, tmp_path):
    out = tmp_path / "gpt2.tiktoken"
    done = tokenlab("convert", "gpt2", "--to", "tiktoken", str(out))
    assert out.read_bytes().startswith(b"IQ== 0\n") and "split pattern gpt2" in words(done)
    assert b"already exists" in tokenlab("convert", "gpt2", "--to", "tiktoken", str(out), status=1).stderr
    failed = tokenlab("convert", "gpt2", "--to", "vocab.txt", str(tmp_path / "vocab.txt"), status=2)
    assert b"vocab.txt cannot hold the model" in failed.stderr


def test_explain(tokenlab):
    shown = words(tokenlab("explain", "-t", "gpt2", "--at", "5", "Hello, world"))
    assert "byte 5: Hello│,·world" in shown and "the pretokenizer (GPT-2 pattern) splits between" in shown
    found = json.loads(tokenlab("explain", "-t", "gpt2", "--format", "json", "--no-edits", "Hello, world").stdout)
    assert found["boundaries"] == [5, 6] and [place["edit"] for place in found["places"]] == [None, None]
    assert json.loads(tokenlab("explain", "-t", "gpt2", "--trace", "a").stdout)["text_bytes"] == 1
    assert b"byte 9 is not in the text" in tokenlab("explain", "-t", "gpt2", "--at", "9", "a", status=2).stderr


def test_explain_says_what_a_unigram_model_weighed(tokenlab, tmp_path):
    vocab = [["?", 0.0], ["a", -2.0], ["b", -2.0], ["ab", -5.0]]
    model = {"type": "Unigram", "unk_id": 0, "byte_fallback": False, "vocab": vocab}
    stages = dict.fromkeys(["truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder"])
    path = tmp_path / "weighs" / "tokenizer.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"version": "1.0", "added_tokens": [], "model": model, **stages}), encoding="utf-8")
    tokenlab("add", str(path))
    lines = words(tokenlab("explain", "-t", "weighs", "ab", "--at", "1")).splitlines()
    at = next(number for number, line in enumerate(lines) if "segmentations of “ab”" in line)
    assert lines[at].endswith("the boundary here has probability 73.11%:")
    assert [line.split() for line in lines[at + 1 : at + 3]] == [
        ["73.11%", "“a”", "“b”", "(score", "-4.00)"],
        ["26.89%", "“ab”", "(score", "-5.00)"],
    ]


def test_lengths_and_ignored_fields_of_the_file(tokenlab, tmp_path):
    path = tiny.tokenizer_json(tmp_path / "words")
    document = json.loads(path.read_text())
    document["truncation"] = {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0}
    document["model"]["odd"] = [1, 2]
    path.write_text(json.dumps(document))
    tokenlab("add", str(path))
    told = words(tokenlab("info", "words"))
    assert "max_length 2, stride 0, strategy longest_first, direction right (applied only if asked for)" in told
    assert "model.odd = a list of 2" in told
    encode = ("encode", "-t", "words", "--format", "ids", "hello world hello")
    assert words(tokenlab(*encode)).split() == ["1", "2", "1"]
    assert words(tokenlab(*encode, "--truncation", "file", "--padding", "file")).split() == ["1", "2"]


def test_doctor_repairs_a_damaged_database_after_a_copy(tokenlab, data_dir):
    database = data_dir / "lab.sqlite3"
    tokenlab("list")
    assert b"nothing was changed" in tokenlab("doctor", "--repair").stderr
    for end in ("-wal", "-shm"):
        database.with_name(database.name + end).unlink(missing_ok=True)
    database.write_bytes(b"garbage" * 1000)
    assert b"doctor --repair" in tokenlab("doctor", status=1).stdout
    assert b"was copied to" in tokenlab("doctor", "--repair").stderr
    assert [each.read_bytes() for each in data_dir.glob("lab.sqlite3.damaged-*")] == [b"garbage" * 1000]
    assert b"more can be downloaded" in tokenlab("doctor").stdout


def test_encode_drops_tokens_at_the_side_that_is_named(tokenlab):
    given = ["encode", "-t", "gpt2", "one two three four", "--format", "ids", "--truncation", "longest_first"]
    whole = ["505", "734", "1115", "1440"]
    cut = [*given, "--max-length", "2"]
    assert tokenlab(*cut).stdout.decode().split() == whole[:2]
    assert tokenlab(*cut, "--truncation-side", "right").stdout.decode().split() == whole[:2]
    assert tokenlab(*cut, "--truncation-side", "left").stdout.decode().split() == whole[2:]
    refused = tokenlab("encode", "-t", "gpt2", "one", "--truncation-side", "left", status=2)
    assert b"truncation-side" in refused.stderr or b"truncation_side" in refused.stderr


def test_undertrained_lists_tokens_and_says_how_it_knows(tokenlab, tmp_path):
    rows = np.random.default_rng(1).normal(size=(50257, 4)).astype(np.float32)
    rows[995] *= 0.001
    save_file({"wte.weight": rows, "lm_head.weight": rows}, tmp_path / "model.safetensors")
    done = tokenlab("undertrained", "gpt2", str(tmp_path), "--limit", "1")
    assert "995" in done.stdout.decode() and "world" in done.stdout.decode()
    assert "known as unused: unreachable" in done.stderr.decode()
    found = json.loads(tokenlab("undertrained", "gpt2", str(tmp_path), "--unused", "1, 2", "--format", "json").stdout)
    assert (found["unused"], found["unused_count"], found["indicator"], len(found["tokens"])) == (
        "given",
        2,
        "norm",
        50,
    )
    refused = tokenlab("undertrained", "gpt2", str(tmp_path), "--input", "a", status=1)
    assert "choose one, such as lm_head.weight, wte.weight" in refused.stderr.decode()


def test_align_prints_groups_and_writes_a_map(tokenlab, tmp_path):
    two = ("-t", "gpt2", "-t", "bert-base-uncased")
    done = tokenlab("align", *two, "unbelievable!", "-o", str(tmp_path / "map.csv"))
    assert "n:1" in done.stdout.decode() and "5 pairs" in done.stderr.decode()
    found = json.loads(tokenlab("align", *two, "unbelievable!", "--format", "json").stdout)
    assert found["groups"][0] == {"a": [0, 4], "b": [0, 1]}
    (tmp_path / "corpus.txt").write_text("unbelievable!\n", encoding="utf-8")
    held = json.loads(tokenlab("align", *two, "--corpus", str(tmp_path / "corpus.txt"), "--format", "json").stdout)
    assert held == found | {"groups": None}
    assert "both given" in tokenlab("align", *two, "a", "--corpus", "udhr", status=2).stderr.decode()
    assert "name two: -t A -t B" in tokenlab("align", "-t", "gpt2", "a", status=2).stderr.decode()


def test_diff_counts_a_corpus_with_two_tokenizers(tokenlab, tmp_path):
    (tmp_path / "one.txt").write_text("The regolith of Phobos " * 60)
    two = ("diff", "-t", "gpt2", "-t", "cl100k_base", "--corpus", str(tmp_path / "one.txt"))
    found = json.loads(words(tokenlab(*two, "--format", "json")))
    assert found["total"]["before"] < found["total"]["after"] and found["longer"] == len(found["worst"]) == 1
    assert "1 document of 1 with more tokens" in words(tokenlab(*two))
