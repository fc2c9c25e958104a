"""Numbers as people read them: counts, ratios, shares, sizes and times. None was not measured, and is a dash.

The page has the same words, with thin spaces (`lab_ui/js/util/format.js`); `tests/golden/figures.json` has the cases that both
pass.
"""

from decimal import ROUND_HALF_UP, Decimal

DASH = "–"
THIN_SPACE = "\u202f"
"""Between thousands and before %: no line breaks there."""
_SIZES = ((10**9, "GB"), (10**6, "MB"), (10**3, "kB"), (1, "B"))
_TIMES_NS = ((10**9, "s"), (10**6, "ms"), (10**3, "µs"), (1, "ns"))


def integer(number: float | None) -> str:
    """A count, in groups of three.

    >>> integer(50257), integer(None)
    ('50 257', '–')
    """
    return DASH if number is None else f"{round(number):,}".replace(",", " ")


def number_of(number: float | None, one: str, several: str = "") -> str:
    """A whole number with what it counts; `several` is the plural of `one` if it has no "s".

    >>> number_of(1, "word"), number_of(29311, "word"), number_of(None, "entry", "entries")
    ('1 word', '29 311 words', '– entries')
    """
    whole = None if number is None else round(number)
    return f"{integer(whole)} {one if whole == 1 else several or f'{one}s'}"


def ratio(number: float | None, digits: int = 2) -> str:
    """A ratio with a fixed number of digits, halves rounded up as the page does.

    >>> ratio(3.125), ratio(None)
    ('3.13', '–')
    """
    if number is None:
        return DASH
    return str(Decimal(number).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def percent(share: float | None, digits: int = 0) -> str:
    """A share as a percentage; one that is not 0 is never written as 0.

    >>> percent(15 / 98), percent(0.001), percent(None), percent(0.1124, 1), percent(0.0002, 1)
    ('15 %', '<1 %', '–', '11.2 %', '<0.1 %')
    """
    if share is None:
        return DASH
    least = 10.0**-digits
    return f"{f'<{least:g}' if 0 < 100 * share < least / 2 else ratio(100 * share, digits)} %"


def thin(number: float | None) -> str:
    """As `integer`, with thin spaces.

    >>> thin(50257) == f"50{THIN_SPACE}257"
    True
    """
    return integer(number).replace(" ", THIN_SPACE)


def thin_number_of(number: float | None, one: str, several: str = "") -> str:
    """As `number_of`, with thin spaces between thousands.

    >>> thin_number_of(1, "token"), thin_number_of(50257, "token") == f"50{THIN_SPACE}257 tokens"
    ('1 token', True)
    """
    return thin(number) + number_of(number, one, several).removeprefix(integer(number))


def short(number: float, digits: int = 4) -> str:
    """A number with that many significant digits, a minus sign and groups of thousands; whole numbers in full.

    >>> short(3.14159), short(-0.5), short(1234.0) == short(1234.4) == f"1{THIN_SPACE}234"
    ('3.142', '−0.5', True)
    """
    is_whole = float(number).is_integer() or abs(number) >= 10 ** (digits - 1)
    written = thin(number) if is_whole else f"{number:.{digits}g}"
    return written.replace("-", "−", 1) if written.startswith("-") else written


def size_words(size: float) -> str:
    """A number of bytes with three digits and its unit.

    >>> size_words(3_280_000), size_words(12)
    ('3.28 MB', '12 B')
    """
    return _with_unit(size, _SIZES)


def time_words(ns: float) -> str:
    """A time with three digits and its unit.

    >>> time_words(79_800_000), time_words(4361)
    ('79.8 ms', '4.36 µs')
    """
    return _with_unit(ns, _TIMES_NS)


def _with_unit(number: float, units: tuple[tuple[int, str], ...]) -> str:
    factor, unit = next((pair for pair in units if abs(number) >= pair[0]), units[-1])
    return f"{short(number / factor, 3)} {unit}"
