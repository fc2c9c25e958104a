"""Programs that share a data folder know which of them run, also where each sees none of the processes of the others."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lab_app.store.owners import Owners
from tests.processes import tied
from tests.waiting import until

HOLD = """
import os, pathlib, sys
from lab_app.store.owners import Owners
owners = Owners(pathlib.Path(sys.argv[1]))
print(os.getpid(), owners.hold(), flush=True)
sys.stdin.read()
for other in sys.argv[2:]:
    print(owners.is_alive(int(other)), flush=True)
"""
Held = tuple[subprocess.Popen, int, int]


@pytest.fixture
def container(tmp_path: Path) -> Iterator[Callable[..., Held]]:
    """Starts programs in containers of their own, as far as processes go; gives the program, its number there and its owner."""
    words = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if shutil.which("unshare") is None or subprocess.run([*words, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody make a namespace of processes")
    started = []

    def start(*others: int) -> Held:
        command = tied(*words, sys.executable, "-c", HOLD, str(tmp_path), *map(str, others))
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        pid, owner = process.stdout.readline().split()
        return process, int(pid), int(owner)

    yield start
    for each in started:
        each.kill()
        each.wait()
        each.stdin.close()
        each.stdout.close()


def test_two_containers_on_one_volume_do_not_take_each_other_for_dead(container, tmp_path):
    first, first_pid, first_owner = container()
    second, second_pid, _ = container(first_owner)
    assert first_pid == second_pid, "numbers of processes say nothing here"
    outside = Owners(tmp_path)
    assert outside.is_alive(first_owner)
    said, _ = second.communicate("", timeout=60)  # it looks at the first, and ends
    assert said == "True\n"
    assert outside.is_alive(first_owner)
    first.kill()
    until(lambda: not outside.is_alive(first_owner), "a container that was killed counts as running")


def test_who_ends_is_known_to_all(tmp_path):
    one, other = Owners(tmp_path), Owners(tmp_path)
    owner = one.hold()
    assert other.is_alive(owner) and one.hold() == owner
    one.end()
    assert not other.is_alive(owner) and not other.is_alive(7)
