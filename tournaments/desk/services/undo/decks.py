"""Decks locked and opened, shown and hidden."""

from django.db.models import Q

from tournaments.decklists.services import decks
from tournaments.desk.services.undo.kinds import CannotUndo, Kind, of_event, place_of
from tournaments.event import permissions
from tournaments.models import DeckSubmission, LogAction, LogEntry

ONE_LOCKED, ONE_OPENED = (
    (LogAction.DECK_LOCKED, LogAction.DECK_LOCKED_BY_STAFF),
    LogAction.DECK_UNLOCKED,
)


def _deck(entry: LogEntry) -> DeckSubmission:
    place = place_of(entry)
    found = place.deck_submissions.filter(side=entry.after["side"]).first()
    if found is None:
        raise CannotUndo(f"{place.player} has no such deck here any more.")
    found.registration = place
    return found


def _of_deck(entry: LogEntry) -> Q:
    return Q(
        action__in=(*ONE_LOCKED, ONE_OPENED),
        registration=entry.registration_id,
        after__side=entry.after["side"],
    )


def _says_one(words: str, entry: LogEntry) -> str:
    return f"The {_deck(entry).get_side_display()} deck of {place_of(entry).player} {words}"


_run, _judge = permissions.can_run, permissions.can_judge
_all, _sight = (
    of_event(LogAction.ALL_DECKS_LOCKED, LogAction.ALL_DECKS_OPENED),
    of_event(LogAction.DECKS_REVEALED, LogAction.DECKS_HIDDEN),
)
_unlocking = Kind(
    _judge,
    lambda entry: _says_one("can be changed by its player again.", entry),
    lambda entry, actor, reason: decks.unlock(_deck(entry), actor, reason),
    _of_deck,
)
KINDS: dict[str, Kind] = {
    LogAction.ALL_DECKS_LOCKED: Kind(
        _run,
        lambda _: "Players can change their lists again.",
        lambda entry, actor, reason: decks.reopen_all(entry.tournament, actor, reason),
        _all,
    ),
    LogAction.ALL_DECKS_OPENED: Kind(
        _run,
        lambda _: "No player can change a list any more.",
        lambda entry, actor, _: decks.lock_all(entry.tournament, actor),
        _all,
    ),
    LogAction.DECKS_REVEALED: Kind(
        _run,
        lambda _: "Decks are seen as the stages say again.",
        lambda entry, actor, _: decks.set_revealed(entry.tournament, actor, revealed=False),
        _sight,
    ),
    LogAction.DECKS_HIDDEN: Kind(
        _run,
        lambda _: "Everybody will see all decks again.",
        lambda entry, actor, _: decks.set_revealed(entry.tournament, actor, revealed=True),
        _sight,
    ),
    **dict.fromkeys(ONE_LOCKED, _unlocking),
    ONE_OPENED: Kind(
        _judge,
        lambda entry: _says_one("will be locked again.", entry),
        lambda entry, actor, _: decks.lock_by_staff(_deck(entry), actor),
        _of_deck,
    ),
}
