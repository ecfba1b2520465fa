"""Steps that a finished event refuses."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from core.jobs import JobState
from tests.api.clients import client
from tests.factories.tournaments import (
    draft_round,
    fresh,
    get_round,
    make_event,
    owner_of,
    player_number,
    start_round,
    table,
    tables_of,
)
from tournaments.event import services as event_services
from tournaments.event.history import EventIsFinished
from tournaments.event.permissions import Actor
from tournaments.models import JobKind, Round, Tournament
from tournaments.rounds import draft_changes, services

Step = Callable[[Round, Actor], object]
Sent = tuple[str, str, dict[str, Any]]


def finish(event: Tournament) -> Tournament:
    """Finish the event although its round is open, which the service would refuse."""
    Tournament.objects.filter(pk=event.pk).update(finished_at=timezone.now())
    return fresh(event)


def swap(draft: Round, owner: Actor) -> None:
    event = draft.stage.tournament
    draft_changes.swap_seats(draft, player_number(event, 1), player_number(event, 2), owner)


STEPS_OF_A_DRAFT: dict[str, Step] = {
    "publish": services.publish_round,
    "swap": swap,
    "lock": lambda draft, owner: draft_changes.set_lock(table(draft, 1), owner, locked=True),
    "by hand": lambda draft, owner: draft_changes.pair_by_hand(draft, (), (), owner),
    "pair the rest": draft_changes.pair_the_rest,
    "discard": draft_changes.discard_draft,
}
STEPS_OF_A_ROUND: dict[str, Step] = {
    "unpublish": lambda round_, owner: services.unpublish_round(round_, owner, "Too early."),
    "start": services.start_round,
    "close": services.close_round,
    "reopen": lambda round_, owner: services.reopen_round(round_, owner, "A wrong result."),
    "pause": services.pause_clock,
    "resume": services.resume_clock,
    "minutes": lambda round_, owner: services.add_minutes(round_, 5, owner),
    "table minutes": lambda round_, owner: services.add_table_minutes(table(round_, 1), 5, owner),
}


@pytest.mark.parametrize("step", STEPS_OF_A_DRAFT.values(), ids=STEPS_OF_A_DRAFT.keys())
def test_draft_step_is_refused(step: Step):
    event = make_event(players=8)
    draft = draft_round(event)
    seated = [pairing.players for pairing in tables_of(draft)]

    with pytest.raises(EventIsFinished):
        step(draft, owner_of(finish(event)))

    draft = get_round(event, 1)
    assert draft.is_draft
    assert [pairing.players for pairing in tables_of(draft)] == seated


@pytest.mark.parametrize("step", STEPS_OF_A_ROUND.values(), ids=STEPS_OF_A_ROUND.keys())
def test_step_of_a_round_or_its_clock_is_refused(step: Step):
    round_ = start_round(make_event(players=8))
    event = finish(round_.stage.tournament)
    newest = event.log.latest("pk")

    with pytest.raises(EventIsFinished):
        step(round_, owner_of(event))

    assert event.log.latest("pk") == newest


def failed(event: Tournament, kind: JobKind) -> Any:
    return event.jobs.create(kind=kind, key=kind, state=JobState.FAILED, payload={"number": 1})


def test_retried_pairing_is_refused():
    event = finish(make_event(players=8))
    job = failed(event, JobKind.PAIR_ROUND)

    with pytest.raises(EventIsFinished):
        event_services.retry_job(job, owner_of(event))

    job.refresh_from_db()
    assert job.has_failed


def test_retried_computation_of_standings_is_accepted():
    event = finish(make_event(players=8))
    job = failed(event, JobKind.RECOMPUTE_STANDINGS)

    event_services.retry_job(job, owner_of(event))

    job.refresh_from_db()
    assert job.state == JobState.QUEUED


SENT_TO_A_DRAFT: tuple[Sent, ...] = (
    ("post", "publish/", {}),
    ("post", "draft/swap/", {"one": 1, "other": 2, "confirmed": True}),
    ("post", "draft/lock/", {"table": 1, "locked": True}),
    ("post", "draft/rest/", {}),
    ("put", "draft/by-hand/", {"tables": [], "byes": [], "confirmed": True}),
    ("delete", "draft/", {}),
)
SENT_TO_A_ROUND: tuple[Sent, ...] = (
    ("post", "start/", {}),
    ("post", "close/", {}),
    ("post", "clock/pause/", {}),
    ("post", "clock/resume/", {}),
    ("post", "clock/add/", {"minutes": 5}),
    ("post", "tables/1/time/", {"minutes": 5}),
)


@pytest.mark.parametrize(
    ("begin", "sent"),
    [
        *((draft_round, sent) for sent in SENT_TO_A_DRAFT),
        *((start_round, sent) for sent in SENT_TO_A_ROUND),
    ],
    ids=lambda one: one[1] if isinstance(one, tuple) else "",
)
def test_api_request_is_refused_with_a_code(begin: Callable[[Tournament], Round], sent: Sent):
    event = make_event(players=8)
    begin(event)
    method, path, body = sent

    answer = getattr(client(finish(event)), method)(
        f"/api/v1/events/{event.slug}/rounds/1/{path}", body, format="json"
    )

    assert (answer.status_code, answer.json()["code"]) == (409, "event_is_finished")
