"""Who may talk to the page's server, and that every answer counts once."""

import json
import re

import numpy as np
import pytest

from samekind.app.ask.dialogue import Dialogue
from samekind.app.ask.guard import HEADERS, LARGEST_BODY
from samekind.app.inputs import Samples
from samekind.asking import Questions

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
httpx = pytest.importorskip("httpx")
from starlette.testclient import TestClient  # noqa: E402

from samekind.app.ask.guard import Guard  # noqa: E402
from samekind.app.ask.server import PageServer, application  # noqa: E402

PORT = 4711
HOME = f"http://127.0.0.1:{PORT}"
OURS = {"origin": HOME, "sec-fetch-site": "same-origin"}
EVIL = "<img src=x onerror=alert(1)>\u202e"


@pytest.fixture(scope="module")
def samples():
    rng = np.random.default_rng(0)
    X = np.repeat(np.eye(3) * 9, 12, axis=0) + rng.normal(size=(36, 3))
    names = tuple(f"{EVIL}{i}" for i in range(36))
    return Samples(X, ids=names, feature_names=("<b>a</b>", "b", "c"), source=EVIL)


@pytest.fixture
def dialogue(samples, tmp_path):
    with Questions(samples, 3, tmp_path / "x.ask") as questions:
        yield Dialogue(samples, questions)


@pytest.fixture
def guard(dialogue):
    return Guard(application(dialogue, lambda: {"folder": "f", "files": []}), PORT)


@pytest.fixture
def stranger(guard):
    return TestClient(guard, base_url=HOME, follow_redirects=False)


@pytest.fixture
def person(guard, stranger):
    reply = stranger.get(guard.link().removeprefix(HOME))
    assert reply.status_code == 303
    return stranger


def lines(dialogue):
    return dialogue.questions._journal.path.read_text().splitlines()


def say(person, verb, body, **headers):
    return person.post(f"/say/{verb}", json=body, headers=OURS | headers)


def test_the_link_opens_once(guard, stranger):
    link = guard.link().removeprefix(HOME)
    first = stranger.get(link)
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    stranger.cookies.clear()
    assert stranger.get(link).status_code == 403
    assert stranger.get("/enter?token=guess").status_code == 403
    assert stranger.get("/enter?token=%C3%A9").status_code == 403
    assert stranger.get("/state").status_code == 401
    assert stranger.get("/").status_code == 401


def test_two_dialogues_in_one_browser_keep_their_cookies(guard, person):
    other = Guard(guard._app, PORT + 1)
    reply = TestClient(other, base_url=f"http://127.0.0.1:{PORT + 1}", follow_redirects=False).get(
        other.link().partition(f":{PORT + 1}")[2]
    )
    name, _, value = reply.headers["set-cookie"].partition(";")[0].partition("=")
    person.cookies.set(name, value)  # cookies do not know of ports
    assert person.get("/state").status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", f"localhost:{PORT}", "127.0.0.1:1"])
def test_a_foreign_host_is_refused(person, host):
    assert person.get("/state", headers={"host": host}).status_code == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:1"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_writes_from_elsewhere_are_refused_and_leave_no_line(person, dialogue, headers, status):
    ask, before = person.get("/state").json()["ask"], lines(dialogue)
    body = json.dumps({"ask": ask["id"], "none": True}).encode()
    sent = OURS | {"content-type": "application/json"} | headers
    assert person.post("/say/answer", content=body, headers=sent).status_code == status
    assert lines(dialogue) == before


def test_requests_without_origin_or_that_are_too_long_are_refused(person, dialogue):
    before = lines(dialogue)
    assert person.post("/say/finish", json={}).status_code == 403
    assert say(person, "name", {"group": 0, "name": "x" * LARGEST_BODY}).status_code == 413
    assert say(person, "name", {"group": 0, "name": "x" * 81}).status_code == 422
    assert person.request("PUT", "/state", headers=OURS).status_code == 405
    assert person.get("/state", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert lines(dialogue) == before


def test_every_reply_has_the_headers(person, stranger):
    for reply in (person.get("/"), person.get("/page.js"), person.get("/state"), person.get("/no")):
        for name, value in HEADERS.items():
            assert reply.headers[name] == value
    assert "unsafe" not in HEADERS["content-security-policy"]


def test_the_page_has_nothing_inline_and_nothing_from_elsewhere(person):
    page, script = person.get("/").text, person.get("/page.js").text
    assert not re.search(r"<script(?![^>]*src=\"/page.js\")|style=|\son\w+=|https?:", page)
    assert "innerHTML" not in script
    assert not re.search(r"https?:|eval\(|insertAdjacentHTML|document\.write", script)


def test_an_answer_counts_once(person, dialogue):
    ask = person.get("/state").json()["ask"]
    body = {"ask": ask["id"], "none": True}
    first, again = say(person, "answer", body), say(person, "answer", body)  # a lost reply
    assert first.status_code == again.status_code == 200
    assert again.json()["progress"]["answers"] == 1
    other = say(person, "answer", {"ask": ask["id"], "same": 0})  # a second tab
    assert other.status_code == 409
    assert len(lines(dialogue)) == 2


def test_undo_takes_back_what_the_person_saw_as_the_last(person):
    state = person.get("/state").json()
    after = say(person, "answer", {"ask": state["ask"]["id"], "none": True}).json()
    assert say(person, "undo", {"seq": after["last"] + 5}).status_code == 409
    undone = say(person, "undo", {"seq": after["last"]}).json()
    assert undone["progress"]["answers"] == 0
    assert undone["ask"]["sample"] == state["ask"]["sample"]
    assert say(person, "undo", {"seq": after["last"]}).status_code == 409


@pytest.mark.parametrize(
    ("verb", "body"),
    [
        ("answer", {"ask": "no such", "none": True}),
        ("answer", {"ask": 3, "none": True}),
        ("answer", {"ask": "x"}),
        ("stray", {"row": 10**9, "group": 0}),
        ("pure", {"rows": "all"}),
        ("pure", {"rows": [0, -1]}),
        ("pure", {"rows": ["0", {}]}),
        ("name", {"group": 99, "name": "x"}),
        ("change", {"seq": 1, "none": True}),
        ("confirm", {"seq": True}),
        ("merge", {"group": 0, "other": 0}),
        ("nothing", {}),
    ],
)
def test_what_makes_no_sense_gets_a_sentence_and_no_line(person, dialogue, verb, body):
    person.get("/state")
    before = lines(dialogue)
    reply = say(person, verb, body)
    assert reply.status_code in (404, 409, 422)
    assert reply.json()["problem"]
    assert lines(dialogue) == before


def test_rows_and_groups_are_shown_and_can_be_named(person):
    wall = person.get("/wall").json()["clusters"]
    assert sum(one["size"] for one in wall) == 36
    assert wall[0]["rows"][0]["cells"][0][0] == "<b>a</b>"
    number = wall[0]["number"]
    assert say(person, "name", {"group": number, "name": EVIL}).status_code == 200
    inside = person.get(f"/group/{number}").json()
    assert inside["name"] == EVIL
    assert inside["size"] == wall[0]["size"]
    assert person.get("/group/999").status_code == 409
    assert person.get("/picture/0").status_code == 404  # these are no pictures


def test_answering_everything_ends_calmly(person, dialogue):
    rounds = 0
    while (state := person.get("/state").json())["ask"] is not None:
        ask = state["ask"]
        kinds = [thing["row"] // 12 for thing in ask["beside"]]
        kind = ask["sample"]["row"] // 12
        body = {"same": kinds.index(kind)} if kind in kinds else {"none": True}
        assert say(person, "answer", {"ask": ask["id"], **body}).status_code == 200
        rounds += 1
        assert rounds < 100
    labels = dialogue.questions.labels()
    assert all(len(set(labels[start : start + 12])) == 1 for start in (0, 12, 24))
    assert person.get("/doubts").status_code == 200


def test_the_results_are_written_once(dialogue):
    calls = []
    server = PageServer(dialogue, lambda: calls.append(1) or {"files": []})
    assert server.finish() == server.finish() == {"files": []}
    assert calls == [1]
