"""Visibility and caching of decks and identities on public pages."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from decks.models import Side
from tests.factories.cuts import decline, event_with_cut, make_cut, stage_of
from tests.factories.submissions import (
    identity_card,
    plain_card,
    submit,
    submit_deck,
    submit_for_all,
)
from tests.factories.tournaments import (
    draft_round,
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    sitting,
    start_round,
    tables_of,
)
from tests.tournaments.cast import desk_of
from tests.tournaments.pages import FRAGMENT, url
from tournaments.decklists.services import StageAudience, set_audiences
from tournaments.event.permissions import Actor
from tournaments.models import DeckAudience, IdentitiesShown, Tournament
from tournaments.rounds import services as rounds_services

PRIVATE_CACHE = "private, no-store"


def set_audience(
    tournament: Tournament, audience: DeckAudience, shown_at=None, *, stage: int = 1, **more
) -> None:
    set_audiences(
        tournament, owner_of(tournament), {stage: StageAudience(audience, shown_at)}, **more
    )


def make_scene() -> Tournament:
    """Return an event of four players whose decks each have a card with their own name."""
    tournament = make_event(players=4, decks_required=False)
    for number in range(1, 5):
        owner = player_number(tournament, number)
        submit(owner, cards=(plain_card(f"Card of {owner.player.name}"),))
    return tournament


def decks_on(browser: Client, event: Tournament) -> set[str]:
    """Return the names of players whose decks the page shows; empty if there is no page."""
    answer = browser.get(url("decks", event))
    assert answer.status_code in (200, 404)
    names = event.registrations.values_list("player__name", flat=True)
    return {name for name in names if f"Card of {name}" in answer.text}


def test_stranger_sees_only_public_decks(client, event):
    set_audience(event, DeckAudience.PARTICIPANTS)
    start_round(event)
    assert decks_on(client, event) == set()
    assert url("decks", event) not in client.get(url("event", event)).text

    set_audience(event, DeckAudience.PUBLIC)

    assert decks_on(client, event) == {"Ada", "Bo", "Cy", "Di"}
    assert "public" in client.get(url("decks", event))["Cache-Control"]
    assert url("decks", event) in client.get(url("event", event)).text


def test_player_sees_the_decks_of_participants_uncached(phone_of, event):
    set_audience(event, DeckAudience.PARTICIPANTS)
    start_round(event)
    phone = phone_of(player_number(event, 1))

    answer = phone.get(url("decks", event))

    assert decks_on(phone, event) == {"Ada", "Bo", "Cy", "Di"}
    assert "not everyone can see them" in answer.text
    assert answer["Cache-Control"] == PRIVATE_CACHE
    again = phone.get(url("decks", event), headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again["Cache-Control"]) == (304, PRIVATE_CACHE)
    assert url("decks", event) in phone.get(url("event", event)).text


def test_decks_of_a_public_cut_do_not_make_swiss_decks_public(phone_of):
    tournament = event_with_cut(4)
    submit_for_all(tournament)
    set_audience(tournament, DeckAudience.PUBLIC, timezone.now(), stage=2)
    phone, words = (
        phone_of(player_number(tournament, 1)),
        "Everyone who can see the event can see these lists",
    )
    assert words in phone.get(url("decks", tournament)).text

    set_audience(tournament, DeckAudience.PARTICIPANTS, timezone.now())

    page = phone.get(url("decks", tournament)).text
    assert words not in page
    assert "not everyone can see them" in page
    assert words in Client().get(url("decks", tournament)).text


def test_opponent_gets_a_link_to_the_decks_of_their_table(phone_of, event):
    set_audience(event, DeckAudience.OPPONENT)
    round_ = draft_round(event)
    player, opponent = sitting(tables_of(round_)[0])
    phone = phone_of(player)
    link = f"{url('decks', event)}#player-{opponent.number}"
    assert link not in phone.get(url("my_event", event)).text
    assert decks_on(phone, event) == set()

    rounds_services.publish_round(round_, owner_of(event))

    page = phone.get(url("my_event", event))
    assert link in page.text
    assert page["Cache-Control"] == PRIVATE_CACHE
    assert decks_on(phone, event) == {player.player.name, opponent.player.name}
    assert decks_on(Client(), event) == set()


def test_cached_page_expires_when_decks_become_visible_at_a_set_time(client, event, time_machine):
    opens = timezone.now() + timedelta(hours=1)
    set_audience(event, DeckAudience.PUBLIC, opens)
    page = url("event", event)
    etag = client.get(page)["ETag"]
    headers = {"If-None-Match": etag}

    time_machine.move_to(opens - timedelta(seconds=1), tick=False)
    assert client.get(page, headers=headers).status_code == 304
    assert decks_on(client, event) == set()

    time_machine.move_to(opens, tick=False)
    answer = client.get(page, headers=headers)
    assert answer.status_code == 200
    assert url("decks", event) in answer.text
    assert decks_on(client, event) == {"Ada", "Bo", "Cy", "Di"}


def test_cached_fragment_is_rendered_again_after_the_set_time(client, time_machine):
    event = make_event(players=4, game="anr", decks_required=False)
    submit_for_all(event)
    opens = timezone.now() + timedelta(hours=1)
    set_audience(event, DeckAudience.PUBLIC, opens, identities_shown=IdentitiesShown.WITH_DECKS)
    start_round(event)

    def polled_page():
        return client.get(url("pairings", event), headers=FRAGMENT).text

    assert "Precision Design" not in polled_page()
    time_machine.move_to(opens, tick=False)
    assert "Precision Design" in polled_page()


def test_poll_takes_one_query_with_a_set_time(client, event, django_assert_num_queries):
    set_audience(event, DeckAudience.PUBLIC, timezone.now() + timedelta(hours=1))
    etag = client.get(url("pairings", event))["ETag"]

    with django_assert_num_queries(1):
        answer = client.get(url("pairings", event), headers={"If-None-Match": etag})

    assert answer.status_code == 304


@pytest.fixture
def android() -> Tournament:
    """Return an event of Android: Netrunner in which only Ada plays this identity."""
    tournament = make_event(players=4, game="anr", decks_required=False)
    submit_for_all(tournament)
    submit(player_number(tournament, 1), identity=identity_card("Haas-Bioroid: Stronger Together"))
    return tournament


def pages_with_names(event: Tournament) -> list[str]:
    return [
        url("pairings", event),
        f"{url('round', event, 1)}?by=table",
        url("table", event, 1, 1),
        url("table", event, 1, 2),
        url("standings", event),
        url("player", event, 1),
        url("player", event, 2),
    ]


def pages_show_identity(browser: Client, pages: list[str]) -> list[bool]:
    """Return for each page whether it shows Ada's identity."""
    return ["Stronger Together" in browser.get(page).text for page in pages]


def test_identities_are_shown_beside_names_from_round_1(client, android):
    draft = draft_round(android)
    assert not any(
        pages_show_identity(client, [url("pairings", android), url("player", android, 1)])
    )

    rounds_services.publish_round(draft, owner_of(android))
    play = get_round(android, 1)
    rounds_services.start_round(play, owner_of(android))

    by_name, by_table, *tables, _, own_page, _ = pages_show_identity(
        client, pages_with_names(android)
    )
    assert by_name
    assert by_table
    # Ada is at one of the two tables.
    assert sorted(tables) == [False, True]
    assert own_page
    page = client.get(url("player", android, 1)).text
    assert "Haas-Bioroid: Stronger Together" in page


def test_identities_are_shown_in_standings_and_bracket(client):
    android = make_event(players=4, game="anr")
    play_round(android)
    make_cut(android, 2)
    submit_for_all(android)
    assert "Precision Design" in client.get(url("standings", android)).text

    start_round(fresh(android))

    assert "Precision Design" in client.get(url("bracket", android)).text
    assert "Precision Design" in client.get(url("standings", android)).text


def test_projector_and_printouts_of_a_judge_show_no_identity(android):
    set_audience(android, DeckAudience.PRIVATE, identities_shown=IdentitiesShown.WITH_DECKS)
    start_round(android)
    walls = [
        url("projector", android),
        f"{url('projector', android)}?show=tables",
        url("print_pairings", android, 1),
        *pages_with_names(android),
    ]

    assert not any(pages_show_identity(desk_of(android), walls))


def test_changed_deck_changes_the_etag(client, event):
    set_audience(event, DeckAudience.PUBLIC, timezone.now())
    etag = client.get(url("decks", event))["ETag"]
    place = player_number(event, 1)

    submit_deck(place, Side.CORP, "7 Card of Bo", Actor(player=place.player))

    assert client.get(url("decks", event), headers={"If-None-Match": etag}).status_code == 200


def test_declined_place_in_a_public_cut_hides_the_deck_immediately(client):
    event = event_with_cut(2, players=4)
    submit_for_all(event)
    set_audience(event, DeckAudience.PUBLIC, timezone.now() - timedelta(hours=1), stage=2)
    address = url("decks", event)
    etag = client.get(address)["ETag"]
    first = stage_of(event).entries.order_by("seed").first()
    decline(stage_of(event), first.registration)

    answer = client.get(address, headers={"If-None-Match": etag})
    assert answer.status_code == 200
    assert f'id="player-{first.registration.number}"' not in answer.text
