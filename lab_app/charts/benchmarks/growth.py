"""How time grows with the length of the text, with threads and with the size of the vocabulary."""

from lab_app.benchmarks.growth_result import Growth, GrowthCurve, GrowthPoint
from lab_app.charts.benchmarks.curves import Curve, curve_chart
from lab_app.charts.benchmarks.subjects import ENGINE_TITLES, row_looks
from lab_app.charts.chart import Chart
from lab_app.number_words import size_words

TITLES = {
    "bytes": ("Time against text length", "bytes"),
    "threads": ("Time against threads", "threads"),
    "vocab_size": ("Time against vocabulary size", "tokens in the vocabulary"),
}


def growth(result: Growth, letters: str = "") -> Chart:
    """A line per tokenizer and engine, in the hue of the tokenizer's letter (`subjects.row_looks`). Raises NoChart if nothing was measured."""
    title, unit = TITLES[result.axis]
    engines = {curve.engine for curve in result.curves}
    tokenizers = {curve.tokenizer for curve in result.curves}
    looks = row_looks([curve.tokenizer for curve in result.curves], letters)
    curves = [
        Curve(
            look.number,
            _name(curve, len(engines) > 1, len(tokenizers) > 1),
            curve.points,
            curve.exponent,
            _note(curve),
            variant=look.variant,
            mark=look.mark,
        )
        for curve, look in zip(result.curves, looks, strict=True)
    ]
    fitted = [curve.exponent for curve in result.curves if curve.exponent]
    text = result.text if result.text_bytes is None else f"{result.text}, {size_words(result.text_bytes)}"
    start = f" from {size_words(fitted[0].from_size)} up" if fitted and result.axis == "bytes" else ""
    exponent = f"; exponent fitted{start}, ± 95 % interval" if fitted else ""
    return curve_chart(
        f"growth_{result.axis}",
        title,
        f"{text}; one call, median{exponent}; 1 is linear" if fitted else f"{text}; one call, median",
        curves,
        unit=unit,
        limit_ns=result.limit_ns,
        limit_ns_per_byte=result.limit_ns_per_byte,
    )


def _name(curve: GrowthCurve, has_engines: bool, has_tokenizers: bool) -> str:
    engine = ENGINE_TITLES.get(curve.engine, curve.engine)
    if has_engines and has_tokenizers:
        return f"{engine}, {curve.tokenizer}"
    return curve.tokenizer if has_tokenizers else engine


def _note(curve: GrowthCurve) -> str:
    return stop_words(curve.points)


def stop_words(points: list[GrowthPoint]) -> str:
    """Says where a curve stopped: "over the limit at 1 MB"; empty if it has all points."""
    late = next((point for point in points if point.state == "timed_out"), None)
    if late:
        return f"over the limit at {size_words(late.size)}"
    broken = next((point for point in points if point.state in ("failed", "unsupported")), None)
    return f"{broken.state} at {size_words(broken.size)}" if broken else ""
