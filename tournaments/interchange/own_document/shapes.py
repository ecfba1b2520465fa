"""Shapes of the "event" part of a Datafort document and of its private part."""

from decks.formats.deck_text import ListForm
from decks.games import GAMES
from engine.documents.nodes import Node
from engine.standings import TIE_BREAKERS
from engine.systems import STORED
from matches.scoring import GameEnd, Role, UnknownScoringRule, scoring_rule
from rulings.guide import PenaltyKind, is_code
from tournaments.interchange.own_document.checked_reader import (
    LOSS,
    MOST_INTEGER,
    MOST_POINTS,
    MOST_SMALL,
    NO,
    PLAYER,
    RESULT,
    YES,
    Field,
    cost,
    day,
    exact,
    flag,
    flags,
    hour,
    list_of,
    moment,
    needed,
    object_of,
    or_none,
    plain,
    reason,
    seed,
    text,
    time_zone,
    whole,
    word,
)

MOST_PLAYERS = 10_000
MOST_ROUNDS, MOST_TABLES, MOST_STAGES = 200, 5_000, 20
SETTLED = ("confirmed", "decided")
CLOSED, RUNNING = "closed", "running"
SIDES = ("corp", "runner")
PENALTY_KIND = word(tuple(kind.value for kind in PenaltyKind))
# Breaches of a deck, and its notices.
MOST_FAULTS = 5_000

REPORT = {
    "by": or_none(whole(1)),
    "username": Field(text(150), ""),
    "state": needed(word(("proposed", "confirmed", "disputed", "superseded"))),
    "result": needed(object_of(RESULT)),
    "note": Field(text(20_000), ""),
    "at": or_none(moment),
}

NOTE = {
    "author": Field(text(150), ""),
    "text": Field(text(20_000), ""),
    "at": or_none(moment),
    "cites": Field(list_of(text(90), 50), list),
}

CALL = {
    "player": or_none(whole(1)),
    "raised_by": Field(text(150), ""),
    "about": Field(text(200), ""),
    "raised_at": or_none(moment),
    "taken_by": Field(text(150), ""),
    "taken_at": or_none(moment),
    "for_head_judge": NO,
    "escalated_by": Field(text(150), ""),
    "escalated_at": or_none(moment),
    "appeals": or_none(whole()),
    "answered_by": Field(text(150), ""),
    "answered_at": or_none(moment),
    "answer": or_none(object_of(NOTE)),
    "minutes": Field(whole(), 0),
    "overturned": or_none(flag),
    "withdrawn_at": or_none(moment),
}

ABSENCE = {
    "player": PLAYER,
    "by": or_none(whole(1)),
    "username": Field(text(150), ""),
    "told_at": or_none(moment),
    "applied_at": or_none(moment),
}

STAFF = {
    "username": needed(text(150)),
    "role": needed(word(("owner", "organiser", "scorekeeper", "head_judge", "judge", "streamer"))),
}

SLOT = {
    "card": needed(text(140)),
    "title": Field(text(120), ""),
    "printing": Field(text(10), ""),
    "quantity": needed(whole(1)),
}

BREACH = {
    "code": needed(text(40)),
    "line": or_none(whole()),
    "card": or_none(text(1_000)),
    "rule": Field(text(2_000), ""),
    "message": needed(text(20_000)),
    "remedy": Field(text(20_000), ""),
}

NOTICE = {
    "code": needed(text(40)),
    "message": needed(text(2_000)),
    "card": or_none(text(1_000)),
    "cause": needed(text(2_000)),
}

DECK_LIST = {
    "title": Field(text(100), ""),
    "text": Field(text(100_000), ""),
    "form": Field(word(tuple(form.value for form in ListForm)), "plain_text"),
    "identity": or_none(text(140)),
    "slots": Field(list_of(object_of(SLOT), 1_000), list),
    "size": Field(whole(0, MOST_INTEGER), 0),
    "agenda_points": Field(whole(-MOST_INTEGER, MOST_INTEGER), 0),
    "is_legal": NO,
    "breaches": Field(list_of(object_of(BREACH), MOST_FAULTS), list),
    "notices": Field(list_of(object_of(NOTICE), MOST_FAULTS), list),
    "format": Field(text(40), ""),
    "snapshot": Field(text(60), ""),
    "judged_on": or_none(day),
    "seal": Field(text(64), ""),
}

DECK = {
    "player": PLAYER,
    "side": needed(word(SIDES)),
    **DECK_LIST,
    "received_at": or_none(moment),
    "locked_at": or_none(moment),
    "locked_by": Field(word(("", "player", "deadline", "staff")), ""),
}

DECK_CHECK = {
    "table": needed(whole(1)),
    "player": PLAYER,
    "side": needed(word(SIDES)),
    "earlier_list": or_none(object_of(DECK_LIST)),
    "outcome": Field(word(("", "fine", "mended", "wrong", "illegal")), ""),
    "note": Field(text(500), ""),
    "checked_by": Field(text(150), ""),
    "checked_at": or_none(moment),
}

DECK_CHECK_DRAW = {
    "number": needed(whole(1)),
    "round": needed(whole(1)),
    "seed": or_none(seed),
    "drawn_by": Field(text(150), ""),
    "drawn_at": needed(moment),
    "checks": Field(list_of(object_of(DECK_CHECK), 2 * MOST_PLAYERS), list),
}

PENALTY = {
    "player": PLAYER,
    "round": or_none(whole(1)),
    "table": or_none(whole(1)),
    "table_round": or_none(whole(1)),
    "infraction": needed(text(60)),
    "infraction_name": needed(text(120)),
    "kind": needed(PENALTY_KIND),
    "expected": needed(PENALTY_KIND),
    "game": or_none(whole(1)),
    "note": needed(object_of(NOTE)),
    "dropped": NO,
    "given_at": or_none(moment),
    "withdrawn_at": or_none(moment),
    "withdrawn_by": Field(text(150), ""),
    "withdrawn_reason": Field(text(20_000), ""),
}

LOG = {
    "at": or_none(moment),
    "username": Field(text(150), ""),
    "player": or_none(whole(1)),
    "action": needed(text(40)),
    "subject": Field(text(160), ""),
    "before": Field(plain(dict), dict),
    "after": Field(plain(dict), dict),
    "reason": Field(text(20_000), ""),
    "round": or_none(whole(1)),
    "table": or_none(whole(1)),
    "about": or_none(whole(1)),
    "undoes": or_none(whole()),
}


def _infraction_code(node: Node) -> str:
    code = text(60)(node)
    if not is_code(code):
        raise node.refusal("A code has small letters, digits and hyphens alone.")
    return code


LADDER_CHANGE = {
    "code": needed(_infraction_code),
    "name": Field(text(120), ""),
    "description": Field(text(500), ""),
    "ladder": Field(list_of(PENALTY_KIND, 50), list),
    "is_off": NO,
}

LOCAL_RULING = {
    "code": needed(text(80)),
    "made_here": YES,
    "subject": Field(text(120), ""),
    "question": Field(text(20_000), ""),
    "text": Field(text(20_000), ""),
    "basis": or_none(object_of(NOTE)),
}

PRIVATE = {
    "staff_need_second_factor": NO,
    "staff": Field(list_of(object_of(STAFF), 500), list),
    "decks": Field(list_of(object_of(DECK), 2 * MOST_PLAYERS), list),
    "deck_checks": Field(list_of(object_of(DECK_CHECK_DRAW), 1_000), list),
    "penalties": Field(list_of(object_of(PENALTY), 10_000), list),
    "guide": Field(list_of(object_of(LADDER_CHANGE), 500), list),
    "local_rulings": Field(list_of(object_of(LOCAL_RULING), 1_000), list),
    "log": Field(list_of(object_of(LOG), 100_000), list),
}


def _rule(node: Node) -> str:
    rule = text(40)(node)
    try:
        scoring_rule(rule)
    except UnknownScoringRule as error:
        raise node.refusal(str(error)) from error
    return rule


def _event_name(node: Node) -> str:
    name = text(120)(node)
    if not name.strip():
        raise node.refusal("The event has no name. Write one.")
    return name


SIGNED = whole(-MOST_SMALL)

# Optional facts about an event; a document omits defaults.
FACTS = {
    "start_time": or_none(hour),
    "ends_on": or_none(day),
    "end_time": or_none(hour),
    "day_two_on": or_none(day),
    "day_two_time": or_none(hour),
    "day_two_round": or_none(whole(2, 200)),
    "day_two_opened_at": or_none(moment),
    "address": Field(text(200), ""),
    "entry_fee": Field(text(80), ""),
    "contact": Field(text(120), ""),
    "links": Field(text(2_000), ""),
    "planned_cut": or_none(whole(2)),
    "avoid_second_meetings": or_none(flag),
    "shows_needs": YES,
    "invitation_only": NO,
}

# Only present if the results do not count for ratings.
RATED = {"rated": YES}

SETTINGS = {
    "name": needed(_event_name),
    "game": needed(word(GAMES)),
    "starts_on": needed(day),
    "time_zone": Field(time_zone, "UTC"),
    "location": Field(text(120), ""),
    **FACTS,
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
    **RATED,
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
    "dropped_by": Field(word(("", "player", "staff", "absent", "no_show", "day_two")), ""),
    "day_two_at": or_none(moment),
    "waiting_rank": or_none(whole(1)),
    "paid_at": or_none(moment),
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
    "seeds_shown_at": or_none(moment),
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
