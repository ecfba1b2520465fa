"""Decks handed in: drafts, locked, unlocked, revealed."""

import pytest

from decks.models import Card, Side
from tests.factories.library import load_cards
from tests.factories.tournaments import fresh, make_event, owner_of, player_number
from tournaments import queries
from tournaments.actors import Actor
from tournaments.models import DeckSubmission, Registration
from tournaments.services import decks

ILLEGAL = "1 Nobody Knows This Card\n"


@pytest.fixture
def ada() -> Registration:
    load_cards()
    return player_number(make_event(players=1), 1)


def hand_in(registration: Registration, text: str, side: Side = Side.RUNNER) -> DeckSubmission:
    return decks.hand_in(registration, side, text, Actor(player=registration.player))


def legal_runner_list() -> str:
    titles = Card.objects.filter(side=Side.RUNNER).order_by("title_key")[:45]
    return "\n".join(f"1 {card.title}" for card in titles)


def test_an_illegal_list_is_kept_as_a_draft_and_not_locked(ada: Registration):
    submission = hand_in(ada, ILLEGAL)

    with pytest.raises(decks.DeckNotLegal, match="stays a draft"):
        decks.lock(submission, Actor(player=ada.player))

    assert not submission.version.is_legal
    assert DeckSubmission.objects.get().locked_at is None


def test_a_legal_list_is_locked_once_and_then_kept(ada: Registration):
    submission = hand_in(ada, legal_runner_list())
    assert submission.version.is_legal, submission.version.breaches
    decks.lock(submission, Actor(player=ada.player))
    locked_at = DeckSubmission.objects.get().locked_at

    decks.lock(submission, Actor(player=ada.player))

    assert DeckSubmission.objects.get().locked_at == locked_at
    with pytest.raises(decks.DeckIsLocked, match="Ask the staff"):
        hand_in(ada, ILLEGAL)


def test_staff_unlock_with_a_reason(ada: Registration):
    submission = hand_in(ada, legal_runner_list())
    decks.lock(submission, Actor(player=ada.player))
    owner = owner_of(ada.tournament)

    with pytest.raises(decks.DeckIsLocked, match="Say why"):
        decks.unlock(submission, owner, "  ")
    decks.unlock(submission, owner, "one card misspelt")
    hand_in(ada, ILLEGAL)

    assert ada.tournament.log.get(action="deck unlocked").reason == "one card misspelt"


def test_a_new_list_takes_the_place_of_the_former(ada: Registration):
    hand_in(ada, ILLEGAL)
    hand_in(ada, f"2 Neither This\n{ILLEGAL}")

    submission = DeckSubmission.objects.get()
    assert submission.version.number == 2


def test_the_log_never_says_what_is_in_a_deck(ada: Registration):
    version = fresh(ada.tournament).version

    hand_in(ada, ILLEGAL)

    entry = ada.tournament.log.get(action="deck handed in")
    assert entry.after == {"side": "runner", "version": 1, "receipt": 1}
    assert "Nobody Knows" not in str(entry.after)
    assert fresh(ada.tournament).version == version


def test_decks_are_revealed_and_hidden_again(ada: Registration):
    event = ada.tournament

    decks.set_revealed(event, owner_of(event), revealed=True)
    assert fresh(event).decks_revealed_at is not None
    decks.set_revealed(event, owner_of(event), revealed=False)

    assert fresh(event).decks_revealed_at is None


def test_the_desk_hears_who_lacks_what(ada: Registration):
    hand_in(ada, ILLEGAL)

    problems = [problem.words for problem in queries.deck_problems(queries.roster(ada.tournament))]

    assert problems == ["no Corp deck", "Runner deck is not legal"]
