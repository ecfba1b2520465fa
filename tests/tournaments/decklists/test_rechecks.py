"""Rechecks of all decks after a change of rules, date or card data."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from decks import importer
from decks.card_data.readers import shipped_card_data
from decks.models import Side
from tests.factories.library import load_cards
from tests.factories.submissions import submit_deck
from tests.factories.tournaments import fresh, make_event, owner_of, player_number
from tournaments import tasks
from tournaments.decklists import services
from tournaments.event.permissions import NOBODY, Actor
from tournaments.models import DeckReceipt, DeckSubmission, JobKind, Tournament
from tournaments.settings import services as settings_services

OnCommit = Callable[..., Any]
SHORT_LIST = "Sunny Lebeau: Security Specialist\n3 Sure Gamble"


def submitted_deck(event: Tournament, text: str = "3 Loony Goon") -> DeckSubmission:
    ada = player_number(event, 1)
    return submit_deck(ada, Side.RUNNER, text, Actor(player=ada.player))


@pytest.fixture
def netrunner() -> Tournament:
    """Return an event of Android: Netrunner with the format Standard."""
    load_cards("anr")
    return make_event(
        players=1, game="anr", deck_rules={"format_id": "standard"}, starts_on=date(2024, 5, 1)
    )


def test_anr_event_requires_decks_of_its_format(
    netrunner: Tournament,
):
    version = submitted_deck(netrunner, SHORT_LIST).version

    assert netrunner.decks_required
    assert (version.format_id, version.judged_on) == ("standard", date(2024, 5, 1))
    assert version.snapshot_id
    assert "not_in_pool" in {breach["code"] for breach in version.breaches}


def test_changed_format_rechecks_decks(netrunner: Tournament):
    services.lock_deck_by_staff(submitted_deck(netrunner, SHORT_LIST), NOBODY)

    settings_services.change_settings(netrunner, NOBODY, deck_rules={"format_id": ""})

    submission = DeckSubmission.objects.get()
    version = submission.version
    assert submission.locked_at is not None
    assert (version.format_id, version.snapshot_id) == ("", "")
    assert "not_in_pool" not in {breach["code"] for breach in version.breaches}
    assert DeckReceipt.objects.get().version.format_id == "standard"


def test_changed_date_rechecks_decks(netrunner: Tournament):
    before = submitted_deck(netrunner, SHORT_LIST).version

    settings_services.change_settings(netrunner, owner_of(netrunner), starts_on=date(2019, 6, 1))

    after = DeckSubmission.objects.get().version
    assert after.judged_on == date(2019, 6, 1)
    assert after.snapshot_id != before.snapshot_id
    assert netrunner.log.filter(action="deck judged again").count() == 1


def test_lists_with_an_unchanged_verdict_are_not_changed(netrunner: Tournament):
    before = submitted_deck(netrunner, SHORT_LIST).version

    services.judge_all_decks(netrunner, NOBODY)

    assert DeckSubmission.objects.get().version == before
    assert not netrunner.log.filter(action="deck judged again").exists()


def new_cards() -> None:
    """Import card data in which a card of the list is no longer a Runner card."""
    data = shipped_card_data("onr")
    cards = tuple(
        replace(card, side="corp") if card.title == "Loony Goon" else card for card in data.cards
    )
    importer.import_cards(data=replace(data, cards=cards))


def make_scene() -> Tournament:
    importer.import_cards()
    return make_event(players=1)


def test_import_queues_one_recheck_per_open_event_with_decks(
    event: Tournament, django_capture_on_commit_callbacks: OnCommit
):
    submitted_deck(event)
    over = make_event(players=1, name="Over")
    submitted_deck(over)
    Tournament.objects.filter(pk=over.pk).update(finished_at="2026-05-03T18:00:00Z")
    empty = make_event(players=1, name="Empty")
    versions = [fresh(tournament).version for tournament in (event, over, empty)]

    with django_capture_on_commit_callbacks(execute=True):
        new_cards()

    jobs = [
        list(tournament.jobs.values_list("kind", "state")) for tournament in (event, over, empty)
    ]
    assert jobs == [[(JobKind.JUDGE_DECKS, "done")], [], []]
    version = event.registrations.get().deck_submissions.get().version
    assert "wrong_side" in {breach["code"] for breach in version.breaches}
    moved = [
        fresh(tournament).version > old
        for tournament, old in zip((event, over, empty), versions, strict=True)
    ]
    assert moved == [True, False, True]


def test_import_without_changes_queues_no_recheck(
    event: Tournament, django_capture_on_commit_callbacks: OnCommit
):
    submitted_deck(event)

    with django_capture_on_commit_callbacks(execute=True):
        importer.import_cards()

    assert not event.jobs.exists()


def test_recheck_runs_once(event: Tournament):
    submitted_deck(event)
    Tournament.objects.filter(pk=event.pk).update(
        deck_rules={**event.deck_rules, "runner_minimum": 3}
    )
    job = services.request_judging(event)
    assert services.request_judging(event) == job

    tasks.judge_decks(job.pk)
    tasks.judge_decks(job.pk)

    job.refresh_from_db()
    assert (job.state, job.error) == ("done", "")
    version = DeckSubmission.objects.get().version
    assert version.is_legal, version.breaches
    assert event.log.filter(action="deck judged again").count() == 1
    assert services.request_judging(event) != job


def test_recheck_of_an_event_finished_since_changes_nothing(event: Tournament):
    before = submitted_deck(event).version
    job = services.request_judging(event)
    Tournament.objects.update(
        finished_at="2026-05-03T18:00:00Z", deck_rules={**event.deck_rules, "runner_minimum": 3}
    )

    tasks.judge_decks(job.pk)

    job.refresh_from_db()
    assert job.state == "done"
    assert DeckSubmission.objects.get().version == before


def test_failed_recheck_is_shown_on_the_desk(event: Tournament):
    submitted_deck(event)
    Tournament.objects.update(deck_rules={"runner_minimum": "many"})
    job = services.request_judging(event)

    tasks.judge_decks(job.pk)

    job.refresh_from_db()
    assert job.has_failed
    assert "runner_minimum is a number" in job.error
    assert job.get_kind_label() == "check the decks again"
