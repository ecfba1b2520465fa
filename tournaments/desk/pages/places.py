"""The five sections of the desk, with a summary of each."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.clinch.pages import decided_in_words
from tournaments.desk.pages.desk_state import DeskState
from tournaments.models import RegistrationState


@dataclass(frozen=True)
class Place:
    """A section of the desk; `waits` is True if it needs attention."""

    id: str
    title: str
    counts: tuple[str, ...]
    waits: bool = False


@dataclass(frozen=True)
class JudgesWork:
    """Open and finished work of the judges. Only judges may see the penalty count."""

    calls: int
    deck_checks: int = 0
    penalties: int = 0


def places(now: DeskState, judges: JudgesWork) -> tuple[Place, ...]:
    """The sections Players, Rounds, Standings, Judges and Event, in this order."""
    return (
        Place("players", "Players", (*_players(now),), waits=not now.has_begun and now.waiting > 0),
        Place("rounds", "Rounds", (*_rounds(now),), waits=bool(now.disputes)),
        Place("standings", "Standings and cut", (*_standings(now),)),
        Place("judges", "Judges", (*_judges(judges),), waits=judges.calls > 0),
        Place("event", "Event", (*_event(now),), waits=bool(now.failed_jobs)),
    )


def _players(now: DeskState) -> Iterator[str]:
    if not now.players:
        yield "nobody yet"
        return
    yield f"{now.checked_in} of {now.players} playing"
    if now.waiting:
        yield f"{now.waiting} to check in"
    if on_the_list := now.states[RegistrationState.WAITING]:
        yield f"{on_the_list} on the waiting list"
    if gone := now.states[RegistrationState.DROPPED]:
        yield f"{gone} dropped"


def _rounds(now: DeskState) -> Iterator[str]:
    if now.round is None:
        yield "not begun"
    elif now.round.is_draft:
        yield _("draft of %(round)s") % {"round": now.round.in_sentence}
    elif now.round.is_closed:
        yield _("%(round)s: closed") % {"round": now.round.name}
    else:
        yield f"{now.round.name}: {_number(len(now.open_tables), 'table')} open"
        if now.disputes:
            yield _number(len(now.disputes), "dispute")


def _standings(now: DeskState) -> Iterator[str]:
    rounds = [one for one in now.rounds if one.is_closed and not one.stage.way.is_elimination]
    yield f"after round {rounds[-1].number}" if rounds else "no round closed"
    if now.cut:
        yield f"top {len(now.cut.entries)}"
    elif now.round is not None:
        yield from decided_in_words(now.tournament, now.round)


def _judges(work: JudgesWork) -> Iterator[str]:
    yield f"{_number(work.calls, 'call')} open" if work.calls else "no call open"
    if work.deck_checks:
        yield f"{_number(work.deck_checks, 'deck')} to check"
    if work.penalties:
        yield f"{work.penalties} {'penalty' if work.penalties == 1 else 'penalties'}"


def _event(now: DeskState) -> Iterator[str]:
    if now.tournament.is_finished:
        yield "finished"
    else:
        state = "open" if now.registration_is_open else "closed"
        yield f"registration {state}"
    if now.failed_jobs:
        yield f"{_number(len(now.failed_jobs), 'job')} failed"


def _number(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
