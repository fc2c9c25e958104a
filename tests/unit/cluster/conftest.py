"""One cluster for all tests of this folder: two processes of this machine, started when the first test needs them."""

from collections.abc import Iterator

import pytest

from lab_app.cluster.connection import Connection, local


@pytest.fixture(scope="session")
def connection() -> Iterator[Connection]:
    with local(2) as found:
        yield found
