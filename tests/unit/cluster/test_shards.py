"""Shards that the workers of a cluster write are those of one process."""

from pathlib import Path

from lab_app.cluster.connection import Connection
from lab_app.cluster.shards import writer
from lab_app.corpora.describe import describe
from lab_app.jobs.job import Job, Running
from lab_app.services.lab import Lab
from lab_app.services.shards.shards import by_threads, write_shards
from lab_app.settings import Settings
from lab_app.shards.options import ShardOptions


def test_are_those_of_one_process(connection: Connection, tmp_path: Path):
    (tmp_path / "a.txt").write_text(
        "".join(f"line {number} of café 日本語\n" for number in range(900)), encoding="utf-8"
    )
    corpus, lab = describe([tmp_path / "a.txt"]), Lab(Settings(data_dir=tmp_path / "data"))
    options = ShardOptions(shuffle=1, shard_bytes=6_000)
    for name, write in (("here", by_threads()), ("there", writer(connection))):
        running = Running(Job("shards", "shards", "Shards", "bytes", state="running"))
        made = write_shards(lab, "gpt2", corpus, tmp_path / name, options, running, write)
        assert (made.documents, made.reused) == (900, 0)
    here, there = (
        {path.name: path.read_bytes() for path in (tmp_path / name).glob("*.npy")} for name in ("here", "there")
    )
    assert len(here) == 2 * made.shards > 6
    assert here == there
