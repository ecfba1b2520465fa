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
from tests.scale.conftest import TOKEN_LIMIT, Machines

pytestmark = [pytest.mark.check(8, 26, 29), pytest.mark.goal("G3")]

ONE_NAME = {"Host": "play.example"}
"""People know both servers by one name, that of the proxy, and the name is part of an ETag."""
_names = itertools.count(1)
Answer = tuple[int, dict[str, str], Any]


def ask(
    address: str, path: str, token: str = "", body: Any = None, *, method: str = "", **headers: str
) -> Answer:
    """Status, lower-case headers and text of a response."""
    request_headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        request_headers["Authorization"] = f"Token {token}"
    data = None if body is None else json.dumps(body).encode()
    if data is not None:
        request_headers["Content-Type"] = "application/json"
    request = urllib.request.Request(
        f"{address}{path}",
        data,
        request_headers,
        method=method or ("POST" if data is not None else "GET"),
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, _lower_case(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, _lower_case(error.headers), error.read().decode()


def _lower_case(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def new_event(machines: Machines, players: int = 6) -> str:
    """Create an event with checked-in players and return its path."""
    event = {"name": f"Grown {next(_names)}", "starts_on": "2026-12-03", "game": "onr"}
    status, _, text = ask(machines.first.address, "/api/v1/events/", machines.token, event)
    assert status == 201, text
    path = f"/api/v1/events/{json.loads(text)['slug']}/"
    names = [{"name": f"Player {letter}"} for letter in "ABCDEFGHIJ"[:players]]
    numbers = {"numbers": [*range(1, players + 1)]}
    for step, body in (
        ("registrations/", {"players": names}),
        ("registrations/check-in/", numbers),
    ):
        status, _, text = ask(machines.second.address, f"{path}{step}", machines.token, body)
        assert status < 300, text
    return path


def draft_round(machines: Machines, path: str) -> dict[str, Any]:
    """Request round 1 at one server, and wait for it at the other."""
    _, _, text = ask(machines.first.address, f"{path}rounds/", machines.token, {})
    round_data: dict[str, Any] = json.loads(text)
    wait_for_job(machines, f"{path}jobs/{round_data['job']['id']}/")
    return round_data


def wait_for_job(machines: Machines, path: str) -> None:
    """Wait at the second server for a job that was queued at the first."""
    Client(machines.second.address, machines.token).job_done(path.removeprefix("/api/v1/"))


def test_twenty_clicks_at_two_servers_create_one_round(machines: Machines, figure):
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
    assert [round_["number"] for round_ in json.loads(text)["results"]] == [1]
    assert ask(machines.second.address, f"{path}rounds/2/draft/", machines.token)[0] == 404
    figure("20 clicks over 2 servers and 2 workers: 1 round")


def test_key_sent_to_both_servers_simultaneously_writes_once(machines: Machines):
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


def test_both_servers_show_a_change_immediately_with_the_same_etag(
    machines: Machines,
):
    path = new_event(machines)
    round_data = draft_round(machines, path)
    page = path.replace("/api/v1", "") + "pairings/"
    for address in machines.addresses:
        assert ask(address, page, **ONE_NAME)[0] == 200

    ask(machines.first.address, f"{path}rounds/{round_data['number']}/publish/", machines.token, {})
    responses = [
        ask(address, page, **ONE_NAME) for address in (*machines.addresses, *machines.addresses)
    ]

    assert {status for status, _, _ in responses} == {200}
    assert all("Player A" in text for _, _, text in responses)
    assert len({headers["etag"] for _, headers, _ in responses}) == 1
    tag = responses[0][1]["etag"]
    assert {
        ask(address, page, If_None_Match=tag, **ONE_NAME)[0] for address in machines.addresses
    } == {304}


def test_clock_started_at_one_server_runs_at_the_second(machines: Machines):
    path = new_event(machines)
    round_ = f"{path}rounds/{draft_round(machines, path)['number']}/"
    for step in ("publish/", "start/"):
        status, _, text = ask(machines.first.address, f"{round_}{step}", machines.token, {})
        assert status < 300, text

    clocks = [
        json.loads(ask(server_address, f"{round_}clock/")[2])["clock"]
        for server_address in machines.addresses
    ]

    assert {clock["state"] for clock in clocks} == {"running"}
    assert len({clock["ends_at"] for clock in clocks}) == 1


def test_stale_version_is_refused_by_the_second_server(machines: Machines):
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


def test_session_is_valid_and_ends_at_both_servers(machines: Machines):
    first_visitor = Visitor(machines.first.address)
    account = {"username": "sid", "password1": "a few words to keep"}
    first_visitor.submit("/account/signup/", account)
    second_visitor = Visitor(machines.second.address, first_visitor.cookies)
    assert "sid" in second_visitor.page("/me/")

    cookies = {cookie.name: cookie.value for cookie in first_visitor.cookies}
    second_visitor.submit("/me/", {}, action="/account/logout/")

    old = f"sessionid={cookies.get('sessionid') or cookies.get('__Host-sessionid')}"
    _, _, text = ask(machines.first.address, "/me/", Cookie=old)
    assert "You are logged in" not in text


def test_limits_count_requests_to_both_servers(machines: Machines):
    settings = {"DATAFORT_LIMIT_TOKEN": TOKEN_LIMIT}
    with (
        another_server(machines.first, **settings) as third,
        another_server(machines.first, **settings) as fourth,
    ):
        statuses = statuses_within_a_minute(machines.token, (third.address, fourth.address))

    # Each server stayed below the limit, both together exceeded it.
    assert statuses.count(200) <= int(TOKEN_LIMIT)
    assert 429 in statuses


def statuses_within_a_minute(token: str, addresses: tuple[str, str]) -> list[int]:
    """Statuses of TOKEN_LIMIT requests to each server within one minute."""
    while True:
        minute = time.time() // 60
        statuses = [
            ask(address, "/api/v1/me/", token)[0]
            for _ in range(int(TOKEN_LIMIT))
            for address in addresses
        ]
        if time.time() // 60 == minute:
            return statuses
