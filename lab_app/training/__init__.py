"""Training of tokenizers: presets, texts, counting, the run with its checkpoints, and the files that it writes.

`train_bpe` and the others are the Python interface. Not here: the trainers themselves (`engine_rs/train`), kept trainings
(`lab_app.services.trainings.trainings`), other machines (`lab_app.cluster.training`).
"""

from lab_app.training.functions import train_bpe, train_character, train_unigram, train_wordlevel, train_wordpiece

__all__ = ["train_bpe", "train_character", "train_unigram", "train_wordlevel", "train_wordpiece"]
