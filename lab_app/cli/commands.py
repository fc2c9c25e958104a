"""The list of commands, in the order `tokenlab --help` shows them."""

from collections.abc import Callable

import typer

from lab_app.cli import (
    add,
    analyze,
    bench,
    chat,
    cite,
    compare,
    concordance,
    conformance,
    convert,
    corpus,
    decode,
    doctor,
    encode,
    exercises,
    explain,
    export,
    info,
    listing,
    relations,
    remove,
    rename,
    report,
    robustness,
    serve,
    textbook,
    train,
    vocab,
)
from lab_app.cli.usage import Command, epilog


def _add(app: typer.Typer, name: str, command: Callable[..., object]) -> None:
    app.command(name, cls=Command, epilog=epilog(name))(command)


def register(app: typer.Typer) -> None:
    """Adds every command to `app`."""
    _add(app, "serve", serve.serve)
    _add(app, "list", listing.list_tokenizers)
    _add(app, "info", info.info)
    _add(app, "add", add.add)
    _add(app, "remove", remove.remove)
    _add(app, "rename", rename.rename)
    _add(app, "encode", encode.encode)
    _add(app, "decode", decode.decode)
    _add(app, "chat", chat.chat)
    _add(app, "compare", compare.compare)
    _add(app, "analyze", analyze.analyze)
    _add(app, "bench", bench.bench)
    _add(app, "train", train.train)
    _add(app, "explain", explain.explain)
    _add(app, "convert", convert.convert)
    _add(app, "overlap", relations.overlap)
    _add(app, "diff", relations.diff)
    _add(app, "retokenize", relations.retokenize)
    _add(app, "conformance", conformance.conformance)
    _add(app, "robustness", robustness.robustness)
    _add(app, "concordance", concordance.concordance)
    _add(app, "vocab", vocab.vocab)
    _add(app, "export", export.export)
    _add(app, "cite", cite.cite)
    app.add_typer(exercises.app, name="lesson")
    app.add_typer(report.app, name="report")
    app.add_typer(corpus.app, name="corpus")
    _add(app, "textbook", textbook.textbook)
    _add(app, "doctor", doctor.doctor)
