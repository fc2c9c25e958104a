"""How to cite the lab and a result of it: an entry for BibTeX and a plain sentence.

Both are made from the provenance, so they name what an export names.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from lab_app.reports.latex import plain
from lab_app.services.lab import Lab
from lab_app.services.sessions.provenance import (
    Provenance,
    caption,
    provenance,
    settings_words,
    tokenizers_words,
)
from lab_app.services.text.text_options import ComparedOptions
from lab_app.version import lab_url, short_commit


@dataclass(frozen=True)
class Citation:
    """How a result was made, and how to cite it."""

    provenance: Provenance
    caption: str
    """One line for under a figure."""
    bibtex: str
    sentence: str


def cite(lab: Lab, tokenizers: Sequence[str], text: str, **options: Unpack[ComparedOptions]) -> Citation:
    """The citation of the result of `tokenizers` on `text`. Raises as `provenance` does.

    >>> from lab_app.settings import Settings
    >>> cite(Lab(Settings()), ["gpt2"], "Hello").bibtex.splitlines()[1]
    '  title = {Tokenization Laboratory},'
    """
    made = provenance(lab, tokenizers, text, **options)
    return Citation(made, caption(made), bibtex(made), sentence(made))


def bibtex(made: Provenance) -> str:
    """A software entry; its note names tokenizers, settings, date and the command."""
    fields = {"title": plain(made.lab), "version": plain(made.lab_version), "year": made.made_at[:4]}
    if url := lab_url():
        fields["url"] = url
    commit = f"Commit {made.commit}. " if made.commit else ""
    fields["note"] = plain(
        f"{commit}Tokenizers: {tokenizers_words(made)}. {settings_words(made.settings)} Used on {made.made_at[:10]}."
    )
    key = f"tokenization_laboratory_{made.made_at[:4]}"
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@software{{{key},\n{lines}\n}}\n"


def sentence(made: Provenance) -> str:
    """A sentence for a paper's section of methods."""
    commit = f", commit {short_commit(made.commit)}" if made.commit else ""
    return (
        f"Tokens were counted with {made.lab} {made.lab_version}{commit} on {made.made_at[:10]}. "
        f"Tokenizers: {tokenizers_words(made)}. {settings_words(made.settings)}"
    )
