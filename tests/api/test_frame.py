import json
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.api.frame import pack, unpack

arrays = st.lists(
    st.tuples(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
        st.sampled_from([np.uint8, np.uint32, np.uint64]),
        st.lists(st.integers(0, 255), max_size=20),
    ),
    max_size=5,
    unique_by=lambda each: each[0],
)


@given(arrays)
def test_what_goes_in_comes_out_and_every_array_is_aligned(parts):
    given = [(name, np.array(values, dtype)) for name, dtype, values in parts]
    frame = pack({"é": "日"}, given)
    header, found = unpack(frame)
    assert header["é"] == "日"
    assert {name: array.tolist() for name, array in found.items()} == {name: array.tolist() for name, array in given}
    # The layout, read by hand as the document says it.
    assert frame[:4] == b"TLF1" and len(frame) % 8 == 0
    (length,) = struct.unpack_from("<I", frame, 4)
    assert (8 + length) % 8 == 0
    for each in json.loads(frame[8 : 8 + length])["arrays"]:
        assert each["offset"] % 8 == 0


def test_big_endian_arrays_are_turned():
    _, found = unpack(pack({}, [("a", np.array([1, 2], ">u4"))]))
    assert found["a"].tolist() == [1, 2]


def test_columns_of_a_matrix_are_written_whole():
    matrix = np.arange(6, dtype=np.uint32).reshape(3, 2)
    _, found = unpack(pack({}, [("column", matrix[:, 1]), ("all", matrix)]))
    assert found["column"].tolist() == [1, 3, 5] and found["all"].tolist() == [0, 1, 2, 3, 4, 5]


def test_something_else_is_refused():
    with pytest.raises(ValueError, match="TLF1"):
        unpack(b"PK\x03\x04")
