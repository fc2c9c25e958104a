"""The figures of a text as a LaTeX table: needs the package `booktabs`, and holds its provenance as comments."""

import re
from collections.abc import Sequence

from lab_app.analysis import figures
from lab_app.analysis.figures import number_of
from lab_app.services.sessions.citation import latex
from lab_app.services.sessions.provenance import Provenance, caption
from lab_app.services.text.results import EncodingSummary

COLUMNS = ("Tokenizer", "Tokens", "Bytes per token", "Characters per token", "Unknown", "Characters split")


def latex_table(results: Sequence[EncodingSummary], made: Provenance) -> str:
    """The figures as a table; tokens, bytes and characters are those of the text, without added special tokens."""
    lines = [
        *(f"% {line}" for line in [caption(made), *made.command.splitlines()]),
        *(f"% {each.id} sha256 {each.sha256}" for each in made.tokenizers),
        f"% {made.made_at}; text of {number_of(made.text.bytes, 'byte')}, sha256 {made.text.sha256}",
        r"\begin{tabular}{l" + "r" * (len(COLUMNS) - 1) + "}",
        r"\toprule",
        _row(COLUMNS),
        r"\midrule",
        *(_row(_cells(each)) for each in results),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _cells(result: EncodingSummary) -> tuple[str, ...]:
    return (
        result.tokenizer,
        figures.token_words(result),
        figures.ratio(result.bytes_per_token),
        figures.ratio(result.characters_per_token),
        figures.integer(result.unknown_count),
        figures.integer(result.split_character_count),
    )


def _row(cells: Sequence[str]) -> str:
    """One line; thin spaces between groups of three digits."""
    words = [re.sub(r"(?<=\d) (?=\d)", r"\,", latex(cell)).replace(figures.DASH, "--") for cell in cells]
    return " & ".join(words) + r" \\"
