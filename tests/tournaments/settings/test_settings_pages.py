from datetime import time
from typing import Any

import pytest
from django.test import Client

from decks.models import Card, Catalogue, DeckSlot, Side
from engine.systems import SYSTEMS
from players.models import User
from tests.factories.library import load_cards
from tests.factories.sessions import logged_in
from tests.factories.submissions import submit_deck
from tests.factories.tournaments import (
    add_staff,
    draft_round,
    fresh,
    make_event,
    make_user,
    owner_of,
    play_round,
    player_number,
    start_round,
)
from tests.tournaments.cast import OWNER
from tests.tournaments.pages import path, text_of, url
from tournaments.event.permissions import Actor
from tournaments.models import DeckSubmission, LateEntry, StaffRole, Tournament
from tournaments.settings import services
from tournaments.settings.forms import SettingsForm


def make_scene() -> Tournament:
    return make_event(players=2, owner=make_user(OWNER))


def settings_of(desk: Client, event: Tournament) -> dict[str, str]:
    page = desk.get(path(event, "desk/settings/"))
    form = page.context["form"]
    sent = {name: form[name].value() for name in form.fields}
    sent = {name: "" if value is None else value for name, value in sent.items()}
    return {**sent, "seen": page.context["seen"]}


def test_removed_format_warns_once(desk: Client, owner: User):
    load_cards("anr")
    event = make_event(players=0, owner=owner, game="anr", deck_rules={"format_id": "standard"})
    warning = "No format is chosen, so every card is legal."

    sent = settings_of(desk, event) | {"format_id": ""}
    taken = desk.post(path(event, "desk/settings/"), sent, follow=True)
    sent = settings_of(desk, event) | {"location": "Upstairs"}
    later = desk.post(path(event, "desk/settings/"), sent, follow=True)

    assert warning in taken.text
    assert "Saved: Place." in later.text
    assert warning not in later.text


def tie_breakers_shown(desk: Client, event: Tournament) -> dict[str, str]:
    bound = desk.get(path(event, "desk/settings/")).context["form"]["tie_breakers"]
    context = bound.field.widget.get_context(bound.html_name, bound.value(), {})
    return {select["name"]: "".join(select["value"]) for select in context["widget"]["subwidgets"]}


SIX_TIE_BREAKERS = [
    *("head_to_head", "games_won", "manual_seed"),
    *("strength_of_schedule", "buchholz", "agenda_point_difference"),
]


@pytest.mark.parametrize(
    "stored",
    [
        ["match_points", *SIX_TIE_BREAKERS, "lot"],
        ["match_points", "head_to_head", "buchholz", "lot"],
        ["games_won", "match_points", "lot"],
        ["match_points", *SIX_TIE_BREAKERS, "median_buchholz", "lot"],
    ],
    ids=["six", "two", "points second, as imported", "seven, as imported"],
)
def test_renaming_keeps_the_tie_breakers_and_all_other_settings(
    desk: Client, event: Tournament, stored: list[str]
):
    Tournament.objects.filter(pk=event.pk).update(tie_breakers=stored)
    sent = settings_of(desk, event)
    del sent["tie_breakers"]
    shown = tie_breakers_shown(desk, event)

    desk.post(path(event, "desk/settings/"), {**sent, **shown, "name": "Autumn Run"})

    assert fresh(event).tie_breakers == stored
    assert event.log.get(action="settings changed").after == {"name": "Autumn Run"}


def test_settings_are_saved_and_shown(desk: Client, event: Tournament):
    sent = settings_of(desk, event) | {
        "visibility": "unlisted",
        "planned_rounds": "4",
        "time_zone": "Europe/Berlin",
        "registration_closes_at": "2026-05-02T10:00",
        "starts_on": "2026-05-03",
        "corp_minimum": "40",
        "ban_list": "on",
        "tie_breakers_0": "head_to_head",
        "tie_breakers_1": "",
        "tie_breakers_2": "buchholz",
    }

    review = desk.post(path(event, "desk/settings/"), sent)
    assert review.status_code == 200
    assert fresh(event).visibility == "public"
    desk.post(path(event, "desk/settings/"), sent | read_of(review))

    saved = fresh(event)
    assert (saved.visibility, saved.planned_rounds) == ("unlisted", 4)
    assert saved.starts_on.isoformat() == "2026-05-03"
    assert saved.registration_closes_at.isoformat() == "2026-05-02T08:00:00+00:00"
    assert saved.deck_rules == {
        "runner_minimum": 45,
        "corp_minimum": 40,
        "exact_ratio": False,
        "ban_list": True,
    }
    assert saved.tie_breakers == ["match_points", "head_to_head", "buchholz", "lot"]
    assert 'value="2026-05-02T10:00"' in desk.get(path(event, "desk/settings/")).text
    assert str(settings_of(desk, event)["corp_minimum"]) == "40"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("name", "", "This field is required."),
        ("time_zone", "Moon/Base", '"Moon/Base" is not a time zone'),
        ("round_minutes", "3", "A round lasts 5 to 600 minutes, not 3."),
        ("planned_rounds", "99", "An event has 1 to 30 rounds, not 99."),
        ("max_players", "0", "An event has 2 players or more, not 0."),
        ("max_players", "1", "Leave it blank for no limit."),
        ("starts_on", "0026-05-02", "Enter a year from 1990"),
    ],
)
def test_invalid_setting_is_refused(
    desk: Client, event: Tournament, field: str, value: str, words: str
):
    answer = desk.post(path(event, "desk/settings/"), settings_of(desk, event) | {field: value})

    assert answer.status_code == 422
    assert words in text_of(answer)
    assert "Spring Run" in text_of(answer)


def read_of(review: Any) -> dict[str, str]:
    return {"read": " ".join(review.context["touched"])}


def test_side_effects_are_reviewed_before_saving(
    desk: Client, event: Tournament, deck: DeckSubmission
):
    address = path(event, "desk/settings/")
    sent = settings_of(desk, event) | {"starts_on": "2026-06-06", "max_players": "1000"}

    review = desk.post(address, sent)

    assert review.status_code == 200
    assert "Not saved yet." in text_of(review)
    assert "2 players joined for the old date or place. Let them know." in text_of(review)
    assert "1 deck will be checked again and may become illegal." in text_of(review)
    assert 'value="2026-06-06"' in review.text
    # Enter in a field presses the first button, which shows the review again.
    form = review.text[review.text.index('name="seen"') :]
    assert 'name="sure"' not in form[: form.index("</button>")]
    more = desk.post(address, sent | read_of(review) | {"visibility": "private"})
    assert more.status_code == 200
    assert "Only its players and staff can see the event" in text_of(more)
    assert fresh(event).starts_on == event.starts_on

    desk.post(address, sent | read_of(review))
    assert fresh(event).starts_on.isoformat() == "2026-06-06"


def test_reviewed_setting_changed_since_is_refused(desk: Client, event: Tournament):
    sent = settings_of(desk, event) | {"visibility": "private"}
    review = desk.post(path(event, "desk/settings/"), sent)
    services.change_settings(event, owner_of(event), visibility="unlisted")

    seen = {"seen": review.context["seen"]}
    answer = desk.post(path(event, "desk/settings/"), sent | read_of(review) | seen)

    assert answer.status_code == 409
    assert fresh(event).visibility == "unlisted"


def test_change_without_side_effects_is_saved_immediately(desk: Client, event: Tournament):
    assert settings_sent(desk, event, entry_fee="10 EUR", round_minutes="50") == 302
    assert (fresh(event).entry_fee, fresh(event).round_minutes) == ("10 EUR", 50)


def test_side_effects_on_clock_and_waiting_list(event: Tournament):
    waits = player_number(event, 1)
    waits.state = "waiting"
    waits.save(update_fields=["state"])
    assert services.side_effects(event, owner_of(event), {"max_players": 5}) == [
        "1 player will move up from the waiting list."
    ]

    running = start_round(make_event(players=4, name="Another"))
    running_event = running.stage.tournament
    assert services.side_effects(running_event, owner_of(running_event), {"round_minutes": 40}) == [
        "The clock of round 1 changes to 40 minutes."
    ]
    assert (
        services.side_effects(
            running_event, owner_of(running_event), {"round_minutes": running_event.round_minutes}
        )
        == []
    )


def test_settings_are_six_groups(desk: Client, event: Tournament):
    page = desk.get(path(event, "desk/settings/"))

    assert [group.title for group in page.context["form"].groups] == [
        "What and when",
        "Who and where",
        "Play",
        "Decks",
        "Judges and penalties",
        "Notifications",
    ]


def test_saving_names_the_changes_and_their_effects(
    desk: Client, event: Tournament, deck: DeckSubmission
):
    address = path(event, "desk/settings/")
    sent = settings_of(desk, event) | {"corp_minimum": "50", "max_players": "20"}
    review = desk.post(address, sent)

    saved = desk.post(address, sent | read_of(review), follow=True)
    unchanged = desk.post(address, settings_of(desk, event), follow=True)

    assert [str(message) for message in saved.context["messages"]] == [
        "Saved: Player limit, Minimum Corp deck size. "
        "1 deck will be checked again and may become illegal."
    ]
    assert [str(message) for message in unchanged.context["messages"]] == ["Nothing was changed."]


def test_saving_names_the_new_value_of_a_checkbox(desk: Client, event: Tournament):
    address = path(event, "desk/settings/")
    sent = settings_of(desk, event)
    without = {name: value for name, value in sent.items() if name != "decks_required"}

    off = desk.post(address, without, follow=True)
    on = desk.post(address, settings_of(desk, event) | {"decks_required": "on"}, follow=True)

    assert [str(message) for message in off.context["messages"]] == [
        "Saved: Decklists required (off)."
    ]
    assert [str(message) for message in on.context["messages"]] == [
        "Saved: Decklists required (on)."
    ]


def test_settings_explain_that_decklists_are_otherwise_optional(desk: Client, event: Tournament):
    for page in (path(event, "desk/settings/"), "/events/new/"):
        assert "Decklists required If unticked, decklists are optional." in text_of(desk.get(page))


def test_settings_of_paired_rounds_are_locked(desk: Client, event: Tournament):
    sent = settings_of(desk, event)
    draft_round(event)

    form = desk.get(path(event, "desk/settings/")).context["form"]
    locked = {name for name, field in form.fields.items() if field.disabled}
    assert locked == {"system", "scoring_rule", "bye_points"}
    assert {form[name].help_text for name in locked} == {"Locked since round 1 was paired."}

    # The browser does not send disabled fields.
    free = {name: value for name, value in sent.items() if name not in locked} | {"seen": ""}
    assert desk.post(path(event, "desk/settings/"), free | {"entry_fee": "5"}).status_code == 302
    assert (fresh(event).entry_fee, fresh(event).bye_points) == ("5", 20)

    # A page from before the round still sends them.
    old_page = desk.post(path(event, "desk/settings/"), sent | {"bye_points": "10", "seen": ""})
    assert old_page.status_code == 409
    assert "the bye points can no longer change" in text_of(old_page)


def test_every_setting_is_in_one_group(event: Tournament):
    form = SettingsForm(instance=event)

    names = [field.name for group in form.groups for field in group.fields]

    assert sorted(names) == sorted(form.fields)


def test_role_by_username_ignores_case(desk: Client, event: Tournament):
    make_user("Judy")
    address = path(event, "desk/staff/add/")

    answer = desk.post(address, {"username": " judy ", "role": "judge"}, follow=True)
    unknown = desk.post(address, {"username": "nobody", "role": "judge"})

    assert event.staff.get(user__username="Judy").role == StaffRole.JUDGE
    assert "Judy is now judge." in text_of(answer)
    assert unknown.status_code == 422
    assert 'There is no account "nobody".' in text_of(unknown)


def test_organiser_cannot_change_roles(event: Tournament):
    organiser = logged_in(add_staff(event, StaffRole.ORGANISER))

    page = organiser.get(path(event, "desk/staff/"))

    assert "Only the owner can change roles." in text_of(page)


@pytest.fixture
def deck(event: Tournament) -> DeckSubmission:
    load_cards()
    ada = player_number(event, 1)
    cards = Card.objects.filter(side=Side.RUNNER).order_by("title_key")[:45]
    text = "\n".join(f"1 {card.title}" for card in cards)
    return submit_deck(ada, Side.RUNNER, text, Actor(player=ada.player))


def test_deck_page_lists_submitted_decks(desk: Client, event: Tournament, deck: DeckSubmission):
    page = text_of(desk.get(path(event, "desk/decks/")))

    assert "Submitted 1 of 4" in page
    assert "45 cards Legal Not locked" in page
    assert page.count("Not submitted") == 3


def test_without_cards_decks_are_not_judged(desk: Client, event: Tournament, deck: DeckSubmission):
    DeckSlot.objects.all().delete()
    Card.objects.all().delete()
    Catalogue.objects.all().delete()

    page = text_of(desk.get(path(event, "desk/decks/1/runner/")))
    changed = settings_of(desk, event) | {"runner_minimum": "50"}
    review = desk.post(path(event, "desk/settings/"), changed)
    answer = desk.post(path(event, "desk/settings/"), changed | read_of(review))

    assert "No cards of Netrunner (1996) are loaded yet" in page
    assert " ".join(deck.version.text.split()) in page
    assert answer.status_code == 409
    assert "No cards of Netrunner (1996) are loaded yet" in text_of(answer)
    assert fresh(event).deck_rules["runner_minimum"] == 45


def test_decks_are_revealed_and_hidden(desk: Client, event: Tournament):
    desk.post(path(event, "desk/decks/reveal/"), {"revealed": "yes"})
    assert fresh(event).decks_revealed_at is not None

    desk.post(path(event, "desk/decks/reveal/"), {"revealed": "no"})
    assert fresh(event).decks_revealed_at is None


def test_log_is_paginated(desk: Client, owner: User):
    event = make_event(players=60, owner=owner)

    first = text_of(desk.get(path(event, "desk/log/")))
    last = text_of(desk.get(path(event, "desk/log/?page=3")))

    assert "Page 1 of 3" in first
    assert "Event created: Spring Run" in last


def test_poster_shows_the_code_and_address(desk: Client, event: Tournament):
    page = text_of(desk.get(path(event, "poster/")))

    assert event.join_code in page
    assert f"http://testserver/join/{event.join_code}/" in page


def test_first_page_of_a_new_event_shows_how_to_join(desk: Client):
    page = desk.post("/events/new/", {"name": "Spring Run", "starts_on": "2026-12-01"}, follow=True)

    event = Tournament.objects.latest("pk")
    assert page.redirect_chain == [(path(event, "desk/created/"), 302)]
    assert page.context["join_address"] == f"http://testserver/join/{event.join_code}/"
    assert "Registration is open" in text_of(page)
    for name in ("qr", "roster", "desk", "poster"):
        assert url(name, event) in page.text
    services.set_registration(event, owner_of(event), is_open=False)
    assert "Registration is closed" in text_of(desk.get(path(event, "desk/created/")))


def test_new_event_copies_the_settings_of_the_owners_newest_event(desk: Client, owner: User):
    load_cards("anr")
    make_event(
        players=0,
        owner=owner,
        game="anr",
        location="The shop",
        time_zone="Europe/Berlin",
        language="de",
        start_time=time(18, 30),
        end_time=time(22),
        deck_rules={"format_id": "standard"},
    )
    make_event(players=0, name="Of somebody else", location="Elsewhere")

    form = desk.get("/events/new/").context["form"]

    names = ("game", "location", "time_zone", "language", "format_id")
    assert {name: form[name].value() for name in names} == {
        "game": "anr",
        "location": "The shop",
        "time_zone": "Europe/Berlin",
        "language": "de",
        "format_id": "standard",
    }
    assert (form["start_time"].value(), form["end_time"].value()) == (time(18, 30), time(22))
    assert form["name"].value() is None


def test_stages_show_system_and_rounds(desk: Client, event: Tournament):
    play_round(event)
    draft_round(event)

    page = desk.get(path(event, "desk/stages/")).content.decode()

    assert "Stage 1: Swiss, two games a match" in page
    assert SYSTEMS["double"].explanation in page
    assert path(event, "rounds/2/draft/") in page
    assert 'href="/help/pairing/#double"' in page


def test_new_event_has_the_chosen_system_if_the_scoring_allows(desk: Client):
    typed = {"name": "Round robin", "starts_on": "2026-12-01"}

    refused = desk.post("/events/new/", {**typed, "system": "pods"})
    assert refused.status_code == 422
    assert "does not support the scoring" in refused.text
    desk.post("/events/new/", {**typed, "system": "round_robin"})

    assert Tournament.objects.get(name="Round robin").stages.get().system == "round_robin"


DAY = "desk/settings/day/"
DAY_FIELDS = {
    "table_numbers": "1-20, 31",
    "feature_tables": "1",
    "overtime_minutes": "5",
    "confirm_after_minutes": "10",
    "no_show_minutes": "",
    "late_entry": "half",
    "late_entry_until": "3",
    "has_waiting_list": "on",
}


def test_day_settings_are_saved_unless_the_page_is_stale(event: Tournament, desk: Client):
    seen = str(event.log.order_by("-pk").values_list("pk", flat=True)[0])
    answer = desk.post(path(event, DAY), {**DAY_FIELDS, "seen": seen})
    stale = desk.post(path(event, DAY), {**DAY_FIELDS, "table_numbers": "5-9", "seen": seen})

    saved = fresh(event)
    assert (answer.status_code, stale.status_code) == (302, 409)
    assert (saved.table_numbers, saved.feature_tables) == ("1-20, 31", "1")
    minutes = (saved.overtime_minutes, saved.confirm_after_minutes, saved.no_show_minutes)
    assert minutes == (5, 10, None)
    assert (saved.late_entry, saved.late_entry_until) == (LateEntry.HALF, 3)
    assert (saved.has_waiting_list, saved.drops_absent, saved.rated) == (True, False, False)
    assert event.log.filter(action="settings changed").count() == 1


@pytest.mark.parametrize(
    ("field", "typed", "words"),
    [
        ("table_numbers", "20-1", "runs backwards"),
        ("feature_tables", "x", "not a range of tables"),
        ("confirm_after_minutes", "0", "Enter 1 to 240 minutes, not 0."),
        ("no_show_minutes", "999", "Enter 1 to 240 minutes, not 999."),
        ("overtime_minutes", "241", "Enter 0 to 240 minutes, not 241."),
        ("late_entry_until", "1", "Enter a round from 2 to 30, not 1."),
        ("late_entry", "never", "not one of the available choices"),
    ],
)
def test_invalid_day_setting_is_refused(
    event: Tournament, desk: Client, field: str, typed: str, words: str
):
    answer = desk.post(path(event, DAY), {**DAY_FIELDS, field: typed})

    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert fresh(event).table_numbers == ""


def settings_sent(desk: Client, event: Tournament, **changed: str) -> int:
    return desk.post(path(event, "desk/settings/"), settings_of(desk, event) | changed).status_code


@pytest.mark.parametrize("closes", ["0001-01-01T00:00", "9999-12-31T23:59"])
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
def test_impossible_year_is_refused(closes: str, zone: str, desk: Client, event: Tournament):
    status = settings_sent(desk, event, registration_closes_at=closes, time_zone=zone)

    assert status == 422
    assert fresh(event).registration_closes_at is None


def test_too_long_seen_number_is_ignored(desk: Client, event: Tournament):
    assert settings_sent(desk, event, name="Autumn Run", seen="9" * 5000) == 302

    assert fresh(event).name == "Autumn Run"


@pytest.mark.parametrize("page", ["settings", "day_settings"])
def test_settings_of_a_finished_event_are_locked(desk: Client, owner: User, page: str):
    event = make_event(players=4, owner=owner)
    play_round(event)
    before = desk.get(url(page, event))
    services.finish_event(event, owner_of(event))
    organiser = logged_in(add_staff(event, StaffRole.ORGANISER))

    after = desk.get(url(page, event))

    assert "Save settings" in text_of(before)
    assert "fieldset disabled" not in before.text
    assert "Save settings" not in text_of(after)
    assert "fieldset disabled" in after.text
    assert f'href="{url("staff", event)}"' in after.text
    assert f'href="{url("desk_section", event, "event")}#reopen"' in after.text
    assert "ask the owner to reopen" in text_of(organiser.get(url(page, event)))
