"""What a chart of languages shows, in one sentence above it: the language at the end of the order, and whose tokens those are.

Values of text that is mostly unknown to a tokenizer would flatter it: they are left out, but for the unknown tokens themselves.
"""

from collections.abc import Callable, Sequence

from lab_app.analysis.corpus.result import LanguageResult
from lab_app.charts.chart import Series, much_unknown
from lab_app.charts.dots import Found
from lab_app.number_words import THIN_SPACE, short

Value = Callable[[LanguageResult], float | None]


def answer(metric: str, found: Found, series: Sequence[Series], value: Value, reference: str) -> str:
    """One sentence; empty where no value is sound. `reference`: the language that a premium divides by, in words."""
    names = {each.letter: each.result.name for each in series}
    unknown = metric == "unknown_rate"
    values = [
        (amount, language, names[letter])
        for (letter, language), one in found.items()
        if (amount := value(one)) is not None and (unknown or not much_unknown(one))
    ]
    if not values:
        return ""
    low, high = min(values), max(values)
    most = f"{short(high[0], 3)}{THIN_SPACE}%" if high[0] else ""
    match metric:
        case "premium":
            return f"{high[1]} pays most: {short(high[0], 3)} times the tokens of {reference} with {high[2]}."
        case "fertility":
            return f"A word of {high[1]} takes the most tokens: {short(high[0], 3)} with {high[2]}."
        case "continued_word_rate":
            return f"{high[1]} has the most divided words: {most} with {high[2]}." if most else "No word is divided."
        case "bytes_per_token":
            ends = f"{short(low[0], 3)} with {low[2]}; {high[1]} has the most, {short(high[0], 3)} with {high[2]}"
            return f"{low[1]} has the fewest bytes per token, {ends}."
        case _:
            return (
                f"{high[1]} is lost most: {most} of the tokens of {high[2]} are unknown."
                if most
                else "No token is unknown."
            )
