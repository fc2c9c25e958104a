"""Where the time goes inside of one document: a bar per part, as high as its time per byte."""

from lab_app.benchmarks.growth_result import Profile, Slice
from lab_app.charts.chart import Chart, ChartTable, NoChart
from lab_app.charts.look import axis, figure, layout
from lab_app.number_words import short, size_words, thin_number_of, time_words

HEIGHT_PX = 220
SLOW = 2
"""A part that takes this many times the document's mean per byte is drawn darker."""
COLOURS = {False: "var(--len1)", True: "var(--len4)"}


def profile(result: Profile) -> Chart:
    """Time per byte from the beginning of the document to its end. Raises NoChart for a document without parts."""
    parts = [part for part in result.slices if part.end_utf8 > part.start_utf8]
    if not parts:
        raise NoChart("the document has no parts")
    mean = sum(part.elapsed_ns for part in parts) / sum(part.end_utf8 - part.start_utf8 for part in parts)
    slowest = max(parts, key=_per_byte)
    trace = {
        "type": "bar",
        "x": [(part.start_utf8 + part.end_utf8) / 2 for part in parts],
        "width": [part.end_utf8 - part.start_utf8 for part in parts],
        "y": [_per_byte(part) for part in parts],
        "marker": {
            "color": [COLOURS[_per_byte(part) > SLOW * mean] for part in parts],
            "line": {"color": "var(--panel)", "width": 1},
        },
        "hoverinfo": "text",
        "hovertext": [_words(part) for part in parts],
    }
    form = layout(
        axis("byte of the document", range=[0, result.bytes], tickformat=",d", nticks=8),
        axis(rangemode="tozero", ticksuffix=" ns", nticks=5),
        height=HEIGHT_PX,
        bargap=0,
        showlegend=False,
    )
    return Chart(
        name="profile",
        title="Time along the document",
        subtitle=f"ns per byte of each part, encoded by itself; mean {short(mean, 3)}; dark: over {SLOW} times the mean",
        summary=f"{len(parts)} parts. The slowest per byte: {_words(slowest)}.",
        keys=[],
        figure=figure([trace], form),
        table=ChartTable(
            ["from byte", "to byte", "tokens", "ns", "ns per byte"],
            [[part.start_utf8, part.end_utf8, part.tokens, part.elapsed_ns, _per_byte(part)] for part in parts],
        ),
    )


def _per_byte(part: Slice) -> float:
    return part.elapsed_ns / (part.end_utf8 - part.start_utf8)


def _words(part: Slice) -> str:
    size = size_words(part.end_utf8 - part.start_utf8)
    place = f"{size} from byte {part.start_utf8}"
    return f"{place}: {time_words(part.elapsed_ns)}, {thin_number_of(part.tokens, 'token')}, {short(_per_byte(part), 3)} ns per byte"
