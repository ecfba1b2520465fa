"""Who sees the decks of a cut, and the identities of Android: Netrunner."""

import pytest
from django.utils import timezone

from tests.factories.cuts import event_with_cut, seed, stage_of
from tests.factories.submissions import submit_for_all
from tests.factories.tournaments import (
    draft_round,
    fresh,
    get_round,
    make_event,
    owner_of,
    player_number,
    start_round,
)
from tests.tournaments.visibility.asking import (
    HOUR,
    identities_seen_by,
    neighbours,
    number,
    playing,
    seen_by,
    show,
)
from tournaments import queries, visibility
from tournaments.actors import NOBODY
from tournaments.models import (
    DeckAudience,
    IdentitiesShown,
    Tournament,
)
from tournaments.services import cuts, rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def cut() -> Tournament:
    """Eight players with decks, and a cut of four of whose games nothing is published."""
    tournament = event_with_cut(4)
    submit_for_all(tournament)
    return tournament


def numbers_in(tournament: Tournament) -> set[int]:
    entries = queries.cut_entries(stage_of(tournament))
    return {entry.registration.number for entry in entries}


def test_players_of_the_cut_see_each_other_once_its_games_are_published(cut):
    show(cut, DeckAudience.CUT, stage=2)
    finalist, seeds = seed(cut, 1), numbers_in(cut)
    outside = next(one for one in range(1, 9) if one not in seeds)
    assert seen_by(playing(finalist), cut) == {finalist.number}

    start_round(cut)

    assert seen_by(playing(finalist), cut) == seeds
    assert seen_by(number(cut, outside), cut) == {outside}
    assert seen_by(NOBODY, cut) == set()


def test_a_public_cut_shows_the_decks_of_its_players_alone(cut):
    show(cut, DeckAudience.PUBLIC, stage=2, at=timezone.now() - HOUR)

    assert seen_by(NOBODY, cut) == numbers_in(cut)


def test_who_declines_hands_the_sight_to_who_moves_up(cut):
    show(cut, DeckAudience.CUT, stage=2, at=timezone.now() - HOUR)
    declines = seed(cut, 1)

    moves_up = cuts.decline(stage_of(cut), declines, owner_of(cut))

    seeds = numbers_in(cut)
    assert moves_up.number in seeds
    assert declines.number not in seeds
    assert seen_by(playing(moves_up), cut) == seeds
    assert seen_by(playing(declines), cut) == {declines.number}


def test_a_cut_undone_shows_nothing_any_more(cut):
    show(cut, DeckAudience.PUBLIC, stage=2, at=timezone.now() - HOUR)

    cuts.undo_cut(stage_of(cut), owner_of(cut))

    assert seen_by(NOBODY, cut) == set()


@pytest.fixture
def android() -> Tournament:
    tournament = make_event(players=4, game="anr", decks_required=False)
    submit_for_all(tournament)
    return tournament


def test_identities_are_hidden_until_round_1_is_published(android):
    round_ = draft_round(android)
    assert identities_seen_by(NOBODY, android) == set()
    assert identities_seen_by(number(android, 1), android) == {1}
    assert not visibility.can_see_identities(NOBODY, android)

    rounds.publish(round_, owner_of(android))

    assert identities_seen_by(NOBODY, android) == {1, 2, 3, 4}
    assert visibility.can_see_identities(NOBODY, fresh(android))
    rounds.unpublish(get_round(android, 1), owner_of(android), "Too early.")
    assert identities_seen_by(NOBODY, android) == set()


def test_identities_can_be_kept_for_those_who_see_the_deck(android):
    kept = IdentitiesShown.WITH_DECKS
    show(android, DeckAudience.OPPONENT, identities_shown=kept)
    round_ = start_round(android)
    one = player_number(android, 1)

    assert identities_seen_by(NOBODY, android) == set()
    assert identities_seen_by(playing(one), android) == neighbours(round_, one)
    assert identities_seen_by(owner_of(android), android) == {1, 2, 3, 4}
    assert not visibility.can_see_identities(playing(one), fresh(android))


def test_one_identity_is_answered_as_all_of_them(android):
    show(android, DeckAudience.OPPONENT, identities_shown=IdentitiesShown.WITH_DECKS)
    start_round(android)

    for actor in (NOBODY, number(android, 1), number(android, 2), owner_of(android)):
        seen = identities_seen_by(actor, android)
        for submission in submit_for_all(android):
            expected = submission.registration.number in seen
            assert visibility.can_see_identity(actor, submission) == expected
