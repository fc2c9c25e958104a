"""Writes the tables in `src/unicode`: character properties as the reference library sees them.

The reference is the Python package `tokenizers`, of which several versions of Unicode are part (categories and
decompositions of Unicode 9, white space and lower case of a later one), so no one version's data files say what it
does. This asks the library itself about every code point instead:

    pip install tokenizers==0.23.3
    for table in tables forms scripts; do
        python engine_rs/tools/unicode_tables.py $table > engine_rs/core/src/unicode/$table.rs
    done

Combining classes are the only thing the library shows just indirectly, by what it reorders. It shows which characters
take part; their classes then come from `unicodedata`, which is right for any version since Unicode never changes a
combining class once given.
"""

import sys
import unicodedata

import tokenizers
from tokenizers import normalizers, pre_tokenizers

OFF = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
CODE_POINTS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def stage(name):
    return normalizers.BertNormalizer(**{**OFF, name: True}).normalize_str


clean, isolate, strip, lower = map(stage, ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase"))
decompose = normalizers.NFD().normalize_str
split = pre_tokenizers.BertPreTokenizer().pre_tokenize_str


def between_letters(c):
    return "a" + chr(c) + "b"


def is_control(c):
    return clean(between_letters(c)) == "ab"


def is_space(c):
    return [piece for piece, _ in split(between_letters(c))] == ["a", "b"]


def is_punctuation(c):
    return [piece for piece, _ in split(between_letters(c))] == ["a", chr(c), "b"]


def is_ideograph(c):
    return isolate(between_letters(c)) == "a " + chr(c) + " b"


def is_nonspacing(c):
    return decompose(chr(c)) == chr(c) and strip(chr(c)) == ""


def combining_class(c):
    """0 unless the library reorders `c` around a mark of class 1, 230 or 240, two of which differ from its own."""
    if decompose(chr(c)) != chr(c):
        return 0
    marks = "\u0334\u0301\u0345"
    moves = any(decompose(chr(c) + m) != chr(c) + m or decompose(m + chr(c)) != m + chr(c) for m in marks)
    value = unicodedata.combining(chr(c))
    assert value or not moves, f"U+{c:04X} is reordered but unicodedata has no combining class for it"
    return value if moves else 0


def runs(values):
    """`(first, last, value)` of the runs of equal true values of consecutive code points."""
    out = []
    for c, value in values:
        if value and out and out[-1][1] == c - 1 and out[-1][2] == value:
            out[-1][1] = c
        elif value:
            out.append([c, c, value])
    return out


def wrap(items):
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > 120:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "\n".join([*lines, line])


def emit(doc, name, kind, items):
    print(f"\n/// {doc}\n#[rustfmt::skip]\npub(super) static {name}: &[{kind}] = &[\n{wrap(items)}\n];")


def emit_set(doc, name, holds):
    emit(doc, name, "(u32, u32)", (f"({a:#x}, {b:#x})" for a, b, _ in runs((c, holds(c)) for c in CODE_POINTS)))


def lower_case_runs():
    """`(first, last, step, delta)`: letters `first`, `first + step` ... `last` are `delta` above their lower case."""
    out = []
    for c in CODE_POINTS:
        small = lower(chr(c))
        if small == chr(c):
            continue
        if len(small) > 1:
            assert (c, small) == (0x130, "i\u0307"), "a new character grows when lower-cased"
            continue
        delta = ord(small) - c
        last = out[-1] if out else None
        if last and last[3] == delta and c - last[1] in ((1, 2) if last[0] == last[1] else (last[2],)):
            last[2] = c - last[1]
            last[1] = c
        else:
            out.append([c, c, 1, delta])
    return out


def decompositions():
    for c in CODE_POINTS:
        parts = decompose(chr(c))
        if parts != chr(c) and not 0xAC00 <= c < 0xD7A4:
            assert len(parts) <= 4
            yield "({:#x}, [{}])".format(c, ", ".join(f"{ord(p):#x}" if p else "0" for p in [*parts, "", "", ""][:4]))


def compatibility():
    """Compatibility decompositions that are not canonical ones."""
    for c in CODE_POINTS:
        parts = normalizers.NFKD().normalize_str(chr(c))
        if parts != decompose(chr(c)):
            yield "({:#x}, &[{}])".format(c, ", ".join(f"{ord(part):#x}" for part in parts))


def compositions():
    """Pairs that NFC makes one character; which may be pairs does not change between versions of Unicode."""
    compose = normalizers.NFC().normalize_str
    for c in CODE_POINTS:
        parts = unicodedata.decomposition(chr(c)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            first, second = (int(part, 16) for part in parts)
            if compose(chr(first) + chr(second)) == chr(c):
                yield first, second, c


def is_mark(c):
    return normalizers.StripAccents().normalize_str(between_letters(c)) == "ab"


def is_numeric(c):
    return len(pre_tokenizers.Digits().pre_tokenize_str(between_letters(c))) == 3


def script_runs():
    """`(first, last, class)`: characters of one class stay together; 0 for those that stay with any."""
    split = pre_tokenizers.UnicodeScripts().pre_tokenize_str

    def together(a, b):
        return len(split(chr(a) + chr(b))) == 1

    latin, cyrillic = ord("a"), ord("\u0436")
    classes = [latin, cyrillic]

    def script(c, before):
        if together(latin, c) and together(cyrillic, c):
            return 0
        for number in [before, *range(1, len(classes) + 1)]:
            if number and together(classes[number - 1], c):
                return number
        classes.append(c)
        return len(classes)

    values, before = [], 0
    for c in CODE_POINTS:
        before = script(c, before)
        values.append((c, before))
    return runs(values)


def write_tables():
    emit_set("Control, format and private characters, U+0000 and U+FFFD: what clean-up removes.", "CONTROL", is_control)
    emit_set("White space between pretokens.", "SPACE", is_space)
    emit_set("Punctuation, all of ASCII's symbols among it.", "PUNCTUATION", is_punctuation)
    emit_set("Ideographs that stand alone.", "IDEOGRAPH", is_ideograph)
    emit_set("Nonspacing marks (Mn): what accent stripping removes.", "NONSPACING", is_nonspacing)
    emit(
        "`(first, last, class)`: canonical combining classes other than 0.",
        "COMBINING",
        "(u32, u32, u8)",
        (f"({a:#x}, {b:#x}, {v})" for a, b, v in runs((c, combining_class(c)) for c in CODE_POINTS)),
    )
    emit(
        "`(first, last, step, delta)`: `first`, `first + step` ... `last` have their lower case at `+ delta`. No U+0130.",
        "LOWER",
        "(u32, u32, u32, i32)",
        (f"({a:#x}, {b:#x}, {s}, {d})" for a, b, s, d in lower_case_runs()),
    )
    emit(
        "Full canonical decompositions, filled up with 0. Without Hangul, which is computed.",
        "DECOMPOSITION",
        "(u32, [u32; 4])",
        decompositions(),
    )


def write_forms():
    emit(
        "Full compatibility decompositions, where they are not the canonical ones.",
        "COMPATIBILITY",
        "(u32, &[u32])",
        compatibility(),
    )
    emit(
        "`(first, second, composed)`: what canonical composition makes one, by the pair. Hangul is computed.",
        "COMPOSITION",
        "(u32, u32, u32)",
        (f"({a:#x}, {b:#x}, {c:#x})" for a, b, c in sorted(compositions())),
    )
    emit_set("Marks (M): what the normalizer for accents removes.", "MARK", is_mark)
    emit_set("Numbers (N): digits of any kind.", "NUMERIC", is_numeric)


def write_scripts():
    emit(
        "`(first, last, class)`: characters of the same class belong together.",
        "SCRIPT",
        "(u32, u32, u8)",
        (f"({a:#x}, {b:#x}, {v})" for a, b, v in script_runs()),
    )


version = tokenizers.__version__
print(f"//! Generated by `tools/unicode_tables.py` from the behaviour of tokenizers {version}; do not edit.")
{"tables": write_tables, "forms": write_forms, "scripts": write_scripts}[sys.argv[1]]()
