"""Players as tournament files tell them: in Swiss order, with their figures."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from decks.models import Card, Side
from engine.standings import standings
from players.models import Player
from tournaments.event import field, queries
from tournaments.event.pages import identities_beside_names
from tournaments.interchange.formats.records import FilePlayer, StatedFigures
from tournaments.models import (
    Pairing,
    Registration,
    RegistrationState,
    Standing,
    StandingSnapshot,
    Tournament,
)

STRENGTHS = ("strength_of_schedule", "extended_strength_of_schedule")
Strengths = Mapping[int, tuple[Fraction, Fraction]]


def file_players(
    tournament: Tournament,
    pairings: Mapping[int, Iterable[Pairing]],
    numbers: Mapping[int, int],
    reader: Player | None,
) -> tuple[FilePlayer, ...]:
    """Everybody in the standings, best first; then who is paired and not in them yet.

    Before the first round is closed it is the roster by number. Two of one name are told apart by
    their numbers, because readers draw brackets by name.
    """
    ranked = [*_ranked(tournament)]
    known = {entry.number for entry, _ in ranked}
    at_tables = frozenset(_paired(pairings, numbers))
    others = queries.players(tournament).select_related("player").order_by("number")
    ranked += [
        (entry, StatedFigures())
        for entry in others
        if entry.number not in known and (not known or entry.number in at_tables)
    ]
    players = [_player(entry, figures) for entry, figures in ranked]
    return tuple(_with_identities(_with_own_names(players), tournament, reader))


def _paired(pairings: Mapping[int, Iterable[Pairing]], numbers: Mapping[int, int]) -> Iterator[int]:
    for pairing in (one for of_round in pairings.values() for one in of_round):
        if pairing.bye is not None:
            yield pairing.bye.number
        if pairing.match is not None:
            yield from (numbers[seat.player_id] for seat in pairing.match.seats.all())


def _ranked(tournament: Tournament) -> Iterator[tuple[Registration, StatedFigures]]:
    snapshot = queries.newest_snapshot(tournament)
    if snapshot is None:
        return
    rows = list(queries.standing_rows(snapshot))
    strengths = _strengths(tournament, snapshot, rows)
    for row in rows:
        strength, extended = strengths[row.registration.number]
        points = Fraction(row.match_points)
        yield row.registration, StatedFigures(points, strength, extended, row.rank)


def _strengths(
    tournament: Tournament, snapshot: StandingSnapshot, rows: Sequence[Standing]
) -> Strengths:
    """Both figures by number: as stored, or computed where the event is ranked without them."""
    if all(row.tie_breakers.get(id_) for row in rows for id_ in STRENGTHS):
        return {
            row.registration.number: (
                Fraction(row.tie_breakers[STRENGTHS[0]]),
                Fraction(row.tie_breakers[STRENGTHS[1]]),
            )
            for row in rows
        }
    records = field.records(tournament, snapshot.round)
    table = standings(records, ("match_points",), seed=tournament.seed)
    computed = {
        int(line.id): (
            Fraction(line.strength_of_schedule),
            Fraction(line.extended_strength_of_schedule),
        )
        for line in table
    }
    nothing = (Fraction(0), Fraction(0))
    return {row.registration.number: computed.get(row.registration.number, nothing) for row in rows}


def _player(entry: Registration, figures: StatedFigures) -> FilePlayer:
    return FilePlayer(
        id=entry.number,
        name=entry.player.name,
        pronouns=entry.player.pronouns,
        dropped=entry.state == RegistrationState.DROPPED,
        stated=figures,
    )


def _with_own_names(players: Sequence[FilePlayer]) -> list[FilePlayer]:
    counted = Counter(player.name for player in players)
    return [
        player
        if counted[player.name] == 1
        else replace(player, name=f"{player.name} ({player.id})")
        for player in players
    ]


def _with_identities(
    players: Iterable[FilePlayer], tournament: Tournament, reader: Player | None
) -> Iterator[FilePlayer]:
    shown = identities_beside_names(tournament, reader)
    titles = {line.title for lines in shown.values() for line in lines}
    factions = _factions(tournament.game, titles) if titles else {}
    for player in players:
        by_side = {line.side: line.title for line in shown.get(int(player.id), ())}
        corp, runner = by_side.get(Side.CORP), by_side.get(Side.RUNNER)
        yield replace(
            player,
            corp_identity=corp,
            runner_identity=runner,
            corp_faction=factions.get(corp or ""),
            runner_faction=factions.get(runner or ""),
        )


def _factions(game: str, titles: Iterable[str]) -> dict[str, str]:
    """The faction of each identity, by the code other programs know it by."""
    cards = Card.objects.filter(game=game, title__in=titles).exclude(faction="")
    return {
        title: faction.replace("_", "-")
        for title, faction in cards.order_by().values_list("title", "faction")
    }
