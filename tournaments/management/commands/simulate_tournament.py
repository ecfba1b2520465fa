"""Simulate a whole event with the site's services, and print its final standings."""

import random
import unicodedata
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from fractions import Fraction
from typing import Any
from uuid import uuid4

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from decks import games
from engine.round_plan import suggested_rounds
from engine.simulation.tables import draw_player_names
from engine.standings.records import as_decimal
from players.models import User
from tournaments.event.permissions import Actor
from tournaments.management.rehearsal import Rehearsal
from tournaments.models import Registration, Tournament
from tournaments.registration import services as registration_services
from tournaments.registration.roster_changes import NewEntry
from tournaments.settings import services as settings_services

MAX_PLAYERS = 1000
MAX_ROUNDS = 100
# Number of players from which the simulation has a late entry.
LATE_ENTRY_FROM = 5
NOBODY_DROPS_BELOW = 8
FIGURES = ("strength_of_schedule", "extended_strength_of_schedule")
INVISIBLE = {"Mn", "Me", "Cf"}


class Command(BaseCommand):
    """Run in a transaction that is rolled back at the end, unless --keep is given."""

    help = (
        "Play an event with invented players through the services of the site, and print the "
        "final standings. The same arguments print the same bytes on any database. Nothing is "
        "stored unless --keep is given."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", choices=list(games.GAMES), default=games.DEFAULT.id)
        parser.add_argument("--players", type=_from_to(2, MAX_PLAYERS), default=16)
        parser.add_argument(
            "--rounds",
            type=_from_to(1, MAX_ROUNDS),
            help="default: the recommended number for this number of players",
        )
        parser.add_argument("--seed", type=_from_to(0, 2**63 - 1), default=1)
        parser.add_argument("--decks", action="store_true", help="also submit decks")
        parser.add_argument(
            "--keep", metavar="USERNAME", help="keep the event, owned by this account"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        played = games.GAMES[options["game"]]
        if options["decks"] and not played.has_decks:
            raise CommandError(f"{played.name} has no decklists. Omit --decks.")
        rounds = options["rounds"] or suggested_rounds(options["players"])
        with transaction.atomic():
            tournament = _play(options, rounds)
            players, seed = options["players"], options["seed"]
            self.stdout.write(f"{played.name}: {players} players, {rounds} rounds, seed {seed}")
            for line in _standings(tournament):
                self.stdout.write(line)
            transaction.set_rollback(not options["keep"])
        if options["keep"]:
            self.stderr.write(f"Stored as {tournament.slug}.")


def _from_to(least: int, most: int) -> Any:
    def number(typed: str) -> int:
        if not typed.isascii() or not typed.isdecimal() or not least <= int(typed) <= most:
            raise ArgumentTypeError(f"{typed} is not a whole number from {least} to {most}")
        return int(typed)

    return number


def _play(options: dict[str, Any], rounds: int) -> Tournament:
    chance = random.Random(options["seed"])  # noqa: S311 - a story to be repeated
    owner = _owner(options["keep"])
    tournament = settings_services.create_event(
        owner,
        name="Simulated event",
        starts_on=timezone.localdate(),
        game=options["game"],
        seed=options["seed"],
        planned_rounds=rounds,
        decks_required=options["decks"],
    )
    rehearsal = Rehearsal(tournament, Actor(user=owner), chance)
    names = draw_player_names(options["players"], chance)
    has_late_entry = rounds > 1 and len(names) >= LATE_ENTRY_FROM
    late_entries = [names.pop()] if has_late_entry else []
    _enter(rehearsal, names, with_decks=options["decks"])
    for number in range(1, rounds + 1):
        rehearsal.play_round()
        if number == 1:
            _enter(rehearsal, late_entries, with_decks=options["decks"])
        if number < rounds:
            _drop_some(rehearsal)
    settings_services.finish_event(tournament, rehearsal.owner)
    return tournament


def _owner(username: str | None) -> User:
    if username is None:
        return User.objects.create_user(f"simulation-{uuid4()}")
    try:
        return User.objects.get(username=username)
    except User.DoesNotExist as error:
        raise CommandError(f"There is no account {username}.") from error


def _enter(rehearsal: Rehearsal, names: list[str], *, with_decks: bool) -> None:
    for registration in rehearsal.enter([NewEntry(name) for name in names]):
        if with_decks:
            rehearsal.submit_decks(registration)


def _drop_some(rehearsal: Rehearsal) -> None:
    """Drop up to two players between rounds, but never in a small field."""
    active: list[Registration] = list(rehearsal.tournament.registrations.active())
    leaving = min(rehearsal.chance.randrange(3), max(0, len(active) - NOBODY_DROPS_BELOW))
    for registration in rehearsal.chance.sample(active, leaving):
        registration_services.drop_player(registration, Actor(player=registration.player))


def _standings(tournament: Tournament) -> list[str]:
    snapshot = tournament.snapshots.newest()
    if snapshot is None:
        raise CommandError("The event has no standings.")
    rows = [["Rank", "Player", "Points", "SoS", "ESoS"]]
    for line in snapshot.rows.ranked():
        figures = [as_decimal(Fraction(line.tie_breakers[id_])) for id_ in FIGURES]
        points = str(line.match_points)
        rows.append([str(line.rank), line.registration.player.name, points, *figures])
    return aligned(rows, left=1)


def aligned(rows: Sequence[Sequence[str]], *, left: int) -> list[str]:
    """Format rows as lines; column `left` is left-aligned, the others right-aligned."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for index, text in enumerate(row):
            gap = " " * (widths[index] - width(text))
            cells.append(text + gap if index == left else gap + text)
        lines.append("  ".join(cells).rstrip())
    return lines


def width(text: str) -> int:
    """Return the width in columns: 2 for a wide character, 0 for a combining mark."""
    return sum(
        2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
        if unicodedata.category(character) not in INVISIBLE
    )
