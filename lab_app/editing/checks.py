"""Whether a changed tokenizer holds what its base did. Each check says what it found, and what to do.

Not here: the audit of tokens, which the engine proves (`engine.VocabularyIndex`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lab_app import engine
from lab_app.editing.rows import Changes
from lab_app.editing.tables import Tables
from lab_app.number_words import number_of

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
    ids = f"{number_of(moved, 'ID')} moved; a trained model needs the map of rows" if moved else "All old IDs are kept."
    checks = [
        EditCheck("ids", not moved, ids, [f"{each.token}: {each.old} → {each.new}" for each in found.moved[:SHOWN]])
    ]
    specials = {token["content"] for token in before.added}
    other = [f"{each.token} moved: {each.old} → {each.new}" for each in found.moved if each.token in specials]
    other += [f"{token} is removed: it was {id}" for token, id in found.removed if token in specials]
    words = "Special and added tokens that changed; change them in the model, too" if other else "None changed."
    checks.append(EditCheck("special_tokens", not other, words, other[:SHOWN]))
    lost = sorted(_symbols(before) - after.all_ids().keys())
    words = f"{number_of(len(lost), 'symbol')} lost: texts with them become unknown" if lost else _kept_words(after)
    checks.append(EditCheck("encodes", not lost, words, lost[:SHOWN]))
    return checks


def audits(
    before: engine.VocabularyIndex, after: engine.VocabularyIndex, old: Tables, new: Tables
) -> tuple[EditCheck, EditCheck]:
    """Tokens that no text gives, of those that one gave before, as the engine proves; and the merges that make them."""
    gone = _unreachable(before, old)
    dead = _unreachable(after, new)
    fresh = sorted(dead - gone)
    sum_words = f"{len(dead)} of {len(new.all_ids())} no text gives" + (", as before" if dead and not fresh else "")
    words = f"{number_of(len(fresh), 'token')} no text gives any more" if fresh else f"Proved: {sum_words}."
    merges = [merge for merge in new.merges if new.product(merge) in dead and new.product(merge) not in gone]
    shown = [" + ".join(merge) for merge in merges[:SHOWN]]
    dead_words = f"{number_of(len(merges), 'merge')} that no text needs any more" if merges else "No merge died."
    return EditCheck("reachable", not fresh, words, fresh[:SHOWN]), EditCheck("merges", not merges, dead_words, shown)


def round_trip(before: engine.Tokenizer, after: engine.Tokenizer, texts: Sequence[str]) -> EditCheck:
    """Whether texts that came back exactly still do."""
    broken = [text for text in texts if _comes_back(before, text) and not _comes_back(after, text)]
    words = (
        f"{number_of(len(broken), 'text')} that came back exactly no longer does" if broken else "As exact as before."
    )
    return EditCheck("round_trip", not broken, words, [text[:80] for text in broken[:SHOWN]])


def _comes_back(tokenizer: engine.Tokenizer, text: str) -> bool:
    return tokenizer.decode(tokenizer.encode_ids(text), skip_special_tokens=False) == text


def _symbols(tables: Tables) -> set[str]:
    """The tokens of one character or byte, which every text is spelled with."""
    bytes_of = {f"<0x{byte:02X}>" for byte in range(256)} & tables.ids.keys()
    return bytes_of | {token for token in tables.ids if tables.is_symbol(token)}


def _kept_words(tables: Tables) -> str:
    if tables.is_byte_level or tables.model.get("byte_fallback"):
        return "All 256 bytes are tokens."
    return "All symbols of the base are kept."


def _unreachable(index: engine.VocabularyIndex, tables: Tables) -> set[str]:
    index.audit()
    ids = set(index.search(verdicts=["unreachable"])["ids"].tolist())
    return {token for token, id in tables.all_ids().items() if id in ids}
