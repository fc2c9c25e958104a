import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lab_app.analysis.positions import Positions

texts = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(" \n\t\u00a0\u3000日👩é")), max_size=40
)


@given(texts)
def test_maps_equal_their_definitions(text):
    at = Positions(text)
    size = len(text.encode())
    ends = np.cumsum([0] + [len(character.encode()) for character in text])
    assert at.char_of_byte.tolist() == [int(np.searchsorted(ends, byte, side="right") - 1) for byte in range(size)] + [
        len(text)
    ]
    assert at.inside.tolist() == [byte not in ends for byte in range(size + 1)]
    assert at.utf16_of_char.tolist() == [len(text[:n].encode("utf-16-le")) // 2 for n in range(len(text) + 1)]
