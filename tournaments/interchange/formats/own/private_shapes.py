"""What the staff alone know of an event, key by key: what was told at tables, decks, the log."""

from decks.formats.deck_text import ListForm
from tournaments.interchange.formats.own.careful import RESULT
from tournaments.interchange.formats.own.fields import (
    MOST_INTEGER,
    NO,
    PLAYER,
    YES,
    Field,
    day,
    flag,
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

MOST_PLAYERS = 10_000
SIDES = ("corp", "runner")

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

DECK_LIST = {
    "title": Field(text(100), ""),
    "text": Field(text(100_000), ""),
    "form": Field(word(tuple(form.value for form in ListForm)), "plain_text"),
    "identity": or_none(text(140)),
    "slots": Field(list_of(object_of(SLOT), 1_000), list),
    "size": Field(whole(0, MOST_INTEGER), 0),
    "agenda_points": Field(whole(-MOST_INTEGER, MOST_INTEGER), 0),
    "is_legal": NO,
    "breaches": Field(plain(list), list),
    "notices": Field(plain(list), list),
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
    "kind": needed(text(20)),
    "expected": needed(text(20)),
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

LADDER_CHANGE = {
    "code": needed(text(60)),
    "name": Field(text(120), ""),
    "description": Field(text(500), ""),
    "ladder": Field(plain(list), list),
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
