"""Child processes of the lab: starting, asking and ending them, with limits of time, memory and environment.

Not here: what each does (`lab_app.chat.sandbox`, `lab_app.library.plugins.worker`, `lab_app.benchmarks.speed.worker`, `lab_app.desktop`).
"""

from lab_app.children.limits import only_needed, without_secrets
from lab_app.children.starting import TookTooLong, ask, end, exit_status, main, start, this_program

__all__ = [
    "TookTooLong",
    "ask",
    "end",
    "exit_status",
    "main",
    "only_needed",
    "start",
    "this_program",
    "without_secrets",
]
