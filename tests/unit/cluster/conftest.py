"""One cluster for all tests of this folder: two processes of this machine, started when the first test needs them."""

from collections.abc import Iterator

import dask
import pytest

from lab_app.cluster.connection import Connection, local


@pytest.fixture(scope="session")
def connection() -> Iterator[Connection]:
    with local(2) as found:
        keys = found.client.security
        tls = {"ca-file": keys.tls_ca_file, "client.key": keys.tls_client_key, "client.cert": keys.tls_client_cert}
        # As users name theirs for clusters of their own.
        with dask.config.set({f"distributed.comm.tls.{name}": value for name, value in tls.items()}):
            yield found
