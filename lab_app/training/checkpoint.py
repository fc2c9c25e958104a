"""Checkpoints of a training: written beside and renamed, checked when they are read. Not here: when (`run`)."""

import json
import struct
import zlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from lab_app import engine
from lab_app.errors import LoadFailed, NotFound, Unavailable, reason
from lab_app.files import replaced
from lab_app.training.counting import Counted
from lab_app.training.sources import UnitReport

MAGIC = b"TOKENLAB-TRAINING-2\n"
NAME = "checkpoint"
HEAD = struct.Struct("<QQI")  # size of the facts, size of the data, their CRC-32


@dataclass(frozen=True)
class Checkpoint:
    """How far a training was: `data` is a word counter while it counts, then a trainer."""

    stage: Literal["count", "merge"]
    data: bytes
    facts: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of_counted(cls, counted: Counted, facts: dict[str, Any]) -> "Checkpoint":
        """The checkpoint of counts; the texts are named in `facts`."""
        more = {
            "reports": {number: asdict(each) for number, each in counted.reports.items()},
            "held_out": counted.held_out,
        }
        return cls("count", counted.words.to_bytes(), facts | more)

    def counted(self, options: str) -> Counted:
        """The counts of a checkpoint of counts."""
        reports = {int(number): UnitReport(**each) for number, each in self.facts["reports"].items()}
        held = {int(number): texts for number, texts in self.facts["held_out"].items()}
        return Counted(engine.WordCounter.from_bytes(options, self.data), reports, held)

    def write(self, folder: Path) -> None:
        """Writes it as the one checkpoint of a folder. Raises Unavailable; the one before then stays."""
        facts = json.dumps({"stage": self.stage, **self.facts}, ensure_ascii=False).encode()
        head = HEAD.pack(len(facts), len(self.data), zlib.crc32(self.data, zlib.crc32(facts)))
        try:
            with replaced(folder / NAME) as path, path.open("wb") as stream:
                stream.writelines((MAGIC, head, facts, self.data))
        except OSError as error:
            raise Unavailable(
                f"the checkpoint cannot be written to {folder}: {reason(error)}", "make room there"
            ) from error

    @classmethod
    def read(cls, folder: Path) -> "Checkpoint":
        """The checkpoint of a folder. Raises NotFound without one, LoadFailed for a damaged one."""
        try:
            content = (folder / NAME).read_bytes()
        except FileNotFoundError as error:
            raise NotFound(f"{folder} holds no checkpoint", "start the training again") from error
        except OSError as error:
            raise LoadFailed(f"{folder / NAME} cannot be read: {reason(error)}", "check its permissions") from error
        begin = len(MAGIC) + HEAD.size
        if content.startswith(MAGIC) and len(content) >= begin:
            size, data_size, crc = HEAD.unpack_from(content, len(MAGIC))
            if begin + size + data_size == len(content) and zlib.crc32(content[begin:]) == crc:
                facts = json.loads(content[begin : begin + size])
                return cls(facts.pop("stage"), content[begin + size :], facts)
        raise LoadFailed(f"{folder / NAME} is not a whole checkpoint", "start the training again")


def exists(folder: Path) -> bool:
    """Whether a folder holds a checkpoint.

    >>> exists(Path("no such folder"))
    False
    """
    return (folder / NAME).is_file()
