"""One round of an event in which every action is requested many times at the same moment.

`ThroughServices` calls the services; `ThroughPages` sends requests of browsers, phones and API
clients. Each method checks the answers; the test checks what became of the event.
"""

from collections import Counter
from functools import partial
from typing import Any

from django.urls import reverse

from core.errors import Refusal
from tests.factories.tournaments import get_round, owner_of, sweep, table
from tests.tournaments.races.clients import (
    api_clients,
    browsers,
    phones,
    post_requests,
    send_at_once,
)
from tests.tournaments.races.threads import run_at_once
from tournaments.event.permissions import Actor
from tournaments.models import Job, Registration, Round, Stage, Tournament
from tournaments.results import cuts
from tournaments.results import services as results_services
from tournaments.rounds import draft_changes
from tournaments.rounds import services as rounds_services

SWEEP = {
    "game_1_winner": "1",
    "game_1_points_2": "0",
    "game_2_winner": "1",
    "game_2_points_2": "0",
}
"""Form data of a phone for the result `sweep(1)`."""
JSON_HEADERS = {"Accept": "application/json"}


class ThroughServices:
    """Every thread calls the service itself, with rows that it has read before."""

    def __init__(self, event: Tournament, request_count: int) -> None:
        self.event, self.request_count, self.owner = event, request_count, owner_of(event)

    def _rounds(self, number: int) -> list[Round]:
        return [get_round(self.event, number) for _ in range(self.request_count)]

    def pair(self, number: int) -> None:
        """Check that all requests get the same job."""
        ask = partial(draft_changes.request_pairing, self.event, number, self.owner)
        jobs = run_at_once([ask] * self.request_count)
        assert {type(job) for job in jobs} == {Job}
        assert len({job.pk for job in jobs if isinstance(job, Job)}) == 1

    def publish(self, number: int) -> None:
        """Check that publishing a published round succeeds."""
        seen = self.event.log.newest_draft_change()
        functions = [
            partial(rounds_services.publish_round, round_, self.owner, seen=seen)
            for round_ in self._rounds(number)
        ]
        assert run_at_once(functions) == [None] * self.request_count

    def report(self, number: int) -> None:
        """Report the same result many times for both players of table 1."""
        functions = []
        for index in range(self.request_count):
            pairing = table(get_round(self.event, number), 1)
            seat = list(pairing.match.seats.select_related("player"))[index % 2]
            functions.append(
                partial(
                    results_services.report_result,
                    pairing,
                    seat,
                    sweep(1),
                    Actor(player=seat.player),
                )
            )
        assert not [answer for answer in run_at_once(functions) if isinstance(answer, Refusal)]

    def close(self, number: int) -> None:
        """Check that closing a closed round succeeds."""
        functions = [
            partial(rounds_services.close_round, round_, self.owner)
            for round_ in self._rounds(number)
        ]
        assert run_at_once(functions) == [None] * self.request_count

    def cut(self) -> None:
        """Check that one request makes the cut and all others are refused."""
        best = self.event.cut_candidates()[:4]
        make = partial(cuts.make_cut, self.event, best, self.owner, system="double_elimination")
        kinds = Counter(type(answer) for answer in run_at_once([make] * self.request_count))
        assert kinds == {Stage: 1, cuts.CutRefused: self.request_count - 1}


class ThroughPages:
    """Half of the requests come from browsers of the organiser, half from their API clients."""

    def __init__(self, event: Tournament, request_count: int) -> None:
        self.event, self.half = event, request_count // 2
        user = owner_of(event).user
        self.browser_clients, self.api_clients = (
            browsers(user, self.half),
            api_clients(user, self.half),
        )

    def _answers(self, page: str, typed: Any, path: str, body: Any) -> list[list[Any]]:
        """Send all requests at once; return the responses of browsers and of API clients."""
        address = f"/api/v1/events/{self.event.slug}/{path}"
        api_requests = post_requests(self.api_clients, address, body, format="json")
        answers = send_at_once([*post_requests(self.browser_clients, page, typed), *api_requests])
        return [answers[: self.half], answers[self.half :]]

    def _page(self, name: str, *arguments: Any) -> str:
        return reverse(f"tournaments:{name}", args=[self.event.slug, *arguments])

    def pair(self, number: int) -> None:
        """Check that browsers are redirected to the draft and API clients get the same job."""
        body = {"number": number}
        browser_responses, api_responses = self._answers(self._page("pair"), body, "rounds/", body)
        assert count_statuses(browser_responses) == {302: self.half}
        assert count_statuses(api_responses) == {202: self.half}
        assert len({answer.json()["job"]["id"] for answer in api_responses}) == 1

    def publish(self, number: int) -> None:
        """Check that publishing a published round succeeds."""
        version = self.event.log.newest_draft_change()
        page, path = self._page("publish", number), f"rounds/{number}/publish/"
        browser_responses, api_responses = self._answers(
            page, {"seen": version}, path, {"version": version}
        )
        assert count_statuses(browser_responses) == {302: self.half}
        assert count_statuses(api_responses) == {200: self.half}

    def report(self, number: int) -> None:
        """Check that the same report of both players, sent by many phones, always succeeds."""
        address = self._page("report", number, 1)
        functions = [
            partial(
                phone.post, address, SWEEP, headers={**JSON_HEADERS, "Idempotency-Key": f"{index}"}
            )
            for player in self._players_of_table_1(number)
            for index, phone in enumerate(phones(player, self.half))
        ]
        assert count_statuses(send_at_once(functions)) == {200: 2 * self.half}

    def _players_of_table_1(self, number: int) -> list[Registration]:
        seats = table(get_round(self.event, number), 1).match.seats.all()
        places = self.event.registrations.select_related("player")
        return [places.get(player=seat.player_id) for seat in seats]

    def close(self, number: int) -> None:
        """Check that closing a closed round succeeds."""
        page, path = self._page("close", number), f"rounds/{number}/close/"
        browser_responses, api_responses = self._answers(page, {}, path, {})
        assert count_statuses(browser_responses) == {302: self.half}
        assert count_statuses(api_responses) == {200: self.half}

    def cut(self) -> None:
        """Check that one request makes the cut and all others get a 409."""
        best = [player.number for player in self.event.cut_candidates()[:4]]
        seeds = {f"seed-{number}": seed for seed, number in enumerate(best, start=1)}
        rule = self.event.scoring_rule
        typed = {"system": "double_elimination", "scoring_rule": rule, **seeds}
        body = {"system": "double_elimination", "scoring_rule": rule, "players": best}
        browser_responses, api_responses = self._answers(self._page("cut"), typed, "cut/", body)
        response_counts = count_statuses([*browser_responses, *api_responses])
        assert response_counts.pop(409) == 2 * self.half - 1
        assert list(response_counts) in ([302], [201])


def count_statuses(answers: list[Any]) -> Counter[int]:
    return Counter(answer.status_code for answer in answers)
