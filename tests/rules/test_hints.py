"""What an error says makes sense to everybody who may meet it.

Nobody in the window can type a command, nobody at a terminal can call Python, nobody in Python has options of a command
line. A hint for a terminal is given as `on_terminal`, beside one for everybody. The engine and the services name an option
as `max_length`, in backquotes, which the command line spells its own way (`lab_app.cli.output.with_options`). Not here:
that every error has a hint.
"""

import ast
import inspect
import re
from collections.abc import Iterator

import pytest

import lab_app.errors
from lab_app.errors import LabError
from tests.rules.sources import ROOT, files, matches, name

# The command line speaks of itself, the desktop shell to the terminal it was started from.
ON_A_TERMINAL = ("lab_app/cli/", "lab_app/desktop/", "lab_app/api/server.py", "lab_app/__main__.py")
COMMAND = re.compile(r"tokenlab [a-z]|(?<=\w )--[a-z]")
# A call, or an argument of one: add_special_tokens(["<pad>"]), truncation="longest_first".
CALL = re.compile(r"""\b[a-z_]{3,}=\\?["'\[]|\b[a-z_]{3,}\((?:\[|\\?["']|\))""")
# Raw texts and characters are found so that what follows them is; neither holds a hint.
LITERAL = re.compile(r"""r(#*)".*?"\1|'(?:\\.[^']*|[^'\\])'|("(?:[^"\\]|\\.)*")""", re.S)
# Speaks to the author of a plug-in, of the methods it must have.
FOR_AUTHORS = "lab_app/library/plugins/worker.py"


def strangers(source: str) -> Iterator[tuple[int, str]]:
    """The texts of a module that name a command or an option: line and text. Docstrings, `on_terminal` and the words that
    `split` makes the arguments of another program are left out.
    """
    tree = ast.parse(source)
    left_out = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "on_terminal":
            left_out |= {id(part) for part in ast.walk(node.value)}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
            left_out |= {id(part) for part in ast.walk(node.func.value)}
    for node in ast.walk(tree):
        words = node.value if isinstance(node, ast.Constant) and id(node) not in left_out else None
        if isinstance(words, str) and COMMAND.search(words):
            yield node.lineno, words


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('raise NotFound("no", "`tokenlab list` shows those")', 1),
        ('hint = f"give {id} with --id"', 1),
        ('raise NotFound("no", "the library", on_terminal=f"`tokenlab add {id}` or --force")', 0),
        ('"""`tokenlab list` shows those."""', 0),
        ('run(["--quiet", *"download --no-deps x".split()])', 0),
    ],
)
def test_the_rule_tells_a_hint_for_terminals(source, found):
    assert len(list(strangers(source))) == found


# Words that begin a sentence about the fault, not about what to do.
FACTS = {"a", "an", "another", "it", "its", "no", "one", "that", "there", "they", "this", "those"}


def hints(source: str) -> Iterator[tuple[int, str]]:
    """The hints of a module that are written where their error is made: line and beginning."""
    errors = {
        each for each, kind in vars(lab_app.errors).items() if inspect.isclass(kind) and issubclass(kind, LabError)
    }
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call) or len(call.args) < 2:
            continue
        hint = call.args[1].values[0] if isinstance(call.args[1], ast.JoinedStr) else call.args[1]
        called = getattr(call.func, "id", getattr(call.func, "attr", ""))
        if called in errors and isinstance(hint, ast.Constant) and isinstance(hint.value, str):
            yield call.lineno, hint.value


def test_a_hint_says_what_to_do():
    found = [
        (f"{name(path)}:{line} {text}", text.partition(" ")[0].lower())
        for path in files("lab_app", ".py")
        for line, text in hints(path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 300
    facts = [place for place, first in found if first in FACTS]
    assert not facts, "begin with what to do, such as give, choose or check:\n" + "\n".join(facts)


def test_no_error_names_a_command_but_on_a_terminal():
    found = [
        f"{name(path)}:{line} {text}"
        for path in files("lab_app", ".py")
        if not name(path).startswith(ON_A_TERMINAL)
        for line, text in strangers(path.read_text(encoding="utf-8"))
    ]
    assert not found, "say what to do in the window, too, and give the command as on_terminal:\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (r'#[error("no padding token; add one, add_special_tokens([\"<pad>\"])")]', 1),
        (r'format!("nothing is cut; add truncation=\"longest_first\"")', 1),
        (r'"encode with --max-length"', 1),
        (r'"set `truncation` to \"longest_first\""', 0),
        (r'#[pyo3(signature = (text, *, specials = "text"))]', 0),
        (r'"the pattern (?:a=b)|[c] fails"', 0),
    ],
)
def test_the_rule_tells_a_hint_for_one_face_of_the_engine(source, found):
    assert len(list(literals_for_one_face(source))) == found


def without_tests(code: str) -> str:
    """Rust code without its module of tests, which ends a file, and without comments."""
    return re.sub(r"^\s*//.*$", "", code.partition("\n#[cfg(test)]\nmod ")[0], flags=re.M)


def literals_for_one_face(code: str) -> Iterator[tuple[int, str]]:
    """The texts of Rust code that call Python or name a command or an option of one: line and text."""
    for literal in LITERAL.finditer(code):
        text = literal[2] or ""
        if CALL.search(text) or COMMAND.search(text):
            yield code.count("\n", 0, literal.start()) + 1, text


def test_no_error_of_the_engine_is_for_one_face_alone():
    found = [
        f"{name(path)}:{line} {text}"
        for path in files("engine_rs", ".rs")
        if not {"tests", "bench", "fuzz", "examples"} & set(path.relative_to(ROOT).parts) and path.stem != "tests"
        for line, text in literals_for_one_face(without_tests(path.read_text(encoding="utf-8")))
    ]
    assert not found, "name an option as `max_length`, in backquotes, and no call:\n" + "\n".join(found)


def test_no_error_of_the_services_calls_python():
    found = [
        f"{name(path)}:{node.lineno} {node.value}"
        for path in files("lab_app", ".py")
        if not name(path).startswith(("lab_app/cli/", FOR_AUTHORS))
        for raised in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(raised, ast.Raise)
        for node in ast.walk(raised)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and CALL.search(node.value)
    ]
    assert not found, "\n".join(found)


def test_the_page_names_no_command():
    found = [place for place, _ in matches(files("lab_ui/js", ".js"), r"^[^*\n]*tokenlab [a-z]", re.MULTILINE)]
    assert not found, "\n".join(found)
