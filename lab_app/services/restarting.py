"""Starts again what the lab was doing when it ended: jobs that waited, at the next start; those that ran, when somebody asks.

A job is kept with the call that started it: a function of a service and its arguments as JSON. Not here: keeping it (`jobs.record`).
"""

import json
import logging
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from typing import Any, get_type_hints

from lab_app.errors import Conflict, LabError
from lab_app.jobs.job import Job
from lab_app.json_text import json_text
from lab_app.services.lab import Lab

SERVICES = "lab_app.services."


def call_of(start: Callable[..., object], **arguments: object) -> str:
    """The call of a function of a service that gets the lab and these arguments, for `JobQueue.submit`.

    >>> def start(lab: Lab, id: str) -> Job: ...
    >>> call_of(start, id="gpt2")
    '{"module": "lab_app.services.restarting", "name": "start", "arguments": {"id": "gpt2"}}'
    """
    return json_text({"module": start.__module__, "name": start.__name__, "arguments": arguments})


def restart(lab: Lab, id: str) -> Job:
    """Starts an interrupted job again, as another one. Raises NotFound, Conflict for one that cannot be, and as the call that started
    it."""
    return lab.jobs.restart(id, lambda call: _called(lab, call))


def take_up_waiting(lab: Lab) -> None:
    """Starts the jobs that waited when the lab ended. One that can no longer be started stays listed as interrupted."""
    for left in lab.jobs.left():
        if left.call and not left.has_begun:
            try:
                restart(lab, left.job.id)
            except LabError as error:
                logging.getLogger(__name__).warning("%s cannot be started again: %s", left.job.title, error)
            except Exception:
                logging.getLogger(__name__).exception("%s cannot be started again", left.job.title)


def _called(lab: Lab, call: str) -> Job:
    from pydantic import TypeAdapter, ValidationError

    try:
        parsed = json.loads(call)
        if not parsed["module"].startswith(SERVICES):
            raise ValueError(parsed["module"])
        start: Callable[..., Any] = getattr(import_module(parsed["module"]), parsed["name"])
        hints = get_type_hints(start)
        given = {name: TypeAdapter(hints[name]).validate_python(each) for name, each in parsed["arguments"].items()}
        signature(start).bind(lab, **given)
    except (ValueError, KeyError, TypeError, ImportError, AttributeError, ValidationError) as error:
        raise Conflict("another version of the lab started this job", "start it anew with this version") from error
    return _job_of(lab, start(lab, **given))


def _job_of(lab: Lab, started: Any) -> Job:
    """The job, also where a service returns what it has started, such as a training."""
    return started if isinstance(started, Job) else lab.jobs.job(started.job)
