"""An engine document without a word on the rest: as much of an event as it tells."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from core.text import clean
from decks.games import GAMES, Game
from engine.documents.events import read_event
from engine.documents.json_text import DocumentRefused, Json
from engine.documents.nodes import Node
from engine.documents.records import Bye, Event, Round, Table
from engine.systems import SystemKind
from players import names
from tournaments.interchange.formats.own.fields import MOST_SMALL, filled
from tournaments.interchange.formats.own.results import match_of, rule_of
from tournaments.interchange.formats.own.shapes import (
    CLOSED,
    GAME,
    GAME_SEAT,
    MATCH,
    PAIRING,
    PLAYER_SHAPE,
    ROUND,
    RUNNING,
    SETTINGS,
    STAGE,
)
from tournaments.interchange.formats.records import FileRefused, FileSeat, FileTable, PlayerId


def event_of_engine_document(
    document: Json, *, game: str | None, today: date
) -> tuple[dict[str, Any], Mapping[PlayerId, int]]:
    """The event of such a document, and the number of each player, in its order.

    Without a `game` the system and the points tell it.
    Raise FileRefused with the path of the first fault.
    """
    node = Node(document)
    try:
        event = read_event(node)
    except DocumentRefused as refusal:
        raise FileRefused(str(refusal), refusal.path) from refusal
    if event.system.is_elimination:
        raise FileRefused(
            "A bracket alone is no event. Import the event it belongs to.", "$.system"
        )
    if event.point_unit != 1:
        raise FileRefused("Only whole points can be told without an event.", "$.point_unit")
    told = _Telling(node, event, game or _game_of(event))
    return told.event(today), told.numbers


def _game_of(event: Event) -> str:
    """Of the games played so, the one of the fewest points that are enough, else of the most."""
    by_points = {
        game.bare_document_points: game.id
        for game in GAMES.values()
        if game.bare_document_points is not None and _is_played_so(game, event)
    }
    most = max((seat.points or 0 for seat in _seats(event)), default=0)
    enough = [points for points in by_points if most <= points]
    return by_points[min(enough) if enough else max(by_points)]


def _is_played_so(game: Game, event: Event) -> bool:
    rule = rule_of(game, event.system.id)
    is_pod = event.system.kind is SystemKind.PODS
    return event.system.id in game.systems and rule.has_roles is not is_pod


def _seats(event: Event) -> Any:
    tables = (entry for round_ in event.rounds for entry in round_ if isinstance(entry, Table))
    return (seat for table in tables for seat in table.seats)


class _Telling:
    def __init__(self, node: Node, event: Event, game: str) -> None:
        self.told, self.game = event, game
        self.names = [inner.under("name").value for inner in node.under("players").items()]
        self.name = node.under("name").value
        self.numbers = {player.id: number for number, player in enumerate(event.players, start=1)}
        self.rule = rule_of(GAMES[game], event.system.id)
        if self.rule.has_roles is (event.system.kind is SystemKind.PODS):
            raise FileRefused(f'The game "{game}" is not played so.', "$.system")

    def event(self, today: date) -> dict[str, Any]:
        rounds = [self._round(n, one) for n, one in enumerate(self.told.rounds, start=1)]
        return {
            "settings": filled(
                SETTINGS,
                name=clean(self.name or "")[:120] or "Imported event",
                game=self.game,
                starts_on=today.isoformat(),
                scoring_rule=self.rule.id,
                tie_breakers=list(self.told.tie_breakers),
                bye_points=self.rule.bye_points,
                planned_rounds=self.told.planned_rounds,
            ),
            "seed": self.told.seed,
            "players": [self._player(place) for place in range(len(self.told.players))],
            "stages": [
                filled(
                    STAGE,
                    number=1,
                    system=self.told.system.id,
                    scoring_rule=self.rule.id,
                    rounds=rounds,
                )
            ],
            "private": None,
        }

    def _player(self, place: int) -> dict[str, Any]:
        told, name = self.told.players[place], clean(self.names[place] or "")
        seed = told.seed if told.seed and told.seed <= MOST_SMALL else None
        return filled(
            PLAYER_SHAPE,
            id=place + 1,
            name=f"Player {told.id}"[:100] if any(names.problems(name)) else name,
            state="checked_in" if told.active else "dropped",
            dropped_by="" if told.active else "staff",
            first_round_bye=told.first_round_bye,
            seed=seed,
            avoid_group=(told.group or "")[:40],
        )

    def _round(self, number: int, round_: Round) -> dict[str, Any]:
        is_over = not any(entry.is_open for entry in round_)
        return filled(
            ROUND,
            number=number,
            state=CLOSED if is_over else RUNNING,
            pairings=[self._entry(entry) for entry in round_],
        )

    def _entry(self, entry: Table | Bye) -> dict[str, Any]:
        if isinstance(entry, Bye):
            points = self.rule.bye_points if entry.points is None else entry.points
            return filled(PAIRING, bye=self.numbers[entry.player], points=points)
        match = self._two(entry) if self.rule.has_roles else self._pod(entry)
        return filled(PAIRING, table=entry.number, match=match)

    def _two(self, table: Table) -> dict[str, Any]:
        one, two = table.seats
        seats = (
            FileSeat(one.id, one.points, role=one.role),
            FileSeat(two.id, two.points, role=two.role),
        )
        ids = (self.numbers[one.id], self.numbers[two.id])
        return match_of(FileTable(table.number, seats), ids, self.rule)

    def _pod(self, table: Table) -> dict[str, Any]:
        seats = [
            {"id": self.numbers[seat.id], "points": seat.points, "typed": seat.points}
            for seat in table.seats
        ]
        playing = [filled(GAME_SEAT, id=seat["id"]) for seat in seats]
        games = [filled(GAME, number=1, seats=playing)]
        state = "open" if table.is_open else "decided"
        return filled(MATCH, seats=seats, games=games, state=state)
