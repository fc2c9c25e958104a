"""Fetches tokenizers as jobs, for callers that do not wait, such as the page. Not here: the fetching (`lab_app.library`)."""

from lab_app.errors import NotFound
from lab_app.jobs.job import Job, Running
from lab_app.library.hub_reference import HubReference, check_given_token
from lab_app.library.importing import check_id
from lab_app.library.known import known_tokenizer
from lab_app.library.progress import Progress
from lab_app.services.lab import Lab
from lab_app.services.restarting import call_of
from lab_app.services.tokenizers import tokenizers
from lab_app.services.tokenizers.tokenizers import CatalogEntry


def start_fetching(lab: Lab, id: str, token: str | None = None) -> Job:
    """A job that fetches a known tokenizer, with the user's `token` of the Hub if given; its result is the ENTRY.

    Raises NotFound, or TokenRefused for a token that cannot be sent.
    """
    known = known_tokenizer(id)
    if known is None:
        raise NotFound(
            f'"{id}" is not a tokenizer that the lab can download', "the Library lists those it can download"
        )

    check_given_token(token)

    def work(running: Running) -> CatalogEntry:
        return tokenizers.fetch(lab, known.id, report=lambda progress: _report(running, progress), token=token)

    # A running job without this token is not what was asked for: it may be refused where this one is not.
    key = None if token else f"fetch-{known.id}"
    call = "" if token else call_of(start_fetching, id=id)  # a token is never kept
    return lab.jobs.submit("fetch", known.name, work, unit="bytes", key=key, call=call)


def start_adding_from_hub(lab: Lab, reference: str, id: str | None = None, token: str | None = None) -> Job:
    """A job that adds `OWNER/NAME[@REVISION][:FILE]` of a Hub; its result is the ENTRY.

    Raises BadValue, or TokenRefused for a token that cannot be sent.
    """
    check_given_token(token)
    parsed = HubReference.parse(reference)
    if id is not None:
        check_id(id)

    def work(running: Running) -> CatalogEntry:
        return tokenizers.add_from_hub(
            lab, reference, id=id, report=lambda progress: _report(running, progress), token=token
        )

    call = "" if token else call_of(start_adding_from_hub, reference=reference, id=id)
    return lab.jobs.submit("fetch", parsed.repository, work, unit="bytes", call=call)


def _report(running: Running, progress: Progress) -> None:
    running.report(progress.done_bytes, progress.total_bytes, f"from {progress.source}")
