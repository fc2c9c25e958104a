"""The commands, in the order `tokenlab --help` shows them, and where each is. A run imports the one it is asked for."""

from importlib import import_module

import typer

from lab_app.cli.usage import Command, epilog

COMMANDS = {
    "serve": "serve.serve",
    "list": "listing.list_tokenizers",
    "info": "info.info",
    "add": "add.add",
    "remove": "remove.remove",
    "rename": "rename.rename",
    "encode": "encode.encode",
    "decode": "decode.decode",
    "chat": "chat.chat",
    "drift": "drift.drift",
    "check": "check.check",
    "compare": "compare.compare",
    "analyze": "analyze.analyze",
    "bench": "bench.bench",
    "train": "train.train",
    "shards": "shards.shards",
    "explain": "explain.explain",
    "convert": "convert.convert",
    "edit": "edit.edit",
    "overlap": "relations.overlap",
    "diff": "relations.diff",
    "retokenize": "relations.retokenize",
    "align": "align.align",
    "conformance": "conformance.conformance",
    "robustness": "robustness.robustness",
    "concordance": "concordance.concordance",
    "vocab": "vocab.vocab",
    "undertrained": "undertrained.undertrained",
    "export": "export.export",
    "cite": "cite.cite",
    "lesson": "exercises.app",
    "handout": "handout.handout",
    "share": "handout.share",
    "report": "report.app",
    "corpus": "corpus.app",
    "textbook": "textbook.textbook",
    "desktop": "desktop.desktop",
    "doctor": "doctor.doctor",
}
"""Module in `lab_app.cli` and function, or `app` of a group of commands, by name."""


def register(app: typer.Typer, asked: str | None = None) -> None:
    """Adds one command to `app`, or every command if `asked` names none; no command for the version."""
    names = [asked] if asked in COMMANDS else [] if asked == "--version" else COMMANDS
    for name in names:
        module, _, attribute = COMMANDS[name].partition(".")
        command = getattr(import_module(f"lab_app.cli.{module}"), attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name, cls=Command, epilog=epilog(name))(command)
