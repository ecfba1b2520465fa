"""Two more demo events beside the first: a cut under way, and pods of Free Radicals."""

import random

from django.conf import settings
from django.utils import timezone

from decks import games
from engine.simulation import Telling, player_names
from players.models import User
from tournaments.event import queries
from tournaments.event.actors import Actor
from tournaments.management.rehearsal import Rehearsal
from tournaments.registration.services.rosters import NewEntry
from tournaments.results.services import cuts
from tournaments.settings.services import events

CUP, EVENING = "Datafort Demo Cup", "Datafort Demo Radicals"
SEED = 1999
CUP_PLAYERS, CUP_ROUNDS, CUT = 10, 3, 8
EVENING_PLAYERS = 7


def make(organiser: User) -> None:
    """The cup in the second round of its cut, and the evening in its second round."""
    _make_cup(organiser)
    _make_evening(organiser)


def _make_cup(organiser: User) -> None:
    rehearsal = _prepared(organiser, CUP, CUP_ROUNDS, CUP_PLAYERS, games.ONR.id)
    for _ in range(CUP_ROUNDS):
        rehearsal.play_round()
    best = queries.cut_candidates(rehearsal.tournament)[:CUT]
    cuts.make_cut(rehearsal.tournament, best, rehearsal.owner, system="double_elimination")
    rehearsal.play_round()
    _settle_some(rehearsal)


def _make_evening(organiser: User) -> None:
    rehearsal = _prepared(organiser, EVENING, 3, EVENING_PLAYERS, games.FREE_RADICALS.id)
    rehearsal.play_round()
    rehearsal.open_round()


def _prepared(organiser: User, name: str, rounds: int, players: int, game: str) -> Rehearsal:
    chance = random.Random(f"{SEED}/{name}")  # noqa: S311 - told again alike
    tournament = events.create(
        organiser,
        name=name,
        starts_on=timezone.localdate(),
        time_zone=settings.TIME_ZONE,
        location="The back room",
        description="A made-up event to look around in. Nothing here can be broken.",
        game=game,
        planned_rounds=rounds,
        decks_required=False,
        seed=SEED,
    )
    rehearsal = Rehearsal(tournament, Actor(user=organiser), chance)
    rehearsal.enter([NewEntry(one) for one in player_names(players, chance)])
    return rehearsal


def _settle_some(rehearsal: Rehearsal) -> None:
    """The first half of the tables has a result; where it is level, a word who goes on."""
    round_ = rehearsal.open_round()
    tables = rehearsal.tables(round_)
    for pairing in tables[: len(tables) // 2]:
        rehearsal.tell(pairing, rehearsal.result(pairing), Telling.AT_THE_DESK)
    rehearsal.say_who_goes_on(round_)
