"""The engine for pages, run in Node, gives what the engine gives; with a vocabulary that is shrunk it gives that, or refuses the text."""

import base64
import json
import subprocess
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lab_app.engine import LESSONS, EncodeError, Tokenizer
from lab_app.services.lessons.frames import each_of
from tests.conftest import ROOT
from tests.differential.test_small_models import TEXTS, one_in, trained
from tests.differential.vocabularies import ALL, Vocabulary
from tests.generators import texts
from tests.page_engine import MODULE, needs_engine

COVERED = "".join(map(chr, range(32, 127))) + "\n\téü’"
REAL = [
    "Hello, world! It's 12345 o'clock.\n\n\tdef f(x): return x",
    "naïve Ökonomie",
    "日本語 и हिन्दी",
    "",
    " ",
    "a" * 300,
]

pytestmark = needs_engine


def asked(tokenizers: Sequence[tuple[Tokenizer, str | None]], questions: list[dict[str, Any]]) -> list[Any]:
    """Answers of the engine for pages; `tokenizers` have the characters that they are shrunk to."""
    states = [
        {"state": base64.b64encode(tokenizer.state()).decode(), "covered": covered} for tokenizer, covered in tokenizers
    ]
    given = {"module": str(MODULE), "tokenizers": states, "questions": questions}
    command = ["node", "tests/js/page_answers.js"]
    done = subprocess.run(command, cwd=ROOT, input=json.dumps(given), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def question(call: str, tokenizer: int, text: str, **more: Any) -> dict[str, Any]:
    return {"call": call, "tokenizer": tokenizer, "text": text, "specials": "text", "add_special_tokens": True, **more}


def expected(tokenizer: Tokenizer, text: str) -> dict[str, Any]:
    try:
        encoding = tokenizer.encode(text, specials="text")
    except EncodeError as error:
        return {"error": str(error)}
    tokens = json.loads(b"[" + encoding.json_items("tokens", 0, len(encoding)) + b"]")
    return {"count": len(encoding), "ids": encoding.ids.tolist(), "tokens": tokens}


def compared(value: Any, *, ranks: bool) -> Any:
    """Without ranks for a rank file that is shrunk: its merges are numbered anew. The exponential function of a page may differ from
    that of this system in the last bit, so numbers have 12 digits."""
    if isinstance(value, dict):
        return {key: compared(each, ranks=ranks) for key, each in value.items() if ranks or "rank" not in key}
    if isinstance(value, list):
        return [compared(each, ranks=ranks) for each in value]
    return float(f"{value:.12g}") if isinstance(value, float) else value


def is_refused(answer: dict[str, Any]) -> bool:
    return answer.get("error", "").startswith("not covered: ")


def check(tokenizer: Tokenizer, some: Sequence[str], covered: str = COVERED) -> int:
    """How many texts the shrunk tokenizer answered."""
    part = tokenizer.covering(covered)
    loaded = [(tokenizer, None), *([(part, covered)] if part else [])]
    answers = asked(loaded, [question("encode", number, text) for number in range(len(loaded)) for text in some])
    wanted = [expected(tokenizer, text) for text in some]
    assert answers[: len(some)] == wanted
    answered = [
        (found, want) for found, want in zip(answers[len(some) :], wanted, strict=False) if not is_refused(found)
    ]
    assert all(found == want for found, want in answered)
    return len(answered)


@pytest.mark.parametrize("vocabulary", ALL, ids=lambda vocabulary: vocabulary.name)
def test_it_has_the_tokens_of_the_engine(vocabulary: Vocabulary, shared: Path):
    tokenizer = vocabulary.load(shared)
    some = [*REAL, *texts(60, seed=44)]
    answered = check(tokenizer, some)
    if tokenizer.covering(COVERED) is not None:
        assert 4 <= answered < len(some), "some texts are covered, and some are not"


def test_small_models_of_every_kind(tmp_path: Path):
    answered = 0
    for configuration in one_in(40, 1):
        file = tmp_path / "tokenizer.json"
        trained(*configuration).save(str(file))
        # Letters that a normalizer joins or changes to others among them.
        answered += check(Tokenizer.from_file(file), [*TEXTS[::4], "Cafe\u0301 ｆｕｌｌ"], COVERED + "\u0301ｆｕｌ")
    assert answered > 20


@pytest.mark.parametrize(
    "name",
    ["gpt2", "bert-base-uncased/tokenizer.json", "t5/tokenizer.json", "t5/spiece.model", "llama2/tokenizer.json"],
)
def test_lessons_and_traces_are_those_of_the_engine(name: str, shared: Path):
    tokenizer = Vocabulary(name).load(shared)
    covered = "".join(map(chr, range(32, 127)))
    part = tokenizer.covering(covered)
    text = "lower low newest; tokenization isn't unbelievable"
    names = [each for each, needed in LESSONS.items() if tokenizer.stages["model"].endswith(needed or "")]
    without = {"languages", *(() if "t5" in name else ("sentencepiece",))}
    names = [each for each in names if each not in without]
    for numbered in [(tokenizer, None), *([(part, covered)] if part else [])]:
        questions = [question("lesson", 0, text, name=each, learn=12, seed=3) for each in names]
        *answers, trace = asked([numbered], [*questions, question("trace", 0, text)])
        same = partial(compared, ranks=numbered[1] is None or part.merge_count == tokenizer.merge_count)
        assert same(trace) == same(tokenizer.trace(text, specials="text").as_dict())
        for each, answer in zip(names, answers, strict=True):
            made = tokenizer.lesson(each, text, specials="text", learn=12, seed=3)
            frames = [json.loads(frame) for frame in each_of(made.frames, made.ends.tolist())]
            assert same(answer) == same({"facts": json.loads(made.facts), "frames": frames}), each


def test_what_is_wrong_is_said():
    gpt2 = Tokenizer.builtin("gpt2")
    questions = [
        question("encode", 1, "a"),
        question("encode", 0, "\ud83d"),
        question("lesson", 0, "a", name="bpe", learn=1, seed=0),
        question("lesson", 0, "a", name="wordpiece-encode", learn=1, seed=0),
        question("encode", 0, "a") | {"specials": "all"},
        question("encode", 0, "zebra ж"),
    ]
    *answers, refused = asked([(gpt2.covering("abc "), "abc ")], questions)
    assert [answer["error"] for answer in answers] == [
        "no tokenizer has the number 1",
        "character 0 is half of a surrogate pair; give whole characters",
        '"bpe" is no lesson of the engine',
        "the lesson wordpiece-encode needs a WordPiece tokenizer, and this one is byte-level BPE",
        'specials is "all"; give parse, text or reject',
    ]
    assert refused["error"] == (
        "not covered: 'z' (U+007A), 'e' (U+0065), 'r' (U+0072), 'ж' (U+0436); the vocabulary here is a part of the whole one, so"
        " this text cannot be encoded; use other characters, or the whole tokenizer"
    )
