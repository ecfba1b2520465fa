"""One round of an evening, in which everybody pushes every button at the same moment.

`BySteps` pushes through the services, `ByAddresses` through pages, phones and API clients. Each
step says what the pushers may be answered; what has become of the event is for the test to ask.
"""

from collections import Counter
from functools import partial
from typing import Any

from django.urls import reverse

from core.errors import Refusal
from tests.factories.tournaments import get_round, owner_of, sweep, table
from tests.tournaments.races.crowd import api_clients, browsers, phones, posted, pushed
from tests.tournaments.races.hands import at_once
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
"""What a phone sends to say `sweep(1)`."""
ASKS = {"Accept": "application/json"}


class BySteps:
    """Every hand calls the service itself, with rows it has read before."""

    def __init__(self, event: Tournament, hands: int) -> None:
        self.event, self.hands, self.owner = event, hands, owner_of(event)

    def _rounds(self, number: int) -> list[Round]:
        return [get_round(self.event, number) for _ in range(self.hands)]

    def pair(self, number: int) -> None:
        """All get the same job."""
        ask = partial(draft_changes.request_pairing, self.event, number, self.owner)
        jobs = at_once([ask] * self.hands)
        assert {type(job) for job in jobs} == {Job}
        assert len({job.pk for job in jobs if isinstance(job, Job)}) == 1

    def publish(self, number: int) -> None:
        """Published again is published."""
        seen = self.event.log.newest_draft_change()
        acts = [
            partial(rounds_services.publish_round, one, self.owner, seen=seen)
            for one in self._rounds(number)
        ]
        assert at_once(acts) == [None] * self.hands

    def report(self, number: int) -> None:
        """Both players of table 1 report the same, each many times."""
        acts = []
        for hand in range(self.hands):
            pairing = table(get_round(self.event, number), 1)
            seat = list(pairing.match.seats.select_related("player"))[hand % 2]
            acts.append(
                partial(
                    results_services.report_result,
                    pairing,
                    seat,
                    sweep(1),
                    Actor(player=seat.player),
                )
            )
        assert not [answer for answer in at_once(acts) if isinstance(answer, Refusal)]

    def close(self, number: int) -> None:
        """Closed again is closed."""
        acts = [
            partial(rounds_services.close_round, one, self.owner) for one in self._rounds(number)
        ]
        assert at_once(acts) == [None] * self.hands

    def cut(self) -> None:
        """One makes it, the others learn that there is one."""
        best = self.event.cut_candidates()[:4]
        make = partial(cuts.make_cut, self.event, best, self.owner, system="double_elimination")
        kinds = Counter(type(answer) for answer in at_once([make] * self.hands))
        assert kinds == {Stage: 1, cuts.CutRefused: self.hands - 1}


class ByAddresses:
    """One half are windows of the organiser's browser, the other half API clients of theirs."""

    def __init__(self, event: Tournament, hands: int) -> None:
        self.event, self.half = event, hands // 2
        user = owner_of(event).user
        self.windows, self.api_clients = browsers(user, self.half), api_clients(user, self.half)

    def _answers(self, page: str, typed: Any, path: str, body: Any) -> list[list[Any]]:
        """What the windows get and what the API clients get, of those who all push at once."""
        address = f"/api/v1/events/{self.event.slug}/{path}"
        asked = posted(self.api_clients, address, body, format="json")
        answers = pushed([*posted(self.windows, page, typed), *asked])
        return [answers[: self.half], answers[self.half :]]

    def _page(self, name: str, *arguments: Any) -> str:
        return reverse(f"tournaments:{name}", args=[self.event.slug, *arguments])

    def pair(self, number: int) -> None:
        """Windows are led to the draft, API clients get the same job."""
        body = {"number": number}
        windows, asked = self._answers(self._page("pair"), body, "rounds/", body)
        assert statuses(windows) == {302: self.half}
        assert statuses(asked) == {202: self.half}
        assert len({answer.json()["job"]["id"] for answer in asked}) == 1

    def publish(self, number: int) -> None:
        """Published again is published."""
        version = self.event.log.newest_draft_change()
        page, path = self._page("publish", number), f"rounds/{number}/publish/"
        windows, asked = self._answers(page, {"seen": version}, path, {"version": version})
        assert statuses(windows) == {302: self.half}
        assert statuses(asked) == {200: self.half}

    def report(self, number: int) -> None:
        """Both players of table 1 report the same, each on many phones; every one is thanked."""
        address = self._page("report", number, 1)
        acts = [
            partial(phone.post, address, SWEEP, headers={**ASKS, "Idempotency-Key": f"{hand}"})
            for player in self._players_of_table_1(number)
            for hand, phone in enumerate(phones(player, self.half))
        ]
        assert statuses(pushed(acts)) == {200: 2 * self.half}

    def _players_of_table_1(self, number: int) -> list[Registration]:
        seats = table(get_round(self.event, number), 1).match.seats.all()
        places = self.event.registrations.select_related("player")
        return [places.get(player=seat.player_id) for seat in seats]

    def close(self, number: int) -> None:
        """Closed again is closed."""
        page, path = self._page("close", number), f"rounds/{number}/close/"
        windows, asked = self._answers(page, {}, path, {})
        assert statuses(windows) == {302: self.half}
        assert statuses(asked) == {200: self.half}

    def cut(self) -> None:
        """One makes it, the others get a 409."""
        best = [player.number for player in self.event.cut_candidates()[:4]]
        seeds = {f"seed-{number}": seed for seed, number in enumerate(best, start=1)}
        rule = self.event.scoring_rule
        typed = {"system": "double_elimination", "scoring_rule": rule, **seeds}
        body = {"system": "double_elimination", "scoring_rule": rule, "players": best}
        windows, asked = self._answers(self._page("cut"), typed, "cut/", body)
        answered = statuses([*windows, *asked])
        assert answered.pop(409) == 2 * self.half - 1
        assert list(answered) in ([302], [201])


def statuses(answers: list[Any]) -> Counter[int]:
    """How many answers have which status."""
    return Counter(answer.status_code for answer in answers)
