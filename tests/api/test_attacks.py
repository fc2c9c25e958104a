"""The requests of `make attack`, with an app in this process: what is answered. Memory, time and large bodies are looked at there."""

import pytest

from tests.attack.cases import CASES, Case

ASKED = [case for case in CASES if case.raw is None and not case.is_large]


@pytest.mark.parametrize("case", ASKED, ids=lambda case: case.name)
def test_an_attack_gets_an_answer_that_it_may_get(client, case: Case):
    sent = list(case.requests())
    assert sent
    for method, path, body, kind in sent:
        answer = client.request(method, path, content=body, headers={"Content-Type": kind})
        assert answer.status_code in case.allowed, (method, path, answer.text[:300])
