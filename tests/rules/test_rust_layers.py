"""Who may use whom inside the engine's core, and what its pure crates must not touch. Cargo keeps the crates apart."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rules.sources import ROOT, files, name

# Crates that know no Python.
PURE = ("core", "inspect", "train")

# Low to high: a crate depends on lower ones only.
CRATES = {
    "core": set(),
    "train": {"core"},
    "inspect": {"core", "train"},
    "python": {"core", "inspect", "train"},
    "wasm": {"core", "inspect"},
}

STAGES = {"normalizers", "pretokenizers", "models", "decoders", "postprocessors"}

# Low to high: a module of the core uses its own line and the lines above; a stage uses no other stage.
LAYERS = [
    {"ids", "error", "call", "unicode", "byte_alphabet", "char_set", "random", "memory", "parallel", "steps"},
    {"offsets", "alignment", "matching", "pretokens", "vocab", "encoding", "truncation", "padding"},
    {*STAGES, "added_tokens"},
    {"stages"},
    {"tokenizer", "fast", "split_points", "timing"},
    {"formats"},
]
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}

# The modules of `inspect` use these of their crate, and not each other; lessons show what a trace finds and what the
# textbook encoders do, step by step.
SHARED = {"describe"}
ABOVE = {"lesson": {"trace", "textbook"}}

# The call that a thread works for is asked in every loop of every stage: as an argument it would stand in each signature.
CALL = "engine_rs/core/src/call.rs"

# Parts of a crate outside of its layers: any module may use them, and they may use any.
APART = {"lib", "testing"}


def code_of(path: Path) -> str:
    """A file's text with its comments and its module of tests blanked, so that the places that failures name are right."""
    text = path.read_text(encoding="utf-8")
    # A module of the first level ends at the first brace that begins a line: rustfmt sees to that.
    tests = r"^#\[cfg\(test\)\]\s*mod \w+ (?:;|\{.*?^\})"
    text = re.sub(tests, lambda match: "\n" * match[0].count("\n"), text, flags=re.M | re.S)
    return re.sub(r"^\s*//.*$", "", text, flags=re.M)


def modules(crate: str = "core") -> Iterator[tuple[Path, list[str]]]:
    """Every source file of a crate with its module path: `models/bpe/heap.rs` -> models, bpe, heap."""
    for path in files(f"engine_rs/{crate}/src", ".rs"):
        parts = list(path.relative_to(ROOT / "engine_rs" / crate / "src").with_suffix("").parts)
        if parts[-1] == "mod":
            parts.pop()
        # tests.rs beside a module is its tests, and so is what is below it.
        if not {"tests", "testing"} & set(parts):
            yield path, parts


def uses(path: Path, module: list[str]) -> Iterator[tuple[int, str]]:
    """The first segment of every `crate::…` and `super::…` path of a file: line, part of the crate."""
    code = code_of(path)
    for match in re.finditer(r"\bcrate::(\{)?", code):
        line = code.count("\n", 0, match.start()) + 1
        if not match[1]:
            yield line, re.match(r"\w*", code[match.end() :])[0]
            continue
        depth, at, start = 1, match.end(), True
        while depth and at < len(code):
            c = code[at]
            if depth == 1 and start and (word := re.match(r"\s*(\w+)", code[at:])):
                yield line, word[1]
                at += word.end()
                start = False
                continue
            depth += (c == "{") - (c == "}")
            start = start or (c == "," and depth == 1)
            at += 1
    for match in re.finditer(r"\b((?:super::)+)(\w+)?", code):
        base = module[: -match[1].count("super")]
        if not base and match[2]:
            yield code.count("\n", 0, match.start()) + 1, match[2]


def test_every_module_has_a_layer():
    strangers = {parts[0] for _, parts in modules()} - set(LEVEL) - APART
    assert not strangers, f"give {sorted(strangers)} a line in LAYERS here and in CONTRIBUTING.md"
    gone = set(LEVEL) - {parts[0] for _, parts in modules()}
    assert not gone, f"the engine has no {sorted(gone)}: take it out of LAYERS and CONTRIBUTING.md"


def test_uses_go_down_only():
    wrong = [
        f"{name(path)}:{line} uses crate::{part}"
        for path, module in modules()
        if module[0] not in APART
        for line, part in uses(path, module)
        if LEVEL.get(part, -1) > LEVEL.get(module[0], -1)
    ]
    assert not wrong, "a lower module uses a higher one; pass the thing in, or move it down:\n" + "\n".join(wrong)


def test_the_core_shows_few_modules():
    """Its public face is the names at its root; what the crates beside it need more stands in the hidden `internals`."""
    root = (ROOT / "engine_rs/core/src/lib.rs").read_text(encoding="utf-8")
    shown = set(re.findall(r"^pub mod (\w+)", root, re.M))
    assert shown == {*STAGES, "formats", "internals"}, (
        "a public module is a promise: export its names, or use internals"
    )


def test_modules_that_inspect_do_not_know_each_other():
    wrong = [
        f"{name(path)}:{line} uses crate::{part}"
        for path, module in modules("inspect")
        if module[0] not in APART
        for line, part in uses(path, module)
        if part not in {module[0], *SHARED, *ABOVE.get(module[0], ())}
    ]
    assert not wrong, "what two of them share belongs into the core or `describe`:\n" + "\n".join(wrong)


def test_stages_do_not_know_each_other():
    wrong = [
        f"{name(path)}:{line} uses crate::{part}"
        for path, module in modules()
        if module[0] in STAGES
        for line, part in uses(path, module)
        if part in STAGES and part != module[0]
    ]
    assert not wrong, "only stages.rs knows more than one stage; what two share belongs lower:\n" + "\n".join(wrong)


@pytest.mark.parametrize(
    ("pattern", "instead"),
    [
        (r"\bpyo3\b|\bnumpy::", "Python belongs to engine_rs/python"),
        (r"\bstd::net\b", "the engine has no network"),
        (r"\bstd::time\b|\bInstant::now\b|\bSystemTime\b", "the engine has no clock: measure outside"),
        (r"\be?print(ln)?!|\bdbg!", "return what there is to say"),
        (r"\bstd::env\b", "take it as an argument"),
        (r"\bstatic\s+mut\b|\bthread_local!", "no global state: keep it in a value that the caller owns"),
        (r"\btodo!|\bunimplemented!", "return a typed error"),
    ],
)
def test_the_engine_is_pure(pattern: str, instead: str):
    wrong = [
        f"{name(path)}:{code.count(chr(10), 0, match.start()) + 1} {match[0]}"
        for crate in PURE
        for path, _ in modules(crate)
        for code in [code_of(path)]
        for match in re.finditer(pattern, code)
        if (name(path), match[0]) != (CALL, "thread_local!")
    ]
    assert not wrong, f"{instead}: {wrong}"


@pytest.mark.parametrize("crate", CRATES)
def test_crates_depend_on_lower_ones_only(crate: str):
    manifest = tomllib.loads((ROOT / "engine_rs" / crate / "Cargo.toml").read_text(encoding="utf-8"))
    libraries = {*manifest.get("dependencies", {}), *manifest.get("dev-dependencies", {})}
    ours = {"core" if one == "token-engine" else one.removeprefix("token-") for one in libraries if "token-" in one}
    assert ours <= CRATES[crate], f"{crate} may not depend on {sorted(ours - CRATES[crate])}"
    python = {"pyo3", "numpy"} & libraries
    assert crate not in PURE or not python, (
        f"{crate} must build without Python; move {sorted(python)} to engine_rs/python"
    )


def test_unsafe_blocks_say_why_they_are_safe():
    wrong = []
    for path in files("engine_rs", ".rs"):
        lines = path.read_text(encoding="utf-8").split("\n")
        for at, line in enumerate(lines):
            if re.search(r"\bunsafe\s*\{", line.split("//")[0]):
                above = "\n".join(lines[max(0, at - 6) : at + 1])
                if "SAFETY" not in above:
                    wrong.append(f"{name(path)}:{at + 1}")
    assert not wrong, f"write `// SAFETY: ...` above each unsafe block: {wrong}"
