"""Decks handed in for an event: received, locked, judged again, revealed.

An illegal list may be kept as a draft, and its player locks only a legal one; the deadline and
the staff lock whatever is there.
"""

from tournaments.judging import NOT_JUDGED, deck_rules, judge_again, verdict
from tournaments.services.decks.handing_in import (
    Received,
    TooManyLists,
    change_for_player,
    hand_in,
    receive,
)
from tournaments.services.decks.locking import (
    lock,
    lock_all,
    lock_by_staff,
    reopen_all,
    unlock,
)
from tournaments.services.decks.refusals import DeckIsLocked, DeckNotLegal
from tournaments.services.decks.rejudging import judge_open_events, request_judging
from tournaments.services.decks.showing import set_revealed
