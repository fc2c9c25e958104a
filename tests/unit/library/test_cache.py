"""The one cache: a value is made once per key, whoever asks at the same time, and room is made in order of use."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_app.library.cache import Cache

TIMEOUT_S = 60


@dataclass
class Text:
    size: float


def sized(limit: int, max_size: float) -> Cache[str, Text]:
    return Cache(limit, max_size=max_size, size=lambda text: text.size)


def kept(cache, keys="abcdefgh"):
    """The keys that are kept. Looking does not count as use."""
    return {key for key in keys if key in cache._kept}


def test_threads_that_ask_at_once_wait_for_one_value():
    cache, made, start = Cache(4), [], threading.Barrier(8)

    def make():
        made.append(threading.get_ident())
        return object()

    def ask(_):
        start.wait(TIMEOUT_S)
        return cache.get("key", make)

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(ask, range(8)))) == 1
    assert len(made) == 1


def test_one_key_does_not_wait_for_another():
    cache, both_are_making = Cache(4), threading.Barrier(2)

    def make():
        both_are_making.wait(TIMEOUT_S)  # breaks if the second is made only after the first
        return 1

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(lambda key: cache.get(key, make), "ab")) == [1, 1]


def test_an_error_is_not_kept_and_leaves_no_lock():
    cache, asked, start = Cache(4), [], threading.Barrier(4)

    def fail():
        asked.append(1)
        raise ValueError("no")

    def ask(_):
        start.wait(TIMEOUT_S)
        with pytest.raises(ValueError, match="no"):
            cache.get("key", fail)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(ask, range(4)))
    assert len(asked) == 4 and cache._making == {}
    assert cache.get("key", lambda: "yes") == "yes"


def test_none_is_a_value():
    cache, asked = Cache(4), []
    for _ in range(2):
        assert cache.get("key", lambda: asked.append(1)) is None
    assert asked == [1]


def test_a_value_that_is_out_of_date_is_made_again():
    cache = Cache(4)
    assert cache.get("key", lambda: 1) == 1
    assert cache.get("key", lambda: 2, current=lambda value: value == 1) == 1
    assert cache.get("key", lambda: 2, current=lambda value: value == 2) == 2
    assert cache.find("key") == 2


def test_the_least_recently_used_is_dropped():
    cache = Cache(2)
    for key in "aba":
        cache.get(key, lambda: 1)
    cache.put("c", 1)
    assert kept(cache) == {"a", "c"}
    cache.drop("a")
    cache.drop("a")
    assert kept(cache) == {"c"} and cache.find("a") is None


def test_the_newest_stays_whatever_its_size():
    cache = sized(8, max_size=10)
    cache.put("a", Text(4))
    cache.put("b", Text(30))
    assert kept(cache) == {"b"}
    cache.put("c", Text(4))
    assert kept(cache) == {"c"}


def test_a_value_that_grows_pushes_others_out_when_it_is_used():
    cache = sized(8, max_size=10)
    for key in "abc":
        cache.put(key, Text(3))
    cache.find("a").size = 8
    assert kept(cache) == {"a", "b", "c"}
    cache.find("a")
    assert kept(cache) == {"a"}


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(1, 12)), max_size=40))
def test_it_keeps_what_a_list_in_order_of_use_keeps(uses):
    cache, plain = sized(4, max_size=20), []
    for key, size in uses:
        cache.get(key, lambda size=size: Text(size))
        old = next((value for name, value in plain if name == key), size)
        plain = [(key, old)] + [(name, value) for name, value in plain if name != key]
        plain = plain[:4]
        while len(plain) > 1 and sum(value for _, value in plain) > 20:
            plain.pop()
        assert kept(cache) == {name for name, _ in plain}


def test_many_threads_leave_it_whole():
    cache = sized(4, max_size=12)

    def work(seed):
        choose = random.Random(seed)
        for _ in range(300):
            key, what = choose.choice("abcdefgh"), choose.random()
            if what < 0.1:
                cache.drop(key)
            elif what < 0.2:
                with pytest.raises(ZeroDivisionError):
                    cache.get("error", lambda: 1 // 0)
            else:
                assert cache.get(key, lambda: Text(choose.randint(1, 5))).size > 0

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    assert cache._making == {} and len(cache._kept) <= 4
    assert len(cache._kept) == 1 or sum(text.size for text in cache._kept.values()) <= 12
