"""Two web servers and two workers behave as one site."""

import itertools
import json
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from client import Client

from tests.api.live.visitor import Visitor
from tests.live_site import another_server
from tests.scale.conftest import FEW, Machines

pytestmark = [pytest.mark.check(8, 26, 29), pytest.mark.goal("G3")]

ONE_NAME = {"Host": "play.example"}
"""Both stand behind one proxy, so people know them by one name; it is part of an ETag."""
_names = itertools.count(1)
Answer = tuple[int, dict[str, str], Any]


def ask(
    address: str, path: str, token: str = "", body: Any = None, *, method: str = "", **headers: str
) -> Answer:
    """Status, headers in small letters, and what came back."""
    said = {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        said["Authorization"] = f"Token {token}"
    sent = None if body is None else json.dumps(body).encode()
    if sent is not None:
        said["Content-Type"] = "application/json"
    request = urllib.request.Request(
        f"{address}{path}", sent, said, method=method or ("POST" if sent is not None else "GET")
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, _small(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, _small(error.headers), error.read().decode()


def _small(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def new_event(machines: Machines, players: int = 6) -> str:
    """The path of an event with so many players who are here."""
    event = {"name": f"Grown {next(_names)}", "starts_on": "2026-12-03", "game": "onr"}
    status, _, text = ask(machines.first.address, "/api/v1/events/", machines.token, event)
    assert status == 201, text
    path = f"/api/v1/events/{json.loads(text)['slug']}/"
    names = [{"name": f"Player {letter}"} for letter in "ABCDEFGHIJ"[:players]]
    here = {"numbers": [*range(1, players + 1)]}
    for part, body in (("registrations/", {"players": names}), ("registrations/check-in/", here)):
        status, _, text = ask(machines.second.address, f"{path}{part}", machines.token, body)
        assert status < 300, text
    return path


def paired(machines: Machines, path: str) -> dict[str, Any]:
    """Round 1, asked for at one server and waited for at the other."""
    _, _, text = ask(machines.first.address, f"{path}rounds/", machines.token, {})
    asked: dict[str, Any] = json.loads(text)
    wait_for_job(machines, f"{path}jobs/{asked['job']['id']}/")
    return asked


def wait_for_job(machines: Machines, path: str) -> None:
    """Asked at the other server than where the job was made."""
    Client(machines.second.address, machines.token).job_done(path.removeprefix("/api/v1/"))


def test_twenty_clicks_at_two_servers_make_one_round(machines: Machines, figure):
    path = new_event(machines)

    def click(turn: int) -> Answer:
        address = machines.addresses[turn % 2]
        return ask(address, f"{path}rounds/", machines.token, {})

    with ThreadPoolExecutor(20) as hands:
        answers = list(hands.map(click, range(20)))

    assert {status for status, _, _ in answers} <= {200, 201, 202, 409}
    jobs = {json.loads(text)["job"]["id"] for status, _, text in answers if status < 300}
    assert len(jobs) == 1
    wait_for_job(machines, f"{path}jobs/{jobs.pop()}/")
    ask(machines.first.address, f"{path}rounds/1/publish/", machines.token, {})
    _, _, text = ask(machines.second.address, f"{path}rounds/", machines.token)
    assert [one["number"] for one in json.loads(text)["results"]] == [1]
    assert ask(machines.second.address, f"{path}rounds/2/draft/", machines.token)[0] == 404
    figure("20 clicks over 2 servers and 2 workers: 1 round")


def test_a_key_sent_to_both_servers_at_once_writes_once(machines: Machines):
    body = {"name": "Once Only", "starts_on": "2026-12-03", "game": "onr"}

    def send(turn: int) -> Answer:
        address = machines.addresses[turn % 2]
        return ask(
            address, "/api/v1/events/", machines.token, body, Idempotency_Key="two-servers-one-key"
        )

    with ThreadPoolExecutor(6) as hands:
        answers = list(hands.map(send, range(6)))

    assert {status for status, _, _ in answers} == {201}
    assert len({json.loads(text)["slug"] for _, _, text in answers}) == 1


def test_both_serve_the_same_page_with_the_same_etag_and_know_of_a_change_at_once(
    machines: Machines,
):
    path = new_event(machines)
    asked = paired(machines, path)
    page = path.replace("/api/v1", "") + "pairings/"
    for address in machines.addresses:
        assert ask(address, page, **ONE_NAME)[0] == 200

    ask(machines.first.address, f"{path}rounds/{asked['number']}/publish/", machines.token, {})
    seen = [
        ask(address, page, **ONE_NAME) for address in (*machines.addresses, *machines.addresses)
    ]

    assert {status for status, _, _ in seen} == {200}
    assert all("Player A" in text for _, _, text in seen)
    assert len({headers["etag"] for _, headers, _ in seen}) == 1
    tag = seen[0][1]["etag"]
    assert {
        ask(address, page, If_None_Match=tag, **ONE_NAME)[0] for address in machines.addresses
    } == {304}


def test_a_clock_started_at_one_server_runs_at_the_other(machines: Machines):
    path = new_event(machines)
    round_ = f"{path}rounds/{paired(machines, path)['number']}/"
    for step in ("publish/", "start/"):
        status, _, text = ask(machines.first.address, f"{round_}{step}", machines.token, {})
        assert status < 300, text

    clocks = [json.loads(ask(one, f"{round_}clock/")[2])["clock"] for one in machines.addresses]

    assert {clock["state"] for clock in clocks} == {"running"}
    assert len({clock["ends_at"] for clock in clocks}) == 1


def test_a_stale_version_is_refused_by_the_other_server(machines: Machines):
    path = new_event(machines)
    settings = f"{path}settings/"
    version = ask(machines.second.address, path, machines.token)[1]["etag"]
    changed = ask(
        machines.first.address, settings, machines.token, {"location": "Hall 2"}, method="PATCH"
    )
    assert changed[0] == 200, changed[2]

    late = ask(
        machines.second.address,
        settings,
        machines.token,
        {"location": "Hall 3"},
        method="PATCH",
        If_Match=version,
    )

    assert late[0] == 412, late[2]


def test_a_session_is_good_at_both_and_ended_at_both(machines: Machines):
    here = Visitor(machines.first.address)
    account = {"username": "sid", "password1": "a few words to keep"}
    here.submit("/account/signup/", account)
    there = Visitor(machines.second.address, here.cookies)
    assert "sid" in there.page("/me/")

    cookies = {one.name: one.value for one in here.cookies}
    there.submit("/me/", {}, to="/account/logout/")

    old = f"sessionid={cookies.get('sessionid') or cookies.get('__Host-sessionid')}"
    _, _, text = ask(machines.first.address, "/me/", Cookie=old)
    assert "You are logged in" not in text


def test_limits_count_what_both_were_asked(machines: Machines):
    few = {"DATAFORT_LIMIT_TOKEN": FEW}
    with (
        another_server(machines.first, **few) as third,
        another_server(machines.first, **few) as fourth,
    ):
        statuses = asked_within_a_minute(machines.token, (third.address, fourth.address))

    # Neither was asked too often, both together were.
    assert statuses.count(200) <= int(FEW)
    assert 429 in statuses


def asked_within_a_minute(token: str, addresses: tuple[str, str]) -> list[int]:
    """What so many requests to each were answered; once more where the minute ended meanwhile."""
    while True:
        minute = time.time() // 60
        statuses = [
            ask(address, "/api/v1/me/", token)[0] for _ in range(int(FEW)) for address in addresses
        ]
        if time.time() // 60 == minute:
            return statuses
