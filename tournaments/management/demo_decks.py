"""A demo event of tomorrow: Android: Netrunner in the format Standard, decks coming in."""

import random
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from decks import games
from decks.catalogue import card_table
from decks.models import Side
from decks.sample_decks import sample_deck
from engine.simulation import player_names
from players.models import User
from tournaments.decklists.services import decks
from tournaments.event.actors import Actor
from tournaments.management.rehearsal import Rehearsal
from tournaments.models import Registration
from tournaments.registration.services.rosters import NewEntry
from tournaments.settings.services import events

NAME = "Datafort Demo Standard"
SEED = 2012
PLAYERS = 6
CHANGED, ILLEGAL, MISSING = 1, 2, 3
"""Numbers of players with something to look after; the others have locked both decks."""
DEADLINE = timedelta(hours=20)
LEFT_OUT = 3
"""Lines the illegal list lacks."""


def make(organiser: User) -> None:
    """The event before its round 1. Nothing is made while there are no cards of the game."""
    if not card_table(games.ANR.id).cards:
        return
    chance = random.Random(SEED)  # noqa: S311 - told again alike
    tournament = events.create(
        organiser,
        name=NAME,
        starts_on=timezone.localdate() + timedelta(days=1),
        time_zone=settings.TIME_ZONE,
        location="The back room",
        description="A made-up event to look around in. Nothing here can be broken.",
        game=games.ANR.id,
        deck_rules={"format_id": "standard"},
        decks_close_at=timezone.now() + DEADLINE,
        seed=SEED,
    )
    rehearsal = Rehearsal(tournament, Actor(user=organiser), chance)
    for registration in rehearsal.enter([NewEntry(one) for one in player_names(PLAYERS, chance)]):
        _hand_in(rehearsal, registration)


def _hand_in(rehearsal: Rehearsal, registration: Registration) -> None:
    if registration.number == MISSING:
        return
    if registration.number == CHANGED:
        _keep(rehearsal, registration, Side.CORP)
    if registration.number != ILLEGAL:
        rehearsal.hand_in_decks(registration)
        return
    rehearsal.hand_in_decks(registration, Side.CORP)
    _keep(rehearsal, registration, Side.RUNNER, left_out=LEFT_OUT)


def _keep(
    rehearsal: Rehearsal, registration: Registration, side: Side, *, left_out: int = 0
) -> None:
    """A list that is not locked, without its last lines."""
    cards = card_table(games.ANR.id).cards
    lines = sample_deck(side, rehearsal.chance, cards, rehearsal.snapshot()).splitlines()
    text = "\n".join(lines[: len(lines) - left_out])
    decks.hand_in(registration, side, text, Actor(player=registration.player))
