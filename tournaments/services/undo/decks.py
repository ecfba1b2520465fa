"""Decks locked and opened, shown and hidden."""

from django.db.models import Q

from tournaments import permissions
from tournaments.actors import Actor
from tournaments.models import DeckSubmission, LogEntry
from tournaments.services import decks
from tournaments.services.undo.kinds import CannotUndo, Kind, of_event, place_of

LOCKED, OPENED = "all decks locked", "all decks opened"
SHOWN, HIDDEN = "decks revealed", "decks hidden"
ONE_LOCKED, ONE_OPENED = ("deck locked", "deck locked by staff"), "deck unlocked"


def _open_all(entry: LogEntry, actor: Actor, reason: str) -> None:
    decks.reopen_all(entry.tournament, actor, reason)


def _lock_all(entry: LogEntry, actor: Actor, _reason: str) -> None:
    decks.lock_all(entry.tournament, actor)


def _hide(entry: LogEntry, actor: Actor, _reason: str) -> None:
    decks.set_revealed(entry.tournament, actor, revealed=False)


def _show(entry: LogEntry, actor: Actor, _reason: str) -> None:
    decks.set_revealed(entry.tournament, actor, revealed=True)


def _deck(entry: LogEntry) -> DeckSubmission:
    place = place_of(entry)
    found = place.deck_submissions.filter(side=entry.after["side"]).first()
    if found is None:
        raise CannotUndo(f"{place.player} has no such deck here any more.")
    found.registration = place
    return found


def _unlock(entry: LogEntry, actor: Actor, reason: str) -> None:
    decks.unlock(_deck(entry), actor, reason)


def _lock(entry: LogEntry, actor: Actor, _reason: str) -> None:
    decks.lock_by_staff(_deck(entry), actor)


def _of_deck(entry: LogEntry) -> Q:
    actions = (*ONE_LOCKED, ONE_OPENED)
    return Q(action__in=actions, registration=entry.registration_id) & Q(
        after__side=entry.after["side"]
    )


def _says_one(words: str, entry: LogEntry) -> str:
    return f"The {_deck(entry).get_side_display()} deck of {place_of(entry).player} {words}"


_run, _judge = permissions.can_run, permissions.can_judge
_all, _sight = of_event(LOCKED, OPENED), of_event(SHOWN, HIDDEN)
_unlocking = Kind(
    _judge,
    lambda entry: _says_one("can be changed by its player again.", entry),
    _unlock,
    _of_deck,
)
KINDS = {
    LOCKED: Kind(_run, lambda _: "Players can change their lists again.", _open_all, _all),
    OPENED: Kind(_run, lambda _: "No player can change a list any more.", _lock_all, _all),
    SHOWN: Kind(_run, lambda _: "Decks are seen as the stages say again.", _hide, _sight),
    HIDDEN: Kind(_run, lambda _: "Everybody will see all decks again.", _show, _sight),
    **dict.fromkeys(ONE_LOCKED, _unlocking),
    ONE_OPENED: Kind(
        _judge, lambda entry: _says_one("will be locked again.", entry), _lock, _of_deck
    ),
}
