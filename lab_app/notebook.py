"""The lab in a notebook: tokens, comparisons and the steps of an algorithm as cells show them, tables and charts of results.

>>> from lab_app.notebook import show
>>> show("Tokenization isn't neutral", "gpt2")
gpt2: 5 tokens
Token|ization| isn|'t| neutral

Everything has a form for a terminal, too. A cell runs no script unless it is asked to be `live`, and texts and tokens, which may be
anybody's, are escaped. The tokenizers are those of the lab, with the same settings and data folder as `tokenlab`. Not here: the
drawing (`lab_app.reports.html`), and the page of a live cell (`lab_app.services.handouts`).
"""

import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar

from lab_app import paths, settings
from lab_app.analysis import figures
from lab_app.charts.look import on_its_own
from lab_app.charts.registry import CHARTS
from lab_app.engine import UNKNOWN, Encoding, Specials
from lab_app.errors import BadValue
from lab_app.reports import text as text_report
from lab_app.reports.html import fragment
from lab_app.reports.report import Table, Tokens
from lab_app.reports.tokens import Group, groups
from lab_app.services.analyses.analyses import load
from lab_app.services.handouts.contents import Subject
from lab_app.services.handouts.handouts import handout, lesson_subject, text_subject
from lab_app.services.lab import Lab
from lab_app.services.lessons.lessons import LESSONS, LessonOptions, lesson_of
from lab_app.services.lessons.step_words import step_rows
from lab_app.services.text.compare import compare as compared
from lab_app.services.text.encode import encode
from lab_app.services.text.results import Result
from lab_app.settings import DEFAULT_LEARN, DEFAULT_SPECIALS
from lab_app.spelling import printable, spelled

if TYPE_CHECKING:
    import pyarrow as pa

    from lab_app.reports.live import LivePage

ENCODING = ("bpe-encode", "wordpiece-encode", "unigram-encode")


@dataclass(frozen=True, repr=False)
class Cell:
    """What a cell shows: `parts` of a report, and the same in plain text."""

    parts: Sequence[Table | Tokens]
    plain: str
    subject: Callable[[], Subject]
    live_height: ClassVar[int] = 620
    """Pixels: a lesson with the controls below it."""

    def __repr__(self) -> str:
        return self.plain

    def _repr_html_(self) -> str:
        return fragment(self.parts)

    def live(self) -> "LivePage | Cell":
        """The same as a widget that takes another text, steps and marks, by the engine in the page: it needs no kernel.

        What is typed becomes its `text`. Needs the extra `notebook`; without it, warns and returns the cell as it is. Raises as
        `lab_app.services.handouts` does, BadValue for more than four tokenizers among them.
        """
        try:
            from lab_app.reports.live import LivePage
        except ModuleNotFoundError:
            warnings.warn(
                "anywidget is not installed, so this cell stays as it is: pip install 'tokenization-lab[notebook]'",
                stacklevel=2,
            )
            return self
        subject = self.subject()
        names = ", ".join(subject.tokenizers)
        label = f"{subject.lesson.name} with {names}" if subject.lesson else f"Tokens of {names}"
        page, static = handout(_lab(), subject).content, self._repr_html_()
        return LivePage(page=page, text=subject.text, label=label, height=self.live_height, static=static)


@dataclass(frozen=True, repr=False)
class TokenCell(Cell):
    """The tokens of a text with one tokenizer or several."""

    results: Sequence[Result]
    live_height: ClassVar[int] = 480

    def table(self) -> "pa.Table":
        """A row per token, as Arrow: `.to_pandas()`, or `polars.from_arrow(...)`, makes a data frame of it.

        Columns: `tokenizer`, `token` (its number), `id`, `text` (null for a part of a character), `bytes` (hex), `start_utf8`,
        `end_utf8`, `start_char`, `end_char` (half-open; null for a plug-in that reports none), `special`, `added`, `unknown`.

        >>> show("Hi 日", "gpt2").table().column("text").to_pylist()
        ['Hi', None, None, None]
        """
        import pyarrow as pa

        rows = [row for result in self.results for row in text_report.token_rows(result)]
        columns = zip(*rows, strict=True) if rows else ((),) * len(text_report.COLUMNS)
        return pa.table(dict(zip(text_report.COLUMNS, map(list, columns), strict=True)))


@cache
def _lab() -> Lab:
    return Lab(settings.load({}, config_file=paths.config_file()))


def show(
    text: str, tokenizer: str, *, add_special_tokens: bool = True, specials: Specials = DEFAULT_SPECIALS
) -> TokenCell:
    """The text with its tokens coloured. Raises NotFound for an unknown tokenizer, and what its `encode` raises.

    >>> show("unaffordable", "bert-base-uncased", add_special_tokens=False)
    bert-base-uncased: 4 tokens
    una|ff|ord|able
    """
    results = [encode(_lab(), tokenizer, text, add_special_tokens=add_special_tokens, specials=specials)]
    return _tokens(results, text, add_special_tokens, specials)


def compare(
    text: str,
    tokenizers: Sequence[str],
    *,
    add_special_tokens: bool = True,
    specials: Specials = DEFAULT_SPECIALS,
) -> TokenCell:
    """The text under two to eight tokenizers, with the difference of each from the first. Raises BadValue for another number.

    >>> compare("unaffordable", ["gpt2", "bert-base-uncased"], add_special_tokens=False)
    gpt2: 3 tokens
    un|aff|ordable
    bert-base-uncased: 4 tokens (+1)
    una|ff|ord|able
    """
    found = compared(_lab(), tokenizers, text, add_special_tokens=add_special_tokens, specials=specials)
    return _tokens(found.results, text, add_special_tokens, specials)


def steps(
    text: str,
    tokenizer: str,
    lesson: str = "",
    *,
    specials: Specials = DEFAULT_SPECIALS,
    learn: int = DEFAULT_LEARN,
    seed: int = 0,
) -> Cell:
    """A lesson as a table of its steps; without a name, how the tokenizer's model encodes.

    `learn` is the number of tokens that a lesson on training learns, `seed` that of drawn paths. Raises BadValue for an unknown
    lesson, and for a tokenizer or text that the lesson cannot show.

    >>> steps("low", "gpt2")
    start: l o w
    o + w → ow, rank 66: l ow
    l + ow → low, rank 9063: low
    done: low
    """
    name = lesson or _encoding_lesson(tokenizer)
    options = LessonOptions(specials, learn, seed)
    made = lesson_of(_lab(), name, tokenizer, text, options)
    rows = [(number, *row) for number, row in enumerate(step_rows(made))]
    table = Table(("Step", "What is done", "Result"), rows, f"{name}: {tokenizer}", right=[0], spaced=[2])
    plain = "\n".join(f"{printable(done)}: {printable(result)}" for _, done, result in rows)
    subject = partial(lesson_subject, _lab(), name, tokenizer, text, options)
    return Cell([table], plain, subject)


def figure(chart: str, analysis: int) -> Any:
    """A chart of a kept analysis as a figure of plotly, in the colours of paper.

    `chart` is one of `lab_app.charts.registry.CHARTS`, such as "zipf" and "premium"; `analysis` its number, as `tokenlab analyze` prints.
    Raises BadValue for an unknown chart, NotFound for an unknown analysis, NoChart where it lacks the values.
    """
    if chart not in CHARTS:
        raise BadValue(f'"{chart}" is not a chart', f"choose one of {', '.join(CHARTS)}")
    made = CHARTS[chart](load(_lab(), analysis))
    return on_its_own(made.figure, made.title, made.subtitle)


def _encoding_html(encoding: Encoding) -> str:
    """The tokens one after the other: an encoding knows the text of each, and not what lies between them."""
    rows = zip(encoding.ids.tolist(), encoding.flags.tolist(), encoding.texts, encoding.token_bytes, strict=True)
    names = [
        Group(spelled(text, data.hex()), [{"id": id, "bytes": data.hex(" "), "unknown": bool(flags & UNKNOWN)}], number)
        for number, (id, flags, text, data) in enumerate(rows)
    ]
    return fragment([Tokens(names, f"{len(encoding)} tokens")])


def _tokens(results: Sequence[Result], text: str, add_special_tokens: bool, specials: Specials) -> TokenCell:
    base = results[0].summary()
    parts, lines = [], []
    for number, result in enumerate(results):
        own = result.summary()
        apart = f" ({figures.difference(own.text_token_count, base.text_token_count)})" if number else ""
        title = f"{result.id}: {figures.token_words(own)} {'token' if own.count == 1 else 'tokens'}{apart}"
        own_groups = list(groups(result))
        parts.append(Tokens(own_groups, title))
        lines += [title, "|".join(map(_plain, own_groups))]
    ids = [result.id for result in results]
    subject = partial(text_subject, _lab(), ids, text, specials=specials, add_special_tokens=add_special_tokens)
    return TokenCell(parts, "\n".join(lines), subject, results)


def _plain(group: Group) -> str:
    return printable(group.text) or str(group.tokens[0]["name"])


def _encoding_lesson(tokenizer: str) -> str:
    """The lesson on encoding that fits a tokenizer's model; on all stages, for a model without one."""
    model = _lab().loaded.get(tokenizer)[1].stages["model"]
    fitting = (name for name in ENCODING if model.endswith(LESSONS[name] or ""))
    return next(fitting, "pipeline")


# A cell shows an `Encoding` of the engine with its tokens coloured as soon as this module is imported there.
if (_ipython := sys.modules.get("IPython")) and (_shell := _ipython.get_ipython()):
    _shell.display_formatter.formatters["text/html"].for_type(Encoding, _encoding_html)
