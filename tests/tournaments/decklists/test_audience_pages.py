"""Settings of deck audiences, and the preview as a player."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from players.models import User
from tests.factories.cuts import event_with_cut, stage_of
from tests.factories.submissions import identity_card, submit, submit_for_all
from tests.factories.tournaments import (
    add_staff,
    draft_round,
    fresh,
    make_event,
    make_user,
    owner_of,
    player_number,
    start_round,
)
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import path, text_of
from tournaments.decklists.services import NoCut, StageAudience, set_audiences
from tournaments.models import DeckAudience, IdentitiesShown, StaffRole, Stage, Tournament

BERLIN = "Europe/Berlin"


def make_scene() -> Tournament:
    return make_event(players=4, owner=make_user(OWNER), time_zone=BERLIN, decks_required=False)


def audience_page(event: Tournament) -> str:
    return path(event, "desk/decks/audience/")


def preview_page(event: Tournament, number: int | str = "") -> str:
    return path(event, f"desk/preview/?player={number}")


def stage(event: Tournament, number: int = 1) -> Stage:
    return event.stages.get(number=number)


def test_audience_and_time_are_saved_in_the_time_zone_of_the_event(desk: Client, event: Tournament):
    version = event.version

    answer = desk.post(
        audience_page(event), {"audience_1": "participants", "moment_1": "2026-05-02T14:00"}
    )

    assert answer.status_code == 302
    assert stage(event).decks_shown_to == DeckAudience.PARTICIPANTS
    assert stage(event).decks_shown_at == datetime(2026, 5, 2, 12, tzinfo=UTC)
    assert fresh(event).version == version + 1
    entry = event.log.latest("pk")
    assert (entry.action, entry.subject) == ("audience of decks changed", "stage 1")
    assert entry.before == {"shown to": "private", "from": "its first round"}
    moment = "Saturday 2 May 2026, 14:00 (Europe/Berlin)"
    assert entry.after == {"shown to": "participants", "from": moment}
    page = desk.get(audience_page(event)).text
    assert 'value="2026-05-02T14:00"' in page


def test_saving_unchanged_audiences_changes_nothing(desk: Client, event: Tournament):
    version, entries = event.version, event.log.count()

    desk.post(audience_page(event), {"audience_1": "private", "moment_1": ""})

    assert (fresh(event).version, event.log.count()) == (version, entries)


def test_time_of_a_private_audience_is_not_saved(desk: Client, event: Tournament):
    desk.post(audience_page(event), {"audience_1": "private", "moment_1": "2026-05-02T14:00"})

    assert stage(event).decks_shown_at is None


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"audience_1": "cut"}, "Select a valid choice"),
        ({"audience_1": "nobody"}, "Select a valid choice"),
        ({}, "This field is required"),
        ({"audience_1": "public", "moment_1": "soon"}, "Enter a valid date/time"),
        ({"audience_1": "public", "moment_1": "0002-05-02T14:00"}, "Enter a year from 1990"),
    ],
)
def test_invalid_audience_or_time_is_refused(desk: Client, event: Tournament, sent, words):
    answer = desk.post(audience_page(event), sent)

    assert answer.status_code == 422
    assert words in answer.text
    assert stage(event).decks_shown_to == DeckAudience.PRIVATE


@pytest.mark.check(28)
def test_audience_changed_since_by_a_second_organiser_is_refused(desk: Client, event: Tournament):
    seen = event.log.newest_id()
    set_audiences(event, owner_of(event), {1: StageAudience(DeckAudience.PUBLIC)})

    answer = desk.post(audience_page(event), {"audience_1": "opponent", "seen": seen})

    assert answer.status_code == 409
    assert "Someone changed who sees the decks" in answer.text
    assert "Now recorded: stage 1 shown to public, from its first round." in answer.text
    assert "You entered: stage 1 shown to opponent, from its first round." in answer.text
    assert stage(event).decks_shown_to == DeckAudience.PUBLIC


def test_audience_of_cut_players_is_refused_for_a_swiss_stage(event: Tournament):
    with pytest.raises(NoCut):
        set_audiences(event, owner_of(event), {1: StageAudience(DeckAudience.CUT)})


def test_each_stage_has_its_own_audience(desk: Client, owner: User):
    event = event_with_cut(2, players=4)
    event.staff.update(user=owner)

    desk.post(audience_page(event), {"audience_1": "private", "audience_2": "cut"})

    assert stage(event).decks_shown_to == DeckAudience.PRIVATE
    assert stage_of(event).decks_shown_to == DeckAudience.CUT
    words = (
        "The players in the cut see each other's decks. This will apply once the first round of "
        "stage 2 is published."
    )
    assert words in text_of(desk.get(audience_page(event)))


def test_decks_of_a_finished_event_can_still_be_shown(desk: Client, event: Tournament):
    Tournament.objects.filter(pk=event.pk).update(finished_at=timezone.now())

    desk.post(audience_page(event), {"audience_1": "public"})

    assert stage(event).decks_shown_to == DeckAudience.PUBLIC


def test_page_shows_current_and_scheduled_audiences(desk: Client, event: Tournament, time_machine):
    moment = datetime(2026, 5, 2, 12, tzinfo=UTC)
    time_machine.move_to(moment - timedelta(hours=1), tick=False)
    set_audiences(event, owner_of(event), {1: StageAudience(DeckAudience.PUBLIC, moment)})
    words = "Saturday 2 May 2026, 14:00 (Europe/Berlin)"

    before = text_of(desk.get(audience_page(event)))
    time_machine.move_to(moment, tick=False)
    after = text_of(desk.get(audience_page(event)))

    assert f"Everyone who can see the event sees all decks. This will apply from {words}." in before
    assert (
        f"Everyone who can see the event sees all decks. This has applied since {words}." in after
    )


def test_identity_setting_is_offered_only_for_games_with_identities(
    desk: Client, owner: User, event
):
    android = make_event(players=2, owner=owner, game="anr", name="Android")
    assert "Identities next to names" not in desk.get(audience_page(event)).text

    desk.post(audience_page(android), {"audience_1": "private", "identities_shown": "with_decks"})

    assert fresh(android).identities_shown == IdentitiesShown.WITH_DECKS
    assert "Identities are shown only to people" in desk.get(audience_page(android)).text


def previewed_decks(answer: Any) -> dict[str, str]:
    """Return the deck cell of each player in the preview, by name."""
    table = text_of(answer).split("Decks this person can see")[1]
    cells = re.findall(r"(Ada|Bo|Cy|Di) (?:\(own\) )?(Corp|hidden|not submitted)", table)
    return dict(cells)


def test_preview_shows_strangers_no_deck_before_its_time(desk: Client, event: Tournament):
    submit(player_number(event, 1))

    seen = previewed_decks(desk.get(preview_page(event)))

    assert seen == {"Ada": "hidden"} | dict.fromkeys(("Bo", "Cy", "Di"), "not submitted")


def test_preview_of_a_player_shows_only_decks_visible_to_the_player(
    desk: Client, event: Tournament
):
    submit_for_all(event)
    set_audiences(event, owner_of(event), {1: StageAudience(DeckAudience.OPPONENT)})
    round_ = start_round(event)
    ada = player_number(event, 1)
    pairing = round_.pairing_of(ada.player)
    names_at_table = {seat.player.name for seat in pairing.match.seats.all()}

    seen = previewed_decks(desk.get(preview_page(event, 1)))

    assert len(names_at_table) == 2
    assert {name for name, side in seen.items() if side == "Corp"} == names_at_table


def test_preview_shows_drafts_and_notes_by_role(desk: Client, owner: User, event: Tournament):
    draft_round(event)
    ada = player_number(event, 1).player
    as_player = text_of(desk.get(preview_page(event, 1)))
    ada.user = add_staff(event, StaffRole.ORGANISER)
    ada.save()

    as_staff = text_of(desk.get(preview_page(event, 1)))

    assert "Rounds none Judge notes and the log no" in as_player
    assert "Rounds 1 Judge notes and the log yes" in as_staff


def test_preview_of_a_private_event_warns_that_strangers_see_no_page(
    desk: Client, event: Tournament
):
    Tournament.objects.filter(pk=event.pk).update(visibility="private")

    assert "This event is private" in desk.get(preview_page(event)).text
    assert "This event is private" not in desk.get(preview_page(event, 1)).text


@pytest.mark.parametrize("number", ["99", "-1", "x", "1e9", "0"])
def test_preview_of_an_unknown_player_is_not_found(desk: Client, event: Tournament, number: str):
    assert desk.get(preview_page(event, number)).status_code == 404


def test_preview_names_identities(desk: Client, owner: User):
    android = make_event(players=4, owner=owner, game="anr", name="Android")
    submit(player_number(android, 1), identity=identity_card("Haas-Bioroid: Stronger Together"))
    assert "Stronger Together" not in desk.get(preview_page(android)).text

    start_round(android)

    assert "Stronger Together" in desk.get(preview_page(android)).text
