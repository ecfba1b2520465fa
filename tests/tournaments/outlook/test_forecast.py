"""Chances before the last round: the job, the phone, the pages and the API."""

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
from tournaments.outlook.pages import ChancesTable, chances_table, get_need_lines, needs_table
from tournaments.registration import services as registration_services
from tournaments.tasks import forecast as forecast_task


@pytest.fixture(autouse=True)
def _few_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlook_services, "runs_for", lambda course: 8)


def between_rounds(**settings: Any) -> Tournament:
    """Return an event after round 1 of 3."""
    event = make_event(players=4, **{"planned_rounds": 3, "planned_cut": 2, **settings})
    play_round(event, play=lambda _: sweep(1))
    return event


def compute_forecast(event: Tournament) -> Tournament:
    """Compute the forecast, as the timer does every few seconds."""
    outlook_services.request_outlook(fresh(event))
    for job in Job.objects.filter(kind=JobKind.FORECAST, state="queued"):
        forecast_task(job.pk)
    return fresh(event)


def shown_chances(event: Tournament) -> ChancesTable:
    chances = chances_table(compute_forecast(event))
    assert chances is not None
    return chances


class TestForecast:
    def test_closed_round_gives_all_players_a_count_with_its_interval(self):
        chances = shown_chances(between_rounds())

        assert (chances.goal, chances.round, chances.rounds_left, chances.runs) == (
            "the top 2",
            1,
            2,
            8,
        )
        assert sum(row.times_in for row in chances.rows) == 8 * 2
        assert all(row.low <= 100 * row.times_in / 8 <= row.high for row in chances.rows)
        assert needs_table(fresh(Tournament.objects.get())) is None

    def test_forecast_runs_again_only_after_a_change_of_closed_rounds_or_players(self):
        event = compute_forecast(between_rounds())
        first = Forecast.objects.get()
        start_round(event)
        enter_result(table(get_round(event, 2), 1), sweep(1))

        event = compute_forecast(event)
        assert Forecast.objects.get().computed_at == first.computed_at

        registration_services.drop_player(player_number(event, 4), owner_of(event))
        event = compute_forecast(event)
        latest = Forecast.objects.get()
        assert latest.digest != first.digest
        assert "4" not in latest.times_in

    def test_last_round_replaces_the_forecast_by_exact_scenarios(self):
        event = between_rounds(planned_rounds=2)
        compute_forecast(event)
        start_round(event)

        page = text_of(Client().get(url("needs", event)))
        assert "Calculating clinch scenarios" in page
        assert "exact scenarios appear" not in page
        assert get_need_lines(player_number(fresh(event), 1)) is None

        outlook_services.request_outlook(fresh(event))
        job = Job.objects.get(kind=JobKind.OUTLOOK)
        jobs.run_aside(Job, job.pk, outlook_services.compute_outlook)

        assert chances_table(fresh(event)) is None
        assert needs_table(fresh(event)) is not None

    def test_pods_have_a_forecast(self):
        event = make_pods(5, planned_rounds=3)
        play_round(event, play=places)

        chances = shown_chances(event)

        assert chances.goal == "first place"
        assert sum(row.times_in for row in chances.rows) == 8

    def test_late_entry_is_part_of_the_forecast(self):
        event = between_rounds()
        start_round(event)
        (late,) = add_players(event, 1)

        assert late.number in {row.number for row in shown_chances(event).rows}
        assert Job.objects.get(kind=JobKind.FORECAST).state == jobs.JobState.DONE

    def test_no_forecast_without_planned_rounds_or_after_the_last(self):
        unplanned = make_event(players=4, planned_cut=2)
        play_round(unplanned)

        compute_forecast(unplanned)
        compute_forecast(between_rounds(planned_rounds=1))

        assert not Job.objects.filter(kind=JobKind.FORECAST).exists()

    def test_timer_requests_a_forecast_until_the_event_is_finished(self):
        event = between_rounds()

        timers.apply_due_changes()

        job = Job.objects.get(kind=JobKind.FORECAST)
        Job.objects.filter(pk=job.pk).delete()
        Tournament.objects.filter(pk=event.pk).update(finished_at=timezone.now())
        timers.apply_due_changes()
        assert not Job.objects.filter(kind=JobKind.FORECAST).exists()

    @pytest.mark.parametrize("change", [{"planned_rounds": None}, {"planned_rounds": 4}])
    def test_changed_number_of_rounds_hides_the_forecast(self, change: dict[str, Any]):
        event = compute_forecast(between_rounds())
        Tournament.objects.filter(pk=event.pk).update(**change)

        assert chances_table(fresh(event)) is None
        assert get_need_lines(player_number(fresh(event), 1)) is None

    def test_cut_hides_the_forecast(self):
        event = compute_forecast(between_rounds())
        make_cut(event, 2)

        assert chances_table(fresh(event)) is None

    def test_setting_stops_and_hides_the_forecast(self):
        event = compute_forecast(between_rounds())
        Tournament.objects.update(shows_needs=False)

        assert get_need_lines(player_number(fresh(event), 1)) is None
        assert chances_table(fresh(event)) is None
        play_round(event, play=lambda _: sweep(1))
        compute_forecast(event)
        assert Forecast.objects.count() == 1


class TestJob:
    def test_job_reports_progress_and_ends_when_outdated(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(outlook_services, "CHECK_INTERVAL_SECONDS", 0)
        event = between_rounds()
        outlook_services.request_outlook(fresh(event))
        labels: list[str] = []

        def renew(job: Job) -> None:
            labels.append(job.get_kind_label())
            Tournament.objects.update(shows_needs=len(labels) < 3)

        monkeypatch.setattr(jobs, "renew_lease", renew)
        for job in Job.objects.filter(kind=JobKind.FORECAST):
            forecast_task(job.pk)

        assert labels == [f"simulate the remaining rounds ({done} of 8 runs)" for done in (1, 2, 3)]
        assert not Forecast.objects.exists()
        assert Job.objects.get(kind=JobKind.FORECAST).state == jobs.JobState.DONE

    def test_job_yields_to_the_pairing_of_a_round(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(outlook_services, "CHECK_INTERVAL_SECONDS", 0)
        event = between_rounds()
        outlook_services.request_outlook(fresh(event))
        job = Job.objects.get(kind=JobKind.FORECAST)
        Job.objects.create(tournament=event, kind=JobKind.PAIR_ROUND, key="pair", payload={})

        forecast_task(job.pk)

        job.refresh_from_db()
        assert (job.is_live, job.attempts) == (True, 0)
        assert not Forecast.objects.exists()


def test_phone_pages_and_api_show_the_chances():
    event = compute_forecast(between_rounds())
    phone = Client()
    claim(phone, player_number(event, 1).player)
    times_in = Forecast.objects.get().times_in
    percent = int(100 * times_in["1"] / 8 + 0.5)

    my_page = text_of(phone.get(url("my_event", event)))
    page = text_of(phone.get(url("needs", event)))
    body = Client().get(f"/api/v1/events/{event.slug}/needs/").json()

    assert f"About {percent}% to make the top 2" in my_page
    assert "The 95% interval is" in my_page
    assert f"About {percent}% (95% interval:" in page
    assert "nobody drops." in page
    assert "Chances to make the top 2" in text_of(phone.get(url("standings", event)))
    assert (body["round"], body["rows"], body["goal"]) == (None, [], "the top 2")
    assert {str(row["number"]): row["times_in"] for row in body["chances"]["rows"]} == times_in


def test_chance_below_half_a_percent_is_shown_without_its_interval():
    event = compute_forecast(between_rounds())
    phone = Client()
    claim(phone, player_number(event, 1).player)
    forecast = Forecast.objects.get()
    Forecast.objects.update(runs=400, times_in={**forecast.times_in, "1": 1})

    my_page = text_of(phone.get(url("my_event", event)))
    page = text_of(phone.get(url("needs", event)))

    assert "Less than 1% to make the top 2" in my_page
    assert "95% interval is" not in my_page
    assert "Less than 1%" in page
