"""Visibility of decks and identities during an event."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories.cuts import decline, event_with_cut, seed, stage_of
from tests.factories.submissions import submit_for_all
from tests.factories.tournaments import (
    add_players,
    add_staff,
    draft_round,
    fresh,
    get_round,
    make_event,
    owner_of,
    play_round,
    player_number,
    start_round,
    tables_of,
)
from tournaments.decklists.services import StageAudience, set_audiences
from tournaments.event import visibility
from tournaments.event.permissions import NOBODY, Actor
from tournaments.models import (
    DeckAudience,
    IdentitiesShown,
    Registration,
    Round,
    StaffRole,
    Stage,
    Tournament,
)
from tournaments.registration import roster_changes
from tournaments.registration import services as registration_services
from tournaments.results import cuts
from tournaments.rounds import services as rounds_services

pytestmark = [pytest.mark.django_db, pytest.mark.check(5, 9)]

HOUR = timedelta(hours=1)


def actor_of(registration: Registration) -> Actor:
    """Return an actor with the player's personal link."""
    return Actor(player=registration.player)


def actor_of_player(tournament: Tournament, player: int) -> Actor:
    return actor_of(player_number(tournament, player))


def numbers_visible_to(actor: Actor, tournament: Tournament) -> set[int]:
    """Return the numbers of the players whose decks the actor can see."""
    return set(
        visibility.visible_decks(actor, fresh(tournament)).values_list(
            "registration__number", flat=True
        )
    )


def identities_visible_to(actor: Actor, tournament: Tournament) -> set[int]:
    return set(
        visibility.visible_identities(actor, fresh(tournament)).values_list(
            "registration__number", flat=True
        )
    )


def set_audience(
    tournament: Tournament, audience: DeckAudience, *, stage: int = 1, shown_at=None, **more
) -> None:
    set_audiences(
        tournament, owner_of(tournament), {stage: StageAudience(audience, shown_at)}, **more
    )


def neighbours(round_: Round, registration: Registration) -> set[int]:
    """Return the numbers of the players at this player's table."""
    for pairing in tables_of(round_):
        players = {seat.player_id for seat in pairing.match.seats.all()}
        if registration.player_id in players:
            registrations = registration.tournament.registrations.filter(player__in=players)
            return set(registrations.values_list("number", flat=True))
    return {registration.number}


def make_scene() -> Tournament:
    """Return an event of five players with decks, before round 1."""
    tournament = make_event(players=5, decks_required=False)
    submit_for_all(tournament)
    return tournament


def test_private_decks_are_visible_to_their_players_and_the_judges(event):
    start_round(event)

    assert numbers_visible_to(actor_of_player(event, 1), event) == {1}
    assert numbers_visible_to(NOBODY, event) == set()
    for role, sees in [
        (StaffRole.JUDGE, True),
        (StaffRole.HEAD_JUDGE, True),
        (StaffRole.ORGANISER, True),
        (StaffRole.SCOREKEEPER, False),
        (StaffRole.STREAMER, False),
    ]:
        seen = numbers_visible_to(Actor(user=add_staff(event, role)), event)
        assert seen == ({1, 2, 3, 4, 5} if sees else set()), role
    assert numbers_visible_to(owner_of(event), event) == {1, 2, 3, 4, 5}


def test_lost_role_hides_the_decks(event):
    judge = Actor(user=add_staff(event, StaffRole.JUDGE))
    assert numbers_visible_to(judge, event) == {1, 2, 3, 4, 5}

    event.staff.filter(user=judge.user).delete()

    assert numbers_visible_to(judge, event) == set()


def test_opponents_see_each_others_decks_once_their_table_is_published(event):
    set_audience(event, DeckAudience.OPPONENT)
    round_ = draft_round(event)
    players = [player_number(event, number) for number in range(1, 6)]
    assert all(numbers_visible_to(actor_of(reader), event) == {reader.number} for reader in players)

    rounds_services.publish_round(round_, owner_of(event))

    sizes = []
    for reader in players:
        expected = neighbours(get_round(event, 1), reader)
        assert numbers_visible_to(actor_of(reader), event) == expected
        sizes.append(len(expected))
    # One of the five players has the bye, which shows no deck.
    assert sorted(sizes) == [1, 2, 2, 2, 2]
    assert numbers_visible_to(NOBODY, event) == set()


def test_unpublished_round_hides_the_decks(event):
    set_audience(event, DeckAudience.OPPONENT)
    round_ = draft_round(event)
    rounds_services.publish_round(round_, owner_of(event))
    player = actor_of_player(event, 1)
    sat_with = neighbours(get_round(event, 1), player_number(event, 1))
    assert numbers_visible_to(player, event) == sat_with

    rounds_services.unpublish_round(get_round(event, 1), owner_of(event), "Somebody came late.")

    assert numbers_visible_to(player, event) == {1}


def test_opponents_of_earlier_rounds_stay_opponents(event):
    set_audience(event, DeckAudience.OPPONENT)
    first = play_round(event)
    second = start_round(event)
    player = player_number(event, 1)

    opponents = neighbours(first, player) | neighbours(get_round(event, second.number), player)

    assert numbers_visible_to(actor_of(player), event) == opponents


@pytest.mark.parametrize(
    ("audience", "player_sees", "passer_by_sees"),
    [
        (DeckAudience.PARTICIPANTS, {1, 2, 3, 4, 5}, set()),
        (DeckAudience.PUBLIC, {1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}),
    ],
)
def test_wider_audiences_apply_once_round_1_is_published(
    event, audience, player_sees, passer_by_sees
):
    set_audience(event, audience)
    round_ = draft_round(event)
    assert numbers_visible_to(actor_of_player(event, 1), event) == {1}
    assert numbers_visible_to(NOBODY, event) == set()

    rounds_services.publish_round(round_, owner_of(event))

    assert numbers_visible_to(actor_of_player(event, 1), event) == player_sees
    assert numbers_visible_to(NOBODY, event) == passer_by_sees


def test_set_time_applies_with_and_without_a_published_round(event, time_machine):
    opens = timezone.now() + HOUR
    set_audience(event, DeckAudience.PUBLIC, shown_at=opens)
    start_round(event)
    assert numbers_visible_to(NOBODY, event) == set()

    time_machine.move_to(opens + timedelta(seconds=1), tick=False)

    assert numbers_visible_to(NOBODY, event) == {1, 2, 3, 4, 5}


def test_dropped_players_see_decks_and_removed_players_do_not(event):
    set_audience(event, DeckAudience.PARTICIPANTS, shown_at=timezone.now() - HOUR)
    dropped = player_number(event, 1)
    removed = player_number(event, 2)

    registration_services.drop_player(dropped, owner_of(event))
    roster_changes.remove_player(removed, owner_of(event))

    assert numbers_visible_to(actor_of(dropped), event) == {1, 3, 4, 5}
    assert numbers_visible_to(actor_of(removed), event) == set()


def test_late_entries_are_participants(event):
    set_audience(event, DeckAudience.PARTICIPANTS)
    start_round(event)

    [late] = add_players(event, 1)

    assert numbers_visible_to(actor_of(late), event) == {1, 2, 3, 4, 5}


def test_private_event_shows_nothing_to_strangers():
    event = make_event(players=3, visibility="private", decks_required=False)
    submit_for_all(event)
    set_audience(event, DeckAudience.PUBLIC, shown_at=timezone.now() - HOUR)

    assert numbers_visible_to(NOBODY, event) == set()
    assert (
        numbers_visible_to(actor_of_player(make_event(players=1, name="Elsewhere"), 1), event)
        == set()
    )
    assert numbers_visible_to(actor_of_player(event, 1), event) == {1, 2, 3}


def test_decks_of_two_events_are_separate(event):
    second_event = make_event(players=2, name="Elsewhere", decks_required=False)
    [second_deck, _] = submit_for_all(second_event)
    set_audience(event, DeckAudience.PUBLIC, shown_at=timezone.now() - HOUR)

    assert not visibility.can_see_deck(NOBODY, second_deck)
    assert numbers_visible_to(NOBODY, second_event) == set()


@pytest.mark.parametrize(
    ("seen_of_all", "can_see_one"),
    [
        (numbers_visible_to, visibility.can_see_deck),
        (identities_visible_to, visibility.can_see_identity),
    ],
)
def test_single_checks_agree_with_the_querysets(android, seen_of_all, can_see_one):
    set_audience(android, DeckAudience.OPPONENT, identities_shown=IdentitiesShown.WITH_DECKS)
    start_round(android)

    for actor in (
        NOBODY,
        actor_of_player(android, 1),
        actor_of_player(android, 2),
        owner_of(android),
    ):
        seen = seen_of_all(actor, android)
        for submission in submit_for_all(android):
            expected = submission.registration.number in seen
            assert can_see_one(actor, submission) == expected


def test_order_of_a_round_robin_does_not_count_as_a_cut():
    tournament = make_event(players=4, system="round_robin", decks_required=False)
    submit_for_all(tournament)
    Stage.objects.filter(tournament=tournament).update(decks_shown_to=DeckAudience.PARTICIPANTS)
    start_round(tournament)
    [late] = tournament.registrations.filter(number=4)
    late.tournament = tournament

    assert numbers_visible_to(actor_of(late), tournament) == {1, 2, 3, 4}


@pytest.fixture
def android() -> Tournament:
    tournament = make_event(players=4, game="anr", decks_required=False)
    submit_for_all(tournament)
    return tournament


def test_original_netrunner_has_no_identities(event):
    start_round(event)

    assert identities_visible_to(owner_of(event), event) == set()


def test_shared_page_hides_decks_from_judges(event):
    ada = player_number(event, 1).player

    def decks_on_shared_page(player) -> set[int]:
        decks = visibility.decks_for_reader(event, player)
        return set(decks.values_list("registration__number", flat=True))

    assert decks_on_shared_page(None) == set()
    assert decks_on_shared_page(ada) == {1}
    assert not visibility.has_decks_page(event, ada)


@pytest.mark.parametrize("audience", list(DeckAudience))
def test_decks_of_opponents_agree_with_the_public_pages(android, audience):
    Stage.objects.filter(tournament=android).update(decks_shown_to=audience)
    start_round(android)
    for entry in android.registrations.all():
        opponents = frozenset(android.registrations.values_list("player", flat=True)) - {
            entry.player_id
        }

        shown = visibility.decks_of_opponents(entry, opponents)

        pages = (visibility.decks_for_reader, visibility.identities_for_reader)
        expected = (page(android, entry.player) for page in pages)
        for seen, all_seen in zip(shown, expected, strict=True):
            assert set(seen) == set(all_seen.filter(registration__player__in=opponents))


@pytest.mark.parametrize("players", [4, 12])
def test_decks_of_an_event_take_a_few_queries(players, django_assert_max_num_queries):
    tournament = make_event(players=players, decks_required=False)
    submit_for_all(tournament)
    set_audience(tournament, DeckAudience.OPPONENT)
    play_round(tournament)
    start_round(tournament)
    actor, tournament = actor_of_player(tournament, 1), fresh(tournament)

    with django_assert_max_num_queries(7):
        assert len(visibility.visible_decks(actor, tournament)) == 3


def test_deck_change_is_public_only_if_the_deck_is_visible_to_more_readers(event, android):
    assert not visibility.can_others_see_decks(event)
    set_audience(event, DeckAudience.OPPONENT)
    assert not visibility.can_others_see_decks(fresh(event))
    start_round(event)
    assert visibility.can_others_see_decks(fresh(event))
    assert not visibility.can_others_see_decks(android)
    start_round(android)
    assert visibility.can_others_see_decks(fresh(android))


@pytest.fixture
def cut() -> Tournament:
    """Return an event of eight with decks and a cut of four before its first published game."""
    tournament = event_with_cut(4)
    submit_for_all(tournament)
    return tournament


def numbers_in(tournament: Tournament) -> set[int]:
    entries = stage_of(tournament).entries.accepted()
    return {entry.registration.number for entry in entries}


def test_players_of_the_cut_see_each_others_decks_once_its_games_are_published(cut):
    set_audience(cut, DeckAudience.CUT, stage=2)
    finalist, seeds = seed(cut, 1), numbers_in(cut)
    outside = next(number for number in range(1, 9) if number not in seeds)
    assert numbers_visible_to(actor_of(finalist), cut) == {finalist.number}

    start_round(cut)

    assert numbers_visible_to(actor_of(finalist), cut) == seeds
    assert numbers_visible_to(actor_of_player(cut, outside), cut) == {outside}
    assert numbers_visible_to(NOBODY, cut) == set()


def test_public_cut_shows_only_the_decks_of_its_players(cut):
    set_audience(cut, DeckAudience.PUBLIC, stage=2, shown_at=timezone.now() - HOUR)

    assert numbers_visible_to(NOBODY, cut) == numbers_in(cut)


def test_declined_place_moves_the_visibility_to_the_successor(cut):
    set_audience(cut, DeckAudience.CUT, stage=2, shown_at=timezone.now() - HOUR)
    declines = seed(cut, 1)

    moves_up = decline(stage_of(cut), declines)

    seeds = numbers_in(cut)
    assert moves_up.number in seeds
    assert declines.number not in seeds
    assert numbers_visible_to(actor_of(moves_up), cut) == seeds
    assert numbers_visible_to(actor_of(declines), cut) == {declines.number}


def test_undone_cut_hides_its_decks(cut):
    set_audience(cut, DeckAudience.PUBLIC, stage=2, shown_at=timezone.now() - HOUR)

    cuts.undo_cut(stage_of(cut), owner_of(cut))

    assert numbers_visible_to(NOBODY, cut) == set()


def test_identities_are_hidden_until_round_1_is_published(android):
    round_ = draft_round(android)
    assert identities_visible_to(NOBODY, android) == set()
    assert identities_visible_to(actor_of_player(android, 1), android) == {1}
    assert not visibility.can_see_identities(NOBODY, android)

    rounds_services.publish_round(round_, owner_of(android))

    assert identities_visible_to(NOBODY, android) == {1, 2, 3, 4}
    assert visibility.can_see_identities(NOBODY, fresh(android))
    rounds_services.unpublish_round(get_round(android, 1), owner_of(android), "Too early.")
    assert identities_visible_to(NOBODY, android) == set()


def test_identities_can_follow_the_visibility_of_decks(android):
    setting = IdentitiesShown.WITH_DECKS
    set_audience(android, DeckAudience.OPPONENT, identities_shown=setting)
    round_ = start_round(android)
    player = player_number(android, 1)

    assert identities_visible_to(NOBODY, android) == set()
    assert identities_visible_to(actor_of(player), android) == neighbours(round_, player)
    assert identities_visible_to(owner_of(android), android) == {1, 2, 3, 4}
    assert not visibility.can_see_identities(actor_of(player), fresh(android))
