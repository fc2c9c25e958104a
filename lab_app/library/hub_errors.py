"""The errors of `huggingface_hub` and of the network in the words of the lab."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from lab_app.errors import BadValue, Gated, NotFound, TokenRefused, Unavailable
from lab_app.library.hub_reference import TOKEN_NOT_SENT, HubReference, endpoint_of, is_sendable, page_of
from lab_app.settings import Settings

if TYPE_CHECKING:
    import httpx2


@contextmanager
def explained(reference: HubReference, settings: Settings) -> Iterator[None]:
    """Turns the errors of the library and of the network into the lab's."""
    import httpx2
    from huggingface_hub import errors

    endpoint = endpoint_of(settings)
    try:
        yield
    except errors.HfHubHTTPError as error:
        _refuse(error, reference, settings)
    except errors.LocalEntryNotFoundError as error:  # the file could not be asked for; the cause says why
        if isinstance(error.__cause__, errors.HfHubHTTPError):
            _refuse(error.__cause__, reference, settings)
        raise _interrupted(endpoint, error.__cause__ or error) from error
    except errors.HFValidationError as error:
        raise BadValue(f'"{reference.repository}" is not the name of a Hub repository', "check its name") from error
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as error:
        raise BadValue(f"{endpoint} is not an address", "correct the setting hub_endpoint or HF_ENDPOINT") from error
    except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
        raise Unavailable(
            f"{endpoint} does not answer{_reason(error)}",
            "connect to the network, or add the files from this machine",
        ) from error
    except httpx2.HTTPError as error:
        raise _interrupted(endpoint, error) from error
    except OSError as error:
        if error.errno is not None:  # of this machine: a full disk, a folder that may not be written
            raise
        raise _interrupted(endpoint, error) from error


def check_token(reference: HubReference) -> None:
    """Raises TokenRefused if the token for `reference` is not one that a Hub can be sent; the error does not repeat it."""
    from huggingface_hub import constants, get_token

    own = None if constants.HF_HUB_DISABLE_IMPLICIT_TOKEN else get_token()
    token = reference.token or own
    if token is not None and not is_sendable(token):
        raise TokenRefused(TOKEN_NOT_SENT, token_hint(reference))


def token_hint(reference: HubReference) -> str:
    """What to do about a token that is refused: correct the one that was typed, or the one of the user's settings."""
    if reference.token:
        return f"check the token: copy it whole, and see that it may read {reference.repository}"
    return f"set HF_TOKEN to a token that may read {reference.repository}"


def _interrupted(endpoint: str, error: BaseException) -> Unavailable:
    return Unavailable(f"the download from {endpoint} was interrupted{_reason(error)}", "try again")


def _refuse(error: Any, reference: HubReference, settings: Settings) -> NoReturn:
    """Raises what an answer of the Hub means that is an error."""
    from huggingface_hub import errors, get_token

    response: httpx2.Response = error.response
    status, endpoint, repository = response.status_code, endpoint_of(settings), reference.repository
    if isinstance(error, errors.GatedRepoError):
        raise Gated(
            f"{repository} asks you to accept its terms",
            f"accept them at {page_of(settings, reference.page)}, then set HF_TOKEN to one of your tokens; "
            "or add its files from this machine",
        ) from error
    if isinstance(error, errors.RevisionNotFoundError):
        raise NotFound(
            f"{repository} has no revision {reference.revision}", "give an existing branch, tag or commit"
        ) from error
    if isinstance(error, errors.RemoteEntryNotFoundError):
        raise NotFound(
            f"{repository} has no such file ({response.url.path})", "choose one of the files that its page lists"
        ) from error
    if status == 429:
        after = response.headers.get("Retry-After", "")
        when = f"try again in {after} s" if after.isdecimal() else "try again in a few minutes"
        raise Unavailable(f"{endpoint} refuses more requests for now", f"{when}, or set HF_TOKEN") from error
    if isinstance(error, errors.RepositoryNotFoundError) or status == 404:
        hint = (
            "check its name" if get_token() else "check its name; for a private one set HF_TOKEN to one of your tokens"
        )
        raise NotFound(f"{endpoint} has no repository {repository}", hint) from error
    if status in (401, 403):
        if reference.token or get_token():
            message = f"{endpoint} does not accept the token for {repository} (status {status})"
        else:
            message = f"{endpoint} asks for a token to read {repository} (status {status})"
        raise TokenRefused(message, token_hint(reference)) from error
    raise Unavailable(f"{endpoint} failed with status {status}", "try again later") from error


def _reason(error: BaseException) -> str:
    """What the system says of a connection, in brackets and without its number; "" if it says nothing.

    >>> _reason(OSError("[Errno -2] Name or service not known"))
    ' (Name or service not known)'
    """
    words = re.sub(r"^(\[[^]]*\]\s*)+", "", str(error)).strip()
    return f" ({words})" if words else ""
