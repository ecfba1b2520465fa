"""Two records of one person made one across the site, and taken apart exactly as they were."""

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from decks.models import Side
from players import services as players
from players.models import Player
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards
from tests.factories.sessions import claim, logged_in
from tests.factories.tournaments import (
    draft_round,
    fresh,
    make_event,
    make_user,
    play_round,
    player_number,
    start_round,
    tables_of,
)
from tournaments.decklists import services as decklists_services
from tournaments.event.permissions import NOBODY, Actor
from tournaments.judging import calls
from tournaments.models import LogEntry, PlayerMerge, Registration, Tournament
from tournaments.privacy import services as privacy_services
from tournaments.profiles import services
from tournaments.registration import services as registration_services
from tournaments.rounds.late_entries import RegistrationClosed

OF_THE_LOG = ("LogEntry", "PlayerMerge", "Session", "Job")
MOVING = {"version", "shared_version"}
"""What grows with every change, undone or not."""


def make_scene() -> Tournament:
    """One of two evenings, each after a round."""
    spring, autumn = (make_event(players=4, name=f"{when} Run") for when in ("Spring", "Autumn"))
    play_round(spring)
    play_round(autumn)
    return spring


@pytest.fixture
def spring(event: Tournament) -> Tournament:
    return event


@pytest.fixture
def autumn(event: Tournament) -> Tournament:
    return Tournament.objects.exclude(pk=event.pk).get()


@pytest.fixture
def ada(spring: Tournament) -> Player:
    return player_number(spring, 1).player


@pytest.fixture
def guest(autumn: Tournament) -> Player:
    return player_number(autumn, 2).player


def administrator() -> Any:
    return make_user(is_superuser=True, is_staff=True)


def rows() -> dict[str, list[dict[str, Any]]]:
    """Every row of the project but the log's, by table."""
    found = {}
    for app in ("players", "decks", "matches", "rulings", "tournaments"):
        for model in apps.get_app_config(app).get_models():
            if model.__name__ not in OF_THE_LOG:
                kept = model._default_manager.order_by("pk").values()
                found[model._meta.label] = [
                    {name: value for name, value in row.items() if name not in MOVING}
                    for row in kept
                ]
    return found


def test_everything_that_names_a_player_goes_over_or_is_said_to_stay():
    labels = {label for label, _, _ in services.keys_to_players()}

    assert labels >= {
        "decks.Decklist.player",
        "matches.Seat.player",
        "rulings.JudgeCall.player",
        "tournaments.Absence.player",
        "tournaments.LogEntry.player",
        "tournaments.Registration.player",
    }
    assert {
        one for one in services.UNMOVED_KEYS if not one.startswith("tournaments.Rating")
    } <= labels


def test_all_of_one_record_is_the_others_and_nothing_names_it_any_more(
    spring: Tournament, autumn: Tournament, ada: Player, guest: Player
):
    load_cards()
    place = player_number(autumn, 2)
    decklists_services.hand_in_deck(place, Side.CORP, legal_corp_list(), Actor(player=guest))
    pairing = next(
        one
        for one in tables_of(start_round(autumn))
        if one.match.seats.filter(player=guest).exists()
    )
    calls.raise_call(pairing, Actor(player=guest))

    services.merge_players(ada, guest, NOBODY, "Same person")

    for label, model, field in services.keys_to_players():
        if label not in services.UNMOVED_KEYS:
            assert not model._base_manager.filter(**{field: guest}).exists(), label
    mine = Registration.objects.filter(player=ada).values_list("tournament__name", flat=True)
    assert sorted(mine) == ["Autumn Run", "Spring Run"]
    html = Client().get(f"/people/{ada.pk}/").content.decode()
    assert "Autumn Run" in html
    assert Client().get(f"/people/{guest.pk}/").content.decode().count("Spring Run") >= 1
    entry = autumn.log.get(action="players merged")
    assert (entry.before["name"], entry.after["name"]) == (guest.name, ada.name)


CHOICES: dict[str, Callable[[Tournament, Player], object]] = {
    "deck": lambda event, player: decklists_services.hand_in_deck(
        event.registrations.get(player=player), Side.CORP, legal_corp_list(), Actor(player=player)
    ),
    "former names": lambda event, player: players.rename_player(player, "Former"),
    "shown name": lambda event, player: players.set_privacy(
        player, "Ghost", hides_history=True, hides_from_streams=True
    ),
    "link": lambda event, player: players.issue_claim(player),
    "round": lambda event, player: play_round(fresh(event)),
}


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.sampled_from(sorted(CHOICES)), unique=True),
    st.lists(st.sampled_from(sorted(CHOICES)), unique=True),
)
@pytest.mark.django_db
def test_an_undone_merge_leaves_every_row_as_it_was(ours: list[str], theirs: list[str]):
    load_cards()
    one, other = make_event(players=4, name="One"), make_event(players=4, name="Other")
    kept, merged = player_number(one, 1).player, player_number(other, 1).player
    for event, player, chosen in ((one, kept, ours), (other, merged, theirs)):
        for name in chosen:
            CHOICES[name](event, Player.objects.get(pk=player.pk))
    site = Actor(user=administrator())
    before = rows()

    made = services.merge_players(kept, merged, site)
    assert rows() != before
    services.undo_merge(made, site)

    assert rows() == before


def test_what_came_at_the_event_since_goes_back_along(
    spring: Tournament, autumn: Tournament, ada: Player, guest: Player
):
    made = services.merge_players(ada, guest, NOBODY)
    play_round(fresh(autumn))
    draft_round(fresh(spring))

    services.undo_merge(made, Actor(user=administrator()))

    at_autumn = autumn.registrations.get(number=2)
    assert at_autumn.player_id == guest.pk
    numbers = {
        pairing.match.seats.filter(player=guest).count()
        for round_ in (1, 2)
        for pairing in tables_of(autumn.stages.get().rounds.get(number=round_))
        if pairing.match.seats.filter(player__in=[ada, guest]).exists()
    }
    assert numbers == {1}
    assert Registration.objects.filter(player=ada).count() == 1


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda kept, merged: Registration.objects.filter(player=merged).update(player=kept), None),
        (
            lambda kept, merged: [players.link_guest(one, make_user()) for one in (kept, merged)],
            "both have an account",
        ),
        (lambda kept, merged: players.link_guest(merged, make_user()), "so that record stays"),
    ],
)
def test_two_people_are_not_merged(spoil: Any, words: str | None, ada: Player, guest: Player):
    if words is None:
        words, guest = "both play at", player_number(make_event(players=2), 1).player
        event = Registration.objects.get(player=ada).tournament
        Registration.objects.create(tournament=event, player=guest, number=99)
    else:
        spoil(ada, guest)
    with pytest.raises(services.CannotMergePlayers, match=words):
        services.merge_players(
            Player.objects.get(pk=ada.pk), Player.objects.get(pk=guest.pk), NOBODY
        )


def test_merges_are_undone_last_first(ada: Player, guest: Player):
    third = players.create_player("Third")
    first = services.merge_players(ada, guest, NOBODY)
    second = services.merge_players(third, ada, NOBODY)
    site = Actor(user=administrator())

    with pytest.raises(services.CannotUndoMerge, match="Undo that merge first"):
        services.undo_merge(first, site)
    services.undo_merge(second, site)
    services.undo_merge(first, site)

    assert not Player.objects.exclude(merged_into=None).exists()
    assert [Registration.objects.filter(player=one).count() for one in (ada, guest)] == [1, 1]
    with pytest.raises(services.CannotUndoMerge, match="undone before"):
        services.undo_merge(first, site)


def test_an_account_adds_what_its_person_played_by_a_personal_link(
    ada: Player, guest: Player, autumn: Tournament
):
    user = make_user()
    players.link_guest(ada, user)
    browser = logged_in(user)
    browser.get(f"/claim/{players.issue_claim(guest)}/")
    offered = browser.get("/claim/").content.decode()
    assert "/me/records/" in offered
    assert autumn.name in browser.get("/me/records/").content.decode()

    browser.post("/me/records/")

    assert Registration.objects.get(tournament=autumn, number=2).player == ada
    made = PlayerMerge.objects.get()
    browser.post(f"/people/merges/{made.pk}/undo/")
    assert Registration.objects.get(tournament=autumn, number=2).player == guest


def test_a_device_of_a_guest_that_logs_in_is_offered_the_past(
    ada: Player, guest: Player, autumn: Tournament
):
    user = make_user()
    players.link_guest(ada, user)
    browser = claim(Client(), guest)
    browser.force_login(user)

    assert guest.name in browser.get("/me/records/").content.decode()
    browser.post("/me/records/")

    assert Registration.objects.get(tournament=autumn, number=2).player == ada


def test_the_past_of_a_guest_is_the_new_accounts_where_it_plays_as_nobody(guest: Player):
    user = make_user()
    browser = claim(Client(), guest)
    browser.force_login(user)
    browser.post("/me/records/")

    guest.refresh_from_db()
    assert guest.user == user


def test_a_phone_of_the_merged_record_is_nobody_and_its_link_opens_nothing(
    ada: Player, guest: Player
):
    phone = claim(Client(), guest)
    link = players.issue_claim(player := players.create_player("Cy"))
    services.merge_players(ada, guest, NOBODY)
    services.merge_players(ada, player, NOBODY)

    assert guest.name not in phone.get("/me/").content.decode()
    assert Client().get(f"/claim/{link}/", follow=True).status_code == 410


def test_only_administrators_merge_records_of_others(ada: Player, guest: Player):
    body = {"q": "a", "kept": ada.pk, "merged": guest.pk, "reason": "Same"}
    address = "/people/merges/"
    assert Client().post(address, body)["Location"].startswith("/account/login/")
    assert logged_in(make_user()).post(address, body).status_code == 403
    assert not PlayerMerge.objects.exists()

    logged_in(administrator()).post(address, body)
    made = PlayerMerge.objects.get()
    assert logged_in(make_user()).post(f"{address}{made.pk}/undo/").status_code == 403
    assert PlayerMerge.objects.get().undone_at is None
    logged_in(administrator()).post(f"{address}{made.pk}/undo/")
    assert PlayerMerge.objects.get().undone_at


def test_an_administrator_finds_two_records_and_merges_them_on_the_page(ada: Player, guest: Player):
    browser = logged_in(administrator())
    assert 'href="/people/merges/"' in browser.get("/me/records/").content.decode()
    found = browser.get("/people/merges/?q=a").content.decode()
    assert f'name="kept" value="{ada.pk}"' in found

    nothing = browser.post("/people/merges/", {"q": "a", "kept": ada.pk, "reason": "Same"})
    assert nothing.status_code == 422
    chosen = {"kept": ada.pk, "merged": guest.pk, "reason": "Same person"}
    browser.post("/people/merges/", chosen)

    guest.refresh_from_db()
    assert guest.merged_into_id == ada.pk
    page = browser.get("/people/merges/").content.decode()
    assert "Same person" in page


def test_erasing_takes_the_merged_name_along(ada: Player, guest: Player, autumn: Tournament):
    players.rename_player(guest, "Zanarić Q.")
    services.merge_players(ada, Player.objects.get(pk=guest.pk), NOBODY)
    Tournament.objects.update(finished_at="2026-05-03T00:00:00Z")
    privacy_services.erase_self(Actor(player=Player.objects.get(pk=ada.pk)))

    assert not Player.objects.filter(name__contains="Zanari").exists()
    assert not LogEntry.objects.filter(subject__contains="Zanari").exists()
    assert "Zanari" not in str(list(LogEntry.objects.values_list("before", "after")))
    assert not PlayerMerge.objects.exists()


def test_what_one_record_hid_stays_hidden(ada: Player, guest: Player):
    players.set_privacy(guest, "", hides_history=True, hides_from_streams=False)

    services.merge_players(ada, Player.objects.get(pk=guest.pk), NOBODY)

    ada.refresh_from_db()
    assert (ada.hides_history, ada.hides_from_streams) == (True, False)


def test_a_record_that_was_merged_meanwhile_joins_nothing(ada: Player, guest: Player):
    stale, winter = Player.objects.get(pk=guest.pk), make_event(players=0)
    services.merge_players(ada, guest, NOBODY)

    with pytest.raises(RegistrationClosed, match="merged into another"):
        registration_services.register_player(winter, stale, Actor(player=stale))

    assert not winter.registrations.exists()
