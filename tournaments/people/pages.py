"""What a player's page shows, as frozen records; reads only, in a constant number of queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from decks.games import GAMES
from decks.models import Card, Side
from matches.scoring import Points, scoring_rule
from players.models import Player
from tournaments.event.actors import Actor
from tournaments.event.pages import short_name
from tournaments.models import DeckSubmission, Registration, Tournament
from tournaments.people import queries
from tournaments.people.rules import WON, Record, place_in_words, record_of
from tournaments.ratings.pages import History, history
from tournaments.statistics.pages.players import PlayerRecord, records_of_player
from tournaments.statistics.rules.charts import Chart, Kind, Line
from tournaments.statistics.rules.rates import percent
from tournaments.statistics.rules.tallies import Opponent

Factions: TypeAlias = Mapping[tuple[str, str], str]
"""The name of a faction by game and key."""
MOST_OPPONENTS, MOST_STEPS = 10, 5
"""Opponents and days of a rating on the page itself; all have a page of their own."""


@dataclass(frozen=True)
class PlayedDeck:
    """What the player had on one side: its identity "" where it is not shown, and the list."""

    side: str
    identity: str
    name: str
    number: int
    is_open: bool

    @property
    def side_name(self) -> str:
        """The side in words."""
        return str(Side(self.side).label)


@dataclass(frozen=True)
class EventLine:
    """One event of the player: the place in words, the record, points and decks.

    `record` and `points` are None where nothing is settled; tables of several have no record.
    """

    event: Tournament
    number: int
    place: str
    has_won: bool
    record: Record | None
    points: Points | None
    decks: tuple[PlayedDeck, ...]

    @property
    def game_name(self) -> str:
        """The game in words."""
        return GAMES[self.event.game].name


def event_lines(player: Player, events: Sequence[Tournament], *, own: bool) -> list[EventLine]:
    """These events in their order."""
    played = queries.played_at(player, events)
    keys = [event.pk for event in events]
    places = {place.tournament_id: place for place in _places(player, keys)}
    decks = _decks(player, keys, {place.pk: place for place in places.values()}, own=own)
    lines = []
    for event in events:
        key, place = event.pk, places[event.pk]
        words = place_in_words(
            played.ranks.get(key),
            played.sizes.get(key, 0),
            in_cut=played.place_in_cut(key, place.number),
            # Where a cut is not decided or not to be read, nobody has won.
            is_finished=event.is_finished and key not in played.cuts,
        )
        record = record_of(played.tables.get(key, ()), played.byes.get(key, 0))
        shows_record = _has_records(event) and not record.is_empty
        lines.append(
            EventLine(
                event=event,
                number=place.number,
                place=words,
                has_won=words.startswith(WON),
                record=record if shows_record else None,
                points=played.points.get(key),
                decks=decks.get(place.pk, ()),
            )
        )
    return lines


def _has_records(event: Tournament) -> bool:
    return scoring_rule(event.scoring_rule).has_roles


def _places(player: Player, events: Sequence[int]) -> Sequence[Registration]:
    return list(queries.places_of(player).filter(tournament__in=events))


def _decks(
    player: Player, events: Sequence[int], places: dict[int, Registration], *, own: bool
) -> dict[int, tuple[PlayedDeck, ...]]:
    """By the key of the place, Corp before Runner; a deck goes before what a file says."""
    lists, identities, stated = queries.decks_of(player, events, own=own)
    factions = queries.faction_names()
    found: dict[tuple[int, str], PlayedDeck] = {}
    for one in stated:
        number = places[one.registration_id].number
        found[one.registration_id, one.side] = _deck(
            one.side, one.card, one.title, number, factions, is_open=False
        )
    for deck in identities:
        found[deck.registration_id, deck.side] = _of(deck, places, factions, is_open=False)
    for deck in lists:
        found[deck.registration_id, deck.side] = _of(deck, places, factions, is_open=True)
    sides = list(Side)
    of_place: dict[int, tuple[PlayedDeck, ...]] = {}
    for (place, _), shown in sorted(found.items(), key=lambda one: sides.index(Side(one[0][1]))):
        of_place[place] = (*of_place.get(place, ()), shown)
    return of_place


def _of(
    deck: DeckSubmission, places: dict[int, Registration], factions: Factions, *, is_open: bool
) -> PlayedDeck:
    number = places[deck.registration_id].number
    return _deck(deck.side, deck.version.identity, "", number, factions, is_open=is_open)


def _deck(
    side: str, card: Card | None, stated: str, number: int, factions: Factions, *, is_open: bool
) -> PlayedDeck:
    title = card.title if card else stated
    faction = factions.get((card.game, card.faction)) if card else None
    return PlayedDeck(side, title, short_name(title, faction), number, is_open)


@dataclass(frozen=True)
class OpponentLine:
    """How a player did against another one; `player` is None for all who are not named."""

    player: Player | None
    tables: int
    won: int
    drawn: int
    lost: int


def opponent_lines(opponents: Sequence[Opponent], wanted: str = "") -> list[OpponentLine]:
    """Those that may be named, most often met first; at the end, in one line, all the others.

    With `wanted` those whose name has these letters, and no others.
    """
    known = queries.named([one.player for one in opponents], wanted)
    lines = [
        OpponentLine(known[one.player], one.tables, one.won, one.drawn, one.lost)
        for one in opponents
        if one.player in known
    ]
    others = [one for one in opponents if one.player not in known]
    if others and not wanted.strip():
        lines.append(
            OpponentLine(
                None,
                sum(one.tables for one in others),
                sum(one.won for one in others),
                sum(one.drawn for one in others),
                sum(one.lost for one in others),
            )
        )
    return lines


@dataclass(frozen=True)
class ChartTable:
    """A chart as a table: `lines` are a name with the words of each column."""

    id: str
    title: str
    about: str
    headings: tuple[str, ...]
    lines: tuple[tuple[str, tuple[str, ...]], ...]


def chart_table(chart: Chart) -> ChartTable:
    """Counts and, where there are enough, the share with its interval."""
    columns = chart.columns
    if chart.kind is Kind.AVERAGE:
        headings: tuple[str, ...] = (columns.name, columns.average, columns.of)
    else:
        headings = (columns.name, columns.hits, columns.of, "Share")
    if all(line.rate.share is None for line in chart.lines):
        headings = headings[:3]
    lines = tuple((line.name, _cells(line)[: len(headings) - 1]) for line in chart.lines)
    return ChartTable(chart.id, chart.title, chart.about, headings, lines)


def _cells(line: Line) -> tuple[str, ...]:
    if line.average is not None:
        return f"{float(line.average):.2f}", str(line.of)
    rate = line.rate
    if rate.share is None or rate.interval is None:
        return str(line.hits), str(line.of), "–"
    low, high = rate.interval
    interval = f"{percent(low)} to {percent(high)}"
    return str(line.hits), str(line.of), f"{percent(rate.share)} ({interval})"


@dataclass(frozen=True)
class GamePart:
    """What the page says of one game: the record, rating, charts, and the first opponents."""

    record: PlayerRecord
    has_records: bool
    rating: History | None
    charts: tuple[ChartTable, ...]
    opponents: tuple[OpponentLine, ...]
    more_opponents: int


def game_parts(player: Player, actor: Actor) -> list[GamePart]:
    """A part for each game the player has played, the most played first."""
    own, events = queries.is_self(actor, player), queries.events_of(player, actor)
    parts = []
    for record in records_of_player(player, events, own=own):
        if not record.charts and not record.opponents:
            continue
        lines = opponent_lines(record.opponents)
        rule = scoring_rule(GAMES[record.game].scoring_rules[0])
        parts.append(
            GamePart(
                record=record,
                has_records=rule.has_roles,
                rating=_rating(player, record.game),
                charts=tuple(chart_table(chart) for chart in record.charts),
                opponents=tuple(lines[:MOST_OPPONENTS]),
                more_opponents=max(0, len(lines) - MOST_OPPONENTS),
            )
        )
    return parts


def _rating(player: Player, game: str) -> History | None:
    """The rating over time, with its newest steps; all of them have a page of their own."""
    found = history(player, game)
    return found and replace(found, steps=found.steps[:MOST_STEPS])


def opponents_of(player: Player, actor: Actor, game: str, wanted: str) -> list[OpponentLine]:
    """All opponents of a game; nothing where it was not played."""
    own, events = queries.is_self(actor, player), queries.events_of(player, actor)
    of_game = [one for one in records_of_player(player, events, own=own) if one.game == game]
    return opponent_lines(of_game[0].opponents, wanted) if of_game else []
