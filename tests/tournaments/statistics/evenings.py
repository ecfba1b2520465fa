"""Events with random decks and results, to be counted again by hand."""

import random
from collections.abc import Sequence

from django.utils import timezone

from matches.scoring.results import GameEnd, GameResult, MatchResult, Role
from tests.factories.cuts import make_cut
from tests.factories.submissions import identity_card, plain_card, submit
from tests.factories.tournaments import (
    close_round,
    enter_result,
    fresh,
    make_event,
    start_round,
    tables_of,
)
from tournaments.models import Pairing, Registration, Tournament

CORPS = ("Haas-Bioroid: Precision Design", "NBN: Reality Plus", "Jinteki: Restoring Humanity")
RUNNERS = ("Zahya Sadeghi", "Rene Arcemont", "Esa Afontov")
FACTIONS = ("haas_bioroid", "nbn", "jinteki", "criminal", "shaper", "anarch")
CORP_ENDS = (GameEnd.AGENDA, GameEnd.FLATLINE, GameEnd.CONCESSION, GameEnd.NO_SHOW)
RUNNER_ENDS = (GameEnd.AGENDA, GameEnd.DECKED, GameEnd.CONCESSION, GameEnd.NOT_RECORDED)


def evening(
    seed: int = 1, *, players: int = 16, rounds: int = 3, cut: int = 0, is_over: bool = True
) -> Tournament:
    """Return an event of Android: Netrunner with two decks per player and random results."""
    chance = random.Random(seed)
    event = make_event(players, game="anr", seed=seed, name=f"Evening {seed}")
    for place in event.registrations.select_related("player", "tournament").order_by("number"):
        submit_decks(place, chance)
    for _ in range(rounds):
        play_at_random(event, chance)
    if cut:
        make_cut(event, cut)
        play_at_random(event, chance, in_cut=True)
    return finish(event) if is_over else fresh(event)


def submit_decks(place: Registration, chance: random.Random) -> None:
    """Submit a Corp and a Runner deck with a few cards."""
    cards = [plain_card(f"Card {number}", "anr") for number in range(6)]
    for side, titles, factions in (
        ("corp", CORPS, FACTIONS[:3]),
        ("runner", RUNNERS, FACTIONS[3:]),
    ):
        pick = chance.randrange(3)
        identity = identity_card(titles[pick], side=side, faction=factions[pick])
        submit(place, side=side, identity=identity, cards=tuple(chance.sample(cards, 3)))


def play_at_random(event: Tournament, chance: random.Random, *, in_cut: bool = False) -> None:
    """Play a round with random results, without drawn matches in a cut."""
    round_ = start_round(event)
    for pairing in tables_of(round_):
        enter_result(pairing, any_result(pairing, chance, in_cut=in_cut))
    close_round(round_)


def any_result(pairing: Pairing, chance: random.Random, *, in_cut: bool = False) -> MatchResult:
    """Return two games, most of them with a winner."""
    if in_cut:
        winner = chance.choice((Role.CORP, Role.RUNNER))
        return MatchResult((any_game(1, winner, chance), any_game(2, winner.other, chance)))
    winners = chance.choices((Role.CORP, Role.RUNNER, None), weights=(5, 4, 1), k=2)
    return MatchResult(tuple(any_game(n, winner, chance) for n, winner in enumerate(winners, 1)))


def any_game(number: int, winner: Role | None, chance: random.Random) -> GameResult:
    """Return a game of a match that seat 1 begins as Corp."""
    ends: Sequence[GameEnd] = (GameEnd.TIME,)
    if winner is not None:
        ends = CORP_ENDS if winner is Role.CORP else RUNNER_ENDS
    return GameResult(number, 2 - number % 2, winner, chance.choice(ends))


def finish(event: Tournament) -> Tournament:
    Tournament.objects.filter(pk=event.pk).update(finished_at=timezone.now())
    return fresh(event)
