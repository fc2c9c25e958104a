"""A page with a script of its own in a cell of a notebook: a widget of anywidget, which is the extra `notebook`.

Not here: the page, which is a handout (`lab_app.services.handouts`).
"""

from pathlib import Path
from typing import Any

import anywidget
import traitlets


class LivePage(anywidget.AnyWidget):
    """Shows `page`, HTML whose policy keeps it to itself, in a frame that is `height` pixels high.

    `text` is what stands in the page's field; setting it changes the field. A reader of the saved notebook whose program runs no
    widgets sees `static`, markup without a script.
    """

    _esm = Path(__file__).parent / "templates" / "live_cell.js"
    page = traitlets.Unicode().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int().tag(sync=True)
    static = traitlets.Unicode()

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """As anywidget shows itself, with markup beside it."""
        shown = super()._repr_mimebundle_(**options)
        return shown and ({**shown[0], "text/html": self.static}, shown[1])
