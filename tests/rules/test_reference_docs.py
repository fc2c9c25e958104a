"""docs/reference has every setting, command, option, route and error code. What it says of them is for people to check."""

import json
import re
from dataclasses import fields

import pytest
import typer

from tests.rules.sources import ROOT, name

REFERENCE = ROOT / "docs" / "reference"


def page(file: str) -> str:
    return (REFERENCE / file).read_text(encoding="utf-8")


def setting_row(field) -> str:
    """A setting's line of the table, made from settings.py."""
    default = field.default
    if isinstance(default, bool):
        default = "yes" if default else "no"
    elif isinstance(default, float):
        default = f"{default:g}"
    cell = "" if default in (None, (), "") else f"`{default}`"
    option = f"--{field.name.replace('_', '-')}"
    shown = f"`{option}`" if any(option in each.opts for each in commands()["tokenlab serve"].params) else ""
    return f"| `{field.name}` | {shown} | {cell} | {field.metadata['unit']} | {field.metadata['help']} |"


def test_every_setting_is_documented():
    from lab_app.settings import Settings

    rows = [setting_row(field) for field in fields(Settings)]
    missing = [row for row in rows if row not in page("settings.md")]
    assert not missing, "docs/reference/settings.md needs these lines, as they are:\n" + "\n".join(missing)


def test_no_setting_is_documented_that_is_gone():
    from lab_app.settings import Settings

    documented = set(re.findall(r"^\| `(\w+)` \|", page("settings.md"), re.M))
    gone = documented - {field.name for field in fields(Settings)}
    assert not gone, f"take these out of docs/reference/settings.md: {sorted(gone)}"


def test_the_limits_of_a_server_are_those_of_the_code():
    from lab_app.api import bodies, http_protocol, json_route
    from lab_app.jobs import queue
    from lab_app.settings import Settings

    defaults = Settings()
    limits = {
        "body of a request": defaults.max_request_mb,
        "values in a body": bodies.MAX_VALUES,
        "head of a request": http_protocol.MAX_HEAD_BYTES,
        "time for a head": http_protocol.HEAD_TIMEOUT_S,
        "silence within a body": http_protocol.BODY_TIMEOUT_S,
        "connections": defaults.max_connections,
        f"requests of {bodies.LARGE_BYTES / 1e6:g} MB and more at a time": bodies.LARGE_AT_ONCE,
        "jobs at a time": queue.AT_ONCE,
        "jobs that wait or run": queue.MAX_WAITING,
        "tokens that padding and templates add": json_route.ADDED_TOKENS,
        "tokenizers in memory": defaults.max_loaded,
        "edited texts in memory": defaults.max_documents,
        "requests under way after SIGTERM": defaults.drain_timeout_s,
    }
    text = (REFERENCE.parent / "guide" / "serving.md").read_text(encoding="utf-8").replace("\u202f", "")
    documented = re.findall(r"^\| ([^|]+) \| (?:`\w+`: )?(\d+)[^|]*\| [^|]+ \|$", text.partition("## Limits")[2], re.M)
    assert {what: float(number) for what, number in documented} == limits


def commands() -> dict[str, object]:
    """Every command by its full name, `tokenlab` itself included."""
    from lab_app.cli.app import program

    top = typer.main.get_command(program())
    found = {"tokenlab": top}
    waiting = [("tokenlab", top)]
    while waiting:
        prefix, group = waiting.pop()
        for key, command in getattr(group, "commands", {}).items():
            found[f"{prefix} {key}"] = command
            waiting.append((f"{prefix} {key}", command))
    return found


def sections(text: str) -> dict[str, str]:
    """The text under each heading of second order that is in backticks."""
    parts = re.split(r"^## `([^`]+)`.*$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_command_and_option_is_documented():
    documented = sections(page("cli.md"))
    missing = []
    for command, spec in commands().items():
        if command not in documented:
            missing.append(f"## `{command}`")
            continue
        for parameter in spec.params:
            options = [one for one in getattr(parameter, "opts", []) if one.startswith("--")]
            if options and not any(f"`{one}" in documented[command] for one in options) and "--help" not in options:
                missing.append(f"{' / '.join(options)} under ## `{command}`")
    assert not missing, "docs/reference/cli.md lacks: " + ", ".join(missing)


def trainer_rows() -> list[tuple[str, str, str]]:
    """The options of the trainers as the page has them: name, default, algorithms."""
    _, _, table = sections(page("cli.md"))["tokenlab train"].partition("### Options of the trainers")
    return re.findall(r"^\| `(\w+)` \| `(.+?)` \| (.+?) \| .+ \|$", table, re.M)


def test_every_option_of_the_trainers_is_documented():
    """In its order, with the default that the code has."""
    from lab_app.training.option_text import NAMES
    from lab_app.training.options import TrainingOptions

    defaults = json.loads(TrainingOptions("bpe").as_json())
    shown = {name: value if isinstance(value, str) else json.dumps(value) for name, value in defaults.items()}
    assert [(name, default) for name, default, _ in trainer_rows()] == [(name, shown[name]) for name in NAMES]


def test_the_algorithms_of_an_option_are_those_that_use_it():
    """The engine refuses it for the others."""
    from lab_app.training.options import ALGORITHMS

    values = {"initial_alphabet": ["a"], "limit_alphabet": 5, "character_coverage": 0.9, "continuing_prefix": "@"}
    values |= {"end_suffix": "@", "max_token_length": 5, "byte_fallback": True, "whole_text": True}
    values |= {"whole_characters": True, "superwords_from": 400, "superword_words": 3}
    values |= {"superword_digits": True, "superword_marks": True}
    values |= {"shrinking_factor": 0.5, "em_iterations": 3, "seed_size": 9, "variant": "sentencepiece"}
    values |= {"score": "likelihood"}
    for option, _, words in trainer_rows():
        named = set(re.findall(r"`(\w+)`", words))
        users = named if not words.startswith("all") else set(ALGORITHMS) - named
        refusing = {each for each in ALGORITHMS if option in values and refuses(each, option, values[option])}
        assert users == set(ALGORITHMS) - refusing, option


def refuses(algorithm: str, option: str, value: object) -> bool:
    """Whether the engine says that an algorithm does not use an option."""
    from lab_app import engine

    try:
        engine.WordCounter(json.dumps({"algorithm": algorithm, "alphabet": "characters", option: value}))
    except engine.TrainError as error:
        return "does not use" in str(error) or "not possible but for" in str(error)
    return False


def test_no_command_is_documented_that_is_gone():
    gone = set(sections(page("cli.md"))) - set(commands())
    assert not gone, f"take these out of docs/reference/cli.md: {sorted(gone)}"


def routes() -> set[str]:
    """Every route as the page writes it: `POST /tokenize`, the prefix left out, parameters without their names."""
    from lab_app.api.app import create_app
    from lab_app.settings import Settings

    spec = create_app(Settings(token="t")).openapi()
    return {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in spec["paths"].items()
        for method in methods
    }


def plain(route: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", route.split("?")[0])


def test_every_route_is_documented():
    documented = {plain(one) for one in re.findall(r"`((?:GET|POST|PUT|PATCH|DELETE) /[^`]*)`", page("http-api.md"))}
    served = routes()
    missing = {one for one in served if plain(one) not in documented}
    assert not missing, f"docs/reference/http-api.md lacks {sorted(missing)}"
    gone = documented - {plain(one) for one in served} - OUTSIDE
    assert not gone, f"docs/reference/http-api.md has routes that do not exist: {sorted(gone)}"


# Served, but no part of the interface that OpenAPI describes.
OUTSIDE = {"GET /healthz", "GET /readyz", "GET /docs", "GET /openapi.json", "GET /metrics"}


def test_every_error_code_is_documented():
    import lab_app.errors as errors

    codes = {one.code for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.LabError)}
    missing = {code for code in codes if f"`{code}`" not in page("http-api.md")}
    assert not missing, f"docs/reference/http-api.md lacks the error codes {sorted(missing)}"


@pytest.mark.parametrize("path", sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md")), ids=name)
def test_links_lead_somewhere(path):
    targets = re.findall(r"!?\[[^\]]*\]\(([^)#\s]+)", path.read_text(encoding="utf-8"))
    broken = [one for one in targets if "://" not in one and not (path.parent / one).exists()]
    assert not broken, f"{name(path)} links to files that are missing: {broken}"


def option_row(command: str, option: str) -> str:
    """The line of an option in the table of its command."""
    found = re.search(rf"^\| `{option}`.*$", sections(page("cli.md"))[command], re.M)
    assert found, f"docs/reference/cli.md has no line for {option} under ## `{command}`"
    return found[0]


def test_formats_and_patterns_are_those_of_the_engine():
    """In the reference and in the help of the command line."""
    from lab_app import engine

    convert = next(one for one in commands()["tokenlab convert"].params if one.name == "to")
    missing = [
        f"{word} in {place}"
        for place, text, words in (
            ("docs/reference/cli.md, convert --to", option_row("tokenlab convert", "--to"), engine.FORMATS),
            ("docs/reference/cli.md, add --pattern", option_row("tokenlab add", "--pattern"), engine.PATTERNS),
            ("the help of convert --to", convert.help, engine.FORMATS),
        )
        for word in words
        if not re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.])", text.replace("`", " "))
    ]
    assert not missing, f"missing: {missing}"
