"""Connecting to a cluster: addresses, schedulers that do not answer, other versions, the package that is missing."""

import asyncio
import logging
import socket
import sys

import pytest
from distributed import rpc
from distributed.security import Security

from lab_app.analysis.corpus.counting import CountOptions
from lab_app.cluster import counting
from lab_app.cluster.connection import Connection, check_versions, connected, local
from lab_app.cluster.versions import versions
from lab_app.corpora.builtin import udhr
from lab_app.engine import Tokenizer
from lab_app.errors import BadValue, Unavailable


def address_of(connection: Connection) -> str:
    return connection.client.scheduler.address


@pytest.mark.parametrize("address", ["", "host", "host:8786", "tcp://host", "http://host:8786", "tcp://host:99999"])
def test_an_address_that_cannot_be(address: str):
    with pytest.raises(BadValue, match="tcp://host:8786"), connected(address):
        pass


@pytest.mark.parametrize("workers", [0, -1, 257])
def test_a_number_of_workers_that_cannot_be(workers: int):
    with pytest.raises(BadValue, match="from 1 to 256"), local(workers):
        pass


def test_nobody_answers():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(Unavailable, match=rf"{address} does not answer: .*`dask scheduler`"), connected(address):
            pass


def test_the_package_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(Unavailable, match=r'needs the Python package distributed, .*pip install "\.\[cluster\]"'),
        local(1),
    ):
        pass


def test_who_has_not_the_certificate_of_local_workers_is_refused(connection: Connection):
    places = [address_of(connection), *connection.workers()]
    assert len(places) == 3 and all(place.startswith("tls://127.0.0.1:") for place in places)
    own, other = connection.client.security, Security.temporary()
    unsigned = Security(
        tls_ca_file=own.tls_ca_file, tls_client_key=other.tls_client_key, tls_client_cert=other.tls_client_cert
    )
    assert [place for place in places if not refuses(place, own)] == places
    for place in places:
        assert refuses(place.replace("tls", "tcp"), Security()), "without encryption"
        assert refuses(place, other), "with the certificates of another cluster"
        assert refuses(place, unsigned), "with a certificate that is not signed for this one"


def refuses(address: str, keys: Security) -> bool:
    """Whether nobody at the address answers a question asked with these keys."""

    async def asked() -> None:
        async with rpc(address, connection_args=keys.get_connection_args("client"), timeout=3) as place:
            await place.identity()

    try:
        asyncio.run(asked())
    except (OSError, RuntimeError):
        return True
    return False


def test_a_second_connection(connection: Connection):
    with connected(address_of(connection)) as second:
        assert not any(
            logging.getLogger(name).isEnabledFor(logging.CRITICAL) for name in ("distributed.client", "distributed.x")
        )
        assert second.workers().keys() == connection.workers().keys()


def test_other_versions_are_refused(connection: Connection):
    def change(number: str | None) -> None:
        from lab_app.cluster import versions as here

        here.versions.cache_clear()
        if number:
            here.lab_version = lambda: number
        else:
            from lab_app.version import lab_version

            here.lab_version = lab_version

    connection.client.run(change, "9.9")
    try:
        message = r"another version: Tokenization Lab is 9\.9"
        with pytest.raises(Unavailable, match=message), connected(address_of(connection)):
            pass
        # A worker that came after the connection was made is asked when it counts.
        with pytest.raises(Unavailable, match=message):
            counting.count(connection, udhr(), [Tokenizer.builtin("gpt2")], CountOptions(measures=("tokens",)))
    finally:
        connection.client.run(change, None)
    with pytest.raises(
        Unavailable, match=r"the scheduler cannot run .* No module named 'lab_app'.*install this version"
    ):
        check_versions("the scheduler", ModuleNotFoundError("No module named 'lab_app'"))
    check_versions("this process", versions())
