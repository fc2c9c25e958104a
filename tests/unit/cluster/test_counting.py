"""Counts of a cluster equal those of one process, whatever happens to its workers."""

import asyncio
import csv
import gzip
import json
import os
import random
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lab_app.analysis.corpus.counting import CountOptions, to_bytes
from lab_app.analysis.corpus.sampling import Sample, sample_of
from lab_app.cluster import counting, spread
from lab_app.cluster.connection import Connection, in_words
from lab_app.corpora.corpus import Corpus
from lab_app.corpora.describe import describe
from lab_app.corpora.partitions import Partition
from lab_app.corpora.scan import scan
from lab_app.engine import EncodeError, Tokenizer
from lab_app.errors import Cancelled, LoadFailed, Unavailable
from lab_app.services.analyses.counting import count as count_here
from tests import tiny
from tests.waiting import until

WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "<b>mats</b>",
    "12345",
    "été",
    "naïve",
    "日本語",
    "ไทย",
    "ab@example.org",
    "\x01",
    "don't",
    "🙂",
]
LINES = [" ".join(random.Random(n).choices(WORDS, k=n % 17)) for n in range(1200)]
PART_BYTES = 6_000


@pytest.fixture(scope="module")
def tokenizers() -> list[Tokenizer]:
    """One that travels by name, one by its definition."""
    vocab = Path(__file__).parents[3] / "lab_app" / "vendor" / "bert-base-uncased" / "vocab.txt"
    return [Tokenizer.builtin("gpt2"), Tokenizer.from_file(vocab)]


def lines(folder: Path) -> Corpus:
    (folder / "a.txt").write_text("\n".join(LINES), encoding="utf-8")
    (folder / "b.txt").write_bytes(b"caf\xe9\n\nlast")
    return describe([folder])


def packed(folder: Path) -> Corpus:
    for name in ("a", "b", "c"):
        (folder / f"{name}.jsonl.gz").write_bytes(
            gzip.compress("".join(json.dumps({"text": name + line}) + "\n" for line in LINES).encode())
        )
    return describe([folder])


def tables(folder: Path) -> Corpus:
    languages = [("en", "de", "th")[len(line) % 3] for line in LINES]
    pq.write_table(pa.table({"text": LINES, "lang": languages}), folder / "a.parquet", row_group_size=100)
    with (folder / "b.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "lang"), *zip(LINES, languages, strict=True)])
    return scan(describe([folder], text_column="text", language_column="lang"))[0]


def parallel(folder: Path) -> Corpus:
    for name in ("en", "de"):
        (folder / f"{name}.txt").write_text("".join(f"{name} {line}\n" for line in LINES), encoding="utf-8")
    return scan(describe([folder], parallel=True))[0]


def cleaned(folder: Path) -> Corpus:
    return replace(lines(folder), cleaning=("html", "emails", "control_characters", "length:5-60"))


def without_duplicates(folder: Path) -> Corpus:
    return replace(lines(folder), cleaning=("exact_duplicates",))


CORPORA = (lines, packed, tables, parallel, cleaned, without_duplicates)


@pytest.mark.parametrize("make", CORPORA, ids=lambda make: make.__name__)
def test_equals_one_process(connection: Connection, tokenizers, tmp_path: Path, make: Callable[[Path], Corpus]):
    corpus = make(tmp_path)
    options = CountOptions()
    expected = count_here(corpus, tokenizers, options)
    assert expected.tally.documents > 500
    done: list[int] = []
    found = counting.count(connection, corpus, tokenizers, options, done.append, partition_bytes=PART_BYTES)
    assert to_bytes(found) == to_bytes(expected)
    assert done == sorted(done) and done[-1] == corpus.bytes


@pytest.mark.parametrize("make", [lines, parallel], ids=lambda make: make.__name__)
@pytest.mark.parametrize("share", [2, 40])
def test_samples_are_the_same(connection: Connection, tokenizers, tmp_path: Path, make, share: int):
    corpus = make(tmp_path)
    sample = sample_of(corpus, corpus.bytes // share, seed=3)
    assert isinstance(sample, Sample)
    options = CountOptions(measures=("tokens", "words"), sample=sample)
    found = counting.count(connection, corpus, tokenizers, options, partition_bytes=PART_BYTES)
    assert to_bytes(found) == to_bytes(count_here(corpus, tokenizers, options)) and found.tally.documents


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(size=st.integers(4_000, 100_000))
def test_equals_one_process_for_any_partitions(connection: Connection, tokenizers, tmp_path: Path, size: int):
    corpus = lines(tmp_path)
    options = CountOptions(measures=("tokens", "agreement"))
    found = counting.count(connection, corpus, tokenizers, options, partition_bytes=size)
    assert to_bytes(found) == to_bytes(count_here(corpus, tokenizers, options))


def test_what_partitions_share_travels_once_to_each_worker(connection: Connection, tokenizers, tmp_path: Path):
    corpus = lines(tmp_path)
    options = CountOptions(measures=("tokens", "digits"))
    counting.count(connection, corpus, tokenizers, options, partition_bytes=PART_BYTES)

    def fetched(dask_worker) -> list[str]:
        return [key for each in dask_worker.transfer_incoming_log for key in each["keys"]]

    for keys in connection.client.run(fetched).values():
        assert len(keys) == len(set(keys)) and all(key.startswith("tokenlab-work-") for key in keys)


def test_a_worker_that_dies_costs_only_its_partitions(connection: Connection, tokenizers, tmp_path: Path):
    corpus = lines(tmp_path)
    victim = min(connection.client.run(os.getpid).values())
    killed: list[int] = []

    def report(done: int) -> None:
        if done and not killed:
            os.kill(victim, signal.SIGKILL)
            killed.append(done)

    options = CountOptions()
    found = counting.count(connection, corpus, tokenizers, options, report, partition_bytes=PART_BYTES)
    assert killed and killed[0] < corpus.bytes
    assert to_bytes(found) == to_bytes(count_here(corpus, tokenizers, options))


def test_a_stop_is_passed_on(connection: Connection, tokenizers, tmp_path: Path):
    def stop(done: int) -> None:
        raise Cancelled("stopped by the test")

    def tasks(dask_scheduler) -> int:
        return sum(str(key).startswith("tokenlab-") for key in dask_scheduler.tasks)

    with pytest.raises(Cancelled, match="stopped by the test"):
        counting.count(connection, lines(tmp_path), tokenizers, CountOptions(), stop, partition_bytes=PART_BYTES)
    # The scheduler forgets them a moment later.
    until(lambda: not connection.client.run_on_scheduler(tasks), "the scheduler keeps the tasks")


def test_a_task_that_nobody_wants_ends(tmp_path: Path, tokenizers, monkeypatch):
    corpus = lines(tmp_path)
    part = Partition(0, 0, 1, 0, corpus.files[0].size_bytes, corpus.files[0].size_bytes)
    work = counting.Work(corpus, tokenizers, CountOptions(), counting.versions())
    monkeypatch.setattr(spread, "wanted", lambda: lambda: False)
    with pytest.raises(Cancelled):
        counting.counts_of(work, part)


def test_a_file_that_a_worker_cannot_see(connection: Connection, tokenizers, tmp_path: Path):
    corpus = lines(tmp_path)
    (tmp_path / "a.txt").rename(tmp_path / "moved.txt")
    with pytest.raises(LoadFailed, match=r"on the worker on .*: there is no file .*a\.txt: .* same path"):
        counting.count(connection, corpus, tokenizers, CountOptions())
    (tmp_path / "a.txt").write_text("another file", encoding="utf-8")
    with pytest.raises(LoadFailed, match=r"a\.txt has another size or time than here: .*rsync -t"):
        counting.count(connection, corpus, tokenizers, CountOptions())


def test_a_damaged_file(connection: Connection, tokenizers, tmp_path: Path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(os.urandom(5000).hex().encode()))
    corpus = describe([path])
    path.write_bytes(path.read_bytes()[:-4000] + bytes(4000))
    os.utime(path, ns=(corpus.files[0].modified_ns,) * 2)
    with pytest.raises(LoadFailed, match=r"on the worker on .*a\.txt\.gz cannot be read"):
        counting.count(connection, corpus, tokenizers, CountOptions())


def test_a_text_that_cannot_be_encoded(connection: Connection, tmp_path: Path):
    path = tiny.tokenizer_json(tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace('"[UNK]": 0, ', ""), encoding="utf-8")
    (tmp_path / "text.txt").write_text("hello unknown\n", encoding="utf-8")
    tokenizer = Tokenizer.from_file(path)
    corpus = describe([tmp_path / "text.txt"])
    with pytest.raises(EncodeError) as here:
        count_here(corpus, [tokenizer], CountOptions())
    with pytest.raises(EncodeError) as there:
        counting.count(connection, corpus, [tokenizer], CountOptions())
    assert str(there.value) == str(here.value)


def test_errors_of_dask_in_words(tmp_path: Path):
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    corpus = lines(tmp_path)
    part = Partition(0, 0, 1, 10, 20, 10)
    killed = in_words(KilledWorker("key", None, 3), spread.place_of(corpus, part), "start again")
    assert isinstance(killed, Unavailable) and "a.txt from byte 10 to 20 died, 4 in all" in str(killed)
    lost = in_words(FutureCancelledError("key", "scheduler-connection-lost"), "the text", "start again")
    assert "connection to the scheduler was lost" in str(lost)
    other = in_words(ModuleNotFoundError("No module named 'lab_app.cluster'"), "the text", "start again")
    assert "No module named" in str(other) and "install this version" in str(other)


class Turn:
    """One turn of the event loop."""

    def __await__(self) -> Iterator[None]:
        yield


def test_a_gather_that_nobody_waits_for_any_longer_takes_no_other_with_it(connection: Connection):
    client = connection.client

    async def gather() -> int:
        with client.as_current():
            one, other = (client.submit(abs, -number, pure=False) for number in (1, 2))
            for future in (one, other):
                await spread.ended(future)
            first = asyncio.create_task(spread.gathered(one))
            while client._gather_future is None:
                await Turn()
            first.cancel()
            return await asyncio.wait_for(spread.gathered(other), 10)

    assert connection.start(gather()).result(20) == 2
