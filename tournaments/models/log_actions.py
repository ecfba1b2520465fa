"""Log actions: stored value, topic, label.

Stored values never change. How an action is undone is defined in `services.undo.KINDS`.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Self

from tournaments.models.integrations import WebhookEvent

# Maximum length of a stored action.
LONGEST = 40
# Prefix of an action that was imported from a file. It cannot be undone here.
IMPORTED = "imported: "


class Topic(StrEnum):
    """Groups of actions by which the log can be filtered."""

    RESULTS = "results"
    ROUNDS = "rounds"
    DRAFTS = "drafts"
    CLOCK = "clock"
    PLAYERS = "players"
    DECKS = "decks"
    JUDGES = "judges"
    STAFF = "staff"
    EVENT = "event"


class LogAction(StrEnum):
    """Log actions: stored value, topic, label."""

    topic: Topic
    words: str

    def __new__(cls, stored: str, topic: Topic, words: str = "") -> Self:
        action = str.__new__(cls, stored)
        action._value_, action.topic = stored, topic
        action.words = words or stored.capitalize()
        return action

    RESULT_REPORTED = "result reported", Topic.RESULTS
    RESULT_CONFIRMED = "result confirmed", Topic.RESULTS
    RESULT_CONFIRMED_BY_TIME = "result confirmed by time", Topic.RESULTS
    RESULT_DISPUTED = "result disputed", Topic.RESULTS
    RESULT_ENTERED = "result entered", Topic.RESULTS
    RESULT_CHANGED = "result changed", Topic.RESULTS
    RESULT_TAKEN_BACK = "result taken back", Topic.RESULTS, "Result undone"
    WHO_GOES_ON_DECIDED = "who goes on decided", Topic.RESULTS, "Advancing player decided"
    NO_SHOW_DECIDED = "no-show decided", Topic.RESULTS
    FACTION_CHOSEN = "faction chosen", Topic.RESULTS
    PAIRING_ASKED_FOR = "pairing asked for", Topic.ROUNDS, "Pairing started"
    ROUND_DRAFTED = "round drafted", Topic.ROUNDS
    ROUND_PUBLISHED = "round published", Topic.ROUNDS
    ROUND_TAKEN_BACK = "round taken back", Topic.ROUNDS, "Round unpublished"
    ROUND_STARTED = "round started", Topic.ROUNDS
    ROUND_CLOSED = "round closed", Topic.ROUNDS
    ROUND_CLOSED_BY_FORCE = (
        "round closed by force",
        Topic.ROUNDS,
        "Round closed without all results",
    )
    ROUND_REOPENED = "round reopened", Topic.ROUNDS
    JOB_TRIED_AGAIN = "job tried again", Topic.EVENT, "Job retried"
    JOB_DELETED = "job deleted", Topic.EVENT, "Failed job deleted"
    CUT_MADE = "cut made", Topic.ROUNDS, "Top cut started"
    CUT_PUBLISHED = "cut published", Topic.ROUNDS, "Seeds of the cut published"
    CUT_UNDONE = "cut undone", Topic.ROUNDS, "Top cut undone"
    PLACE_DECLINED = "place declined", Topic.ROUNDS
    CUT_CHANGED = "cut changed", Topic.ROUNDS, "Top cut changed"
    ROLE_CHOSEN = "role chosen", Topic.ROUNDS, "Side chosen"
    SEATS_SWAPPED = "seats swapped", Topic.DRAFTS
    PAIRED_BY_HAND = "paired by hand", Topic.DRAFTS
    LOCKED = "locked", Topic.DRAFTS
    UNLOCKED = "unlocked", Topic.DRAFTS
    REST_TO_BE_PAIRED_ANEW = "rest to be paired anew", Topic.DRAFTS, "Re-pairing started"
    REST_PAIRED_ANEW = "rest paired anew", Topic.DRAFTS, "Unlocked tables re-paired"
    DRAFT_THROWN_AWAY = "draft thrown away", Topic.DRAFTS, "Draft discarded"
    CLOCK_PAUSED = "clock paused", Topic.CLOCK
    CLOCK_RESUMED = "clock resumed", Topic.CLOCK
    MINUTES_ADDED = "minutes added", Topic.CLOCK
    MINUTES_TAKEN = "minutes taken", Topic.CLOCK, "Minutes removed"
    TABLE_GIVEN_TIME = "table given time", Topic.CLOCK, "Extra time given"
    REGISTRATION_OPENED = "registration opened", Topic.PLAYERS
    REGISTRATION_CLOSED = "registration closed", Topic.PLAYERS
    PLAYER_REGISTERED = "player registered", Topic.PLAYERS
    PLAYER_ON_THE_WAITING_LIST = "player on the waiting list", Topic.PLAYERS
    PLAYER_REMOVED = "player removed", Topic.PLAYERS
    PLAYER_CHECKED_IN = "player checked in", Topic.PLAYERS
    DAY_TWO_CHECK_IN_OPENED = "check-in for day 2 opened", Topic.PLAYERS
    DAY_TWO_CHECK_IN_CLOSED = (
        "check-in for day 2 taken back",
        Topic.PLAYERS,
        "Check-in for day 2 closed",
    )
    CHECKED_IN_FOR_DAY_TWO = "checked in for day 2", Topic.PLAYERS
    DAY_TWO_CHECK_IN_TAKEN_BACK = "not here on day 2", Topic.PLAYERS, "Check-in for day 2 undone"
    CHECK_IN_TAKEN_BACK = "check-in taken back", Topic.PLAYERS, "Check-in undone"
    PLAYER_DROPPED = "player dropped", Topic.PLAYERS
    PLAYER_RETURNED = "player returned", Topic.PLAYERS
    PLAYER_MISSED = "player missed", Topic.PLAYERS, "Player marked missing"
    MISSED_PLAYER_CAME = "missed player came", Topic.PLAYERS, "Missing player arrived"
    MISSED_PLAYER_COUNTED_OUT = "missed player counted out", Topic.PLAYERS, "Missing player dropped"
    MISSED_ROUNDS_CREDITED = "missed rounds credited", Topic.PLAYERS
    MISSED_ROUNDS_TAKEN_BACK = (
        "missed rounds taken back",
        Topic.PLAYERS,
        "Credit for missed rounds undone",
    )
    FIRST_ROUND_BYE_GIVEN = "first-round bye given", Topic.PLAYERS
    FIRST_ROUND_BYE_TAKEN = "first-round bye taken", Topic.PLAYERS, "First-round bye removed"
    SEED_AND_GROUP_SET = "seed and group set", Topic.PLAYERS
    SEEDED_BY_RATING = "seeded by rating", Topic.PLAYERS
    PLAYERS_SEATED = "players seated", Topic.PLAYERS, "Players seated for the meeting"
    MEETING_CLEARED = "meeting cleared", Topic.PLAYERS, "Player meeting cleared"
    MOVED_ON_THE_WAITING_LIST = "moved on the waiting list", Topic.PLAYERS
    MOVED_UP = "moved up", Topic.PLAYERS
    LET_IN_LATE = "let in late", Topic.PLAYERS, "Late entry accepted"
    LET_IN_OVER_THE_LIMIT = "let in over the limit", Topic.PLAYERS, "Added over the limit"
    MARKED_AS_PAID = "marked as paid", Topic.PLAYERS
    PAID_MARK_TAKEN_BACK = "paid mark taken back", Topic.PLAYERS, "Marked as not paid"
    TABLE_WISH_SET = "table wish set", Topic.PLAYERS, "Table wishes changed"
    CLAIM_LINK_GIVEN = "claim link given", Topic.PLAYERS, "Personal link made"
    PLAYER_RENAMED = "player renamed", Topic.PLAYERS
    ENTRIES_MERGED = "entries merged", Topic.PLAYERS
    PLAYERS_MERGED = "players merged", Topic.PLAYERS
    PLAYERS_SEPARATED = "players separated", Topic.PLAYERS
    PLAYER_INVITED = "player invited", Topic.PLAYERS
    PLAYER_NOT_INVITED = (
        "invitation of a player withdrawn",
        Topic.PLAYERS,
        "Player's invitation withdrawn",
    )
    PLAYER_DECLINED = "invitation declined", Topic.PLAYERS
    DECK_HANDED_IN = "deck handed in", Topic.DECKS
    DECK_CHANGED_BY_STAFF = "deck changed by staff", Topic.DECKS
    DECK_LOCKED = "deck locked", Topic.DECKS
    DECK_LOCKED_BY_STAFF = "deck locked by staff", Topic.DECKS
    DECK_UNLOCKED = "deck unlocked", Topic.DECKS
    DECK_JUDGED_AGAIN = "deck judged again", Topic.DECKS, "Deck checked again"
    DECK_PROBLEM_WAIVED = "deck problem waived", Topic.DECKS
    DECK_WAIVER_WITHDRAWN = "deck waiver withdrawn", Topic.DECKS
    ALL_DECKS_LOCKED = "all decks locked", Topic.DECKS
    ALL_DECKS_OPENED = "all decks opened", Topic.DECKS
    DECKS_REVEALED = "decks revealed", Topic.DECKS
    DECKS_HIDDEN = "decks hidden", Topic.DECKS
    AUDIENCE_OF_DECKS_CHANGED = (
        "audience of decks changed",
        Topic.DECKS,
        "Who sees the decks changed",
    )
    JUDGE_CALLED = "judge called", Topic.JUDGES
    JUDGE_CALL_TAKEN = "judge call taken", Topic.JUDGES
    JUDGE_CALL_GIVEN_BACK = (
        "judge call given back",
        Topic.JUDGES,
        "Judge call returned to the queue",
    )
    JUDGE_CALL_LEFT_TO_THE_HEAD_JUDGE = (
        "judge call left to the head judge",
        Topic.JUDGES,
        "Judge call passed to the head judge",
    )
    JUDGE_CALL_ANSWERED = "judge call answered", Topic.JUDGES
    JUDGE_CALL_APPEALED = "judge call appealed", Topic.JUDGES
    JUDGE_CALL_WITHDRAWN = "judge call withdrawn", Topic.JUDGES, "Judge call cancelled"
    JUDGE_CALL_WAITS_AGAIN = "judge call waits again", Topic.JUDGES, "Judge call reopened"
    DECK_CHECK_DRAWN = "deck check drawn", Topic.JUDGES
    DECK_CHECK_PICKED = "deck check picked", Topic.JUDGES
    DECK_CHECKED = "deck checked", Topic.JUDGES
    PENALTY_GIVEN = "penalty given", Topic.JUDGES
    PENALTY_WITHDRAWN = "penalty withdrawn", Topic.JUDGES
    PENALTY_TOOK_EFFECT = "penalty took effect", Topic.JUDGES
    PENALTY_WAITS_AGAIN = "penalty waits again", Topic.JUDGES, "Penalty waits for the next round"
    INFRACTION_CHANGED = "infraction changed", Topic.JUDGES
    INFRACTION_AS_IN_THE_GUIDE = (
        "infraction as in the guide",
        Topic.JUDGES,
        "Infraction restored to the guide",
    )
    LOCAL_RULING_MADE = "local ruling made", Topic.JUDGES
    LOCAL_RULING_CHANGED = "local ruling changed", Topic.JUDGES
    LOCAL_RULING_WITHDRAWN = "local ruling withdrawn", Topic.JUDGES
    LOCAL_RULING_USED_AGAIN = "local ruling used again", Topic.JUDGES
    LOCAL_RULING_LEFT_OUT = (
        "local ruling left out",
        Topic.JUDGES,
        "Local ruling removed from the event",
    )
    ROLE_GIVEN = "role given", Topic.STAFF
    ROLE_TAKEN = "role taken", Topic.STAFF, "Role removed"
    INVITATION_MADE = "invitation made", Topic.STAFF
    INVITATION_WITHDRAWN = "invitation withdrawn", Topic.STAFF
    EVENT_CREATED = "event created", Topic.EVENT
    EVENT_IMPORTED = "event imported", Topic.EVENT
    EVENT_FINISHED = "event finished", Topic.EVENT
    EVENT_REOPENED = "event reopened", Topic.EVENT
    EVENT_CORRECTED = "event corrected", Topic.EVENT
    EVENT_HANDED_OVER = "event handed over", Topic.EVENT
    EVENT_COPIED = "event copied", Topic.EVENT
    SERIES_SET = "series set", Topic.EVENT, "Series changed"
    SETTINGS_CHANGED = "settings changed", Topic.EVENT
    PRACTICE_BEGUN = "practice begun", Topic.EVENT, "Practice event made"
    NEWS_SET = "news set", Topic.EVENT, "Notifications changed"
    UPLOAD_ASKED_FOR = "upload asked for", Topic.EVENT, "Upload started"
    PERSON_ERASED = "person erased", Topic.EVENT
    TOKEN_MADE = "token made", Topic.EVENT
    TOKEN_REVOKED = "token revoked", Topic.EVENT
    WEBHOOK_ADDED = "webhook added", Topic.EVENT
    WEBHOOK_CHANGED = "webhook changed", Topic.EVENT
    WEBHOOK_REMOVED = "webhook removed", Topic.EVENT
    WEBHOOK_SWITCHED_ON = "webhook switched on", Topic.EVENT
    WEBHOOK_SWITCHED_OFF = "webhook switched off", Topic.EVENT
    WEBHOOK_SECRET_CHANGED = "webhook secret changed", Topic.EVENT

    @property
    def is_public(self) -> bool:
        """The default for `public` in `history.record`."""
        return self not in NOT_PUBLIC

    @property
    def webhook_event(self) -> WebhookEvent | None:
        """The webhook event of this action when it is public."""
        return WEBHOOK_EVENTS.get(self)


def words_of(stored: str) -> str:
    """The label of a stored action; an imported action is returned capitalised."""
    return WORDS.get(stored) or stored.capitalize()


def as_imported(stored: str) -> str:
    """The stored value of an imported action, cut to the column's length."""
    return f"{IMPORTED}{stored.removeprefix(IMPORTED)}"[:LONGEST]


def stored_for(actions: Iterable[LogAction]) -> list[str]:
    """All stored values of these actions, imported variants included."""
    return [stored for action in actions for stored in (action.value, as_imported(action))]


WORDS = {action.value: action.words for action in LogAction}
# Changes of a table's result by a report, an answer or a decision.
RESULTS = (
    LogAction.RESULT_REPORTED,
    LogAction.RESULT_CONFIRMED,
    LogAction.RESULT_CONFIRMED_BY_TIME,
    LogAction.RESULT_DISPUTED,
    LogAction.RESULT_ENTERED,
    LogAction.RESULT_CHANGED,
    LogAction.RESULT_TAKEN_BACK,
)
# Entries that name players and seats of a draft. Hidden from people who cannot see drafts.
SEAT_CHANGES = (
    LogAction.SEATS_SWAPPED,
    LogAction.PAIRED_BY_HAND,
    LogAction.LOCKED,
    LogAction.UNLOCKED,
    LogAction.ROLE_CHOSEN,
)
# Actions that make or change a draft.
DRAFT_CHANGES = (*SEAT_CHANGES, LogAction.ROUND_DRAFTED, LogAction.REST_PAIRED_ANEW)
# A player joins the roster.
JOINED = (LogAction.PLAYER_REGISTERED, LogAction.PLAYER_ON_THE_WAITING_LIST)
# Actions that invalidate the preview of a roster.
ROSTER_CHANGES = (
    *JOINED,
    LogAction.PLAYER_REMOVED,
    LogAction.ENTRIES_MERGED,
    LogAction.PLAYERS_MERGED,
    LogAction.PLAYERS_SEPARATED,
    LogAction.PLAYER_CHECKED_IN,
    LogAction.PLAYER_DROPPED,
    LogAction.PLAYER_RETURNED,
    LogAction.PLAYER_MISSED,
    LogAction.PLAYERS_SEATED,
)
# Entries that contain settings with their values.
SETTING_CHANGES = (LogAction.SETTINGS_CHANGED, LogAction.ALL_DECKS_OPENED)
# Actions that make a new version of a finished event. Their reasons are public.
CORRECTIONS = (LogAction.EVENT_CORRECTED, LogAction.EVENT_REOPENED)
# Actions in a reopened event that are listed publicly with the reason.
IN_A_REOPENED_EVENT = (
    *(action for action in LogAction if action.topic is Topic.RESULTS),
    LogAction.SETTINGS_CHANGED,
    LogAction.ROUND_PUBLISHED,
    LogAction.ROUND_CLOSED,
    LogAction.ROUND_CLOSED_BY_FORCE,
    LogAction.ROUND_REOPENED,
    LogAction.PLAYER_REGISTERED,
    LogAction.PLAYER_DROPPED,
    LogAction.PLAYER_RETURNED,
    LogAction.PLAYER_REMOVED,
    LogAction.PLAYER_RENAMED,
    LogAction.MISSED_ROUNDS_CREDITED,
    LogAction.ENTRIES_MERGED,
    LogAction.CUT_MADE,
    LogAction.CUT_CHANGED,
    LogAction.CUT_UNDONE,
    LogAction.PLACE_DECLINED,
)
# The organiser changes the players or seeds of a cut.
CUT_CHANGES = (LogAction.PLACE_DECLINED, LogAction.CUT_CHANGED)
DAY_TWO_MARKS = (LogAction.CHECKED_IN_FOR_DAY_TWO, LogAction.DAY_TWO_CHECK_IN_TAKEN_BACK)
DAY_TWO_OPENING = (LogAction.DAY_TWO_CHECK_IN_OPENED, LogAction.DAY_TWO_CHECK_IN_CLOSED)
# Private: the public cannot see payments.
PAID_MARKS = (LogAction.MARKED_AS_PAID, LogAction.PAID_MARK_TAKEN_BACK)
TOKENS = (LogAction.TOKEN_MADE, LogAction.TOKEN_REVOKED)
JUDGE_CALLS = (
    LogAction.JUDGE_CALLED,
    LogAction.JUDGE_CALL_TAKEN,
    LogAction.JUDGE_CALL_GIVEN_BACK,
    LogAction.JUDGE_CALL_LEFT_TO_THE_HEAD_JUDGE,
    LogAction.JUDGE_CALL_ANSWERED,
    LogAction.JUDGE_CALL_APPEALED,
    LogAction.JUDGE_CALL_WITHDRAWN,
    LogAction.JUDGE_CALL_WAITS_AGAIN,
)
# Judge calls, deck checks and penalties, visible to judges only.
FOR_JUDGES = (
    *JUDGE_CALLS,
    LogAction.DECK_CHECK_DRAWN,
    LogAction.DECK_CHECK_PICKED,
    LogAction.DECK_CHECKED,
    LogAction.PENALTY_GIVEN,
    LogAction.PENALTY_WITHDRAWN,
    LogAction.PENALTY_TOOK_EFFECT,
    LogAction.PENALTY_WAITS_AGAIN,
)
NOT_PUBLIC = frozenset(
    {
        *FOR_JUDGES,
        *TOKENS,
        *PAID_MARKS,
        LogAction.PAIRING_ASKED_FOR,
        LogAction.ROUND_DRAFTED,
        LogAction.SEATS_SWAPPED,
        LogAction.PAIRED_BY_HAND,
        LogAction.LOCKED,
        LogAction.UNLOCKED,
        LogAction.DRAFT_THROWN_AWAY,
        LogAction.CUT_MADE,
        LogAction.CLAIM_LINK_GIVEN,
        LogAction.DECK_PROBLEM_WAIVED,
        LogAction.DECK_WAIVER_WITHDRAWN,
        LogAction.ALL_DECKS_LOCKED,
        LogAction.ROLE_GIVEN,
        LogAction.ROLE_TAKEN,
        LogAction.INVITATION_MADE,
        LogAction.INVITATION_WITHDRAWN,
        LogAction.EVENT_HANDED_OVER,
        LogAction.NEWS_SET,
        LogAction.UPLOAD_ASKED_FOR,
        LogAction.JOB_TRIED_AGAIN,
        LogAction.JOB_DELETED,
        LogAction.WEBHOOK_ADDED,
        LogAction.WEBHOOK_CHANGED,
        LogAction.WEBHOOK_REMOVED,
        LogAction.WEBHOOK_SWITCHED_ON,
        LogAction.WEBHOOK_SWITCHED_OFF,
        LogAction.WEBHOOK_SECRET_CHANGED,
    }
)
WEBHOOK_EVENTS: Mapping[LogAction, WebhookEvent] = {
    # A report settles the result if the opponent sent the same one.
    LogAction.RESULT_REPORTED: WebhookEvent.RESULT_SETTLED,
    LogAction.RESULT_CONFIRMED: WebhookEvent.RESULT_SETTLED,
    LogAction.RESULT_CONFIRMED_BY_TIME: WebhookEvent.RESULT_SETTLED,
    LogAction.RESULT_ENTERED: WebhookEvent.RESULT_SETTLED,
    LogAction.RESULT_CHANGED: WebhookEvent.RESULT_SETTLED,
    LogAction.RESULT_TAKEN_BACK: WebhookEvent.RESULT_SETTLED,
    LogAction.NO_SHOW_DECIDED: WebhookEvent.RESULT_SETTLED,
    LogAction.CUT_PUBLISHED: WebhookEvent.CUT_MADE,
    LogAction.ROUND_PUBLISHED: WebhookEvent.ROUND_PUBLISHED,
    LogAction.ROUND_STARTED: WebhookEvent.ROUND_STARTED,
    LogAction.ROUND_CLOSED: WebhookEvent.ROUND_CLOSED,
    LogAction.ROUND_CLOSED_BY_FORCE: WebhookEvent.ROUND_CLOSED,
    LogAction.EVENT_FINISHED: WebhookEvent.EVENT_FINISHED,
}
