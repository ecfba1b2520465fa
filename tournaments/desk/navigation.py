"""The five sections of the desk, with a summary of each."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.text import count_phrase
from tournaments.desk.pages import DeskState
from tournaments.models import RegistrationState
from tournaments.outlook.pages import decided_in_words


@dataclass(frozen=True)
class DeskSection:
    """A section of the desk; `waits` is True if it needs attention."""

    id: str
    title: str
    counts: tuple[str, ...]
    waits: bool = False


@dataclass(frozen=True)
class JudgeWorkload:
    """Open and finished work of the judges. Only judges may see the penalty count."""

    calls: int
    deck_checks: int = 0
    penalties: int = 0


def desk_sections(state: DeskState, judges: JudgeWorkload) -> tuple[DeskSection, ...]:
    """Build the sections Players, Rounds, Standings, Judges and Event, in this order."""
    return (
        DeskSection(
            "players",
            "Players",
            tuple(_player_counts(state)),
            waits=not state.has_begun and state.waiting > 0,
        ),
        DeskSection("rounds", "Rounds", tuple(_round_counts(state)), waits=bool(state.disputes)),
        DeskSection("standings", "Standings and cut", tuple(_standings_counts(state))),
        DeskSection("judges", "Judges", tuple(_judge_counts(judges)), waits=judges.calls > 0),
        DeskSection("event", "Event", tuple(_event_counts(state)), waits=bool(state.failed_jobs)),
    )


def _player_counts(state: DeskState) -> Iterator[str]:
    if not state.players:
        yield _("no players yet")
        return
    yield f"{state.checked_in} of {state.players} playing"
    if state.waiting:
        yield f"{state.waiting} to check in"
    if waiting := state.states[RegistrationState.WAITING]:
        yield f"{waiting} on the waiting list"
    if dropped := state.states[RegistrationState.DROPPED]:
        yield f"{dropped} dropped"


def _round_counts(state: DeskState) -> Iterator[str]:
    if state.round is None:
        yield _("not started")
    elif state.round.is_draft:
        yield _("draft of %(round)s") % {"round": state.round.in_sentence}
    elif state.round.is_closed:
        yield _("%(round)s: closed") % {"round": state.round.name}
    else:
        yield f"{state.round.name}: {count_phrase(len(state.open_tables), 'table')} open"
        if state.disputes:
            yield count_phrase(len(state.disputes), "dispute")


def _standings_counts(state: DeskState) -> Iterator[str]:
    rounds = [
        round_
        for round_ in state.rounds
        if round_.is_closed and not round_.stage.way.is_elimination
    ]
    yield f"after round {rounds[-1].number}" if rounds else "no round closed"
    if state.cut:
        yield f"top {len(state.cut.entries)}"
    elif state.round is not None:
        yield from decided_in_words(state.tournament, state.round)


def _judge_counts(work: JudgeWorkload) -> Iterator[str]:
    yield f"{count_phrase(work.calls, 'call')} open" if work.calls else "no call open"
    if work.deck_checks:
        yield f"{count_phrase(work.deck_checks, 'deck')} to check"
    if work.penalties:
        text = ngettext("%(count)d penalty", "%(count)d penalties", work.penalties)
        yield text % {"count": work.penalties}


def _event_counts(state: DeskState) -> Iterator[str]:
    if state.tournament.is_finished:
        yield "finished"
    elif state.registration_is_open:
        yield _("registration open")
    else:
        yield _("registration closed")
    if state.failed_jobs:
        yield f"{count_phrase(len(state.failed_jobs), 'job')} failed"
