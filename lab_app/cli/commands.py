"""The list of commands, in the order `tokenlab --help` shows them."""

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


def register(app: typer.Typer) -> None:
    """Adds every command to `app`."""
    app.command("serve")(serve.serve)
    app.command("list")(listing.list_tokenizers)
    app.command("info")(info.info)
    app.command("add")(add.add)
    app.command("remove")(remove.remove)
    app.command("rename")(rename.rename)
    app.command("encode")(encode.encode)
    app.command("decode")(decode.decode)
    app.command("chat")(chat.chat)
    app.command("compare")(compare.compare)
    app.command("analyze")(analyze.analyze)
    app.command("bench")(bench.bench)
    app.command("train")(train.train)
    app.command("explain")(explain.explain)
    app.command("convert")(convert.convert)
    app.command("overlap")(relations.overlap)
    app.command("diff")(relations.diff)
    app.command("retokenize")(relations.retokenize)
    app.command("conformance")(conformance.conformance)
    app.command("robustness")(robustness.robustness)
    app.command("concordance")(concordance.concordance)
    app.command("vocab")(vocab.vocab)
    app.command("export")(export.export)
    app.command("cite")(cite.cite)
    app.add_typer(report.app, name="report")
    app.add_typer(corpus.app, name="corpus")
    app.command("textbook")(textbook.textbook)
    app.command("doctor")(doctor.doctor)
