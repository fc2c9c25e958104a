"""What the window remembers from one start to the next: size, whether it filled the screen, zoom.

Not its place: screens come and go, and a window that opens where there is none any more is lost.
"""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

SMALLEST = (720, 480)
LARGEST = (8192, 8192)
ZOOMS = (0.5, 0.67, 0.75, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
"""Steps of the zoom; the larger ones are for a room to read along."""


@dataclass(frozen=True)
class WindowState:
    """Sizes in pixels of the window at zoom 1."""

    width: int = 1280
    height: int = 800
    maximized: bool = False
    zoom: float = 1.0

    def zoomed(self, step: int) -> "WindowState":
        """One step larger (1) or smaller (-1), or at the usual size (0).

        >>> WindowState(zoom=1.0).zoomed(1).zoom, WindowState(zoom=3.0).zoomed(1).zoom, WindowState(zoom=2.0).zoomed(0).zoom
        (1.1, 3.0, 1.0)
        """
        if step == 0:
            return replace(self, zoom=1.0)
        nearest = min(range(len(ZOOMS)), key=lambda at: abs(ZOOMS[at] - self.zoom))
        return replace(self, zoom=ZOOMS[min(len(ZOOMS) - 1, max(0, nearest + step))])


def load(file: Path) -> WindowState:
    """The state saved last; the usual one where there is none, or the file is not what it should be."""
    try:
        saved = json.loads(file.read_bytes())
        return WindowState(
            width=min(LARGEST[0], max(SMALLEST[0], int(saved["width"]))),
            height=min(LARGEST[1], max(SMALLEST[1], int(saved["height"]))),
            maximized=bool(saved["maximized"]),
            zoom=min(ZOOMS[-1], max(ZOOMS[0], float(saved["zoom"]))),
        )
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return WindowState()


def save(file: Path, state: WindowState) -> None:
    """Keeps the state; a folder that cannot be written to costs the memory and nothing else."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(asdict(state)) + "\n", encoding="utf-8")
    except OSError:
        return
