"""One call of the lab's interface from another process of this machine. Not here: what is asked, and why."""

import json


def call(address: str, token: str, method: str, path: str, timeout_s: float, body: object = None) -> bytes:
    """The body of the answer to `method` on `path` below `/api/v1/`. `address` is the lab's, with or without its secret. `body`
    is sent as JSON.

    Raises OSError where nobody answers, and urllib's HTTPError, an OSError too, for a refusal.
    """
    import urllib.request

    request = urllib.request.Request(
        f"{address.partition('?')[0]}api/v1/{path}",
        data=json.dumps(body).encode() if body is not None else b"" if method == "POST" else None,
        headers={"Authorization": f"Bearer {token}"},
        method=method,
    )
    # Straight to this machine, whatever proxy the environment names.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=timeout_s) as answer:
        return bytes(answer.read())
