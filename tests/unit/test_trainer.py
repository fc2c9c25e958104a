"""`WordCounter` and `Trainer` of the engine, as Python sees them. What they learn: tests/differential/test_training.py."""

import json
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from lab_app.engine import (
    MAX_WORD_BYTES,
    TRAIN_RACERS,
    EncodeError,
    EngineError,
    Trainer,
    TrainError,
    WordCounter,
    safe_chunk_end,
    train_race,
)

WORDS = {"type": "WhitespaceSplit"}
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}


def options(**given) -> str:
    return json.dumps({"algorithm": "bpe", "vocab_size": 300, "pre_tokenizer": WORDS} | given)


def counted(text: str, **given) -> WordCounter:
    counter = WordCounter(options(**given))
    counter.add([text])
    return counter


def run(trainer: Trainer, steps: int = 10**9) -> list[dict]:
    return json.loads(trainer.run(steps, 60_000))["rows"]


def test_words_are_counted():
    counter = WordCounter(options(special_tokens=["<s>"]))
    counter.add(["to be<s>or not", "to be"], threads=2)
    assert (counter.bytes, counter.words, counter.unique) == (19, 6, 4)
    assert counter.most_common(2) == [(b"be", 2), (b"to", 2)]
    assert repr(counter) == "WordCounter(19 bytes, 6 words, 4 unique)"


def test_any_division_of_the_texts_gives_the_same_bytes():
    texts = [f"word{number % 7} and {number % 3}" for number in range(200)]
    whole, parts, other = (WordCounter(options()) for _ in range(3))
    whole.add(texts, threads=2)
    for text in texts[:50]:
        parts.add([text])
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda text: other.add([text]), texts[50:]))
    parts.merge(other)
    assert parts.to_bytes() == whole.to_bytes()
    assert WordCounter.from_bytes(options(), whole.to_bytes()).most_common(3) == whole.most_common(3)
    with pytest.raises(ValueError, match="merged into itself"):
        parts.merge(parts)


@pytest.mark.parametrize(
    ("invalid", "words"), [("replace", [(b"a", 1), (b"c", 1), (b"\xef\xbf\xbdb", 1)]), ("skip", [(b"c", 1)])]
)
def test_invalid_utf8(invalid: str, words: list):
    counter = WordCounter(options())
    assert counter.add_bytes(memoryview(b"a \xffb\nc"), invalid) == 1
    assert counter.most_common(9) == words
    assert counter.add_bytes(b"c") == 0


def test_wrong_arguments():
    counter = WordCounter(options())
    with pytest.raises(ValueError, match='invalid is "drop"'):
        counter.add_bytes(b"", "drop")
    with pytest.raises(TypeError):
        counter.add_bytes("text")
    with pytest.raises(EncodeError, match="U\\+D800"):
        counter.add(["\ud800"])
    with pytest.raises(TrainError, match="cannot be read"):
        WordCounter.from_bytes(options(), b"damaged")
    with pytest.raises(TrainError, match="cannot be read"):
        Trainer.resume(b"damaged")


@pytest.mark.parametrize(
    ("given", "problem", "hint"),
    [
        ("{", "training options", "correct"),
        ('{"size": 9}', "unknown field `size`", "correct"),
        (options(vocab_size=0), "vocab_size is 0", "give"),
        (options(special_tokens=["a", "a"]), '"a" twice', "remove"),
    ],
)
def test_wrong_options_say_what_to_do(given: str, problem: str, hint: str):
    with pytest.raises(TrainError) as caught:
        WordCounter(given)
    assert isinstance(caught.value, EngineError)
    assert problem in str(caught.value)
    assert caught.value.hint.startswith(hint) or hint in caught.value.hint


def test_trainings_that_cannot_start():
    with pytest.raises(TrainError, match="no words"):
        Trainer(options(), WordCounter(options()))
    with pytest.raises(TrainError, match="vocab_size is 100"):
        Trainer(options(vocab_size=100), counted("a b"))
    with pytest.raises(TrainError, match="other options"):
        Trainer(options(pre_tokenizer=BYTES), counted("a b"))


def test_rows_and_state_of_merges():
    held_out = counted("low lows")
    trainer = Trainer(options(vocab_size=259), counted("low low low lower new newer"), held_out)
    before = json.loads(trainer.state())
    assert (before["done"], before["total"], before["held_out"]["tokens"], before["finished"]) == (0, 3, 7, False)
    first = run(trainer, 1)[0]
    assert first == {
        "rank": 0,
        "left": {"text": "l", "bytes": "6c"},
        "right": {"text": "o", "bytes": "6f"},
        "token": {"text": "lo", "bytes": "6c6f"},
        "id": 256,
        "count": 4,
        "score": None,
        "held_out_tokens": -2,
    }
    assert [row["token"]["text"] for row in run(trainer)] == ["low", "er"]
    state = json.loads(trainer.state())
    assert (state["done"], state["vocab_size"], state["ended"], state["finished"]) == (3, 259, "vocab_size", True)
    assert trainer.tokenizer().vocab_size == 259
    assert json.loads(trainer.run(5, 10)) == {"rows": [], "finished": True}


@pytest.mark.parametrize("algorithm", ["bpe", "unigram", "wordlevel", "character"])
def test_a_checkpoint_goes_on_to_the_same_result(algorithm: str):
    given = {"algorithm": algorithm, "vocab_size": 280 if algorithm == "bpe" else 30, "min_frequency": 1}
    if algorithm != "bpe":
        given |= {"unknown_token": "<unk>", "alphabet": "characters"}
    text = "the cat sat on the mat and then the rat ran off with that hat " * 3
    one, other = (Trainer(options(**given), counted(text, **given)) for _ in range(2))
    rows = run(one)
    first = run(other, 2)
    resumed = Trainer.resume(other.checkpoint())
    assert first + run(resumed) == rows
    assert resumed.tokenizer().vocab() == one.tokenizer().vocab()
    assert one.tokenizer().decode(one.tokenizer().encode("the cat").ids)


def many_words(letters: str = "abcdefghijklmnop") -> str:
    return " ".join(a + b + c + d for a in letters for b in letters for c in letters for d in letters)


def test_stop_from_another_thread_keeps_the_steps():
    given = {"vocab_size": 60_000, "min_frequency": 1}
    trainer = Trainer(options(**given), counted(many_words(), **given))
    started = threading.Event()
    batches: list[bytes] = []

    def work() -> None:
        started.set()
        batches.append(trainer.run(10**9, 10**9))

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    assert not json.loads(trainer.state())["finished"]
    trainer.stop()
    thread.join()
    batch = json.loads(batches[0])
    assert not batch["finished"]
    assert json.loads(trainer.state())["done"] == len(batch["rows"])
    # A stop is for one call.
    assert len(run(trainer, 3)) == 3


def test_a_call_ends_when_its_time_is_over():
    trainer = Trainer(options(), counted("low low lower lower"))
    batch = json.loads(trainer.run(10**9, 0))
    assert (len(batch["rows"]), batch["finished"]) == (1, False)


INTERRUPTED = """
import json, sys, threading, _thread
from lab_app.engine import Trainer, WordCounter
letters = "abcdefghijklmnop"
options = json.dumps({"algorithm": "bpe", "vocab_size": 60000, "min_frequency": 1, "pre_tokenizer": {"type": "WhitespaceSplit"}})
counter = WordCounter(options)
counter.add([" ".join(a + b + c + d for a in letters for b in letters for c in letters for d in letters)])
trainer = Trainer(options, counter)
try:
    print("started", flush=True)
    trainer.run(10**9, 10**9)
except KeyboardInterrupt:
    done = json.loads(trainer.state())["done"]
    rows = json.loads(trainer.run(done + 1, 10**6))["rows"]
    print([row["rank"] for row in rows] == list(range(done + 1)), trainer.tokenizer().vocab_size == 256 + done + 1)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
def test_an_interrupt_ends_a_call_and_loses_no_row():
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "started\n"
    child.send_signal(signal.SIGINT)
    assert child.communicate()[0] == "True True\n"


def test_safe_chunk_ends():
    given = options(pre_tokenizer=BYTES, special_tokens=["<s>"])
    text = b"to be<s>or not\ntogether"
    assert safe_chunk_end(given, text, len(text)) == 15
    assert safe_chunk_end(given, memoryview(text), 12) == 10
    assert safe_chunk_end(given, text, 9) == 5
    assert safe_chunk_end(given, b"word", 4) is None
    assert WordCounter(given).safe_chunk_end(text, 12) == 10


def test_estimates_count_the_steps():
    counter = counted("low low lower", vocab_size=270)
    estimate = counter.estimate()
    assert estimate["steps"] == 14
    assert estimate["memory_bytes"] > 1000


def test_all_racers_make_the_same_merges():
    given = {"vocab_size": 400, "min_frequency": 1}
    counter = counted("the cat sat on the mat and then the rat ran off with that hat", **given)
    races = [json.loads(train_race(options(**given), counter, racer, 15)) for racer in TRAIN_RACERS]
    assert [race["algorithm"] for race in races] == ["naive", "incremental", "heap", "fast"]
    assert len(races[0]["merges"]) == 15
    assert all(race["merges"] == races[0]["merges"] and race["steps"] for race in races)
    with pytest.raises(ValueError, match="must be one of naive"):
        train_race(options(), counter, "slow", 1)


@pytest.mark.parametrize(
    ("algorithm", "variant"),
    [(each, "words") for each in ("bpe", "wordpiece", "unigram", "wordlevel", "character")]
    + [("unigram", "sentencepiece")],
)
def test_a_word_that_nothing_splits_is_split(algorithm: str, variant: str):
    words = {"type": "WhitespaceSplit"}
    counter = counted("x" * 10_000 + " yx xy", algorithm=algorithm, variant=variant, pre_tokenizer=words)
    assert counter.split_words == 1 and counter.words == 3 + 2
    long = [word for word, _ in counter.most_common(9) if len(word) > 2]
    assert sorted(map(len, long)) == [10_000 - 2 * MAX_WORD_BYTES, MAX_WORD_BYTES]


@pytest.mark.parametrize("algorithm", ["bpe", "wordpiece", "unigram", "wordlevel", "character"])
def test_what_a_check_raises_ends_the_making_of_a_trainer(algorithm: str):
    counter = counted("low lower lowest " * 3, algorithm=algorithm)
    given = options(algorithm=algorithm)

    def refuse():
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        Trainer(given, counter, counter, refuse)
    checks = []
    trainer = Trainer(given, counter, counter, lambda: checks.append(1))
    assert checks and run(trainer)
    with pytest.raises(KeyError, match="enough"):
        Trainer.resume(trainer.checkpoint(), refuse)
    again = Trainer.resume(trainer.checkpoint(), lambda: checks.append(1))
    assert json.loads(again.state())["vocab_size"] == json.loads(trainer.state())["vocab_size"]
