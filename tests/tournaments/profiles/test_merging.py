"""Merges of two records of one person, undone row by row."""

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from decks.models import Side
from players import services as players
from players.models import Player, User
from tests.factories.decks import legal_corp_list
from tests.factories.library import load_cards
from tests.factories.sessions import claim, logged_in
from tests.factories.submissions import submit_deck
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
from tournaments.event.permissions import NOBODY, Actor
from tournaments.judging import calls
from tournaments.models import LogEntry, PlayerMerge, Registration, Tournament
from tournaments.privacy import services as privacy_services
from tournaments.profiles import services
from tournaments.registration import services as registration_services
from tournaments.rounds.late_entries import RegistrationClosed

LOG_MODELS = ("LogEntry", "PlayerMerge", "Session", "Job")
# Fields that increase with every change, including undo.
COUNTERS = {"version", "shared_version"}
MERGES = "/people/merges/"


def make_scene() -> Tournament:
    """Return one of two events, each after a round."""
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


@pytest.fixture
def account(ada: Player) -> User:
    user = make_user()
    players.link_guest(ada, user)
    return user


def administrator() -> User:
    return make_user(is_superuser=True, is_staff=True)


def player_at_autumn(autumn: Tournament) -> Player:
    return autumn.registrations.get(number=2).player


def rows() -> dict[str, list[dict[str, Any]]]:
    """Return every row of the project by table, except the log."""
    tables = {}
    for app in ("players", "decks", "matches", "rulings", "tournaments"):
        for model in apps.get_app_config(app).get_models():
            if model.__name__ not in LOG_MODELS:
                tables[model._meta.label] = [
                    {name: value for name, value in row.items() if name not in COUNTERS}
                    for row in model._default_manager.order_by("pk").values()
                ]
    return tables


def test_every_key_to_a_player_is_moved_or_listed():
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
        label for label in services.UNMOVED_KEYS if not label.startswith("tournaments.Rating")
    } <= labels


def test_merge_moves_all_rows_to_the_target_record(
    spring: Tournament, autumn: Tournament, ada: Player, guest: Player
):
    load_cards()
    place = player_number(autumn, 2)
    submit_deck(place, Side.CORP, legal_corp_list(), Actor(player=guest))
    pairing = next(
        row
        for row in tables_of(start_round(autumn))
        if row.match.seats.filter(player=guest).exists()
    )
    calls.raise_call(pairing, Actor(player=guest))

    services.merge_players(ada, guest, NOBODY, "Same person")

    for label, model, field in services.keys_to_players():
        if label not in services.UNMOVED_KEYS:
            assert not model._base_manager.filter(**{field: guest}).exists(), label
    events = Registration.objects.filter(player=ada).values_list("tournament__name", flat=True)
    assert sorted(events) == ["Autumn Run", "Spring Run"]
    assert "Autumn Run" in Client().get(f"/people/{ada.pk}/").text
    assert "Spring Run" in Client().get(f"/people/{guest.pk}/").text
    entry = autumn.log.get(action="players merged")
    assert (entry.before["name"], entry.after["name"]) == (guest.name, ada.name)


CHANGES_BY_NAME: dict[str, Callable[[Tournament, Player], object]] = {
    "deck": lambda event, player: submit_deck(
        event.registrations.get(player=player), Side.CORP, legal_corp_list(), Actor(player=player)
    ),
    "former names": lambda event, player: players.rename_player(player, "Former"),
    "shown name": lambda event, player: players.set_privacy(
        player, "Ghost", hides_history=True, hides_from_streams=True
    ),
    "link": lambda event, player: players.issue_claim(player),
    "round": lambda event, player: play_round(fresh(event)),
}
CHANGES = st.lists(st.sampled_from(sorted(CHANGES_BY_NAME)), unique=True)


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(CHANGES, CHANGES)
@pytest.mark.django_db
def test_undone_merge_restores_every_row(target_changes: list[str], merged_changes: list[str]):
    load_cards()
    spring, autumn = make_event(players=4, name="Spring"), make_event(players=4, name="Autumn")
    target, merged = player_number(spring, 1).player, player_number(autumn, 1).player
    for event, player, changes in (
        (spring, target, target_changes),
        (autumn, merged, merged_changes),
    ):
        for name in changes:
            CHANGES_BY_NAME[name](event, Player.objects.get(pk=player.pk))
    actor = Actor(user=administrator())
    before = rows()

    merge = services.merge_players(target, merged, actor)
    assert rows() != before
    services.undo_merge(merge, actor)

    assert rows() == before


def test_later_rows_of_the_event_return_with_an_undone_merge(
    spring: Tournament, autumn: Tournament, ada: Player, guest: Player
):
    merge = services.merge_players(ada, guest, NOBODY)
    play_round(fresh(autumn))
    draft_round(fresh(spring))

    services.undo_merge(merge, Actor(user=administrator()))

    assert player_at_autumn(autumn) == guest
    seats = [
        pairing.match.seats.filter(player__in=[ada, guest]).values_list("player", flat=True)
        for number in (1, 2)
        for pairing in tables_of(autumn.stages.get().rounds.get(number=number))
    ]
    assert {key for keys in seats for key in keys} == {guest.pk}
    assert Registration.objects.filter(player=ada).count() == 1


class TestRefusals:
    @pytest.mark.parametrize(
        ("with_accounts", "message"),
        [(("ada", "guest"), "both have an account"), (("guest",), "so that record stays")],
    )
    def test_records_with_accounts_that_cannot_be_merged(
        self, ada: Player, guest: Player, with_accounts, message: str
    ):
        records = {"ada": ada, "guest": guest}
        for name in with_accounts:
            players.link_guest(records[name], make_user())

        with pytest.raises(services.CannotMergePlayers, match=message):
            services.merge_players(
                Player.objects.get(pk=ada.pk), Player.objects.get(pk=guest.pk), NOBODY
            )

    def test_records_that_play_at_the_same_event(self, spring: Tournament, ada: Player):
        with pytest.raises(services.CannotMergePlayers, match="both play at"):
            services.merge_players(ada, player_number(spring, 2).player, NOBODY)

    def test_merges_are_undone_in_reverse_order(self, ada: Player, guest: Player):
        third = players.create_player("Third")
        first = services.merge_players(ada, guest, NOBODY)
        second = services.merge_players(third, ada, NOBODY)
        actor = Actor(user=administrator())

        with pytest.raises(services.CannotUndoMerge, match="Undo that merge first"):
            services.undo_merge(first, actor)
        services.undo_merge(second, actor)
        services.undo_merge(first, actor)

        assert not Player.objects.exclude(merged_into=None).exists()
        for player in (ada, guest):
            assert Registration.objects.filter(player=player).count() == 1
        with pytest.raises(services.CannotUndoMerge, match="already been undone"):
            services.undo_merge(first, actor)

    def test_merged_record_cannot_register(self, ada: Player, guest: Player):
        stale, winter = Player.objects.get(pk=guest.pk), make_event(players=0)
        services.merge_players(ada, guest, NOBODY)

        with pytest.raises(RegistrationClosed, match="merged into another"):
            registration_services.register_player(winter, stale, Actor(player=stale))

        assert not winter.registrations.exists()


class TestMyRecords:
    ADDRESS = "/me/records/"

    def test_account_adds_a_record_by_link(
        self, account: User, ada: Player, guest: Player, autumn: Tournament
    ):
        browser = logged_in(account)
        browser.get(f"/claim/{players.issue_claim(guest)}/")
        assert self.ADDRESS in browser.get("/claim/").text
        assert autumn.name in browser.get(self.ADDRESS).text

        browser.post(self.ADDRESS)
        assert player_at_autumn(autumn) == ada

        browser.post(f"{MERGES}{PlayerMerge.objects.get().pk}/undo/")
        assert player_at_autumn(autumn) == guest

    def test_account_adds_the_guest_of_its_device(
        self, account: User, ada: Player, guest: Player, autumn: Tournament
    ):
        browser = claim(Client(), guest)
        browser.force_login(account)

        assert guest.name in browser.get(self.ADDRESS).text
        browser.post(self.ADDRESS)

        assert player_at_autumn(autumn) == ada

    def test_account_without_a_player_gets_the_guest(self, guest: Player):
        user = make_user()
        browser = claim(Client(), guest)
        browser.force_login(user)
        browser.post(self.ADDRESS)

        guest.refresh_from_db()
        assert guest.user == user


def test_session_and_link_of_a_merged_record_are_void(ada: Player, guest: Player):
    phone = claim(Client(), guest)
    link = players.issue_claim(player := players.create_player("Cy"))
    services.merge_players(ada, guest, NOBODY)
    services.merge_players(ada, player, NOBODY)

    assert guest.name not in phone.get("/me/").text
    assert Client().get(f"/claim/{link}/", follow=True).status_code == 410


def test_only_administrators_merge_records_of_other_people(ada: Player, guest: Player):
    body = {"q": "a", "kept": ada.pk, "merged": guest.pk, "reason": "Same"}
    assert Client().post(MERGES, body)["Location"].startswith("/account/login/")
    assert logged_in(make_user()).post(MERGES, body).status_code == 403
    assert not PlayerMerge.objects.exists()

    logged_in(administrator()).post(MERGES, body)
    undo = f"{MERGES}{PlayerMerge.objects.get().pk}/undo/"
    assert logged_in(make_user()).post(undo).status_code == 403
    assert PlayerMerge.objects.get().undone_at is None
    logged_in(administrator()).post(undo)
    assert PlayerMerge.objects.get().undone_at


def test_administrator_merges_two_records_on_the_page(ada: Player, guest: Player):
    browser = logged_in(administrator())
    assert f'href="{MERGES}"' in browser.get("/me/records/").text
    assert f'name="kept" value="{ada.pk}"' in browser.get(f"{MERGES}?q=a").text

    incomplete = {"q": "a", "kept": ada.pk, "reason": "Same"}
    assert browser.post(MERGES, incomplete).status_code == 422
    browser.post(MERGES, {"kept": ada.pk, "merged": guest.pk, "reason": "Same person"})

    guest.refresh_from_db()
    assert guest.merged_into_id == ada.pk
    assert "Same person" in browser.get(MERGES).text


def test_erasure_includes_the_name_of_a_merged_record(
    ada: Player, guest: Player, autumn: Tournament
):
    players.rename_player(guest, "Zanarić Q.")
    services.merge_players(ada, Player.objects.get(pk=guest.pk), NOBODY)
    Tournament.objects.update(finished_at="2026-05-03T00:00:00Z")
    privacy_services.erase_self(Actor(player=Player.objects.get(pk=ada.pk)))

    assert not Player.objects.filter(name__contains="Zanari").exists()
    assert not LogEntry.objects.filter(subject__contains="Zanari").exists()
    assert "Zanari" not in str(list(LogEntry.objects.values_list("before", "after")))
    assert not PlayerMerge.objects.exists()


def test_hidden_history_stays_hidden(ada: Player, guest: Player):
    players.set_privacy(guest, "", hides_history=True, hides_from_streams=False)

    services.merge_players(ada, Player.objects.get(pk=guest.pk), NOBODY)

    ada.refresh_from_db()
    assert (ada.hides_history, ada.hides_from_streams) == (True, False)
