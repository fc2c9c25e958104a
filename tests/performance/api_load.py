"""Sends the same request on many kept connections and counts the answers: the load generator of `api`, a process of its own.

    python -m tests.performance.api_load ADDRESS TOKEN CLIENTS SECONDS < body

Each connection sends its next request when the answer to the last has come. It reads only as much of an answer as it takes
to find its end, so that it needs a small part of the machine. Prints one line of JSON.
"""

import asyncio
import json
import re
import sys
import time
from urllib.parse import urlsplit

LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)


class Client(asyncio.Protocol):
    """One connection."""

    def __init__(self, request: bytes, until: float, latencies: list[float], faults: list[str]) -> None:
        self._request, self._until = request, until
        self._latencies, self._faults = latencies, faults
        self._received = bytearray()
        self._size: int | None = None
        self._transport: asyncio.Transport | None = None
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._send()

    def _send(self) -> None:
        assert self._transport is not None
        self._received.clear()
        self._size = None
        self._began = time.perf_counter()
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if self._size is None:
            head = self._received.find(b"\r\n\r\n")
            if head < 0:
                return
            if not self._received.startswith(b"HTTP/1.1 200"):
                self._faults.append(self._received[:200].decode("latin-1"))
            length = LENGTH.search(self._received, 0, head)
            self._size = head + 4 + int(length[1]) if length else 0
        whole = len(self._received) >= self._size if self._size else self._received.endswith(b"\r\n0\r\n\r\n")
        if whole:
            self._latencies.append(time.perf_counter() - self._began)
            if time.perf_counter() < self._until:
                self._send()
            else:
                assert self._transport is not None
                self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        if error is not None or time.perf_counter() < self._until:
            self._faults.append(f"the server closed the connection: {error}")
        self.ended.set_result(None)


async def load(address: str, token: str, clients: int, seconds: float, body: bytes) -> dict[str, object]:
    """Answers per second, latencies in milliseconds and faults of `clients` connections for `seconds`."""
    url = urlsplit(address)
    head = (
        f"POST {url.path} HTTP/1.1\r\nHost: {url.netloc}\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    latencies: list[float] = []
    faults: list[str] = []
    begin = time.perf_counter()
    loop = asyncio.get_running_loop()
    connected = [
        loop.create_connection(
            lambda: Client(head.encode() + body, begin + seconds, latencies, faults), url.hostname, url.port
        )
        for _ in range(clients)
    ]
    protocols = [protocol for _, protocol in await asyncio.gather(*connected)]
    await asyncio.gather(*(protocol.ended for protocol in protocols))
    elapsed = time.perf_counter() - begin
    latencies.sort()
    return {
        "answers": len(latencies),
        "answers_per_s": len(latencies) / elapsed,
        "median_ms": latencies[len(latencies) // 2] * 1e3,
        "p95_ms": latencies[len(latencies) * 95 // 100] * 1e3,
        "p99_ms": latencies[len(latencies) * 99 // 100] * 1e3,
        "max_ms": latencies[-1] * 1e3,
        "faults": faults[:5],
    }


def main() -> None:
    address, token, clients, seconds = sys.argv[1:]
    print(json.dumps(asyncio.run(load(address, token, int(clients), float(seconds), sys.stdin.buffer.read()))))


if __name__ == "__main__":
    main()
