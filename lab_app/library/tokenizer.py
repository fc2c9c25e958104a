"""What every tokenizer of the lab is, whoever wrote it: one of the engine, or a plug-in.

Code that needs no more than both have works with both. Not here: what only the engine's can do (`lab_app.engine.Tokenizer`).
"""

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from lab_app.engine import Encoding, Tokenizer
    from lab_app.library.plugins.encoding import PluginEncoding
    from lab_app.library.plugins.tokenizer import PluginTokenizer

AnyEncoding: TypeAlias = "Encoding | PluginEncoding"
"""The tokens of one text. A plug-in's may have no spans."""

AnyTokenizer: TypeAlias = "Tokenizer | PluginTokenizer"
"""Methods and errors of both are those of `lab_app.engine.Tokenizer`."""
