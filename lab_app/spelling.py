"""How tokens and other people's text are spelled for people: nothing in it is hidden, and nothing acts on a terminal.

The page spells tokens the same way (`lab_ui/js/text/visible_text.js`).
"""

GLYPHS = {" ": "·", "\n": "⏎", "\t": "→", "\r": "␍", "\u00a0": "⍽"}


def spelled(text: str | None, data: str) -> str:
    """A token: white space as glyphs, other characters that show nothing as escapes; without text its bytes, `data` in hex.

    >>> spelled(" a\\n", "20610a"), spelled(None, "e697")
    ('·a⏎', '<e6 97>')
    """
    if text is None:
        return f"<{bytes.fromhex(data).hex(' ')}>"
    return printable("".join(GLYPHS.get(each, each) for each in text))


def printable(text: str) -> str:
    """`text` with characters that show nothing, or that a terminal would act on, as escapes.

    >>> print(printable("\\x1b[31mred"))
    \\u{1b}[31mred
    """
    return "".join(each if each.isprintable() else f"\\u{{{ord(each):x}}}" for each in text)
