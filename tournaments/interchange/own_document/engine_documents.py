"""Convert between events and engine documents, the top level of a Datafort document."""

from collections.abc import Iterator, Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from core.text import clean
from decks.games import GAMES, Game
from engine.documents.events import read_event
from engine.documents.json_text import DocumentRefused, Json
from engine.documents.nodes import Node
from engine.documents.records import Bye, Event, Round, Table
from engine.standings import DEFAULT_TIE_BREAKERS
from engine.systems import STORED, SystemKind
from matches.scoring import MatchResult, scoring_rule
from players import names
from tournaments.interchange.formats.records import FileRefused, FileSeat, FileTable, PlayerId
from tournaments.interchange.own_document.checked_reader import MOST_SMALL, filled
from tournaments.interchange.own_document.results import match_of, result_of, rule_of
from tournaments.interchange.own_document.shapes import (
    CLOSED,
    GAME,
    GAME_SEAT,
    MATCH,
    MOST_ROUNDS,
    PAIRING,
    PLAYER_SHAPE,
    ROUND,
    RUNNING,
    SETTINGS,
    SETTLED,
    STAGE,
)

EventDocument = Mapping[str, Any]


def engine_part(event: EventDocument) -> dict[str, Any]:
    """Return the event as described in docs/engine.md, without the cut."""
    stages = [stage for stage in event["stages"] if not STORED[stage["system"]].is_elimination]
    first = stages[0] if stages else event["stages"][0]
    unit = scoring_rule(event["settings"]["scoring_rule"]).point_unit
    breakers = list(event["settings"]["tie_breakers"] or DEFAULT_TIE_BREAKERS)
    counts_victory = "victory_points" in breakers
    part: dict[str, Any] = {
        "datafort": 1,
        "name": event["settings"]["name"],
        "system": first["system"],
        "planned_rounds": event["settings"]["planned_rounds"],
        "point_unit": unit,
        "tie_breakers": breakers,
        "players": [_player(player) for player in event["players"] if player["state"] != "waiting"],
        "rounds": [
            [*_entries(stage, round_, unit, counts_victory=counts_victory)]
            for stage in stages
            for round_ in stage["rounds"]
            if round_["state"] == "closed"
        ],
    }
    if event["seed"] is not None:
        part["seed"] = event["seed"]
    avoid_second_meetings = event["settings"].get("avoid_second_meetings")
    if first["system"] == "single" and avoid_second_meetings is not None:
        part["avoid_second_meetings"] = avoid_second_meetings
    return part


def _player(player: EventDocument) -> dict[str, Any]:
    row = {
        "id": player["id"],
        "name": player["name"],
        "active": player["state"] == "checked_in",
        "first_round_bye": player["first_round_bye"],
        "seed": player["seed"],
    }
    return row | ({"group": player["avoid_group"]} if player["avoid_group"] else {})


def _entries(
    stage: EventDocument, round_: EventDocument, unit: int, *, counts_victory: bool
) -> Iterator[dict[str, Any]]:
    """Yield tables with a result, then byes; tables without a result are omitted."""
    pods = STORED[stage["system"]].kind is SystemKind.PODS
    for pairing in round_["pairings"]:
        match = pairing["match"]
        if match is None:
            yield {"bye": pairing["bye"], "points": pairing["points"] * unit}
        elif match["state"] in SETTLED:
            result = result_of(match, has_roles=not pods)
            seats = [
                _seat(seat, place, match, None if pods else result, unit)
                for place, seat in enumerate(match["seats"], start=1)
            ]
            if counts_victory and result.victory_points:
                for seat, points in zip(seats, result.victory_points, strict=True):
                    seat["victory_points"] = points
            yield {"table": pairing["table"], "seats": seats}


def _seat(
    seat: EventDocument, place: int, match: EventDocument, result: MatchResult | None, unit: int
) -> dict[str, Any]:
    """Figures of a player; only the points in a pod, which has no `result`."""
    row = {"id": seat["id"], "points": int(Fraction(seat["points"]) * unit)}
    if result is None:
        return row
    role, known = _first_role(seat, match), result.agenda_points(place)
    return (
        row
        | {"games_won": result.games_won(place)}
        | ({"role": role} if role else {})
        | ({"agenda_points": known} if known is not None else {})
    )


def _first_role(seat: EventDocument, match: EventDocument) -> str | None:
    if not match["games"]:
        return None
    first = min(match["games"], key=lambda game: game["number"])
    return next((one["role"] or None for one in first["seats"] if one["id"] == seat["id"]), None)


def event_of_engine_document(
    document: Json, *, game: str | None, today: date
) -> tuple[dict[str, Any], Mapping[PlayerId, int]]:
    """Convert an engine document to an event; also return the number of each player, in order.

    Without `game`, it follows from the system and the points. Raises FileRefused with the path of
    the first error.
    """
    node = Node(document)
    try:
        event = read_event(node)
    except DocumentRefused as refusal:
        raise FileRefused(str(refusal), refusal.path) from refusal
    if event.system.is_elimination:
        raise FileRefused("A bracket alone is not an event. Import its event.", "$.system")
    rounds_by_key = {"planned_rounds": event.planned_rounds or 0, "rounds": len(event.rounds)}
    for key, rounds in rounds_by_key.items():
        if rounds > MOST_ROUNDS:
            raise FileRefused(
                f"An event on this site has at most {MOST_ROUNDS} rounds, and this document has "
                f"{rounds:,}. Split it into several events.",
                f"$.{key}",
            )
    if event.point_unit != 1:
        raise FileRefused("A document without an event can only have whole points.", "$.point_unit")
    made = _EventOfDocument(node, event, game or _game_of(event))
    return made.event(today), made.numbers


def _game_of(event: Event) -> str:
    """Choose the game with the lowest sufficient maximum score, else with the highest."""
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


class _EventOfDocument:
    def __init__(self, node: Node, event: Event, game: str) -> None:
        self.record, self.game = event, game
        self.names = [inner.under("name").value for inner in node.under("players").items()]
        self.name = node.under("name").value
        self.numbers = {player.id: number for number, player in enumerate(event.players, start=1)}
        self.rule = rule_of(GAMES[game], event.system.id)
        if self.rule.has_roles is (event.system.kind is SystemKind.PODS):
            raise FileRefused(f'The game "{game}" is not played so.', "$.system")

    def event(self, today: date) -> dict[str, Any]:
        rounds = [self._round(n, one) for n, one in enumerate(self.record.rounds, start=1)]
        return {
            "settings": filled(
                SETTINGS,
                name=clean(self.name or "")[:120] or "Imported event",
                game=self.game,
                starts_on=today.isoformat(),
                scoring_rule=self.rule.id,
                tie_breakers=list(self.record.tie_breakers),
                bye_points=self.rule.bye_points,
                planned_rounds=self.record.planned_rounds,
                avoid_second_meetings=self.record.avoid_second_meetings,
            ),
            "seed": self.record.seed,
            "players": [self._player(place) for place in range(len(self.record.players))],
            "stages": [
                filled(
                    STAGE,
                    number=1,
                    system=self.record.system.id,
                    scoring_rule=self.rule.id,
                    rounds=rounds,
                )
            ],
            "private": None,
        }

    def _player(self, place: int) -> dict[str, Any]:
        row = self.record.players[place]
        name = names.without_email_addresses(self.names[place] or "")
        seed = row.seed if row.seed and row.seed <= MOST_SMALL else None
        return filled(
            PLAYER_SHAPE,
            id=place + 1,
            name=f"Player {row.id}"[:100] if any(names.problems(name)) else name,
            state="checked_in" if row.active else "dropped",
            dropped_by="" if row.active else "staff",
            first_round_bye=row.first_round_bye,
            seed=seed,
            avoid_group=(row.group or "")[:40],
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
