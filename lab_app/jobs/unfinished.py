"""What people are told before the lab ends while jobs run. Not here: who asks (`lab_app.desktop`)."""

from collections.abc import Iterable

from lab_app.jobs.job import Job

MOST_NAMED = 5


def unfinished_words(jobs: Iterable[Job]) -> str | None:
    """What runs or waits, and what is lost if the lab ends now; None if all jobs have ended.

    >>> print(unfinished_words([Job("1", "training", "Zulu", "merges", state="running")]))
    Still running: training "Zulu". If the lab ends, a training can be resumed from its last checkpoint; other work can be started again, and what waits is done by the next start.
    >>> unfinished_words([]) is None
    True
    """
    left = [job for job in jobs if not job.ended]
    if not left:
        return None
    named = ", ".join(f'{job.kind} "{job.title}"' for job in left[:MOST_NAMED])
    more = f" and {len(left) - MOST_NAMED} more" if len(left) > MOST_NAMED else ""
    kept = (
        "a training can be resumed from its last checkpoint; other work can be started again, and what waits is done by "
        "the next start"
    )
    return f"Still running: {named}{more}. If the lab ends, {kept}."
