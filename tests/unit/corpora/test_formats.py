"""The same documents come out of every format and compression."""

import csv
import gzip
import io
import json
import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lab_app.corpora.describe import describe
from lab_app.corpora.finding import find_files
from lab_app.corpora.partitions import partitions
from lab_app.corpora.readers.columns import columns
from lab_app.corpora.readers.objects import text_of
from lab_app.corpora.reading import batches
from lab_app.corpora.scan import scan
from lab_app.errors import BadRequest, BadValue, Cancelled, LoadFailed
from tests.unit.corpora.test_reading import read

TEXTS = ["one", "two, with a comma", 'three "quoted"', "ça 🙂", "", "tab\tand ; more"]
LANGUAGES = ["en", "en", "en", "fr", "fr", ""]
ROWS = [{"id": str(n), "text": t, "lang": v} for n, (t, v) in enumerate(zip(TEXTS, LANGUAGES, strict=True))]
KEPT = [text for text in TEXTS if text]


def as_csv(rows, delimiter=",") -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, rows[0], delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def as_parquet(rows, **options) -> bytes:
    out = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows), out, **options)
    return out.getvalue().to_pybytes()


CONTENTS = {
    "a.txt": "\n".join(TEXTS).encode(),
    "a.jsonl": "\n".join(json.dumps(row) for row in ROWS).encode(),
    "a.csv": as_csv(ROWS),
    "b.csv": as_csv(ROWS, ";").replace(b",", b"\xd8\x8c"),
    "a.parquet": as_parquet(ROWS, row_group_size=2),
    "b.parquet": as_parquet(ROWS, use_dictionary=["text", "lang"], compression="zstd"),
}


with pa.BufferOutputStream() as _out:
    pq.write_table(pa.table([pa.array(["a"]), pa.array(["b"])], names=["text", "text"]), _out)
    TWO_OF_ONE_NAME = _out.getvalue().to_pybytes()

PACKED = [(name, packing) for name in CONTENTS for packing in ("", ".gz", ".zst")]


@pytest.mark.parametrize(("name", "packing"), PACKED)
def test_every_format_has_the_same_documents(tmp_path, name, packing):
    content = CONTENTS[name]
    if packing == ".gz":  # two members, as `cat a.gz b.gz` makes them
        content = gzip.compress(content[:20]) + gzip.compress(content[20:])
    elif packing == ".zst":
        content = pa.compress(content, "zstd", asbytes=True)
    (tmp_path / (name + packing)).write_bytes(content)
    columns = {} if name.endswith("txt") else {"language_column": "lang"}
    corpus, report = scan(describe([tmp_path], **columns))
    kept = [text.replace(",", "،") for text in KEPT] if name == "b.csv" else KEPT
    for size in (1e6, 100, 40):
        for batch_bytes in (1e6, 9):
            found, again = read(corpus, size, batch_bytes)
            assert found == kept, (size, batch_bytes)
            assert (again.empty, again.skipped, again.read_bytes) == (1, 0, corpus.bytes)
    assert (corpus.documents, report.documents, report.empty) == (5, 5, 1)
    if columns:
        assert (corpus.text_column, corpus.languages) == ("text", ("en", "fr", "unknown"))


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.jsonl", "a.csv", "a.tsv", "a.parquet"])
def test_no_batch_is_much_larger_than_asked_for(tmp_path, name):
    from lab_app.corpora.partitions import partitions
    from lab_app.corpora.reading import batches

    rows = [{"text": f"line {number} of some length"} for number in range(20_000)]
    lines = "\n".join(row["text"] for row in rows).encode()
    contents = {
        "a.txt": lines,
        "a.txt.gz": gzip.compress(lines),
        "a.jsonl": "\n".join(map(json.dumps, rows)).encode(),
        "a.csv": as_csv(rows),
        "a.tsv": b"text\n" + lines,
        "a.parquet": as_parquet(rows),
    }
    (tmp_path / name).write_bytes(contents[name])
    corpus = describe([tmp_path])
    sizes = [len(batch.text) for part in partitions(corpus) for batch in batches(corpus, part, 10_000)]
    assert sum(sizes) == len(lines) - len(rows) + 1
    assert max(sizes) <= 20_000 and len(sizes) > 20


def test_a_value_of_many_rows_is_not_repeated_in_memory(tmp_path):
    from lab_app.corpora.partitions import partitions
    from lab_app.corpora.reading import batches

    rows = [{"text": "x" * 10_000 if number % 3 else None, "lang": "en"} for number in range(3000)]
    for name, options in (
        ("a", {}),
        ("b", {"use_dictionary": False}),
        ("c", {"use_dictionary": False, "column_encoding": {"text": "DELTA_BYTE_ARRAY"}}),
    ):
        path = tmp_path / f"{name}.parquet"
        path.write_bytes(as_parquet(rows, **options))
        corpus = describe([path], language_column="lang")
        found = [batch for part in partitions(corpus) for batch in batches(corpus, part, 100_000)]
        assert sum(len(batch.text) for batch in found) == 20_000_000
        assert {text for batch in found for text in batch.strings()} == {"x" * 10_000}
        assert max(len(batch.text) for batch in found) <= 220_000


def test_long_values_stored_as_differences_are_not_all_in_memory(tmp_path):
    """The file holds the first value, and for each other that it equals the one before: a few bytes for a megabyte."""
    import pyarrow as pa

    from lab_app.corpora.partitions import partitions
    from lab_app.corpora.reading import batches

    path = tmp_path / "a.parquet"
    rows = [{"text": "x" * 1_000_000}] * 120
    path.write_bytes(as_parquet(rows, use_dictionary=False, column_encoding={"text": "DELTA_BYTE_ARRAY"}))
    assert path.stat().st_size < 100_000
    usual = pa.default_memory_pool()
    pool = pa.proxy_memory_pool(usual)
    pa.set_memory_pool(pool)
    try:
        corpus = describe([path])
        sizes = [len(batch.text) for part in partitions(corpus) for batch in batches(corpus, part)]
    finally:
        pa.set_memory_pool(usual)
    assert sum(sizes) == 120_000_000 and max(sizes) <= 2_000_000
    assert pool.max_memory() < 60_000_000


def test_reading_asks_whether_to_stop_even_inside_a_line(tmp_path):
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"a" * 30_000_000))
    calls = []

    def stop(done, total):
        calls.append((done, total))
        if len(calls) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scan(describe([tmp_path]), stop)
    assert all(done <= total for done, total in calls)


def test_languages_of_rows_reach_the_batches(tmp_path):
    from lab_app.corpora.partitions import partitions
    from lab_app.corpora.reading import batches

    for name in ("a.jsonl", "a.csv", "a.parquet"):
        (tmp_path / name).write_bytes(CONTENTS[name])
        corpus, _ = scan(describe([tmp_path / name], language_column="lang"))
        (batch,) = (batch for part in partitions(corpus) for batch in batches(corpus, part))
        assert batch.languages.tolist() == [0, 0, 0, 1, 2], name


def test_documents_of_files_without_languages_are_unknown(tmp_path):
    from lab_app.corpora.partitions import partitions
    from lab_app.corpora.reading import batches

    (tmp_path / "a.jsonl").write_bytes(CONTENTS["a.jsonl"])
    (tmp_path / "b.txt").write_text("plain\n\ntext\n")
    corpus, _ = scan(describe([tmp_path], language_column="lang"))
    assert corpus.languages == ("en", "fr", "unknown")
    (batch,) = (batch for part in partitions(corpus) for batch in batches(corpus, part))
    assert batch.languages.tolist() == [0, 0, 0, 1, 2, 2, 2]


def test_languages_and_columns_of_json_are_whole_characters(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'{"text": "a b", "lang": "\\ud800", "\\udc00": 1}\n')
    corpus, report = scan(describe([tmp_path], language_column="lang"))
    assert corpus.languages == ("\ufffd",) and report.replaced_characters == 1
    assert columns(corpus.files[0]) == ["text", "lang"]


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
def test_the_mark_inside_a_packed_file_says_the_encoding(tmp_path, packing):
    content = "olé\nça 🙂\n".encode("utf-16")
    packed = gzip.compress(content) if packing == "gzip" else pa.compress(content, "zstd", asbytes=True)
    (tmp_path / {"gzip": "a.txt.gz", "zstd": "a.txt.zst"}[packing]).write_bytes(packed)
    corpus = describe([tmp_path])
    assert corpus.files[0].encoding == "utf-16" and read(corpus)[0] == ["olé", "ça 🙂"]


def test_a_tsv_cell_ends_at_a_tab_and_quotes_are_text(tmp_path):
    (tmp_path / "a.tsv").write_bytes(b'text\tid\n"open\t1\r\n\n5" disc\t2\nalone\n')
    found, report = read(describe([tmp_path]))
    assert found == ['"open', '5" disc', "alone"]
    assert report.skipped == 0


def test_csv_cells_may_hold_line_ends(tmp_path):
    (tmp_path / "a.csv").write_bytes(b'id,text\n1,"two\nlines"\n2\n3,last\n')
    found, report = read(describe([tmp_path]))
    assert found == ["two\nlines", "last"]
    assert [(one.place.rpartition(" ")[2], one.reason) for one in report.places] == [
        ("3", "1 cells, where the first row has 2")
    ]


def test_markdown_is_one_document_per_file(tmp_path):
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbf# One\r\n\r\ntext\n")
    (tmp_path / "b.md").write_text("two")
    corpus = describe([tmp_path])
    assert read(corpus)[0] == ["# One\n\ntext\n", "two"]
    found, report = read(corpus, max_document_bytes=4)
    assert found == ["two"] and report.places[0].place.startswith(corpus.files[0].path)


@pytest.mark.parametrize(
    ("name", "content", "options", "message"),
    [
        ("a.parquet", b"PAR1 cut off", {}, r"a\.parquet cannot be read: .*[Pp]arquet"),
        ("a.parquet", CONTENTS["a.parquet"][:-300] + CONTENTS["a.parquet"][-200:], {}, r"a\.parquet cannot be read"),
        ("a.parquet.gz", gzip.compress(bytes(3_000_000)), {}, "unpacked, it is not Parquet"),
        ("a.parquet.gz", gzip.compress(b"PAR1" + bytes(70_000_000)), {}, "unpacked, it is more than 64 times as large"),
        ("a.txt.gz", b"not packed", {}, r"a\.txt\.gz cannot be read"),
        ("a.txt.gz", gzip.compress(b"text\n" * 9999)[:-40], {}, r"a\.txt\.gz cannot be read"),
        ("a.txt.zst", pa.compress(b"text\n" * 9999, "zstd", asbytes=True)[:-9], {}, r"a\.txt\.zst cannot be read"),
        ("a.csv", b"a,b\n1,2\n", {}, "does not say which column holds the text: choose one of its columns: a, b"),
        ("a.csv", b"a,b\n1,2\n", {"text_column": "c"}, 'has no column "c": choose one of its columns: a, b'),
        ("a.jsonl", b'{"n": 1}\n', {"text_column": "n"}, 'the first document was skipped: .*"n" holds 1, which is not text'),
        ("a.jsonl", b"no json\n", {}, "does not say which column holds the text"),
        ("a.txt", b"\n\r\n\n", {}, "a.txt holds no text"),
        ("a.txt", b"", {}, "a.txt holds no text"),
        ("a.csv", b"", {}, r"a\.csv is empty"),
        ("a.csv", b"\n", {}, "its first line must name them"),
        ("a.jsonl", b"", {}, r"a\.jsonl is empty"),
        ("a.jsonl", b"[1]\n", {}, "it has no objects with fields among its first 1000 lines"),
        ("a.jsonl", b'{"id": 1, "data": {"text": "a", "n": {"m": 1}}}\n', {}, r"columns: id, data\.text, data\.n\.m"),
        ("a.jsonl", b'{"id": 1, "data": {"text": "a"}}\n', {"text_column": "data"}, r"choose .*: id, data\.text"),
        ("a.json", b'{\n  "text": "a"\n}', {}, r"is one JSON object, not a list of documents: .*\.jsonl"),
        ("a.json", b'[{"text": "a"}, {"text": "b"]', {}, "item 2 is not JSON"),
        ("a.json", b'[{"text": "a"}', {}, "item 1 is not followed by a comma or the end"),
        ("a.json", b'[{"text": "a"},]', {}, "item 2 is not JSON"),
        ("a.json", b'[{"text": "a"}] {}', {}, "text follows the array"),
        ("a.json", b"[1, {}]", {}, r"it has no objects with fields among its first 1000 items: write \[\{"),
        ("a.json", b"[]", {}, r"it has no objects with fields among its first 1000 items: write \[\{"),
        ("a.parquet", as_parquet([{"a": {"b": "x", "c": "y"}}]), {}, r"choose one of its columns: a\.b, a\.c"),
        ("a.parquet", as_parquet([{"text": [1, 2]}]), {}, "list<.*>, which is not text"),
        ("a.parquet", TWO_OF_ONE_NAME, {}, 'has 2 columns "text": rename all but one'),
        ("a.csv", b"text,text\na,b\n", {}, 'has 2 columns "text": rename all but one'),
        ("a.csv", b'text,id\nx,1\n"open,2\ny,3\n', {}, "the row of line 3: a quotation mark is not closed"),
        ("a.csv", b'text,id\n"open,1\n"next",2\n', {}, "the row of line 2: a quotation mark is not closed"),
        ("a.txt.gz", gzip.compress(b"PK\0\0"), {}, r"a\.txt\.gz is not text: byte 2 is zero"),
    ],
    # By name: packed bytes hold the time, and every worker must find the same tests.
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)  # fmt: skip
def test_bad_files_are_refused_with_the_reason(tmp_path, name, content, options, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises((LoadFailed, BadValue), match=message):
        scan(describe([tmp_path / name], **options))


def test_a_field_of_an_object_in_an_object_is_a_column(tmp_path):
    rows = [{"data": {"text": "a", "lang": "en"}}, {"data.text": "b"}, {"data": "c"}]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    corpus = describe([tmp_path], text_column="data.text", language_column="data.lang")
    assert read(corpus)[0] == ["a", "b"]


DIFFERENCES = {"data.text": "DELTA_BYTE_ARRAY", "data.lang.code": "PLAIN", "n": "PLAIN"}


@pytest.mark.parametrize("options", [{}, {"use_dictionary": False, "column_encoding": DIFFERENCES}])
def test_a_field_of_a_struct_is_a_column(tmp_path, options):
    rows = [{"data": {"text": text, "lang": {"code": "en"}}, "n": 1} for text in ("a", "é", "c")] + [
        {"data": None, "n": 2}
    ]
    (tmp_path / "a.parquet").write_bytes(as_parquet(rows, **options))
    corpus, report = scan(describe([tmp_path], text_column="data.text", language_column="data.lang.code"))
    assert read(corpus)[0] == ["a", "é", "c"]
    assert corpus.languages == ("en", "unknown") and report.empty == 1


@pytest.mark.parametrize(
    "row",
    [{"a.b": {"c": "x", "d.e": "en"}}, {"a": {"b.c": "x", "b.d.e": "en"}}, {"a": {"b": {"c": "x", "d": {"e": "en"}}}}],
)
def test_names_of_columns_and_fields_may_hold_dots(tmp_path, row):
    (tmp_path / "a.parquet").write_bytes(as_parquet([{**row, "a.n": 1}, {**row, "a.n": 2}]))
    corpus, _ = scan(describe([tmp_path / "a.parquet"], text_column="a.b.c", language_column="a.b.d.e"))
    assert columns(corpus.files[0]) == ["a.b.c", "a.b.d.e", "a.n"]
    assert (read(corpus)[0], corpus.languages) == (["x", "x"], ("en",))


CHATS = [
    [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": None}, {"role": "user", "content": "Bye"}],
    [],
    [{"role": "user", "content": "é"}],
]


@pytest.mark.parametrize("suffix", ["jsonl", "json", "parquet"])
def test_chat_messages_are_one_document_of_their_texts(tmp_path, suffix):
    rows = [{"id": n, "messages": chat} for n, chat in enumerate(CHATS)]
    content = {
        "jsonl": lambda: "".join(f"{json.dumps(row)}\n" for row in rows).encode(),
        "json": lambda: json.dumps(rows, indent=1).encode(),
        "parquet": lambda: as_parquet(rows),
    }[suffix]()
    (tmp_path / f"a.{suffix}").write_bytes(content)
    corpus, report = scan(describe([tmp_path / f"a.{suffix}"]))
    assert (corpus.text_column, read(corpus)[0], report.empty) == ("messages", ["Hi\nBye", "é"], 1)


def test_messages_have_their_texts_in_content_or_value_and_in_parts():
    assert text_of([{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}]) == "a\nb"
    assert text_of([{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image"}]}]) == "a"
    assert [text_of(value) for value in ([1], [{"role": "user"}], [{"content": 1}], 1, {})] == [None] * 5


@pytest.mark.parametrize("packing", ["", ".gz"])
def test_an_array_of_objects_is_read_one_object_at_a_time(tmp_path, packing):
    rows = [*ROWS, {"text": "𝄞 " * 40, "lang": "en"}]
    for text in (json.dumps(rows), json.dumps(rows, ensure_ascii=False, indent=2), "\ufeff" + json.dumps(rows) + "\n"):
        content = text.encode()
        (tmp_path / f"a.json{packing}").write_bytes(gzip.compress(content) if packing else content)
        corpus, report = scan(describe([tmp_path / f"a.json{packing}"], language_column="lang"))
        assert corpus.format == "json" and report.documents == len(KEPT) + 1
        for batch_bytes in (1e6, 9):
            assert read(corpus, 10, batch_bytes)[0] == [*KEPT, "𝄞 " * 40]


def test_items_that_are_no_objects_are_skipped_with_their_place(tmp_path):
    (tmp_path / "a.json").write_bytes(b'[{"text": "one"}, 2, {"text": 3}, {"text": "caf\xe9 \\ud800"}]')
    found, report = read(describe([tmp_path / "a.json"]))
    assert found == ["one", "caf� �"] and report.replaced_characters == 2
    assert [one.place.rpartition(" ")[2] for one in report.places] == ["2", "3"]


@pytest.mark.parametrize("first", ["null", "1", "[1, 2]", "{}"])
def test_the_first_object_with_fields_names_the_columns(tmp_path, first):
    (tmp_path / "a.json").write_text(f'[{first}, {{"text": "x", "id": 1}}]')
    (tmp_path / "b.jsonl").write_text(f'{first}\nno json\n{{"text": "y", "id": 2}}\n')
    corpus = describe([tmp_path / "a.json", tmp_path / "b.jsonl"])
    assert corpus.text_column == "text" and [columns(file) for file in corpus.files] == [["text", "id"]] * 2
    found, report = read(corpus)
    assert found == ["x", "y"] and report.skipped + report.empty == 3


def test_a_file_called_json_with_an_object_per_line_is_json_lines(tmp_path):
    (tmp_path / "a.json").write_bytes(CONTENTS["a.jsonl"])
    corpus = describe([tmp_path / "a.json"], language_column="lang")
    assert (corpus.format, read(corpus)[0]) == ("jsonl", KEPT)


@pytest.mark.parametrize("packing", ["", ".gz"])
@pytest.mark.parametrize("text", ["a", "a" * 3_000_000])
def test_a_file_called_json_that_is_one_object_is_refused_however_it_is_written(tmp_path, text, packing):
    path = tmp_path / f"a.json{packing}"
    line = json.dumps({"data": [{"text": text}]})
    for start, end in (("", ""), ("", "\n"), ("\ufeff\n", "\n \r\n" + "\n" * 2_000_000)):
        for encoding in ("utf-8", "utf-16"):
            content = f"{start}{line}{end}".encode(encoding)
            path.write_bytes(gzip.compress(content) if packing else content)
            with pytest.raises(BadValue, match="is one JSON object, not a list of documents"):
                describe([path])
    assert columns(describe([path], format="jsonl", text_column="data").files[0]) == ["data"]
    path.write_bytes(gzip.compress(f"{line}\n{line}".encode()) if packing else f"{line}\n{line}".encode())
    assert describe([path]).format == "jsonl"


def test_json_is_read_line_by_line_where_that_is_wanted(tmp_path):
    (tmp_path / "a.json").write_text("[1,\n2]\n")
    assert read(describe([tmp_path / "a.json"], format="txt"))[0] == ["[1,", "2]"]


def test_a_row_group_of_values_that_are_far_too_long_is_refused_before_it_is_read(tmp_path):
    """Packed, a gigabyte of one letter is some kilobytes: it must not be unpacked to find that it is too long."""
    from lab_app.corpora.partitions import partitions
    from lab_app.corpora.reading import batches

    (tmp_path / "a.parquet").write_bytes(as_parquet([{"text": "a" * 1_000_000}, {"text": "b"}]))
    corpus = describe([tmp_path])
    with pytest.raises(LoadFailed, match=r"row group 0 holds \d+ bytes in 2 rows; a document has at most 50000 bytes"):
        list(batches(corpus, partitions(corpus)[0], max_document_bytes=50_000))


def test_lines_that_are_no_json_have_their_place(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'{"text": "one"}\n{"text": \n[1]\n\n{"text": "\\ud800"}\n{"text": null}\n')
    found, report = read(describe([tmp_path]))
    assert found == ["one", "�"] and report.replaced_characters == 1
    assert [one.place.rpartition(" ")[2] for one in report.places] == ["16", "26"]
    assert report.empty == 1


@pytest.mark.parametrize(
    ("head", "options", "found"),
    [
        ("text,lang", {}, ("text", "lang")),
        ("Locale,body", {}, ("body", "Locale")),
        ("words,language", {}, ("words", "language")),
        ("lang,language,text", {}, ("text", "language")),
        ("text,lang", {"language_column": ""}, ("text", None)),
        ("text,lang,tongue", {"language_column": "tongue"}, ("text", "tongue")),
        ("language,text", {"text_column": "language"}, ("language", None)),
        ("text,language_score", {}, ("text", None)),
    ],
)
def test_the_columns_of_text_and_language_are_recognised(tmp_path, head, options, found):
    (tmp_path / "a.csv").write_text(head + "\n" + ",".join("abc"[: head.count(",") + 1]) + "\n")
    corpus = describe([tmp_path], **options)
    assert (corpus.text_column, corpus.language_column) == found


def test_a_column_that_some_files_lack_is_not_the_language(tmp_path):
    (tmp_path / "a.csv").write_text("text,lang\na,de\n")
    (tmp_path / "b.csv").write_text("text,n\nb,1\n")
    assert describe([tmp_path]).language_column is None
    (tmp_path / "b.csv").write_text("text,lang\nb,fr\n")
    assert describe([tmp_path]).language_column == "lang"
    (tmp_path / "c.txt").write_text("c")
    assert describe([tmp_path]).language_column is None


def test_a_column_of_other_things_is_not_the_language(tmp_path):
    (tmp_path / "a.csv").write_text("text,id\n" + "".join(f"some text,{number}\n" for number in range(1001)))
    with pytest.raises(LoadFailed, match="more than 1000 languages, such as '1000': choose the column"):
        scan(describe([tmp_path], language_column="id"))


def test_a_quotation_mark_that_does_not_close_is_found(tmp_path):
    from lab_app.corpora.partitions import partitions
    from lab_app.corpora.reading import batches

    (tmp_path / "a.csv").write_bytes(b'id,text\n1,"never closed\n' + b"more text\n" * 30_000)
    corpus = describe([tmp_path])
    with pytest.raises(LoadFailed, match=r"a quotation mark may not be closed"):
        list(batches(corpus, partitions(corpus)[0], max_document_bytes=131_072))


def test_invalid_utf8_in_parquet_is_replaced(tmp_path):
    values = [b"ol\xe9", b"good", b"caf\xc3", b"\xa9good"]
    for first, expected, replaced in ((0, ["ol\ufffd", "good"], 1), (2, ["caf\ufffd", "\ufffdgood"], 2)):
        pq.write_table(pa.table({"text": pa.array(values[first : first + 2])}), tmp_path / "a.parquet")
        found, report = read(describe([tmp_path]))
        assert (found, report.replaced_characters) == (expected, replaced)


def test_folders_patterns_and_the_order_of_files(tmp_path):
    for name in ("b.txt", "a.txt", "deep/c.txt", "deep/d.bin", ".hidden/e.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    assert read(describe([tmp_path]))[0] == ["a.txt", "b.txt", "deep/c.txt"]
    assert read(describe([tmp_path / "**" / "c*", tmp_path / "b.txt", tmp_path / "b.txt"]))[0] == [
        "deep/c.txt",
        "b.txt",
    ]
    with pytest.raises(BadValue, match="there is no file"):
        describe([tmp_path / "none.txt"])
    with pytest.raises(BadValue, match="there is no file"):
        describe([f"{tmp_path}/\0"])
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadRequest, match="holds no file of text"):
        describe([tmp_path / "pipe"])
    with pytest.raises(BadRequest, match="no file was named"):
        describe([])
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadRequest, match="holds no file of text"):
        describe([tmp_path / "empty"])


def test_links_that_make_a_circle_are_not_followed(tmp_path):
    (tmp_path / "deep" / ".hidden").mkdir(parents=True)
    for name in ("a.txt", "deep/b.txt", "deep/.hidden/c.txt"):
        (tmp_path / name).write_text(name)
    try:
        for name, target in {"deep/up": tmp_path, "deep/too": tmp_path, "self.txt": tmp_path / "self.txt"}.items():
            (tmp_path / name).symlink_to(target, target_is_directory=name != "self.txt")
    except OSError:
        pytest.skip("this system makes no links")
    seen = []

    def names(path) -> list[str]:
        return [one.relative_to(tmp_path).as_posix() for one in find_files([path], lambda: seen.append(1))]

    both = ["a.txt", "deep/b.txt"]
    for path in (tmp_path, tmp_path / "**", tmp_path / "**" / "*.txt", tmp_path / "**" / "**" / "*.txt"):
        assert names(path) == both, path
    assert names(tmp_path / "d*" / ".h*" / "c.[t]xt") == ["deep/.hidden/c.txt"]
    assert names(tmp_path / "deep" / "u*" / "a.txt") == ["deep/up/a.txt"]  # a link that the pattern names
    assert len(seen) < 50

    def stop() -> None:
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        find_files([tmp_path / "**" / "none*"], stop)


@pytest.mark.parametrize("name", ["x" * 300, "~nosuchuser/x.txt", "x" * 300 + "*.txt"])
def test_a_path_that_no_file_can_have_is_refused(name):
    with pytest.raises(BadValue, match="there is no file"):
        find_files([name])


@pytest.mark.skipif(sys.platform != "linux", reason="this system has no such names")
def test_a_name_that_is_not_utf8_is_refused(tmp_path):
    (tmp_path / os.fsdecode(b"a\xff.txt")).write_text("one")
    with pytest.raises(BadValue, match=r"a\\udcff\.txt' is not UTF-8: rename it"):
        describe([tmp_path])


def texts_of(corpus) -> list[str]:
    """All documents, in parts of two bytes."""
    return [text for part in partitions(corpus) for batch in batches(corpus, part, 2) for text in batch.strings()]


def test_lines_of_a_parallel_corpus_keep_their_numbers(tmp_path):
    for name, lines in {"en": "one\n\nthree", "fr": "un\ndeux\ntrois\n"}.items():
        (tmp_path / f"{name}.txt").write_text(lines)
    corpus, _ = scan(describe([tmp_path], parallel=True))
    assert corpus.languages == ("en", "fr") and texts_of(corpus) == ["one", "", "three", "un", "deux", "trois"]
    assert corpus.documents == 6
    (tmp_path / "fr.txt").write_text("un\n")
    with pytest.raises(BadValue, match="en has 3 lines, fr has 1"):
        scan(describe([tmp_path], parallel=True))

    (tmp_path / "both.csv").write_text("en,fr\none,un\n,deux\n")
    corpus, _ = scan(describe([tmp_path / "both.csv"], parallel=True))
    assert corpus.languages == ("en", "fr") and texts_of(corpus) == ["one", "un", "", "deux"]
    (tmp_path / "both.tsv").write_text("en\tfr\none\tun\n\n\tdeux\n")
    corpus, report = scan(describe([tmp_path / "both.tsv"], parallel=True))
    assert texts_of(corpus) == ["one", "un", "", "deux"] and report.skipped == 0
    with pytest.raises(BadValue, match="two languages or more"):
        describe([tmp_path / "en.txt"], parallel=True)
