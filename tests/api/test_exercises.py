"""Exercises over HTTP: a sheet keeps its answers to itself, marks are kept, and files are checked."""

V1 = "/api/v1"
SHEET = {"tokenizer": "gpt2", "seed": 7, "count": 4}


def marked(client, answers: list, **more):
    return client.post(f"{V1}/exercises/marks", json=SHEET | {"answers": answers} | more)


def test_a_sheet_is_made_marked_and_kept(client):
    sheet = client.get(f"{V1}/exercises", params=SHEET).json()
    assert [task["kind"] for task in sheet["tasks"]] == ["next-merge", "train-merge", "boundaries", "count"]
    assert "solution" not in sheet["tasks"][0] and sheet["tasks"][2]["choices"] is None
    hidden = marked(client, [None] * 4, keep=False).json()
    assert hidden["answered"] == 0 and hidden["marks"][0]["solution"] is None
    assert client.get(f"{V1}/exercises/progress").json() == {"sheets": []}
    found = marked(client, [0, None, [8], None]).json()
    assert (found["right"], found["answered"], found["of"]) == (0, 2, 4)
    assert found["marks"][0]["reason"].startswith("The lowest rank comes first: ")
    assert found["marks"][2]["boundaries"]["found"] == 1
    right = [found["marks"][0]["solution"], None, found["marks"][2]["solution"], None]
    assert marked(client, right).json()["right"] == 2
    [kept] = client.get(f"{V1}/exercises/progress").json()["sheets"]
    assert kept["answers"] == right and kept["right"] == 2 and kept["kind"] == "mixed"
    assert client.delete(f"{V1}/exercises/progress/{kept['id']}").status_code == 204
    assert client.delete(f"{V1}/exercises/progress/{kept['id']}").status_code == 404


def test_a_file_of_results_is_saved_and_checked(client, refused):
    answer = client.post(f"{V1}/exercises/file", json=SHEET | {"answers": [0, None, [8], None], "name": "student"})
    assert answer.headers["content-disposition"] == 'attachment; filename="exercises.json"'
    file = answer.json()
    checked = client.post(f"{V1}/exercises/check", json=file).json()
    assert checked["name"] == "student" and checked["marks"]["right"] == 0
    problem = refused(client.post(f"{V1}/exercises/check", json=file | {"right": 3}), 422, "bad_request")
    assert problem["message"] == "right is 3, and the engine counts 0"
    refused(client.post(f"{V1}/exercises/check", json=file | {"version": 2}), 422, "bad_request")


def test_what_cannot_be_a_sheet_is_refused(client, refused):
    for more in ({"kind": "path"}, {"kind": "all"}, {"seed": -1}, {"seed": "x"}, {"count": 0}):
        refused(client.get(f"{V1}/exercises", params=SHEET | more), 422, "bad_request")
    refused(client.get(f"{V1}/exercises", params=SHEET | {"corpus": "none"}), 404, "not_found")
    refused(marked(client, [True, None, None, None]), 422, "bad_request")
    refused(marked(client, [0]), 422, "bad_request")


def test_playlists_are_kept_and_shared(client, refused):
    [own] = client.get(f"{V1}/playlists").json()["playlists"]
    assert own["id"] is None and own["minutes"] == 45
    plan = own["playlist"] | {"name": "Mine"}
    kept = client.post(f"{V1}/playlists", json=plan)
    assert kept.status_code == 201 and kept.json()["playlist"] == plan
    at = f"{V1}/playlists/{kept.json()['id']}"
    file = client.get(f"{at}/file")
    assert file.json() == plan and file.headers["content-disposition"].startswith("attachment")
    plan["parts"][0]["tokenizer"] = "bert-base-uncased"
    plan["parts"][4]["tokenizer"] = "bert-base-uncased"
    found = client.post(f"{V1}/playlists/check", json=plan).json()
    assert [each["part"] for each in found["problems"]] == [4]
    refused(client.post(f"{V1}/playlists", json=plan | {"parts": []}), 422, "bad_request")
    assert client.delete(at).status_code == 204
    refused(client.get(f"{at}/file"), 404, "not_found")
