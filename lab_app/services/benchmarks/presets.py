"""Usual benchmarks: what to compare, ready to be run on any text. Not here: running one (`benchmarks`)."""

from dataclasses import dataclass

from lab_app.benchmarks.result import Subject
from lab_app.errors import BadValue
from lab_app.peers import registry
from lab_app.services.formats import files_of
from lab_app.services.lab import Lab

USUAL_TOKENIZER = "gpt2"
BERT, GPT2 = "bert-base-uncased", "gpt2"


@dataclass(frozen=True)
class BenchmarkPreset:
    """What to compare. `baseline` is the key of a subject."""

    name: str
    title: str
    description: str
    subjects: list[Subject]
    baseline: str


@dataclass(frozen=True)
class BenchmarkPresets:
    """All of them, in the order of a menu; for one tokenizer where they have one."""

    tokenizer: str
    presets: list[BenchmarkPreset]


def presets(lab: Lab, tokenizer: str = USUAL_TOKENIZER) -> BenchmarkPresets:
    """The presets for one tokenizer. Raises NotFound, and BadValue for a plug-in.

    >>> from lab_app.settings import Settings
    >>> [preset.name for preset in presets(Lab(Settings())).presets]
    ['bert-gpt2', 'reference', 'installed']
    """
    files = files_of(lab, tokenizer)
    id, reference = files.tokenizer, registry.reference(files)
    ours = Subject(id, registry.OURS)
    first = Subject(id, reference or registry.OURS)
    others = [Subject(id, each.name) for each in registry.states(files) if each.usable]
    bert, gpt2 = (Subject(id, registry.OURS) for id in (BERT, GPT2))
    found = [
        BenchmarkPreset(
            "bert-gpt2",
            "BERT against GPT-2",
            "Two tokenizers in the engine of the lab: WordPiece against byte-level BPE.",
            [gpt2, bert],
            gpt2.key,
        ),
        BenchmarkPreset(
            "reference",
            "Ours against the reference",
            f"The engine of the lab against {reference}."
            if reference
            else f"No reference library that reads {id} is installed.",
            list(dict.fromkeys((first, ours))),
            first.key,
        ),
        BenchmarkPreset(
            "installed",
            "All installed engines",
            f"Every installed engine that reads {id}.",
            list(dict.fromkeys((first, *others))),
            first.key,
        ),
    ]
    return BenchmarkPresets(id, found)


def preset(lab: Lab, name: str, tokenizer: str = USUAL_TOKENIZER) -> BenchmarkPreset:
    """One preset. Raises BadValue for an unknown one, and as `presets` does."""
    found = presets(lab, tokenizer).presets
    for each in found:
        if each.name == name:
            return each
    raise BadValue(f'there is no preset "{name}"', f"choose among {', '.join(each.name for each in found)}")
