"""Recomputation of standings after a change in a closed round."""

import random
from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Any, TypeAlias

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from core import jobs
from core.jobs import JobState
from engine.standings.ranking import standings
from tests.factories.tournaments import (
    close_round,
    enter_result,
    get_round,
    make_event,
    make_user,
    owner_of,
    play_round,
    seats_of,
    start_round,
    sweep,
    table,
    tables_of,
    work_off,
)
from tests.moments import Act, after, before
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import text_of, url
from tournaments.event import engine_input
from tournaments.event import services as event_services
from tournaments.event.snapshots import tie_breakers_of
from tournaments.files.exports import FORMATS
from tournaments.models import Job, JobKind, LogAction, Tournament, WebhookEvent
from tournaments.outlook import queries as clinch_queries
from tournaments.outlook import services as outlook_services
from tournaments.rounds import services as rounds_services
from tournaments.settings import services as settings_services
from tournaments.undo import services as undo_services

ROUNDS = 3
UPDATING = "The standings from round 1 on are being updated."
Moment: TypeAlias = Callable[[Act], AbstractContextManager[None]]
COMPUTED: Moment = partial(before, "tournaments.event.snapshots._store_round")
LOCKED: Moment = partial(before, "tournaments.event.snapshots.store_standings")
WRITTEN: Moment = partial(after, "tournaments.event.snapshots.store_standings")
"""Moments of a step: standings computed; in its transaction, before and after storing."""
READ_STANDINGS = sorted(form for form, format_ in FORMATS.items() if format_.reads_standings)


class Died(BaseException):
    """The process was killed."""


def make_scene() -> Tournament:
    event = make_event(8, planned_rounds=ROUNDS, owner=make_user(OWNER))
    for _ in range(ROUNDS):
        play_round(event)
    return event


@pytest.fixture
def is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat every event as a large event."""
    monkeypatch.setattr(event_services, "LINES_AT_ONCE", 0)


@pytest.fixture
def corrected_event(event: Tournament, is_large: None) -> Tournament:
    """Return an event with a corrected result in round 1 and outdated standings."""
    correct(event, 1)
    return event


def correct(event: Tournament, number: int, place: int = 1, winner: int = 2) -> None:
    enter_result(table(get_round(event, number), place), sweep(winner, 3))


def job_of(event: Tournament) -> Job:
    return event.jobs.filter(kind=JobKind.RECOMPUTE_STANDINGS).latest("pk")


def stored_standings(event: Tournament, number: int) -> list[tuple[Any, ...]]:
    snapshot = event.snapshots.newest(number)
    assert snapshot is not None
    rows = snapshot.rows.ranked()
    return [
        (row.registration.number, row.match_points, row.tie_breakers["strength_of_schedule"])
        for row in rows
    ]


def computed_standings(event: Tournament, number: int) -> list[tuple[Any, ...]]:
    """Compute the standings after this round from all results."""
    event = Tournament.objects.get(pk=event.pk)
    records = engine_input.standings_records(event, get_round(event, number))
    table_ = standings(records, tie_breakers_of(event), seed=event.seed)
    return [
        (line.id, line.match_points, str(line.values["strength_of_schedule"])) for line in table_
    ]


@contextmanager
def patched_step(moment: Moment, *, nth: int = 1, action: Act) -> Any:
    """Run a function at the nth call of the patched step."""
    passed = 0

    def watch() -> None:
        nonlocal passed
        passed += 1
        if passed == nth:
            action()

    with moment(watch):
        yield


def die() -> None:
    raise Died


def run(event: Tournament) -> None:
    """Run the newest job, after a restart of the site if it died."""
    Job.objects.filter(state=JobState.RUNNING).update(state=JobState.QUEUED, leased_until=None)
    work_off(event)


class TestSteps:
    def test_correction_commits_with_standings_still_to_store(
        self, corrected_event: Tournament
    ) -> None:
        assert stored_standings(corrected_event, 1) != computed_standings(corrected_event, 1)
        assert corrected_event.standings_outdated_from() == 1
        assert corrected_event.log.latest("pk").action == LogAction.RESULT_CHANGED

    def test_job_stores_all_rounds_from_the_changed_round(
        self, corrected_event: Tournament
    ) -> None:
        run(corrected_event)

        assert corrected_event.standings_outdated_from() is None
        for number in range(1, ROUNDS + 1):
            assert stored_standings(corrected_event, number) == computed_standings(
                corrected_event, number
            )

    def test_earlier_rounds_are_not_recomputed(self, event, is_large) -> None:
        before = event.snapshots.newest(1)
        correct(event, 2)

        run(event)

        assert event.snapshots.newest(1) == before
        assert stored_standings(event, 2) == computed_standings(event, 2)

    def test_each_round_has_a_transaction_of_its_own(self, corrected_event: Tournament) -> None:
        with pytest.raises(Died), patched_step(WRITTEN, nth=2, action=die):
            run(corrected_event)

        assert stored_standings(corrected_event, 1) == computed_standings(corrected_event, 1)
        assert stored_standings(corrected_event, 2) != computed_standings(corrected_event, 2)
        assert corrected_event.standings_outdated_from() == 1

    def test_interrupted_job_continues_after_its_last_step(
        self, corrected_event: Tournament
    ) -> None:
        with pytest.raises(Died), patched_step(WRITTEN, nth=3, action=die):
            run(corrected_event)
        first = corrected_event.snapshots.newest(1)

        run(corrected_event)

        assert corrected_event.snapshots.newest(1) == first
        assert stored_standings(corrected_event, ROUNDS) == computed_standings(
            corrected_event, ROUNDS
        )

    def test_second_correction_restarts_from_the_lower_round(
        self, corrected_event: Tournament
    ) -> None:
        correct(corrected_event, 3, place=2)

        assert corrected_event.jobs.unfinished_standings().count() == 1
        assert job_of(corrected_event).payload["from_round"] == 1

    def test_corrections_share_the_queued_job(self, event: Tournament, is_large: None) -> None:
        correct(event, 3)
        waiting = job_of(event)

        correct(event, 2)
        correct(event, 3, place=2)

        assert job_of(event) == waiting
        assert job_of(event).payload["from_round"] == 2
        run(event)
        for number in range(1, ROUNDS + 1):
            assert stored_standings(event, number) == computed_standings(event, number)

    def test_round_can_be_written_between_two_steps(
        self, corrected_event: Tournament, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pauses: list[float] = []
        monkeypatch.setattr("tournaments.event.snapshots.time.sleep", pauses.append)

        run(corrected_event)

        assert len(pauses) == ROUNDS
        assert (pauses[0] > 0) == (connection.vendor == "sqlite")

    def test_running_job_stops_for_a_newer_job(self, event: Tournament, is_large: None) -> None:
        correct(event, 2)
        old = job_of(event)

        with patched_step(COMPUTED, nth=2, action=lambda: correct(event, 1)):
            run(event)

        old.refresh_from_db()
        assert old.state == JobState.DONE
        assert stored_standings(event, 3) != computed_standings(event, 3)
        run(event)
        for number in range(1, ROUNDS + 1):
            assert stored_standings(event, number) == computed_standings(event, number)

    def test_tie_breakers_changed_before_the_first_table_is_stored_count(
        self, is_large: None
    ) -> None:
        event = make_event(4, owner=make_user("first organiser"))
        round_ = start_round(event)
        for pairing in tables_of(round_):
            enter_result(pairing, sweep(1))
        rounds_services.close_round(round_, owner_of(event))

        def change() -> None:
            tie_breakers = ["match_points", "games_won", "lot"]
            settings_services.change_settings(event, owner_of(event), tie_breakers=tie_breakers)

        with patched_step(COMPUTED, action=change):
            run(event)
        run(event)

        snapshot = event.snapshots.newest()
        assert snapshot is not None
        row = snapshot.rows.ranked().first()
        assert row is not None
        assert "games_won" in row.tie_breakers

    def test_failure_of_a_replaced_job_is_not_shown(self, corrected_event: Tournament) -> None:
        old = job_of(corrected_event)
        Job.objects.filter(pk=old.pk).update(state=JobState.RUNNING)
        correct(corrected_event, 2)
        run(corrected_event)

        Job.objects.filter(pk=old.pk).update(state=JobState.FAILED)

        assert corrected_event.why_standings_wait() == ""
        assert list(Tournament.objects.with_current_standings([corrected_event.pk])) == [
            corrected_event.pk
        ]

    def test_failure_locks_the_event_before_its_job(self, corrected_event: Tournament) -> None:
        def fail(_job: Job) -> None:
            raise RuntimeError("A fault of ours.")

        with CaptureQueriesContext(connection) as captured:
            jobs.run_aside(Job, job_of(corrected_event).pk, fail)

        updated = [
            query["sql"].split('"')[1] for query in captured if query["sql"].startswith("UPDATE")
        ]
        assert updated[-2:] == ["tournaments_tournament", "tournaments_job"]

    def test_public_pages_are_updated_once_all_rounds_are_stored(
        self, corrected_event: Tournament
    ) -> None:
        before = Tournament.objects.get(pk=corrected_event.pk).version

        run(corrected_event)

        assert Tournament.objects.get(pk=corrected_event.pk).version > before

    def test_webhooks_are_notified_once_for_all_rounds(
        self, corrected_event: Tournament, monkeypatch
    ) -> None:
        sent = []
        monkeypatch.setattr(
            "tournaments.event.webhooks.notify", lambda _, happening: sent.append(happening.event)
        )

        run(corrected_event)

        assert sent == [WebhookEvent.STANDINGS_UPDATED]

    def test_undo_of_a_correction_is_a_correction(self, corrected_event: Tournament) -> None:
        event = Tournament.objects.get(pk=corrected_event.pk)
        run(event)
        round_ = get_round(event, ROUNDS)
        before = stored_standings(event, ROUNDS)
        correct(event, ROUNDS)
        run(event)

        undo_services.undo(
            event.log.filter(action=LogAction.RESULT_CHANGED).latest("pk"), owner_of(event)
        )

        assert event.standings_outdated_from() == round_.number
        run(event)
        assert stored_standings(event, ROUNDS) == before == computed_standings(event, ROUNDS)

    def test_reopened_round_restarts_a_running_job(self, corrected_event: Tournament) -> None:
        def reopen() -> None:
            rounds_services.reopen_round(
                get_round(corrected_event, ROUNDS), owner_of(corrected_event), "A slip is missing."
            )

        with patched_step(COMPUTED, nth=2, action=reopen):
            run(corrected_event)
        run(corrected_event)

        assert stored_standings(corrected_event, 2) == computed_standings(corrected_event, 2)
        close_round(get_round(corrected_event, ROUNDS))
        assert stored_standings(corrected_event, ROUNDS) == computed_standings(
            corrected_event, ROUNDS
        )


class TestSize:
    def test_small_event_needs_no_thread_and_one_transaction(self, event: Tournament) -> None:
        correct(event, 1)

        assert not job_of(event).is_long

    def test_large_event_has_a_thread(
        self, event, is_large, monkeypatch, django_capture_on_commit_callbacks
    ) -> None:
        started: list[Any] = []

        def thread(*, target: Any, **_: Any) -> Started:
            started.append(target)
            return Started()

        monkeypatch.setattr(jobs, "Thread", thread)

        with django_capture_on_commit_callbacks(execute=True):
            correct(event, 1)

        assert len(started) == 1
        assert job_of(event).state == JobState.QUEUED


class Started:
    def start(self) -> None:
        """Do not run the thread."""


@pytest.mark.parametrize("seed", range(6))
def test_corrections_in_any_order_equal_a_full_recomputation(
    event: Tournament, is_large: None, seed: int
) -> None:
    """Corrections, undo, crashes and job steps in any order."""
    chance = random.Random(seed)

    def any_correction() -> None:
        number, place = chance.randint(1, ROUNDS), chance.randint(1, 4)
        before = table(get_round(event, number), place)
        winner = 1 if seats_of(before)[0].points == 0 else 2
        correct(event, number, place, winner)

    def run_interrupted() -> None:
        moment = chance.choice([COMPUTED, LOCKED, WRITTEN])
        nth = chance.randint(1, ROUNDS)
        # A step allows no other change within its transaction, but it can crash there.
        action = chance.choice([any_correction, die]) if moment is COMPUTED else die
        with patched_step(moment, nth=nth, action=action), suppress(Died):
            run(event)

    def undo_last_correction() -> None:
        entry = event.log.filter(round__number=ROUNDS, action=LogAction.RESULT_CHANGED).first()
        if entry is not None and undo_services.can_undo(entry, owner_of(event), event):
            undo_services.undo(entry, owner_of(event), "Once more.")

    for _ in range(8):
        chance.choice([any_correction, any_correction, run_interrupted, undo_last_correction])()
    while event.standings_outdated_from() is not None:
        run(event)

    for number in range(1, ROUNDS + 1):
        assert stored_standings(event, number) == computed_standings(event, number)


class TestReaders:
    """Pages, exports and commands that read outdated standings."""

    @pytest.mark.parametrize(
        "page", ["standings", "print_standings", "embed_standings", "pairings", "player"]
    )
    def test_pages_show_the_stored_table_with_a_notice(self, page, corrected_event, client) -> None:
        address = url(page, corrected_event, *([1] if page == "player" else []))
        assert UPDATING in text_of(client.get(address))

        run(corrected_event)

        assert UPDATING not in text_of(client.get(address))

    def test_projector_names_the_update(self, corrected_event: Tournament, client: Client) -> None:
        wall = text_of(client.get(f"{url('projector', corrected_event)}?view=standings"))

        assert "(being updated)" in wall

    def test_closed_round_shows_that_its_standings_are_being_calculated(
        self, is_large: None, client: Client
    ) -> None:
        event = make_event(players=4)
        play_round(event)
        round_ = start_round(event)
        for pairing in tables_of(round_):
            enter_result(pairing, sweep(1))
        rounds_services.close_round(round_, owner_of(event))

        page = text_of(client.get(url("standings", event)))

        assert "The standings after round 2 are being calculated." in page

    def test_api_names_the_first_outdated_round(self, corrected_event: Tournament, client) -> None:
        address = f"/api/v1/events/{corrected_event.slug}/standings/"

        assert client.get(address).json()["updating_from_round"] == 1
        assert client.get(f"{address}1/").json()["updating_from_round"] == 1
        run(corrected_event)
        assert client.get(address).json()["updating_from_round"] is None

    @pytest.mark.parametrize("form", READ_STANDINGS)
    def test_exports_are_refused_until_the_job_is_done(
        self, form: str, corrected_event: Tournament, client: Client
    ) -> None:
        file = client.get(url(f"export_{form.replace('-', '_')}", corrected_event))
        answer = client.get(f"/api/v1/events/{corrected_event.slug}/exports/{form}/")

        assert (file.status_code, file["Retry-After"]) == (409, "5")
        assert "still being computed" in text_of(file)
        assert (answer.status_code, answer.json()["code"]) == (409, "standings_outdated")

    def test_every_export_that_reads_standings_is_tested(self) -> None:
        assert READ_STANDINGS == ["csv-standings", "datafort", "html", "nrtm", "trf"]

    def test_table_as_csv_is_refused(self, corrected_event: Tournament, client: Client) -> None:
        assert client.get(url("standings_csv", corrected_event)).status_code == 409

    def test_command_refuses_the_export(self, corrected_event: Tournament) -> None:
        with pytest.raises(CommandError, match="still being computed"):
            call_command("export_tournament", corrected_event.slug, "--format", "datafort")

    def test_texts_to_share_show_a_notice(self, corrected_event: Tournament, desk: Client) -> None:
        page = text_of(desk.get(url("announcing", corrected_event)))

        assert "still being computed" in page
        assert "Standings after round" not in page

    def test_clinch_answers_are_hidden_and_not_requested(self, corrected_event: Tournament) -> None:
        assert clinch_queries.get_outlook_or_forecast(corrected_event) is None
        outlook_services.request_outlook(corrected_event)
        assert not corrected_event.jobs.filter(
            kind__in=[JobKind.OUTLOOK, JobKind.FORECAST]
        ).exists()

        run(corrected_event)
        outlook_services.request_outlook(Tournament.objects.get(pk=corrected_event.pk))

        assert corrected_event.jobs.filter(kind=JobKind.OUTLOOK).exists()

    def test_cut_is_refused(self, corrected_event: Tournament, desk: Client) -> None:
        body = {"players": [1, 2], "system": "single_elimination"}

        answer = desk.post(
            f"/api/v1/events/{corrected_event.slug}/cut/", body, content_type="application/json"
        )

        assert answer.status_code == 409
        assert "still being computed" in answer.json()["detail"]

    def test_lists_of_events_name_no_winner(self, corrected_event: Tournament) -> None:
        assert Tournament.objects.leaders_of([corrected_event]) == {}
        run(corrected_event)
        assert corrected_event.pk in Tournament.objects.leaders_of([corrected_event])

    def test_next_round_is_paired_without_stored_standings(
        self, corrected_event: Tournament
    ) -> None:
        """Pairing reads the tables, so it includes the correction."""
        points = {
            entrant.id: entrant.match_points
            for entrant in engine_input.entrants(
                corrected_event, corrected_event.registrations.all()
            )
        }

        assert points == {line[0]: line[1] for line in computed_standings(corrected_event, ROUNDS)}

    def test_event_can_be_finished_with_its_correction(self, corrected_event: Tournament) -> None:
        settings_services.finish_event(corrected_event, owner_of(corrected_event))
        run(corrected_event)

        assert stored_standings(corrected_event, ROUNDS) == computed_standings(
            corrected_event, ROUNDS
        )


class BrokenError(Exception): ...


def fail() -> None:
    raise BrokenError


def test_open_page_names_a_failure_and_the_next_try(
    corrected_event: Tournament, client: Client
) -> None:
    standings_page = url("standings", corrected_event)
    updating = client.get(standings_page)
    assert UPDATING in text_of(updating)

    with patched_step(COMPUTED, action=fail):
        run(corrected_event)

    assert job_of(corrected_event).state == JobState.FAILED
    failed = client.get(standings_page, headers={"If-None-Match": updating["ETag"]})
    assert "The standings from round 1 on could not be calculated." in text_of(failed)
    event_services.retry_job(job_of(corrected_event), owner_of(corrected_event))
    retried = client.get(standings_page, headers={"If-None-Match": failed["ETag"]})
    assert UPDATING in text_of(retried)


def test_failed_job_is_named_and_tried_again(corrected_event: Tournament, client: Client) -> None:
    Job.objects.filter(pk=job_of(corrected_event).pk).update(state=JobState.FAILED)

    assert "could not be computed" in corrected_event.why_standings_wait()
    page = text_of(client.get(url("standings", corrected_event)))
    assert "The standings from round 1 on could not be calculated." in page
    event_services.retry_job(job_of(corrected_event), owner_of(corrected_event))
    run(corrected_event)

    assert corrected_event.why_standings_wait() == ""


def test_newer_request_replaces_a_failed_request(corrected_event: Tournament) -> None:
    Job.objects.filter(pk=job_of(corrected_event).pk).update(state=JobState.FAILED)

    correct(corrected_event, 2)

    assert job_of(corrected_event).payload["from_round"] == 1
    assert corrected_event.jobs.unfinished_standings().count() == 1
