"""Erasing a person: no trace of their identity, unchanged results."""

import hashlib
import re
from collections.abc import Iterator

import pytest
from django.test import Client, TestCase
from pytest_django import DjangoDbBlocker

from decks.models import Decklist
from matches.models import Match, Seat
from players import services as players
from players.models import Player, User
from tests.canaries import places
from tests.factories.series import evening, make_players, make_series, owner_of_series
from tests.factories.tournaments import fresh, make_event, make_user, owner_of
from tests.shared_rows import shared_rows
from tests.tournaments.crawling import crawl
from tests.tournaments.privacy.canary import WORDS, Canary, make_canary
from tests.tournaments.privacy.dumping import tables_with
from tournaments.models import DeckSubmission, SeriesLogEntry, Standing, Tournament
from tournaments.privacy import erasure
from tournaments.registration import roster_changes
from tournaments.series import services as series_services

pytestmark = [pytest.mark.django_db, pytest.mark.check(40)]


@pytest.fixture(scope="module")
def module_canary(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Canary]:
    yield from shared_rows(django_db_blocker, make_canary)


@pytest.fixture
def canary(module_canary: Canary) -> Canary:
    return Canary(
        User.objects.get(pk=module_canary.user.pk),
        Player.objects.get(pk=module_canary.player.pk),
        fresh(module_canary.shown),
        fresh(module_canary.hidden),
    )


def standings_hash(event: Tournament) -> str:
    rows = Standing.objects.filter(snapshot__tournament=event).order_by("pk")
    places = list(rows.values_list("registration__number", "rank", "match_points", "tie_breakers"))
    seats = list(Seat.objects.order_by("pk").values_list("pk", "player", "points"))
    matches = list(Match.objects.order_by("pk").values_list("state", "version", "flags"))
    return hashlib.sha256(repr([places, seats, matches]).encode()).hexdigest()


def test_no_column_reveals_an_erased_person(canary: Canary, figure):
    before = tables_with(*WORDS)
    # Otherwise an empty result below would prove nothing.
    assert len(before) >= 24, sorted(before)
    hashes = [standings_hash(event) for event in (canary.shown, canary.hidden)]

    label = erasure.erase(erasure.data_subject_of(canary.user, None))

    assert label == f"Player {canary.player.pk}"
    assert tables_with(*WORDS) == set()
    assert [standings_hash(event) for event in (canary.shown, canary.hidden)] == hashes
    figure(f"the words of a person found in {len(before)} tables before, in 0 after")


def cached_with_her_words() -> set[str]:
    """Return the key prefixes of cache entries that contain one of WORDS."""
    entries = [text for text in places.cached() if any(word in text.casefold() for word in WORDS)]
    return {
        name for text in entries for name in re.findall(r"^(?:template\.cache\.\w+|[^:]+)", text)
    }


def test_devices_are_logged_out_and_caches_cleared(canary: Canary):
    reader, device = Client(), Client()
    device.force_login(canary.user)
    event = f"/events/{canary.shown.slug}/"
    address = f"{event}standings/"
    assert b"Zanari" in reader.get(address).content
    assert b"Zanari" in reader.get(f"{event}exports/html/").getvalue()
    cached = {"page", "grid", "static-pages", "template.cache.grid_row"}
    assert cached_with_her_words() == cached

    with TestCase.captureOnCommitCallbacks(execute=True):
        erasure.erase(erasure.data_subject_of(canary.user, None))

    assert cached_with_her_words() == set()
    assert b"Zanari" not in reader.get(address).content
    assert device.get("/me/").wsgi_request.user.is_anonymous
    canary.user.refresh_from_db()
    assert not canary.user.is_active
    assert not canary.user.has_usable_password()


@pytest.mark.parametrize(
    ("reader", "name"),
    [
        ("administrator", "hidden"),
        *(
            pytest.param(*more, marks=pytest.mark.slow)
            for more in (("anybody", "shown"), ("anybody", "hidden"), ("administrator", "shown"))
        ),
    ],
)
def test_no_page_export_or_search_finds_the_name(canary: Canary, reader: str, name: str):
    erasure.erase(erasure.data_subject_of(canary.user, None))
    browser = Client()
    if reader == "administrator":
        browser.force_login(make_user(is_superuser=True))

    event = fresh(getattr(canary, name))
    for address, text in crawl(browser, event, 1, parts=False).items():
        assert not [word for word in WORDS if word in text.casefold()], address


def test_public_decks_stay_without_the_name_and_private_decks_are_deleted(canary: Canary):
    erasure.erase(erasure.data_subject_of(canary.user, None))

    shown = DeckSubmission.objects.get(registration=canary.place(canary.shown))
    assert str(shown.version.decklist) == f"Player {canary.player.pk}'s Glacier"
    assert f"// by Player {canary.player.pk}" in shown.version.text
    assert not canary.place(canary.hidden).deck_submissions.exists()
    assert Decklist.objects.filter(player=canary.player).count() == 1
    # The identity was public beside the name; the statistics need it.
    assert canary.place(canary.hidden).stated_identities.get().title == "Precision Design"


def test_namesake_keeps_the_name(canary: Canary):
    event = make_event(players=0, name="Other")
    entry = roster_changes.NewEntry("Zanarić Q.")
    namesake = roster_changes.add_entries(event, [entry], owner_of(event))[0]

    erasure.erase(erasure.data_subject_of(canary.user, None))

    namesake.player.refresh_from_db()
    assert namesake.player.name == "Zanarić Q."
    assert event.log.filter(subject="Zanarić Q.").exists()


def test_only_series_of_the_person_lose_the_name():
    spring = make_user("spring")
    player = players.create_player("Spring", user=spring)
    own = make_series(spring, "Mine", description="Spring runs it.")
    left = make_series(name="Left", description="Once with Spring.")
    series_services.add_organiser(left, owner_of_series(left), spring)
    series_services.remove_organiser(left, owner_of_series(left), left.staff.get(user=spring))
    played = make_series(name="Played", description="Spring won it twice.")
    evening(played, [player, *make_players("Ada")])
    unrelated = make_series(name="Spring Series", description="Every Tuesday in Spring.")

    erasure.erase(erasure.data_subject_of(spring, None))

    for series in (own, left, played, unrelated):
        series.refresh_from_db()
    assert "Spring" not in own.description + left.description + played.description
    assert not SeriesLogEntry.objects.filter(series=left, subject="Spring").exists()
    assert unrelated.description == "Every Tuesday in Spring."
    assert SeriesLogEntry.objects.get(series=unrelated).subject == "Spring Series"


def test_erased_player_gets_no_new_name_or_link(canary: Canary):
    erasure.erase(erasure.data_subject_of(canary.user, None))
    player = Player.objects.get(pk=canary.player.pk)

    with pytest.raises(players.PlayerErased):
        players.rename_player(player, "Zanarić Q.")
    with pytest.raises(players.PlayerErased):
        players.issue_claim(player)
