"""`train_bpe` and its kin: a tokenizer from files or texts in one call, without the lab's database.

Not here: trainings that are watched, paused and kept (`lab_app.services.trainings.trainings`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from lab_app.engine import Tokenizer
    from lab_app.training.options import Algorithm, TrainingOptions
    from lab_app.training.progress import Progress

    Source = str | Path | Iterable[str] | Iterable[Path]
    Options = Mapping[str, Any] | TrainingOptions


class Stoppable(Protocol):
    """What says that a training must stop, such as a `threading.Event`."""

    def is_set(self) -> bool:
        """Whether to stop."""


def train_bpe(
    source: Source,
    options: Options | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: Stoppable | None = None,
) -> Tokenizer:
    """Trains byte-pair encoding: byte-level with the split pattern of GPT-2, unless `options` says otherwise.

    `source`: the path of a file or folder, or a pattern such as `data/*.txt`; several of them as `Path`s; or an iterable of
    texts, of which some are in memory at a time. `options`: fields of `TrainingOptions` that differ from the preset, which
    `{"preset": "llama"}` chooses. `progress` gets each `Progress`. Setting `cancel` stops it within a tenth of a second.

    Raises BadValue for options or sources that cannot be, LoadFailed while reading, TrainError, Cancelled.

    >>> tokenizer = train_bpe(["aaabdaaabac"], {"vocab_size": 259, "special_tokens": [], "min_frequency": 1})
    >>> [tokenizer.id_to_token(id) for id in range(256, 259)]
    ['aa', 'ab', 'aaab']

    Source: Sennrich, Haddow, Birch, "Neural Machine Translation of Rare Words with Subword Units", ACL 2016.
    """
    return _train("bpe", source, options, progress, cancel)


def train_wordpiece(
    source: Source,
    options: Options | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: Stoppable | None = None,
) -> Tokenizer:
    """Trains WordPiece as BERT has it. Arguments and errors as those of `train_bpe`.

    >>> tokenizer = train_wordpiece(["low lower lowest"], {"vocab_size": 40, "min_frequency": 1})
    >>> tokenizer.encode("low").tokens[1:-1]
    ['low']

    Source: Schuster, Nakajima, "Japanese and Korean Voice Search", ICASSP 2012.
    """
    return _train("wordpiece", source, options, progress, cancel)


def train_unigram(
    source: Source,
    options: Options | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: Stoppable | None = None,
) -> Tokenizer:
    """Trains a Unigram language model. Arguments and errors as those of `train_bpe`.

    `{"variant": "sentencepiece"}` trains as SentencePiece does; its own variant, "words", makes fewer tokens of a text.

    >>> tokenizer = train_unigram(["low lower lowest new newer newest"] * 9, {"vocab_size": 20})
    >>> tokenizer.vocab_size <= 20
    True

    Source: Kudo, "Subword Regularization", ACL 2018.
    """
    return _train("unigram", source, options, progress, cancel)


def train_wordlevel(
    source: Source,
    options: Options | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: Stoppable | None = None,
) -> Tokenizer:
    """Takes the most frequent words as the vocabulary. Arguments and errors as those of `train_bpe`.

    >>> train_wordlevel(["a b a"], {"vocab_size": 2, "min_frequency": 1}).encode("a b").tokens
    ['a', '[UNK]']
    """
    return _train("wordlevel", source, options, progress, cancel)


def train_character(
    source: Source,
    options: Options | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: Stoppable | None = None,
) -> Tokenizer:
    """Takes the most frequent characters as the vocabulary. Arguments and errors as those of `train_bpe`.

    >>> train_character(["abab"], {"vocab_size": 10}).encode("ab").tokens
    ['a', 'b']
    """
    return _train("character", source, options, progress, cancel)


def _train(
    algorithm: Algorithm,
    source: Source,
    options: Options | None,
    progress: Callable[[Progress], None] | None,
    cancel: Stoppable | None,
) -> Tokenizer:
    from lab_app.engine import TrainError
    from lab_app.errors import TrainFailed
    from lab_app.files import temporary_folder
    from lab_app.training.control import Control
    from lab_app.training.run import Run

    plan = _plan(source, _options(algorithm, options))
    control = Control(cancel.is_set) if cancel is not None else Control()
    with temporary_folder() as folder:
        run = Run(plan, folder, control, progress or (lambda now: None), checkpoint_s=float("inf"))
        try:
            return run.run().tokenizer
        except TrainFailed as error:
            raise error.__cause__ if isinstance(error.__cause__, TrainError) else error from None


def _options(algorithm: Algorithm, given: Options | None) -> TrainingOptions:
    from lab_app.errors import BadValue
    from lab_app.training.options import TrainingOptions, resolved

    if isinstance(given, TrainingOptions):
        if given.algorithm != algorithm:
            raise BadValue(f"these are options of {given.algorithm}, not {algorithm}", f"call train_{given.algorithm}")
        return given
    values = dict(given or {})
    return resolved(values.pop("preset", None), {"algorithm": algorithm, **values})


def _plan(source: Source, options: TrainingOptions) -> Any:
    from lab_app.training.counting import Counted, count_texts
    from lab_app.training.run import Plan
    from lab_app.training.sources import Text, files_text

    if isinstance(source, str | Path):
        return Plan(options, files_text([source]))
    if isinstance(source, list | tuple) and source and all(isinstance(each, Path) for each in source):
        return Plan(options, files_text(source))

    def count_given(reading: Any, control: Any, report: Callable[[int], None], **settings: Any) -> Counted:
        texts: Iterable[str] = source  # type: ignore[assignment]
        return Counted(count_texts(texts, reading.options, control, report, threads=settings["threads"]))

    return Plan(options, Text("the given texts", ()), count=count_given)
