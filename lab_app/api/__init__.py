"""The HTTP interface: parses a request, calls one service, renders its answer. `docs/reference/http-api.md` describes it."""
