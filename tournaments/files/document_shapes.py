"""Strict readers of single values, with defaults for missing values.

Values used in pages or rules are validated here, so that later code can rely on them.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from fractions import Fraction
from math import isinf
from typing import Any
from zoneinfo import ZoneInfo

from decks.formats.deck_text import DeckTextFormat
from decks.games import GAMES
from decks.legality.records import deck_rules_of
from engine.documents.json_text import DocumentNode
from engine.standings.tie_breakers import TIE_BREAKERS
from engine.systems import ELIMINATION_SYSTEMS, STORED_SYSTEMS, USUAL_CUT
from matches.scoring.results import Flag, GameEnd, Role
from matches.scoring.rules import UnknownScoringRule, scoring_rule
from rulings.guide import PenaltyKind, is_code
from tournaments.files.records import VALID_YEARS

# Any JSON value.
JsonValue = Any

MAX_POINTS = 1_000_000
MAX_SMALL = 32_767
MAX_INTEGER = 2_147_483_647
# Marks a field without a default.
_REQUIRED = object()
_BRACES = re.compile(r"\{\{|\}\}|\{([0-9])\}")


@dataclass(frozen=True)
class ShapeField:
    """A reader of one value; `default` applies if it is null or missing."""

    read: Callable[[DocumentNode], JsonValue]
    default: Any = _REQUIRED

    def value(self, node: DocumentNode) -> JsonValue:
        """Return the value or its default. Raises DocumentRefused with the path."""
        if node.is_set():
            return self.read(node)
        if self.default is _REQUIRED:
            raise node.refusal(f'"{node.key}" is missing. Add it.')
        return self.default_value()

    def default_value(self) -> JsonValue:
        return self.default() if callable(self.default) else self.default


Shape = Mapping[str, ShapeField]


def read_object(node: DocumentNode, shape: Shape) -> dict[str, JsonValue]:
    """Read an object with exactly these keys; missing keys get their defaults."""
    node.object_of(shape)
    return {key: field.value(node.under(key)) for key, field in shape.items()}


def fill_shape(shape: Shape, **values: JsonValue) -> dict[str, JsonValue]:
    """Build an object of this shape, using defaults for missing keys."""
    return {
        key: values[key] if key in values else field.default_value() for key, field in shape.items()
    }


def object_of(shape: Shape) -> Callable[[DocumentNode], JsonValue]:
    """Reader of objects of this shape."""
    return lambda node: read_object(node, shape)


def list_of(
    read: Callable[[DocumentNode], JsonValue], most: int
) -> Callable[[DocumentNode], list[JsonValue]]:
    """Reader of lists with at most `most` elements."""
    return lambda node: [read(inner) for inner in node.items(most=most)]


def text(most: int) -> Callable[[DocumentNode], str]:
    """Reader of text with at most `most` characters."""

    def read(node: DocumentNode) -> str:
        if not isinstance(node.value, str):
            raise node.refusal(f"Expected a string, not {node.shown()}.")
        if len(node.value) > most:
            raise node.refusal(f"The string has {len(node.value)} characters. The limit is {most}.")
        if "\0" in node.value:
            raise node.refusal("A string contains a NUL character. Remove it.")
        return node.value

    return read


def whole(least: int = 0, most: int = MAX_SMALL) -> Callable[[DocumentNode], int]:
    return lambda node: node.integer(least, most)


def word(words: Collection[str]) -> Callable[[DocumentNode], str]:
    return lambda node: node.one_of(words)


flag = DocumentNode.flag


def day(node: DocumentNode) -> str:
    """Read a date as YYYY-MM-DD."""
    try:
        parsed = date.fromisoformat(text(10)(node))
        if parsed.year not in VALID_YEARS:
            raise ValueError(parsed)
    except ValueError as error:
        raise node.refusal("Expected a date such as 2026-05-02.") from error
    return parsed.isoformat()


def hour(node: DocumentNode) -> str:
    """Read a time of day as HH:MM or HH:MM:SS."""
    try:
        parsed = time.fromisoformat(text(8)(node))
    except ValueError as error:
        raise node.refusal("Expected a time such as 10:30.") from error
    return parsed.replace(tzinfo=None).isoformat()


def moment(node: DocumentNode) -> str:
    """Read an ISO 8601 date and time with a time zone."""
    try:
        parsed = datetime.fromisoformat(text(40)(node))
        if parsed.tzinfo is None or not 1000 <= parsed.year <= 9000:
            raise ValueError(parsed)
    except ValueError as error:
        raise node.refusal(
            "Expected a time with its offset, such as 2026-05-02T10:00:00+00:00."
        ) from error
    # PostgreSQL accepts a smaller range of UTC offsets than Python.
    return parsed.astimezone(UTC).isoformat()


def exact(node: DocumentNode) -> int | str:
    """Read points: a whole number, or text such as "10/3" with a denominator that divides 60."""
    if not isinstance(node.value, str):
        return node.integer(-MAX_POINTS, MAX_POINTS)
    letters = text(20)(node)
    try:
        # Reject exponents: "1e9999999999" would expand to as many digits.
        if "e" in letters.lower():
            raise ValueError(letters)
        number = Fraction(letters)
    except (ValueError, ZeroDivisionError) as error:
        raise node.refusal('Points must be a whole number, or a string such as "10/3".') from error
    if (number * 60).denominator != 1 or abs(number) > MAX_POINTS:
        raise node.refusal(f"Points must be multiples of 1/60, up to {MAX_POINTS:,}.")
    return number.numerator if number.denominator == 1 else str(number)


def seed(node: DocumentNode) -> int:
    """Read a random seed."""
    return node.integer(0, 2**63 - 1)


def plain(kind: type) -> Callable[[DocumentNode], JsonValue]:
    """Reader of a list or object for internal use; only its JSON types are checked."""

    def read(node: DocumentNode) -> JsonValue:
        if not isinstance(node.value, kind):
            expected = "an object" if kind is dict else "a list"
            raise node.refusal(f"Expected {expected}, not {node.shown()}.")
        return _plain_value(node)

    return read


def _plain_value(node: DocumentNode) -> JsonValue:
    value = node.value
    if isinstance(value, dict):
        if any("\0" in key for key in value):
            raise node.refusal("A key contains a NUL character. Remove it.")
        return {key: _plain_value(node.under(key)) for key in value}
    if isinstance(value, list):
        return [_plain_value(inner) for inner in node.items()]
    if isinstance(value, str):
        return text(20_000)(node)
    return finite_number(node) if isinstance(value, Decimal) else value


def finite_number(node: DocumentNode) -> float:
    """Read a decimal number that fits a JSON float."""
    number = float(node.value)
    if isinf(number):
        raise node.refusal("The number is too large. Write a smaller one.")
    return number


def required_field(read: Callable[[DocumentNode], JsonValue]) -> ShapeField:
    """Return a required field."""
    return ShapeField(read)


def optional_field(read: Callable[[DocumentNode], JsonValue]) -> ShapeField:
    """Return a field that may be null."""
    return ShapeField(read, None)


# Event number of a player.
PLAYER_NUMBER = required_field(whole(1))
TRUE_BY_DEFAULT = ShapeField(flag, True)
FALSE_BY_DEFAULT = ShapeField(flag, False)


REASON = {
    "kind": required_field(text(40)),
    "players": ShapeField(list_of(whole(1), 10), list),
    "text": required_field(text(2_000)),
}

LOSS = {"seat": required_field(whole(1, 5)), "game": optional_field(whole(1, 9))}

_GAME = {
    "number": required_field(whole(1, 9)),
    "corp": required_field(whole(1, 2)),
    "winner": optional_field(word(tuple(role.value for role in Role))),
    "end": required_field(word(tuple(end.value for end in GameEnd))),
    "corp_agenda_points": optional_field(whole()),
    "runner_agenda_points": optional_field(whole()),
}

flags = list_of(word(tuple(flag.value for flag in Flag)), 10)

RESULT = {
    "games": ShapeField(list_of(object_of(_GAME), 9), list),
    "flags": ShapeField(flags, list),
    "totals": ShapeField(list_of(whole(-MAX_POINTS, MAX_POINTS), 5), list),
    "victory_points": ShapeField(list_of(whole(), 5), list),
    "factions": ShapeField(list_of(text(30), 5), list),
}


def reason(node: DocumentNode) -> dict[str, Any]:
    """Read a sentence whose placeholders {0}, {1} are its players; other braces are doubled."""
    sentence = read_object(node, REASON)
    places = [int(place) for place in _BRACES.findall(sentence["text"]) if place]
    rest = _BRACES.sub(" ", sentence["text"])
    if "{" in rest or "}" in rest or any(place >= len(sentence["players"]) for place in places):
        raise node.under("text").refusal("Braces may only contain the numbers of the players.")
    return sentence


def cost(node: DocumentNode) -> dict[str, int]:
    """Read the cost of a table, by rule."""
    costs = plain(dict)(node)
    for key in costs:
        node.under(key).integer(-(2**62), 2**62)
    return dict(costs)


def time_zone(node: DocumentNode) -> str:
    name = text(64)(node)
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError) as error:
        raise node.refusal("This is not a time zone. Write one such as Europe/Vienna.") from error
    return name


def refuse_deck_rules(node: DocumentNode, game: str, rules: dict[str, Any]) -> None:
    """Raise DocumentRefused for deck rules that the game does not have."""
    try:
        deck_rules_of(game, rules)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise node.refusal("This game doesn't use these deck rules. Remove them.") from error


def nodes_with_values(
    node: DocumentNode, values: Iterable[Any]
) -> Iterable[tuple[DocumentNode, Any]]:
    """Pair the nodes of a list with its values; empty if the list is missing."""
    return zip(node.items(), values, strict=True) if node.is_set() else ()


def refuse_unknown_player(node: DocumentNode, player: int, known: Collection[int]) -> None:
    """Raise DocumentRefused for an unknown player number."""
    if player not in known:
        raise node.refusal(f"Player {player} is not known here. Correct the number, or add them.")


# Shapes of the "event" part of a Datafort document and of its private part.


MAX_PLAYERS = 10_000
MAX_ROUNDS, MAX_TABLES, MAX_STAGES = 200, 5_000, 20
SETTLED_STATES = ("confirmed", "decided")
CLOSED, RUNNING = "closed", "running"
SIDES = ("corp", "runner")
PENALTY_KIND = word(tuple(kind.value for kind in PenaltyKind))
# Breaches of a deck, and its notices.
MAX_FAULTS = 5_000

REPORT = {
    "by": optional_field(whole(1)),
    "username": ShapeField(text(150), ""),
    "state": required_field(word(("proposed", "confirmed", "disputed", "superseded"))),
    "result": required_field(object_of(RESULT)),
    "note": ShapeField(text(20_000), ""),
    "at": optional_field(moment),
}

NOTE = {
    "author": ShapeField(text(150), ""),
    "text": ShapeField(text(20_000), ""),
    "at": optional_field(moment),
    "cites": ShapeField(list_of(text(90), 50), list),
}

CALL = {
    "player": optional_field(whole(1)),
    "raised_by": ShapeField(text(150), ""),
    "about": ShapeField(text(200), ""),
    "raised_at": optional_field(moment),
    "taken_by": ShapeField(text(150), ""),
    "taken_at": optional_field(moment),
    "for_head_judge": FALSE_BY_DEFAULT,
    "escalated_by": ShapeField(text(150), ""),
    "escalated_at": optional_field(moment),
    "appeals": optional_field(whole()),
    "answered_by": ShapeField(text(150), ""),
    "answered_at": optional_field(moment),
    "answer": optional_field(object_of(NOTE)),
    "minutes": ShapeField(whole(), 0),
    "overturned": optional_field(flag),
    "withdrawn_at": optional_field(moment),
}

ABSENCE = {
    "player": PLAYER_NUMBER,
    "by": optional_field(whole(1)),
    "username": ShapeField(text(150), ""),
    "told_at": optional_field(moment),
    "applied_at": optional_field(moment),
}

STAFF = {
    "username": required_field(text(150)),
    "role": required_field(
        word(("owner", "organiser", "scorekeeper", "head_judge", "judge", "streamer"))
    ),
}

SLOT = {
    "card": required_field(text(140)),
    "title": ShapeField(text(120), ""),
    "printing": ShapeField(text(10), ""),
    "quantity": required_field(whole(1)),
}

BREACH = {
    "code": required_field(text(40)),
    "line": optional_field(whole()),
    "card": optional_field(text(1_000)),
    "rule": ShapeField(text(2_000), ""),
    "message": required_field(text(20_000)),
    "remedy": ShapeField(text(20_000), ""),
}

NOTICE = {
    "code": required_field(text(40)),
    "message": required_field(text(2_000)),
    "card": optional_field(text(1_000)),
    "cause": required_field(text(2_000)),
}

DECK_LIST = {
    "title": ShapeField(text(100), ""),
    "text": ShapeField(text(100_000), ""),
    "form": ShapeField(word(tuple(form.value for form in DeckTextFormat)), "plain_text"),
    "identity": optional_field(text(140)),
    "slots": ShapeField(list_of(object_of(SLOT), 1_000), list),
    "size": ShapeField(whole(0, MAX_INTEGER), 0),
    "agenda_points": ShapeField(whole(-MAX_INTEGER, MAX_INTEGER), 0),
    "is_legal": FALSE_BY_DEFAULT,
    "breaches": ShapeField(list_of(object_of(BREACH), MAX_FAULTS), list),
    "notices": ShapeField(list_of(object_of(NOTICE), MAX_FAULTS), list),
    "format": ShapeField(text(40), ""),
    "snapshot": ShapeField(text(60), ""),
    "judged_on": optional_field(day),
    "seal": ShapeField(text(64), ""),
}

DECK = {
    "player": PLAYER_NUMBER,
    "side": required_field(word(SIDES)),
    **DECK_LIST,
    "received_at": optional_field(moment),
    "locked_at": optional_field(moment),
    "locked_by": ShapeField(word(("", "player", "deadline", "staff")), ""),
}

DECK_CHECK = {
    "table": required_field(whole(1)),
    "player": PLAYER_NUMBER,
    "side": required_field(word(SIDES)),
    "earlier_list": optional_field(object_of(DECK_LIST)),
    "outcome": ShapeField(word(("", "fine", "mended", "wrong", "illegal")), ""),
    "note": ShapeField(text(500), ""),
    "checked_by": ShapeField(text(150), ""),
    "checked_at": optional_field(moment),
}

DECK_CHECK_DRAW = {
    "number": required_field(whole(1)),
    "round": required_field(whole(1)),
    "seed": optional_field(seed),
    "drawn_by": ShapeField(text(150), ""),
    "drawn_at": required_field(moment),
    "checks": ShapeField(list_of(object_of(DECK_CHECK), 2 * MAX_PLAYERS), list),
}

PENALTY = {
    "player": PLAYER_NUMBER,
    "round": optional_field(whole(1)),
    "table": optional_field(whole(1)),
    "table_round": optional_field(whole(1)),
    "infraction": required_field(text(60)),
    "infraction_name": required_field(text(120)),
    "kind": required_field(PENALTY_KIND),
    "expected": required_field(PENALTY_KIND),
    "game": optional_field(whole(1)),
    "note": required_field(object_of(NOTE)),
    "dropped": FALSE_BY_DEFAULT,
    "given_at": optional_field(moment),
    "withdrawn_at": optional_field(moment),
    "withdrawn_by": ShapeField(text(150), ""),
    "withdrawn_reason": ShapeField(text(20_000), ""),
}

LOG = {
    "at": optional_field(moment),
    "username": ShapeField(text(150), ""),
    "player": optional_field(whole(1)),
    "action": required_field(text(40)),
    "subject": ShapeField(text(160), ""),
    "before": ShapeField(plain(dict), dict),
    "after": ShapeField(plain(dict), dict),
    "reason": ShapeField(text(20_000), ""),
    "round": optional_field(whole(1)),
    "table": optional_field(whole(1)),
    "about": optional_field(whole(1)),
    "undoes": optional_field(whole()),
}


def _infraction_code(node: DocumentNode) -> str:
    code = text(60)(node)
    if not is_code(code):
        raise node.refusal("A code may contain only lower-case letters, digits and hyphens.")
    return code


LADDER_CHANGE = {
    "code": required_field(_infraction_code),
    "name": ShapeField(text(120), ""),
    "description": ShapeField(text(500), ""),
    "ladder": ShapeField(list_of(PENALTY_KIND, 50), list),
    "is_off": FALSE_BY_DEFAULT,
}

LOCAL_RULING = {
    "code": required_field(text(80)),
    "made_here": TRUE_BY_DEFAULT,
    "subject": ShapeField(text(120), ""),
    "question": ShapeField(text(20_000), ""),
    "text": ShapeField(text(20_000), ""),
    "basis": optional_field(object_of(NOTE)),
}

PRIVATE = {
    "staff_need_second_factor": FALSE_BY_DEFAULT,
    "staff": ShapeField(list_of(object_of(STAFF), 500), list),
    "decks": ShapeField(list_of(object_of(DECK), 2 * MAX_PLAYERS), list),
    "deck_checks": ShapeField(list_of(object_of(DECK_CHECK_DRAW), 1_000), list),
    "penalties": ShapeField(list_of(object_of(PENALTY), 10_000), list),
    "guide": ShapeField(list_of(object_of(LADDER_CHANGE), 500), list),
    "local_rulings": ShapeField(list_of(object_of(LOCAL_RULING), 1_000), list),
    "log": ShapeField(list_of(object_of(LOG), 100_000), list),
}


def _scoring_rule_id(node: DocumentNode) -> str:
    rule = text(40)(node)
    try:
        scoring_rule(rule)
    except UnknownScoringRule as error:
        raise node.refusal(str(error)) from error
    return rule


def _event_name(node: DocumentNode) -> str:
    name = text(120)(node)
    if not name.strip():
        raise node.refusal("The event has no name. Write one.")
    return name


SIGNED_POINTS = whole(-MAX_SMALL)

# Optional facts about an event; a document omits defaults.
OPTIONAL_SETTINGS = {
    "start_time": optional_field(hour),
    "ends_on": optional_field(day),
    "end_time": optional_field(hour),
    "day_two_on": optional_field(day),
    "day_two_time": optional_field(hour),
    "day_two_round": optional_field(whole(2, 200)),
    "day_two_opened_at": optional_field(moment),
    "address": ShapeField(text(200), ""),
    "entry_fee": ShapeField(text(80), ""),
    "contact": ShapeField(text(120), ""),
    "links": ShapeField(text(2_000), ""),
    "language": ShapeField(text(10), ""),
    "planned_cut": optional_field(whole(2)),
    "planned_cut_system": ShapeField(word(ELIMINATION_SYSTEMS), USUAL_CUT),
    "avoid_second_meetings": optional_field(flag),
    "shows_needs": TRUE_BY_DEFAULT,
    "invitation_only": FALSE_BY_DEFAULT,
}

# Only present if the results do not count for ratings.
RATED_SETTING = {"rated": TRUE_BY_DEFAULT}

SETTINGS = {
    "name": required_field(_event_name),
    "game": required_field(word(GAMES)),
    "starts_on": required_field(day),
    "time_zone": ShapeField(time_zone, "UTC"),
    "location": ShapeField(text(120), ""),
    **OPTIONAL_SETTINGS,
    "description": ShapeField(text(20_000), ""),
    "visibility": ShapeField(word(("public", "unlisted", "private")), "unlisted"),
    "registration_is_open": FALSE_BY_DEFAULT,
    "registration_closes_at": optional_field(moment),
    "max_players": optional_field(whole(1)),
    "guests_per_address": optional_field(whole()),
    "has_waiting_list": FALSE_BY_DEFAULT,
    "drops_absent": FALSE_BY_DEFAULT,
    "scoring_rule": required_field(_scoring_rule_id),
    "tie_breakers": ShapeField(list_of(word(tuple(TIE_BREAKERS)), 40), list),
    "bye_points": required_field(SIGNED_POINTS),
    "planned_rounds": optional_field(whole(1, 200)),
    "round_minutes": ShapeField(whole(5), 75),
    "overtime_minutes": ShapeField(whole(), 0),
    "table_numbers": ShapeField(text(120), ""),
    "feature_tables": ShapeField(text(60), ""),
    "confirm_after_minutes": optional_field(whole()),
    "no_show_minutes": optional_field(whole()),
    "meeting_seats": optional_field(whole()),
    **RATED_SETTING,
    "late_entry": ShapeField(word(("nobody", "losses", "half", "byes")), "losses"),
    "late_entry_until": optional_field(whole()),
    "decks_required": FALSE_BY_DEFAULT,
    "deck_rules": ShapeField(plain(dict), dict),
    "decks_close_at": optional_field(moment),
    "decks_locked_at": optional_field(moment),
    "decks_revealed_at": optional_field(moment),
    "identities_shown": ShapeField(word(("round_one", "with_decks")), "round_one"),
    "finished_at": optional_field(moment),
}

IDENTITY = {"side": required_field(word(SIDES)), "title": required_field(text(200))}

PLAYER_SHAPE = {
    "id": PLAYER_NUMBER,
    "name": required_field(text(200)),
    "pronouns": ShapeField(text(60), ""),
    "state": ShapeField(word(("waiting", "registered", "checked_in", "dropped")), "checked_in"),
    "first_round_bye": FALSE_BY_DEFAULT,
    "seed": optional_field(whole(1)),
    "avoid_group": ShapeField(text(40), ""),
    "joined_in_round": ShapeField(whole(1), 1),
    "fixed_table": optional_field(whole(1)),
    "avoids_stream": FALSE_BY_DEFAULT,
    "meeting_table": optional_field(whole()),
    "checked_in_at": optional_field(moment),
    "dropped_at": optional_field(moment),
    "dropped_by": ShapeField(word(("", "player", "staff", "absent", "no_show", "day_two")), ""),
    "day_two_at": optional_field(moment),
    "waiting_rank": optional_field(whole(1)),
    "paid_at": optional_field(moment),
    "identities": ShapeField(list_of(object_of(IDENTITY), 2), list),
}

ENTRY = {
    "player": PLAYER_NUMBER,
    "seed": optional_field(whole(1)),
    "declined": FALSE_BY_DEFAULT,
    "place": optional_field(whole(1)),
}

SEAT = {
    "id": PLAYER_NUMBER,
    "points": optional_field(exact),
    "typed": optional_field(whole(-MAX_POINTS, MAX_POINTS)),
}

GAME_SEAT = {
    "id": PLAYER_NUMBER,
    "role": ShapeField(word(("", *(role.value for role in Role))), ""),
    "faction": ShapeField(text(30), ""),
    "agenda_points": optional_field(whole()),
    "victory_points": optional_field(whole()),
    "points": optional_field(exact),
}

GAME = {
    "number": required_field(whole(1, 9)),
    "end": ShapeField(word(("", *(end.value for end in GameEnd))), ""),
    "winner": optional_field(whole(1)),
    "seats": required_field(list_of(object_of(GAME_SEAT), 5)),
}

MATCH = {
    "state": ShapeField(word(("open", "proposed", "disputed", *SETTLED_STATES)), "open"),
    "flags": ShapeField(flags, list),
    "settled_at": optional_field(moment),
    "seats": required_field(list_of(object_of(SEAT), 5)),
    "games": ShapeField(list_of(object_of(GAME), 9), list),
    "losses": ShapeField(list_of(object_of(LOSS), 50), list),
    "reports": ShapeField(list_of(object_of(REPORT), 100), list),
    "notes": ShapeField(list_of(object_of(NOTE), 200), list),
    "calls": ShapeField(list_of(object_of(CALL), 200), list),
    "absences": ShapeField(list_of(object_of(ABSENCE), 20), list),
}

PAIRING = {
    "table": optional_field(whole(1)),
    "match": optional_field(object_of(MATCH)),
    "bye": optional_field(whole(1)),
    "points": optional_field(SIGNED_POINTS),
    "late_entry": FALSE_BY_DEFAULT,
    "bracket_game": optional_field(whole(1)),
    "advances": optional_field(whole(1)),
    "made_by_hand": FALSE_BY_DEFAULT,
    "extra_minutes": ShapeField(whole(), 0),
    "is_locked": FALSE_BY_DEFAULT,
    "cost": ShapeField(cost, dict),
    "reasons": ShapeField(list_of(reason, 100), list),
}

ROUND = {
    "number": required_field(whole(1, 10_000)),
    "state": ShapeField(word(("draft", "published", "running", "closed")), "closed"),
    "seed": optional_field(seed),
    "published_at": optional_field(moment),
    "started_at": optional_field(moment),
    "paused_at": optional_field(moment),
    "paused_seconds": ShapeField(whole(0, MAX_INTEGER), 0),
    "extra_minutes": ShapeField(SIGNED_POINTS, 0),
    "closed_at": optional_field(moment),
    "certificate": ShapeField(plain(dict), dict),
    "relaxations": ShapeField(list_of(reason, 1_000), list),
    "pairings": ShapeField(list_of(object_of(PAIRING), MAX_TABLES), list),
}

STAGE = {
    "number": required_field(whole(1)),
    "system": required_field(word(tuple(STORED_SYSTEMS))),
    "scoring_rule": required_field(_scoring_rule_id),
    "fixed_bracket": FALSE_BY_DEFAULT,
    "decks_shown_to": ShapeField(
        word(("private", "opponent", "cut", "participants", "public")), "private"
    ),
    "decks_shown_at": optional_field(moment),
    "seeds_shown_at": optional_field(moment),
    "entries": ShapeField(list_of(object_of(ENTRY), MAX_PLAYERS), list),
    "rounds": ShapeField(list_of(object_of(ROUND), MAX_ROUNDS), list),
}

EVENT = {
    "settings": required_field(object_of(SETTINGS)),
    "seed": optional_field(seed),
    "players": required_field(list_of(object_of(PLAYER_SHAPE), MAX_PLAYERS)),
    "stages": required_field(list_of(object_of(STAGE), MAX_STAGES)),
    "private": optional_field(object_of(PRIVATE)),
}
