"""The interface without a network: the app itself, called as a server would call it."""

import pytest
from starlette.testclient import TestClient

from lab_app.api.app import create_app
from lab_app.settings import Settings
from tests.api.declared import check
from tests.waiting import PATIENCE_S, until

TOKEN = "the-secret-of-this-run"
ADDRESS = "http://127.0.0.1:8123"


@pytest.fixture(autouse=True, scope="session")
def every_answer_is_as_declared():
    """Whatever a test of this folder asks, the answer has the fields and types that its route declares."""
    send = TestClient.send

    def checked(self, request, **options):
        response = send(self, request, **options)
        if not response.is_stream_consumed and not response.is_closed:
            response.read()
        check(response)
        return response

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TestClient, "send", checked)
        yield


@pytest.fixture
def settings(tmp_path):
    return Settings(data_dir=tmp_path / "data", token=TOKEN, offline=True, max_request_mb=1)


@pytest.fixture
def client(settings):
    """A program that knows the secret."""
    app = create_app(settings)
    with TestClient(app, base_url=ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        yield client


def bring_to_hand(client: TestClient, body: bytes) -> None:
    """Has a text encoded until its tokenizer is in memory, which writes its summary, and its entry is known as written.

    What was written last cannot be told at once: the times of files are coarse.
    """
    database = client.app.state.lab.catalog.database
    for _ in range(3):
        assert client.post("/api/v1/tokenize", content=body).status_code == 200
        until(database.state, "the state of the database is never known")


@pytest.fixture
def ended(client):
    """Waits for the end of the job that an answer starts, and gives it as the interface does."""

    def wait(response) -> dict:
        assert response.status_code == 202, response.text
        job = client.app.state.lab.jobs.wait(response.json()["id"], PATIENCE_S)
        assert job.ended, job
        return client.get(f"/api/v1/jobs/{job.id}").json()

    return wait


@pytest.fixture
def stranger(settings):
    """A program that does not."""
    with TestClient(create_app(settings), base_url=ADDRESS, follow_redirects=False) as client:
        yield client


@pytest.fixture
def refused():
    """Checks that an answer is an error in the one shape, and gives it."""

    def check(response, status: int, code: str) -> dict[str, str]:
        assert response.status_code == status, response.text
        assert set(response.json()) == {"error"}
        error = response.json()["error"]
        assert set(error) == {"code", "message", "hint"} and error["code"] == code and error["message"]
        return error

    return check
