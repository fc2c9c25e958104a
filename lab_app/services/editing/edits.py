"""A recipe of edits on a tokenizer of the Library: the draft that it makes, its effect, its checks, keeping it.

While a recipe is edited, one step changes at a time. So what steps made stays in memory: their effects, and some definitions.
Not here: the edits (`lab_app.editing`), corpora before and after (`measuring`), the map of rows as a file (`row_files`).
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

import numpy as np

from lab_app import engine
from lab_app.corpora.batch import Batch
from lab_app.corpora.streams import check_unchanged
from lab_app.editing import checks as checking
from lab_app.editing.checks import EditCheck
from lab_app.editing.recipe import Step, apply
from lab_app.editing.rows import Changes, changes, renamed_by
from lab_app.editing.stages import loaded
from lab_app.editing.tables import Definition, Tables
from lab_app.errors import BadValue, Cancelled, LabError, TrainFailed
from lab_app.files import temporary_folder
from lab_app.library.adding import add, refuse_taken
from lab_app.library.cache import Cache
from lab_app.library.definition import base_definition
from lab_app.library.entry import Entry, Provenance
from lab_app.library.importing import TOKENIZER_JSON, check_id
from lab_app.services.corpora.corpora import named_corpus
from lab_app.services.editing.watching import Watch
from lab_app.services.engine_errors import translate_engine_errors
from lab_app.services.lab import Lab
from lab_app.services.tokenizers.convert import write

MAX_KEPT = 4
"""Definitions of each kind that are kept: of steps that read texts, which take long, and of others."""
MAX_EFFECTS = 1000
MAX_LISTED = 500
"""Tokens named in an answer; the counts are of all."""


@dataclass(frozen=True)
class StepEffect:
    """What one step did to the vocabulary; `vocab_size` counts the tokens after it. A step that is off did nothing."""

    kind: str
    on: bool
    added: int
    removed: int
    moved: int
    vocab_size: int


@dataclass(frozen=True)
class StepProblem:
    """Why an edit refused, its number from 1, and what to do."""

    number: int
    message: str
    hint: str


@dataclass(frozen=True)
class ChangedToken:
    """A token that was added, removed or got another ID: its spelling, its bytes in hex, its old and new ID."""

    token: str
    bytes: str
    old: int | None
    new: int | None
    parts: list[str]
    """The tokens that stand in its place: of a removed one the new ones, of an added one the old ones."""


@dataclass(frozen=True)
class Edited:
    """A recipe on a base. `draft` is an id that other calls take, as long as the lab keeps the draft."""

    base: str
    draft: str
    vocab_size_before: int
    """Tokens, not the largest ID."""
    vocab_size: int
    rows_before: int
    """Rows of an embedding: one more than the largest ID."""
    rows: int
    steps: list[StepEffect]
    added_count: int
    removed_count: int
    moved_count: int
    added: list[ChangedToken]
    removed: list[ChangedToken]
    moved: list[ChangedToken]
    checks: list[EditCheck]
    problem: StepProblem | None
    """The first edit that refused, if one did: all else is of the edits before it."""


Key = tuple[str, ...]
"""A base, then steps that are on: equal where all of them, and the corpora and tokenizers that they read, are."""


@dataclass(frozen=True)
class Draft:
    """A base, its recipe, and what the two make."""

    entry: Entry
    base: engine.Tokenizer
    key: Key
    steps: tuple[Step, ...]
    before: Tables
    after: Tables
    made: engine.Tokenizer
    effects: list[StepEffect]
    renamed: Mapping[str, str]
    """Old names of tokens by their new ones."""

    @property
    def id(self) -> str:
        """An id made of base and recipe, and of what the recipe reads."""
        return f"draft-{sha256(json.dumps(self.key).encode()).hexdigest()[:12]}"

    @property
    def changes(self) -> Changes:
        """What the recipe changes in all."""
        return changes(self.before, self.after, self.renamed)


class Drafts:
    """The definitions that steps made, and the last drafts, of a lab."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self._bases: Cache[Key, Tables] = Cache(2)
        self._made: Cache[Key, Tables] = Cache(MAX_KEPT)
        self._read: Cache[Key, Tables] = Cache(MAX_KEPT)
        self._effects: Cache[Key, tuple[StepEffect, Mapping[str, str]]] = Cache(MAX_EFFECTS)
        self._loaded: Cache[Key, engine.Tokenizer] = Cache(2)
        self.indexes: Cache[engine.Tokenizer, engine.VocabularyIndex] = Cache(2)

    def draft(self, base: str, steps: Sequence[Step], watch: Watch | None = None) -> Draft:
        """The draft of a recipe. Raises NotFound for the base, BadValue for an edit that refuses, with its number and kind."""
        made, problem = self.attempt(base, steps, watch)
        if problem is not None:
            kind = steps[problem.number - 1].kind
            raise BadValue(f"edit {problem.number}, {kind}: {problem.message}", problem.hint)
        return made

    def attempt(self, base: str, steps: Sequence[Step], watch: Watch | None = None) -> tuple[Draft, StepProblem | None]:
        """The draft of the edits up to the first that refuses, and why it does. Raises NotFound and BadValue for the base, and
        Cancelled."""
        watch = watch or Watch()
        entry, tokenizer = self._lab.loaded.get(base)
        key: Key = (repr(entry),)
        before = self._bases.get(key, lambda: Tables.of(base_definition(entry, tokenizer)))

        def unchanged() -> Tables:
            return before

        make: Callable[[], Tables] = unchanged
        source = _Library(self._lab, watch, before.definition, tokenizer)
        renamed: Mapping[str, str] = {}
        effects, size, problem = [], len(before.all_ids()), None
        for number, step in enumerate(steps, start=1):
            if not step.on:
                effects.append(StepEffect(step.kind, False, 0, 0, 0, size))
                continue
            try:
                watch.begin(number)
                then = (*key, step.key + self._stamp(step))
                after = partial(self._after, then, step, make, source)
                effect, renamed = self._effects.get(then, partial(_effect, step, make, after, renamed))
            except Cancelled:
                raise
            except LabError as error:
                problem, steps = StepProblem(number, error.message, error.hint), steps[: number - 1]
                break
            key, make, size = then, after, effect.vocab_size
            effects.append(effect)
        tables = make()
        made = tokenizer if len(key) == 1 else self._loaded.get(key, lambda: loaded(tables.definition))
        return Draft(entry, tokenizer, key, tuple(steps), before, tables, made, effects, renamed), problem

    def _after(self, key: Key, step: Step, before: Callable[[], Tables], source: "_Library") -> Tables:
        """What a step makes of what the steps before it make, which are asked only if it is not kept."""
        kept = self._read if "corpus" in step.options else self._made
        return kept.get(key, lambda: _applied(before().definition, step, source))

    def _stamp(self, step: Step) -> str:
        """Which corpora and which tokenizer an edit reads now. Raises NotFound, and LoadFailed for files that changed."""
        read: list[object] = []
        for name in step.options.get("corpus", ()):
            corpus = named_corpus(self._lab, [name])
            for file in corpus.files:
                check_unchanged(file)
            read.append(corpus)
        if step.kind == "merge_with":
            read.append(self._lab.loaded.get(step.options["tokenizer"])[0])
        return sha256(repr(read).encode()).hexdigest() if read else ""


def _applied(definition: Definition, step: Step, source: "_Library") -> Tables:
    try:
        with translate_engine_errors():
            return Tables.of(apply(definition, step, source))
    except engine.TrainError as error:
        raise TrainFailed(error.problem, error.hint) from error


def _effect(
    step: Step, before: Callable[[], Tables], after: Callable[[], Tables], renamed: Mapping[str, str]
) -> tuple[StepEffect, Mapping[str, str]]:
    """The effect of a step, and the old names of tokens by their new ones after it."""
    old, new = before(), after()
    found = changes(old, new, renamed_by(old, step))
    counts = (len(found.added), len(found.removed), len(found.moved))
    return StepEffect(step.kind, True, *counts, len(new.all_ids())), renamed_by(old, step, renamed)


def edited(lab: Lab, base: str, steps: Sequence[Step], *, text: str = "", watch: Watch | None = None) -> Edited:
    """What a recipe does, with the checks that need no encoding, and the round trip of `text`.

    Raises NotFound for the base, BadValue for a plug-in, Cancelled.

    >>> from lab_app.settings import Settings
    >>> edited(Lab(Settings()), "gpt2", [Step("add_words", {"words": ["regolith"]})]).added[0].token
    'Ġregolith'
    """
    draft, problem = lab.own(Drafts).attempt(base, steps, watch)
    lab.loaded.hold(draft.id, f"draft of {draft.entry.name}", draft.made)
    found = draft.changes
    checks = checking.quick_checks(draft.before, draft.after, found)
    if text:
        with translate_engine_errors():
            checks.append(checking.round_trip(draft.base, draft.made, draft.before, draft.after, text))
    before, after = _Parts(draft.base, draft.before), _Parts(draft.made, draft.after)
    return Edited(
        draft.entry.id,
        draft.id,
        len(draft.before.all_ids()),
        len(draft.after.all_ids()),
        draft.before.next_id(),
        draft.after.next_id(),
        draft.effects,
        len(found.added),
        len(found.removed),
        len(found.moved),
        [after.changed(token, None, id, before) for token, id in found.added[:MAX_LISTED]],
        [before.changed(token, id, None, after) for token, id in found.removed[:MAX_LISTED]],
        [after.changed(each.token, each.old, each.new, None) for each in found.moved[:MAX_LISTED]],
        checks,
        problem,
    )


def audited(lab: Lab, base: str, steps: Sequence[Step]) -> list[EditCheck]:
    """The checks that the engine proves for every token: none unreachable that was not, no dead merge. Takes seconds."""
    drafts = lab.own(Drafts)
    draft = drafts.draft(base, steps)
    before, after = (
        drafts.indexes.get(each, partial(engine.VocabularyIndex, each)) for each in (draft.base, draft.made)
    )
    return list(checking.audits(before, after, draft.before, draft.after))


def check_new_id(lab: Lab, id: str) -> None:
    """Raises BadValue for an id that cannot be one, Conflict for one that is taken."""
    refuse_taken(lab.catalog, check_id(id))


def keep(lab: Lab, base: str, steps: Sequence[Step], id: str) -> Entry:
    """Adds the result of a recipe to the Library as `id`. Raises Conflict if the id is taken, and as `edited` does."""
    check_new_id(lab, id)
    draft = lab.own(Drafts).draft(base, steps)
    with temporary_folder() as folder:
        file = folder / TOKENIZER_JSON
        file.write_text(json.dumps(draft.after.to_definition(), ensure_ascii=False), "utf-8")
        provenance = Provenance("composed", f"edited from {draft.entry.id}", licence=draft.entry.licence)
        return add(lab.catalog, [file], id, id=id, provenance=provenance)


def write_to(
    lab: Lab, base: str, steps: Sequence[Step], format: str, out: Path, *, force: bool = False
) -> tuple[Path, ...]:
    """Writes the result of a recipe. Raises BadValue for what the format cannot hold, Conflict, and as `edited` does."""
    draft = lab.own(Drafts).draft(base, steps)
    return write(draft.made, format, out, force=force)


class _Library:
    """The corpora and tokenizers of a lab, for edits. `definition` is known to be that of `tokenizer`."""

    def __init__(self, lab: Lab, watch: Watch, definition: Definition, tokenizer: engine.Tokenizer) -> None:
        self._lab = lab
        self._watch = watch
        self._known = (definition, tokenizer)

    def documents(self, names: Sequence[str], languages: Sequence[str] | None) -> Iterable[Batch]:
        """The documents of corpora, about a megabyte at a time, of all languages or of these."""
        corpora = [named_corpus(self._lab, [name]) for name in names]
        if languages is None:
            return self._watch.reading(corpora)
        for corpus in corpora:
            strange = next((name for name in languages if name not in corpus.languages), None)
            if strange is not None:
                known = ", ".join(corpus.languages) or "none are known"
                raise BadValue(f'{corpus.title} has no language "{strange}"', f"choose among its languages: {known}")
        wanted = {corpus.id: [corpus.languages.index(name) for name in languages] for corpus in corpora}
        return self._watch.reading(corpora, lambda corpus, batch: batch.of_languages(wanted[corpus.id]))

    def counts(self, definition: Definition, documents: Iterable[Batch]) -> Mapping[int, int]:
        """How often each ID occurs in texts."""
        known, tokenizer = self._known
        counted = tokenizer if definition is known else loaded(definition)
        tally = engine.Tally([counted], measures=["tokens"])
        for batch in documents:
            tally.add(batch.text, batch.ends, threads=0)
        counts = tally.counts(0)
        return {int(id): int(counts[id]) for id in np.flatnonzero(counts)}

    def definition(self, tokenizer: str) -> Definition:
        """The definition of a tokenizer of the Library."""
        return base_definition(*self._lab.loaded.get(tokenizer))


class _Parts:
    """Tokens of one side, and what the other side has in their place."""

    def __init__(self, tokenizer: engine.Tokenizer, tables: Tables) -> None:
        self._tokenizer = tokenizer
        self._added = {token["content"] for token in tables.added}

    def changed(self, token: str, old: int | None, new: int | None, other: "_Parts | None") -> ChangedToken:
        """A token of this side, with its parts on the other side."""
        id = new if new is not None else old
        data = b"" if id is None else self._tokenizer.token_bytes(id)
        parts = [] if other is None or token in self._added else other._parts_of(data)
        return ChangedToken(token, data.hex(), old, new, parts)

    def _parts_of(self, data: bytes) -> list[str]:
        try:
            ids = self._tokenizer.encode_bytes(data).tolist()
        except engine.EncodeError:
            return []
        return [self._tokenizer.id_to_token(id) for id in ids]
