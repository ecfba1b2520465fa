"""How often players come in before the last round: a job, the phone, the pages, the API."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from core import jobs
from tests.factories.cuts import make_cut
from tests.factories.pods import make_pods, places
from tests.factories.sessions import claim
from tests.factories.tournaments import (
    add_players,
    enter_result,
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    sweep,
    table,
)
from tests.tournaments.pages import text_of, url
from tournaments.desk import timers
from tournaments.models import Forecast, Job, JobKind, Tournament
from tournaments.outlook import services as outlook_services
from tournaments.outlook.pages import chances_table, get_need_lines, needs_table
from tournaments.registration import services as registration_services
from tournaments.tasks import forecast as forecast_task


@pytest.fixture(autouse=True)
def _few_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a run plays does not depend on how many there are."""
    monkeypatch.setattr(outlook_services, "runs_for", lambda course: 8)


def between_rounds(**settings: Any) -> Tournament:
    """Round 1 of 3 is closed."""
    event = make_event(players=4, **{"planned_rounds": 3, "planned_cut": 2, **settings})
    play_round(event, play=lambda _: sweep(1))
    return event


def played_out(event: Tournament) -> Tournament:
    """What the time of day does every few seconds."""
    outlook_services.request_outlook(fresh(event))
    for job in Job.objects.filter(kind=JobKind.FORECAST, state="queued"):
        forecast_task(job.pk)
    return fresh(event)


def test_after_a_closed_round_everybody_has_a_count_with_its_interval():
    table_of = chances_table(played_out(between_rounds()))

    assert table_of is not None
    assert (table_of.goal, table_of.round, table_of.rounds_left, table_of.runs) == (
        "the top 2",
        1,
        2,
        8,
    )
    assert sum(row.times_in for row in table_of.rows) == 8 * 2
    assert all(row.low <= 100 * row.times_in / 8 <= row.high for row in table_of.rows)
    assert needs_table(fresh(Tournament.objects.get())) is None


def test_it_is_played_out_once_until_a_closed_round_or_the_field_changes():
    event = played_out(between_rounds())
    first = Forecast.objects.get()
    start_round(event)
    enter_result(table(get_round(event, 2), 1), sweep(1))

    event = played_out(event)
    assert Forecast.objects.get().computed_at == first.computed_at

    registration_services.drop_player(player_number(event, 4), owner_of(event))
    event = played_out(event)
    found = Forecast.objects.get()
    assert found.digest != first.digest
    assert "4" not in found.times_in


def test_the_phone_the_standings_and_the_page_of_all_say_it_in_words():
    event = played_out(between_rounds())
    phone = Client()
    claim(phone, player_number(event, 1).player)
    times = Forecast.objects.get().times_in["1"]

    mine = text_of(phone.get(url("my_event", event)))
    page = text_of(phone.get(url("needs", event)))

    assert f"You make the top 2 in {times} of 8 runs" in mine
    assert "95 % interval" in mine
    assert f"In {times} of 8 runs, 95 % interval" in page
    assert "nobody" in page.lower()
    assert "Chances of the top 2" in text_of(phone.get(url("standings", event)))


def test_the_api_has_the_same_counts():
    event = played_out(between_rounds())

    body = Client().get(f"/api/v1/events/{event.slug}/needs/").json()

    assert (body["round"], body["rows"], body["goal"]) == (None, [], "the top 2")
    counted = {str(row["number"]): row["times_in"] for row in body["chances"]["rows"]}
    assert counted == Forecast.objects.get().times_in


def test_the_switch_stops_it_and_hides_it():
    event = played_out(between_rounds())
    Tournament.objects.update(shows_needs=False)

    assert get_need_lines(player_number(fresh(event), 1)) is None
    assert chances_table(fresh(event)) is None
    play_round(event, play=lambda _: sweep(1))
    played_out(event)
    assert Forecast.objects.count() == 1


def test_the_last_round_takes_over_with_what_is_certain():
    event = between_rounds(planned_rounds=2)
    played_out(event)
    start_round(event)

    page = text_of(Client().get(url("needs", event)))
    assert "Calculating clinch scenarios" in page
    assert "exact answers appear" not in page
    assert get_need_lines(player_number(fresh(event), 1)) is None

    outlook_services.request_outlook(fresh(event))
    jobs.run_aside(Job, Job.objects.get(kind=JobKind.OUTLOOK).pk, outlook_services.compute_outlook)

    assert chances_table(fresh(event)) is None
    assert needs_table(fresh(event)) is not None


def test_a_job_says_how_far_it_is_and_ends_when_it_is_outdated(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(outlook_services, "CHECK_INTERVAL_SECONDS", 0)
    event = between_rounds()
    outlook_services.request_outlook(fresh(event))
    seen: list[str] = []

    def keep(job: Job) -> None:
        seen.append(job.get_kind_label())
        Tournament.objects.update(shows_needs=len(seen) < 3)

    monkeypatch.setattr(jobs, "renew_lease", keep)
    for job in Job.objects.filter(kind=JobKind.FORECAST):
        forecast_task(job.pk)

    assert seen == [f"play out the rounds left ({done} of 8 runs)" for done in (1, 2, 3)]
    assert not Forecast.objects.exists()
    assert Job.objects.get(kind=JobKind.FORECAST).state == jobs.JobState.DONE


def test_pods_are_played_out_too():
    event = make_pods(5, planned_rounds=3)
    play_round(event, play=places)

    found = chances_table(played_out(event))

    assert found is not None
    assert found.goal == "first place"
    assert sum(row.times_in for row in found.rows) == 8


def test_nothing_is_played_out_without_a_number_of_rounds_or_once_the_last_is_over():
    unplanned = make_event(players=4, planned_cut=2)
    play_round(unplanned)
    over = between_rounds(planned_rounds=1)

    played_out(unplanned)
    played_out(over)

    assert not Job.objects.filter(kind=JobKind.FORECAST).exists()


def test_it_is_asked_for_between_rounds_too_and_by_nobody_once_it_is_over():
    event = between_rounds()

    timers.apply_due_changes()

    job = Job.objects.get(kind=JobKind.FORECAST)
    Job.objects.filter(pk=job.pk).delete()
    Tournament.objects.filter(pk=event.pk).update(finished_at=timezone.now())
    timers.apply_due_changes()
    assert not Job.objects.filter(kind=JobKind.FORECAST).exists()


def test_who_comes_late_is_played_out_with_the_others():
    event = between_rounds()
    start_round(event)
    (late,) = add_players(event, 1)

    found = chances_table(played_out(event))

    assert found is not None
    assert late.number in {row.number for row in found.rows}
    assert Job.objects.get(kind=JobKind.FORECAST).state == jobs.JobState.DONE


@pytest.mark.parametrize("change", [{"planned_rounds": None}, {"planned_rounds": 4}])
def test_what_counted_on_other_rounds_is_not_shown(change: dict[str, Any]):
    event = played_out(between_rounds())
    Tournament.objects.filter(pk=event.pk).update(**change)

    assert chances_table(fresh(event)) is None
    assert get_need_lines(player_number(fresh(event), 1)) is None


def test_nothing_is_shown_once_a_cut_is_made():
    event = played_out(between_rounds())
    make_cut(event, 2)

    assert chances_table(fresh(event)) is None


def test_it_makes_way_for_a_round_that_is_to_be_paired(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(outlook_services, "CHECK_INTERVAL_SECONDS", 0)
    event = between_rounds()
    outlook_services.request_outlook(fresh(event))
    job = Job.objects.get(kind=JobKind.FORECAST)
    Job.objects.create(tournament=event, kind=JobKind.PAIR_ROUND, key="pair", payload={})

    forecast_task(job.pk)

    job.refresh_from_db()
    assert (job.is_live, job.attempts) == (True, 0)
    assert not Forecast.objects.exists()
