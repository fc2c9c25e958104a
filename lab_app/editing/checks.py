"""Whether a changed tokenizer holds what its base did. Each check says what it found, and what to do.

Not here: the audit of tokens, which the engine proves (`engine.VocabularyIndex`).
"""

from dataclasses import dataclass

from lab_app import engine
from lab_app.editing.rows import Changes
from lab_app.editing.tables import Tables
from lab_app.number_words import thin, thin_number_of

SHOWN = 20


@dataclass(frozen=True)
class EditCheck:
    """One check: its name, whether it passed, what it found, and the first tokens or texts that it is about."""

    name: str
    passed: bool
    message: str
    examples: list[str]


def quick_checks(before: Tables, after: Tables, found: Changes) -> list[EditCheck]:
    """The checks that need no encoding: IDs, special tokens, symbols."""
    moved = len(found.moved)
    words = f"{thin_number_of(moved, 'ID')} moved: a trained model needs the map of rows."
    words = words if moved else "All old IDs are kept."
    checks = [
        EditCheck("ids", not moved, words, [f"{each.token}: {each.old} → {each.new}" for each in found.moved[:SHOWN]])
    ]
    specials = {token["content"] for token in before.added}
    other = [f"{each.token} moved: {each.old} → {each.new}" for each in found.moved if each.token in specials]
    other += [f"{token} is removed: it was {id}" for token, id in found.removed if token in specials]
    changed = f"{thin_number_of(len(other), 'special or added token')} changed: change them in the model, too."
    words = changed if other else "None changed."
    checks.append(EditCheck("special_tokens", not other, words, other[:SHOWN]))
    lost = sorted(_symbols(before) - after.all_ids().keys())
    words = (
        f"{thin_number_of(len(lost), 'symbol')} lost: texts with them become unknown." if lost else _kept_words(after)
    )
    checks.append(EditCheck("encodes", not lost, words, lost[:SHOWN]))
    return checks


def audits(
    before: engine.VocabularyIndex, after: engine.VocabularyIndex, old: Tables, new: Tables
) -> tuple[EditCheck, EditCheck]:
    """Tokens that no text gives, of those that one gave before, as the engine proves; and the merges that make them."""
    gone = _unreachable(before, old)
    dead = _unreachable(after, new)
    fresh = sorted(dead - gone)
    of_all = f"{thin(len(dead))} of the {thin_number_of(len(new.all_ids()), 'token')}"
    words = (
        f"Proved: no text gives {of_all}, as before." if dead else "No token is proved to be one that no text gives."
    )
    words = f"No text gives {thin_number_of(len(fresh), 'token')} any more." if fresh else words
    merges = [merge for merge in new.merges if new.product(merge) in dead and new.product(merge) not in gone]
    shown = [" + ".join(merge) for merge in merges[:SHOWN]]
    dead_words = f"No text needs {thin_number_of(len(merges), 'merge')} any more." if merges else "No merge died."
    return EditCheck("reachable", not fresh, words, fresh[:SHOWN]), EditCheck("merges", not merges, dead_words, shown)


def round_trip(before: engine.Tokenizer, after: engine.Tokenizer, old: Tables, new: Tables, text: str) -> EditCheck:
    """Whether lines of a text that came back exactly still do, and the whole; and whether no more of it is unknown."""
    lines = text.splitlines(keepends=True) or [text]
    exact = [line for line in lines if _comes_back(before, line)]
    broken = [line for line in exact if not _comes_back(after, line)]
    if not broken and _comes_back(before, text) and not _comes_back(after, text):
        broken = [text]
    more = _unknown(after, new, text) - _unknown(before, old, text)
    if broken:
        does = "does" if len(broken) == 1 else "do"
        words = f"{thin_number_of(len(broken), 'text')} that came back exactly no longer {does}."
    elif more > 0:
        words = f"The text has {thin_number_of(more, 'more unknown token')}."
    elif exact:
        words = f"{thin(len(exact))} of {thin_number_of(len(lines), 'line')} came back exactly before, and still do."
    else:
        words = "No line came back exactly before."
    return EditCheck("round_trip", not broken and more <= 0, words, [text[:80] for text in broken[:SHOWN]])


def _comes_back(tokenizer: engine.Tokenizer, text: str) -> bool:
    try:
        return tokenizer.decode(tokenizer.encode_ids(text), skip_special_tokens=False) == text
    except engine.EncodeError:
        return False


def _unknown(tokenizer: engine.Tokenizer, tables: Tables, text: str) -> int:
    """How many unknown tokens a text has; 1 for a text that cannot be encoded."""
    try:
        ids = tokenizer.encode_ids(text)
    except engine.EncodeError:
        return 1
    return int((ids == tables.all_ids().get(tables.unknown or "", -1)).sum())


def _symbols(tables: Tables) -> set[str]:
    """The tokens of one character or byte, which every text is spelled with."""
    return tables.symbols(tables.ids) | (tables.bytes_of & tables.ids.keys())


def _kept_words(tables: Tables) -> str:
    if missing := len(tables.bytes_of - tables.ids.keys()):
        return f"{missing} of the 256 bytes are no tokens, as before."
    return "All 256 bytes are tokens." if tables.bytes_of else "All symbols of the base are kept."


def _unreachable(index: engine.VocabularyIndex, tables: Tables) -> set[str]:
    index.audit()
    ids = set(index.search(verdicts=["unreachable"])["ids"].tolist())
    return {token for token, id in tables.all_ids().items() if id in ids}
