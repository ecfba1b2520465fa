"""What stands under "event", key by key; its private part is in `private_shapes`."""

from decks.games import GAMES
from engine.documents.nodes import Node
from engine.standings import TIE_BREAKERS
from engine.systems import STORED
from matches.scoring import GameEnd, Role, UnknownScoringRule, scoring_rule
from tournaments.interchange.formats.own.careful import LOSS, cost, flags, reason, time_zone
from tournaments.interchange.formats.own.fields import (
    MOST_INTEGER,
    MOST_POINTS,
    MOST_SMALL,
    NO,
    PLAYER,
    Field,
    day,
    exact,
    list_of,
    moment,
    needed,
    object_of,
    or_none,
    plain,
    seed,
    text,
    whole,
    word,
)
from tournaments.interchange.formats.own.private_shapes import (
    ABSENCE,
    CALL,
    MOST_PLAYERS,
    NOTE,
    PRIVATE,
    REPORT,
    SIDES,
)

MOST_ROUNDS, MOST_TABLES, MOST_STAGES = 200, 5_000, 20
SETTLED = ("confirmed", "decided")
CLOSED, RUNNING = "closed", "running"


def _rule(node: Node) -> str:
    told = text(40)(node)
    try:
        scoring_rule(told)
    except UnknownScoringRule as error:
        raise node.refusal(str(error)) from error
    return told


def _event_name(node: Node) -> str:
    told = text(120)(node)
    if not told.strip():
        raise node.refusal("The event has no name. Write one.")
    return told


SIGNED = whole(-MOST_SMALL)

SETTINGS = {
    "name": needed(_event_name),
    "game": needed(word(GAMES)),
    "starts_on": needed(day),
    "time_zone": Field(time_zone, "UTC"),
    "location": Field(text(120), ""),
    "description": Field(text(20_000), ""),
    "visibility": Field(word(("public", "unlisted", "private")), "unlisted"),
    "registration_is_open": NO,
    "registration_closes_at": or_none(moment),
    "max_players": or_none(whole(1)),
    "guests_per_address": or_none(whole()),
    "has_waiting_list": NO,
    "drops_absent": NO,
    "scoring_rule": needed(_rule),
    "tie_breakers": Field(list_of(word(tuple(TIE_BREAKERS)), 40), list),
    "bye_points": needed(SIGNED),
    "planned_rounds": or_none(whole(1, 200)),
    "round_minutes": Field(whole(5), 75),
    "overtime_minutes": Field(whole(), 0),
    "table_numbers": Field(text(120), ""),
    "feature_tables": Field(text(60), ""),
    "confirm_after_minutes": or_none(whole()),
    "no_show_minutes": or_none(whole()),
    "meeting_seats": or_none(whole()),
    "late_entry": Field(word(("nobody", "losses", "half", "byes")), "losses"),
    "late_entry_until": or_none(whole()),
    "decks_required": NO,
    "deck_rules": Field(plain(dict), dict),
    "decks_close_at": or_none(moment),
    "decks_locked_at": or_none(moment),
    "decks_revealed_at": or_none(moment),
    "identities_shown": Field(word(("round_one", "with_decks")), "round_one"),
    "finished_at": or_none(moment),
}

IDENTITY = {"side": needed(word(SIDES)), "title": needed(text(200))}

PLAYER_SHAPE = {
    "id": PLAYER,
    "name": needed(text(200)),
    "pronouns": Field(text(60), ""),
    "state": Field(word(("waiting", "registered", "checked_in", "dropped")), "checked_in"),
    "first_round_bye": NO,
    "seed": or_none(whole(1)),
    "avoid_group": Field(text(40), ""),
    "joined_in_round": Field(whole(1), 1),
    "fixed_table": or_none(whole(1)),
    "avoids_stream": NO,
    "meeting_table": or_none(whole()),
    "checked_in_at": or_none(moment),
    "dropped_at": or_none(moment),
    "dropped_by": Field(word(("", "player", "staff", "absent", "no_show")), ""),
    "identities": Field(list_of(object_of(IDENTITY), 2), list),
}

ENTRY = {
    "player": PLAYER,
    "seed": or_none(whole(1)),
    "declined": NO,
    "place": or_none(whole(1)),
}

SEAT = {"id": PLAYER, "points": or_none(exact), "typed": or_none(whole(-MOST_POINTS, MOST_POINTS))}

GAME_SEAT = {
    "id": PLAYER,
    "role": Field(word(("", *(role.value for role in Role))), ""),
    "faction": Field(text(30), ""),
    "agenda_points": or_none(whole()),
    "victory_points": or_none(whole()),
    "points": or_none(exact),
}

GAME = {
    "number": needed(whole(1, 9)),
    "end": Field(word(("", *(end.value for end in GameEnd))), ""),
    "winner": or_none(whole(1)),
    "seats": needed(list_of(object_of(GAME_SEAT), 5)),
}

MATCH = {
    "state": Field(word(("open", "proposed", "disputed", *SETTLED)), "open"),
    "flags": Field(flags, list),
    "settled_at": or_none(moment),
    "seats": needed(list_of(object_of(SEAT), 5)),
    "games": Field(list_of(object_of(GAME), 9), list),
    "losses": Field(list_of(object_of(LOSS), 50), list),
    "reports": Field(list_of(object_of(REPORT), 100), list),
    "notes": Field(list_of(object_of(NOTE), 200), list),
    "calls": Field(list_of(object_of(CALL), 200), list),
    "absences": Field(list_of(object_of(ABSENCE), 20), list),
}

PAIRING = {
    "table": or_none(whole(1)),
    "match": or_none(object_of(MATCH)),
    "bye": or_none(whole(1)),
    "points": or_none(SIGNED),
    "late_entry": NO,
    "bracket_game": or_none(whole(1)),
    "advances": or_none(whole(1)),
    "made_by_hand": NO,
    "extra_minutes": Field(whole(), 0),
    "is_locked": NO,
    "cost": Field(cost, dict),
    "reasons": Field(list_of(reason, 100), list),
}

ROUND = {
    "number": needed(whole(1, 10_000)),
    "state": Field(word(("draft", "published", "running", "closed")), "closed"),
    "seed": or_none(seed),
    "published_at": or_none(moment),
    "started_at": or_none(moment),
    "paused_at": or_none(moment),
    "paused_seconds": Field(whole(0, MOST_INTEGER), 0),
    "extra_minutes": Field(SIGNED, 0),
    "closed_at": or_none(moment),
    "certificate": Field(plain(dict), dict),
    "relaxations": Field(list_of(reason, 1_000), list),
    "pairings": Field(list_of(object_of(PAIRING), MOST_TABLES), list),
}

STAGE = {
    "number": needed(whole(1)),
    "system": needed(word(tuple(STORED))),
    "scoring_rule": needed(_rule),
    "fixed_bracket": NO,
    "decks_shown_to": Field(
        word(("private", "opponent", "cut", "participants", "public")), "private"
    ),
    "decks_shown_at": or_none(moment),
    "entries": Field(list_of(object_of(ENTRY), MOST_PLAYERS), list),
    "rounds": Field(list_of(object_of(ROUND), MOST_ROUNDS), list),
}

EVENT = {
    "settings": needed(object_of(SETTINGS)),
    "seed": or_none(seed),
    "players": needed(list_of(object_of(PLAYER_SHAPE), MOST_PLAYERS)),
    "stages": needed(list_of(object_of(STAGE), MOST_STAGES)),
    "private": or_none(object_of(PRIVATE)),
}
