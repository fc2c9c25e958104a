"""Places for the labels of marks in a chart, so that no two touch. Not here: labels beside a chart (`benchmarks.curves`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, hypot

import numpy as np

CHARACTER = 0.68
"""Width of a bold character, in the size of the text."""
ROW = 1.3
"""Height of a line, in the size of the text."""
MARK_PX = 8
"""Around the centre of a mark."""
TEXT_PX = 12
APART_PX = 12
"""Between two boxes along a line."""


@dataclass(frozen=True)
class Box:
    """A part of a drawing, px; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Mark:
    """A mark with its label, and a short one for where that has no room."""

    x: float
    """Px in the drawing, as `y`."""
    y: float
    name: str
    short: str


@dataclass(frozen=True)
class Place:
    """The label that was chosen, and where its anchor is: px from the mark, downwards."""

    text: str
    dx: float
    dy: float
    anchor: str

    def box(self, mark: Mark) -> Box:
        """What the label covers."""
        width = len(self.text) * CHARACTER * TEXT_PX
        left = mark.x + self.dx - {"left": 0, "center": 0.5, "right": 1}[self.anchor] * width
        middle, half = mark.y + self.dy, ROW * TEXT_PX / 2
        return Box(left, middle - half, left + width, middle + half)

    def annotation(self) -> dict[str, object]:
        """The label for plotly, without the place of its mark and its colour."""
        side = {"xanchor": self.anchor, "yanchor": "middle", "xshift": self.dx, "yshift": -self.dy}
        return {"text": f"<b>{self.text}</b>", "showarrow": False, "borderpad": 0, **side}


_PLACES = (
    (MARK_PX + 3, 0, "left"),
    (-MARK_PX - 3, 0, "right"),
    (0, -MARK_PX - 0.6 * TEXT_PX, "center"),
    (0, MARK_PX + 0.6 * TEXT_PX, "center"),
    (MARK_PX, -MARK_PX - 0.4 * TEXT_PX, "left"),
    (MARK_PX, MARK_PX + 0.4 * TEXT_PX, "left"),
    (-MARK_PX, -MARK_PX - 0.4 * TEXT_PX, "right"),
    (-MARK_PX, MARK_PX + 0.4 * TEXT_PX, "right"),
    (MARK_PX, -MARK_PX - 0.7 * TEXT_PX, "right"),
    (MARK_PX, MARK_PX + 0.7 * TEXT_PX, "right"),
    (0, -MARK_PX - 1.7 * TEXT_PX, "center"),
    (0, MARK_PX + 1.7 * TEXT_PX, "center"),
    (MARK_PX, -MARK_PX - 1.8 * TEXT_PX, "right"),
    (MARK_PX, MARK_PX + 1.8 * TEXT_PX, "right"),
)
"""Of a label beside its mark, the better ones first."""


def place_labels(marks: Sequence[Mark], area: Box, taken: Sequence[Box]) -> list[Place]:
    """Places the label of each mark within `area`, clear of what is `taken`.

    Marks near the right edge choose first, as they have the least room: the whole label where it fits, else the short one, else
    where it covers least.
    """
    boxes = [*taken, *(Box(each.x - MARK_PX, each.y - MARK_PX, each.x + MARK_PX, each.y + MARK_PX) for each in marks)]
    covered = np.array([[each.left, each.top, each.right, each.bottom] for each in boxes])
    places: dict[int, Place] = {}
    for number in sorted(range(len(marks)), key=lambda n: -marks[n].x):
        mark = marks[number]
        others = np.delete(covered, len(taken) + number, axis=0)
        best, least = Place(mark.short, *_PLACES[0]), float("inf")
        for place in (Place(text, *each) for text in (mark.name, mark.short) for each in _PLACES):
            cost = _cost(place.box(mark), area, others)
            if cost < least - 0.5:
                best, least = place, cost
            if least < 1:
                break
        box = best.box(mark)
        covered = np.vstack([covered, [box.left, box.top, box.right, box.bottom]])
        places[number] = best
    return [places[number] for number in range(len(marks))]


def _cost(box: Box, area: Box, others: "np.ndarray[tuple[int, int], np.dtype[np.float64]]") -> float:
    """What a box covers of the others, and four times what of it is outside of the area, px²."""
    width = np.minimum(box.right, others[:, 2]) - np.maximum(box.left, others[:, 0])
    height = np.minimum(box.bottom, others[:, 3]) - np.maximum(box.top, others[:, 1])
    across = max(0.0, min(box.right, area.right) - max(box.left, area.left))
    down = max(0.0, min(box.bottom, area.bottom) - max(box.top, area.top))
    outside = (box.right - box.left) * (box.bottom - box.top) - across * down
    return 4 * outside + float((width.clip(0) * height.clip(0)).sum())


def boxes_along(points: Sequence[tuple[float, float]]) -> list[Box]:
    """Small boxes along a line, which labels keep away from."""
    found = []
    for (from_x, from_y), (x, y) in pairwise(points):
        parts = max(1, ceil(hypot(x - from_x, y - from_y) / APART_PX))
        for n in range(parts):
            left, top = from_x + n / parts * (x - from_x) - 3, from_y + n / parts * (y - from_y) - 3
            found.append(Box(left, top, left + 6, top + 6))
    return found
