"""The event log and its actions."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from django.db import models
from django.db.models import F, Max
from django.utils.translation import gettext, gettext_lazy

from core.model_fields import label_or_text
from matches.models import SETTLED_STATES
from players.models import Player, User
from tournaments.models.integrations import WebhookEvent
from tournaments.models.registrations import Registration
from tournaments.models.rounds import Pairing, Round

# Maximum length of a stored action.
MAX_ACTION_LETTERS = 40
# Prefix of an action that was imported from a file. It cannot be undone here.
IMPORTED_PREFIX = "imported: "


class LogTopic(StrEnum):
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
    """Log actions: stored value, topic, label.

    Stored values never change. tournaments.undo.undo_rules defines how an action is undone.
    """

    topic: LogTopic
    words: str

    def __new__(cls, stored: str, topic: LogTopic, words: str = "") -> Self:
        action = str.__new__(cls, stored)
        action._value_, action.topic = stored, topic
        action.words = words or stored.capitalize()
        return action

    RESULT_REPORTED = "result reported", LogTopic.RESULTS
    RESULT_CONFIRMED = "result confirmed", LogTopic.RESULTS
    RESULT_CONFIRMED_BY_TIME = "result confirmed by time", LogTopic.RESULTS
    RESULT_DISPUTED = "result disputed", LogTopic.RESULTS
    RESULT_ENTERED = "result entered", LogTopic.RESULTS
    RESULT_CHANGED = "result changed", LogTopic.RESULTS
    RESULT_TAKEN_BACK = "result taken back", LogTopic.RESULTS, "Result undone"
    WHO_GOES_ON_DECIDED = "who goes on decided", LogTopic.RESULTS, "Advancing player decided"
    NO_SHOW_DECIDED = "no-show decided", LogTopic.RESULTS
    FACTION_CHOSEN = "faction chosen", LogTopic.RESULTS
    PAIRING_ASKED_FOR = "pairing asked for", LogTopic.ROUNDS, "Pairing started"
    ROUND_DRAFTED = "round drafted", LogTopic.ROUNDS
    ROUND_PUBLISHED = "round published", LogTopic.ROUNDS
    ROUND_TAKEN_BACK = "round taken back", LogTopic.ROUNDS, "Round unpublished"
    ROUND_STARTED = "round started", LogTopic.ROUNDS
    ROUND_CLOSED = "round closed", LogTopic.ROUNDS
    ROUND_CLOSED_BY_FORCE = (
        "round closed by force",
        LogTopic.ROUNDS,
        "Round closed without all results",
    )
    ROUND_REOPENED = "round reopened", LogTopic.ROUNDS
    JOB_TRIED_AGAIN = "job tried again", LogTopic.EVENT, "Job retried"
    JOB_DELETED = "job deleted", LogTopic.EVENT, "Failed job deleted"
    CUT_MADE = "cut made", LogTopic.ROUNDS, "Top cut started"
    CUT_PUBLISHED = "cut published", LogTopic.ROUNDS, "Seeds of the cut published"
    CUT_UNDONE = "cut undone", LogTopic.ROUNDS, "Top cut undone"
    PLACE_DECLINED = "place declined", LogTopic.ROUNDS
    CUT_CHANGED = "cut changed", LogTopic.ROUNDS, "Top cut changed"
    ROLE_CHOSEN = "role chosen", LogTopic.ROUNDS, "Side chosen"
    SEATS_SWAPPED = "seats swapped", LogTopic.DRAFTS
    PAIRED_BY_HAND = "paired by hand", LogTopic.DRAFTS
    LOCKED = "locked", LogTopic.DRAFTS
    UNLOCKED = "unlocked", LogTopic.DRAFTS
    REST_TO_BE_PAIRED_ANEW = "rest to be paired anew", LogTopic.DRAFTS, "Re-pairing started"
    REST_PAIRED_ANEW = "rest paired anew", LogTopic.DRAFTS, "Unlocked tables re-paired"
    DRAFT_THROWN_AWAY = "draft thrown away", LogTopic.DRAFTS, "Draft discarded"
    CLOCK_PAUSED = "clock paused", LogTopic.CLOCK
    CLOCK_RESUMED = "clock resumed", LogTopic.CLOCK
    MINUTES_ADDED = "minutes added", LogTopic.CLOCK
    MINUTES_TAKEN = "minutes taken", LogTopic.CLOCK, "Minutes removed"
    TABLE_GIVEN_TIME = "table given time", LogTopic.CLOCK, "Extra time given"
    REGISTRATION_OPENED = "registration opened", LogTopic.PLAYERS
    REGISTRATION_CLOSED = "registration closed", LogTopic.PLAYERS
    PLAYER_REGISTERED = "player registered", LogTopic.PLAYERS
    PLAYER_ON_THE_WAITING_LIST = "player on the waiting list", LogTopic.PLAYERS
    PLAYER_REMOVED = "player removed", LogTopic.PLAYERS
    PLAYER_CHECKED_IN = "player checked in", LogTopic.PLAYERS
    DAY_TWO_CHECK_IN_OPENED = "check-in for day 2 opened", LogTopic.PLAYERS
    DAY_TWO_CHECK_IN_CLOSED = (
        "check-in for day 2 taken back",
        LogTopic.PLAYERS,
        "Check-in for day 2 closed",
    )
    CHECKED_IN_FOR_DAY_TWO = "checked in for day 2", LogTopic.PLAYERS
    DAY_TWO_CHECK_IN_TAKEN_BACK = "not here on day 2", LogTopic.PLAYERS, "Check-in for day 2 undone"
    CHECK_IN_TAKEN_BACK = "check-in taken back", LogTopic.PLAYERS, "Check-in undone"
    PLAYER_DROPPED = "player dropped", LogTopic.PLAYERS
    PLAYER_RETURNED = "player returned", LogTopic.PLAYERS
    PLAYER_MISSED = "player missed", LogTopic.PLAYERS, "Player marked missing"
    MISSED_PLAYER_CAME = "missed player came", LogTopic.PLAYERS, "Missing player arrived"
    MISSED_PLAYER_COUNTED_OUT = (
        "missed player counted out",
        LogTopic.PLAYERS,
        "Missing player dropped",
    )
    MISSED_ROUNDS_CREDITED = "missed rounds credited", LogTopic.PLAYERS
    MISSED_ROUNDS_TAKEN_BACK = (
        "missed rounds taken back",
        LogTopic.PLAYERS,
        "Credit for missed rounds undone",
    )
    FIRST_ROUND_BYE_GIVEN = "first-round bye given", LogTopic.PLAYERS
    FIRST_ROUND_BYE_TAKEN = "first-round bye taken", LogTopic.PLAYERS, "First-round bye removed"
    SEED_AND_GROUP_SET = "seed and group set", LogTopic.PLAYERS
    SEEDED_BY_RATING = "seeded by rating", LogTopic.PLAYERS
    PLAYERS_SEATED = "players seated", LogTopic.PLAYERS, "Players seated before round 1"
    MEETING_CLEARED = "meeting cleared", LogTopic.PLAYERS, "Seats before round 1 cleared"
    MOVED_ON_THE_WAITING_LIST = "moved on the waiting list", LogTopic.PLAYERS
    MOVED_UP = "moved up", LogTopic.PLAYERS
    LET_IN_LATE = "let in late", LogTopic.PLAYERS, "Late entry accepted"
    LET_IN_OVER_THE_LIMIT = "let in over the limit", LogTopic.PLAYERS, "Added over the limit"
    MARKED_AS_PAID = "marked as paid", LogTopic.PLAYERS
    PAID_MARK_TAKEN_BACK = "paid mark taken back", LogTopic.PLAYERS, "Marked as not paid"
    TABLE_WISH_SET = "table wish set", LogTopic.PLAYERS, "Table preferences changed"
    CLAIM_LINK_GIVEN = "claim link given", LogTopic.PLAYERS, "Personal link created"
    PLAYER_RENAMED = "player renamed", LogTopic.PLAYERS
    ENTRIES_MERGED = "entries merged", LogTopic.PLAYERS
    PLAYERS_MERGED = "players merged", LogTopic.PLAYERS
    PLAYERS_SEPARATED = "players separated", LogTopic.PLAYERS
    PLAYER_INVITED = "player invited", LogTopic.PLAYERS
    PLAYER_NOT_INVITED = (
        "invitation of a player withdrawn",
        LogTopic.PLAYERS,
        "Player's invitation withdrawn",
    )
    PLAYER_DECLINED = "invitation declined", LogTopic.PLAYERS
    DECK_SUBMITTED = "deck handed in", LogTopic.DECKS
    DECK_CHANGED_BY_STAFF = "deck changed by staff", LogTopic.DECKS
    DECK_LOCKED = "deck locked", LogTopic.DECKS
    DECK_LOCKED_BY_STAFF = "deck locked by staff", LogTopic.DECKS
    DECK_UNLOCKED = "deck unlocked", LogTopic.DECKS
    DECK_JUDGED_AGAIN = "deck judged again", LogTopic.DECKS, "Deck checked again"
    DECK_PROBLEM_WAIVED = "deck problem waived", LogTopic.DECKS
    DECK_WAIVER_WITHDRAWN = "deck waiver withdrawn", LogTopic.DECKS
    ALL_DECKS_LOCKED = "all decks locked", LogTopic.DECKS
    ALL_DECKS_OPENED = "all decks opened", LogTopic.DECKS
    DECKS_REVEALED = "decks revealed", LogTopic.DECKS
    DECKS_HIDDEN = "decks hidden", LogTopic.DECKS
    AUDIENCE_OF_DECKS_CHANGED = (
        "audience of decks changed",
        LogTopic.DECKS,
        "Who sees the decks changed",
    )
    JUDGE_CALLED = "judge called", LogTopic.JUDGES
    JUDGE_CALL_TAKEN = "judge call taken", LogTopic.JUDGES
    JUDGE_CALL_GIVEN_BACK = (
        "judge call given back",
        LogTopic.JUDGES,
        "Judge call returned to the queue",
    )
    JUDGE_CALL_LEFT_TO_THE_HEAD_JUDGE = (
        "judge call left to the head judge",
        LogTopic.JUDGES,
        "Judge call passed to the head judge",
    )
    JUDGE_CALL_ANSWERED = "judge call answered", LogTopic.JUDGES
    JUDGE_CALL_APPEALED = "judge call appealed", LogTopic.JUDGES
    JUDGE_CALL_WITHDRAWN = "judge call withdrawn", LogTopic.JUDGES, "Judge call cancelled"
    JUDGE_CALL_WAITS_AGAIN = "judge call waits again", LogTopic.JUDGES, "Judge call reopened"
    DECK_CHECK_DRAWN = "deck check drawn", LogTopic.JUDGES
    DECK_CHECK_PICKED = "deck check picked", LogTopic.JUDGES
    DECK_CHECKED = "deck checked", LogTopic.JUDGES
    PENALTY_GIVEN = "penalty given", LogTopic.JUDGES
    PENALTY_WITHDRAWN = "penalty withdrawn", LogTopic.JUDGES
    PENALTY_TOOK_EFFECT = "penalty took effect", LogTopic.JUDGES
    PENALTY_WAITS_AGAIN = (
        "penalty waits again",
        LogTopic.JUDGES,
        "Penalty postponed to the next round",
    )
    INFRACTION_CHANGED = "infraction changed", LogTopic.JUDGES
    INFRACTION_AS_IN_THE_GUIDE = (
        "infraction as in the guide",
        LogTopic.JUDGES,
        "Infraction restored to the guide",
    )
    LOCAL_RULING_MADE = "local ruling made", LogTopic.JUDGES
    LOCAL_RULING_CHANGED = "local ruling changed", LogTopic.JUDGES
    LOCAL_RULING_WITHDRAWN = "local ruling withdrawn", LogTopic.JUDGES
    LOCAL_RULING_USED_AGAIN = "local ruling used again", LogTopic.JUDGES
    LOCAL_RULING_LEFT_OUT = (
        "local ruling left out",
        LogTopic.JUDGES,
        "Local ruling removed from the event",
    )
    ROLE_GIVEN = "role given", LogTopic.STAFF
    ROLE_TAKEN = "role taken", LogTopic.STAFF, "Role removed"
    INVITATION_MADE = "invitation made", LogTopic.STAFF
    INVITATION_WITHDRAWN = "invitation withdrawn", LogTopic.STAFF
    EVENT_CREATED = "event created", LogTopic.EVENT
    EVENT_IMPORTED = "event imported", LogTopic.EVENT
    EVENT_FINISHED = "event finished", LogTopic.EVENT
    EVENT_REOPENED = "event reopened", LogTopic.EVENT
    EVENT_CORRECTED = "event corrected", LogTopic.EVENT
    EVENT_HANDED_OVER = "event handed over", LogTopic.EVENT
    EVENT_COPIED = "event copied", LogTopic.EVENT
    SERIES_SET = "series set", LogTopic.EVENT, "Series changed"
    SETTINGS_CHANGED = "settings changed", LogTopic.EVENT
    PRACTICE_BEGUN = "practice begun", LogTopic.EVENT, "Practice event created"
    NEWS_SET = "news set", LogTopic.EVENT, "Notifications changed"
    UPLOAD_ASKED_FOR = "upload asked for", LogTopic.EVENT, "Upload started"
    PERSON_ERASED = "person erased", LogTopic.EVENT
    TOKEN_MADE = "token made", LogTopic.EVENT
    TOKEN_REVOKED = "token revoked", LogTopic.EVENT
    WEBHOOK_ADDED = "webhook added", LogTopic.EVENT
    WEBHOOK_CHANGED = "webhook changed", LogTopic.EVENT
    WEBHOOK_REMOVED = "webhook removed", LogTopic.EVENT
    WEBHOOK_SWITCHED_ON = "webhook switched on", LogTopic.EVENT
    WEBHOOK_SWITCHED_OFF = "webhook switched off", LogTopic.EVENT
    WEBHOOK_SECRET_CHANGED = "webhook secret changed", LogTopic.EVENT

    @property
    def is_public(self) -> bool:
        return self not in PRIVATE_ACTIONS

    @property
    def webhook_event(self) -> WebhookEvent | None:
        return WEBHOOK_EVENTS.get(self)


def action_label(stored: str) -> str:
    """Return the label of a stored action; an imported action is returned capitalised."""
    return ACTION_LABELS.get(stored) or stored.capitalize()


def imported_action(stored: str) -> str:
    """Return the stored value of an imported action, cut to the column's length."""
    return f"{IMPORTED_PREFIX}{stored.removeprefix(IMPORTED_PREFIX)}"[:MAX_ACTION_LETTERS]


def stored_values(actions: Iterable[LogAction]) -> list[str]:
    """All stored values of these actions, imported variants included."""
    return [stored for action in actions for stored in (action.value, imported_action(action))]


ACTION_LABELS = {action.value: action.words for action in LogAction}
# Changes of a table's result by a report, an answer or a decision.
RESULT_CHANGES = (
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
SIGN_UPS = (LogAction.PLAYER_REGISTERED, LogAction.PLAYER_ON_THE_WAITING_LIST)
# Actions that invalidate the preview of a roster.
ROSTER_CHANGES = (
    *SIGN_UPS,
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
CORRECTION_ACTIONS = (LogAction.EVENT_CORRECTED, LogAction.EVENT_REOPENED)
# Actions in a reopened event that are listed publicly with the reason.
ACTIONS_IN_REOPENED_EVENT = (
    *(action for action in LogAction if action.topic is LogTopic.RESULTS),
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
DAY_TWO_OPENINGS = (LogAction.DAY_TWO_CHECK_IN_OPENED, LogAction.DAY_TWO_CHECK_IN_CLOSED)
# Private: the public cannot see payments.
PAID_MARKS = (LogAction.MARKED_AS_PAID, LogAction.PAID_MARK_TAKEN_BACK)
TOKEN_CHANGES = (LogAction.TOKEN_MADE, LogAction.TOKEN_REVOKED)
JUDGE_CALL_ACTIONS = (
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
JUDGE_ACTIONS = (
    *JUDGE_CALL_ACTIONS,
    LogAction.DECK_CHECK_DRAWN,
    LogAction.DECK_CHECK_PICKED,
    LogAction.DECK_CHECKED,
    LogAction.PENALTY_GIVEN,
    LogAction.PENALTY_WITHDRAWN,
    LogAction.PENALTY_TOOK_EFFECT,
    LogAction.PENALTY_WAITS_AGAIN,
)
PRIVATE_ACTIONS = frozenset(
    {
        *JUDGE_ACTIONS,
        *TOKEN_CHANGES,
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


@dataclass(frozen=True)
class Correction:
    version: int
    at: datetime
    what: str
    reason: str
    is_reopened: bool = False
    # Changes of a reopened event until it was finished again, without unsettled reports.
    changes: tuple[str, ...] = ()


class LogEntryQuerySet(models.QuerySet["LogEntry"]):
    def newest_id(self, actions: Collection[LogAction] = ()) -> int:
        """Id of the newest entry, public or not, or of the newest with these actions; 0 if none."""
        entries = self.filter(action__in=actions) if actions else self.all()
        newest: int | None = entries.aggregate(newest=Max("pk"))["newest"]
        return newest or 0

    def newest_draft_change(self) -> int:
        return self.newest_id(DRAFT_CHANGES)

    def draft_changes_since(self, seen: int) -> Self:
        return self.filter(action__in=DRAFT_CHANGES, pk__gt=seen)

    def own_sign_ups(self) -> Self:
        """Entries of players who joined by themselves, from their own device."""
        return self.filter(action__in=SIGN_UPS, player=F("registration__player"))

    def cut_changes(self) -> list[str]:
        """Manual changes of the cut that are in force, in words, oldest first. Public."""
        made = self.filter(action=LogAction.CUT_MADE).order_by("-pk").values("pk")[:1]
        changes = self.filter(action__in=CUT_CHANGES, pk__gt=made, before__has_key="cut")
        in_force = changes.filter(undoes=None, undone_by=None)
        return [entry.shown_subject for entry in in_force.order_by("pk")]

    def of_corrections(self) -> Self:
        return self.filter(action__in=stored_values(CORRECTION_ACTIONS)).order_by("pk")

    def corrections(self) -> list[Correction]:
        """All corrections, oldest first; at most two queries."""
        # Reasons given before reasons became public are not shown.
        entries = list(self.of_corrections())
        if not entries:
            return []
        changes = self._changes_while_reopened(entries)
        return [
            Correction(
                number,
                entry.at,
                gettext("Event reopened") if entry.is_reopening else entry.subject,
                entry.reason if "version" in entry.after else "",
                entry.is_reopening,
                tuple(changes.get(entry.pk, ())),
            )
            for number, entry in enumerate(entries, start=2)
        ]

    def _changes_while_reopened(self, entries: Iterable["LogEntry"]) -> dict[int, list[str]]:
        """Return the changes between each reopening and the next finish, by the reopening's key."""
        reopenings = [entry.pk for entry in entries if entry.is_reopening]
        if not reopenings:
            return {}
        shown = stored_values((*ACTIONS_IN_REOPENED_EVENT, LogAction.EVENT_FINISHED))
        finished = stored_values([LogAction.EVENT_FINISHED])
        changes: dict[int, list[str]] = {}
        current, is_over = 0, False
        for entry in self.filter(action__in=shown, pk__gt=reopenings[0]).order_by("pk"):
            if entry.is_unsettled_report:
                continue
            since = max(pk for pk in reopenings if pk < entry.pk)
            if since != current:
                current, is_over = since, False
            is_over = is_over or entry.action in finished
            if not is_over:
                changes.setdefault(since, []).append(entry.in_words)
        return changes


class ProgramReason(models.TextChoices):
    """Reasons of changes that the program makes."""

    ROUND_1_PUBLISHED = "round_1_published", gettext_lazy("Round 1 was published.")
    NO_ANSWER = "no_answer", gettext_lazy("The opponent did not answer in time.")
    NO_SHOW = "no_show", gettext_lazy("The player did not arrive in time.")
    STAFF_DECISION = "staff_decision", gettext_lazy("Decided by the staff.")
    # Earlier releases stored this text, so it is the code.
    JUDGE_CALL = "judge call", gettext_lazy("A judge was called to the table.")


# Sentences of changes of a cut, by the kind in the `after` of their entries.
CUT_CHANGE_SENTENCES = {
    "decline": gettext_lazy("%(name)s declined, %(replacement)s moved up"),
    "replace": gettext_lazy("%(replacement)s replaces %(name)s as seed %(seed)s"),
    "invite": gettext_lazy("%(name)s was invited as seed %(seed)s"),
    "seed": gettext_lazy("%(name)s is seed %(seed)s, was seed %(old_seed)s"),
}


def cut_change_in_words(change: Mapping[str, Any]) -> str:
    return CUT_CHANGE_SENTENCES[change["kind"]] % change


class LogEntry(models.Model):
    """A change, appended in the transaction that made it. Never edited."""

    tournament = models.ForeignKey("tournaments.Tournament", models.CASCADE, related_name="log")
    # The actor is an account or, for a guest, a player. Both are null for Datafort itself.
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    action = models.CharField(max_length=MAX_ACTION_LETTERS)
    subject = models.CharField(max_length=160, blank=True)
    before = models.JSONField(default=dict, blank=True)
    after = models.JSONField(default=dict, blank=True)
    # Typed by a person, or a ProgramReason.
    reason = models.TextField(blank=True)
    # The object of the change; null once that object is deleted.
    round = models.ForeignKey(Round, models.SET_NULL, null=True, blank=True, related_name="+")
    pairing = models.ForeignKey(Pairing, models.SET_NULL, null=True, blank=True, related_name="+")
    registration = models.ForeignKey(
        Registration, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # The entry that this change undid.
    undoes = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="undone_by"
    )

    objects = LogEntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "log entries"
        ordering = ["-pk"]

    @property
    def shown_subject(self) -> str:
        # Most entries have no such change, and that of an imported file may have other values.
        try:
            return cut_change_in_words(self.after["cut_change"])
        except (KeyError, TypeError):
            return self.subject

    @property
    def shown_reason(self) -> str:
        return label_or_text(ProgramReason, self.reason)

    def __str__(self) -> str:
        return f"{action_label(self.action)}: {self.shown_subject}".rstrip(": ")

    @property
    def is_reopening(self) -> bool:
        return self.action in stored_values([LogAction.EVENT_REOPENED])

    @property
    def is_unsettled_report(self) -> bool:
        """True if only the table's players and the staff can see this result change."""
        if self.action not in stored_values(RESULT_CHANGES) or "state" not in self.after:
            return False
        before = self.before.get("match", {}).get("state")
        return before not in SETTLED_STATES and self.after["state"] not in SETTLED_STATES

    @property
    def in_words(self) -> str:
        """Such as "player dropped: Ada" or "settings changed: tie breakers"."""
        subject = self.shown_subject
        if self.action in stored_values([LogAction.SETTINGS_CHANGED]):
            subject = ", ".join(name.replace("_", " ") for name in self.after)
        return f"{action_label(self.action)}: {subject}".strip(": ")
