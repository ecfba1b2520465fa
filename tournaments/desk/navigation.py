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


def desk_sections(now: DeskState, judges: JudgeWorkload) -> tuple[DeskSection, ...]:
    """Build the sections Players, Rounds, Standings, Judges and Event, in this order."""
    return (
        DeskSection(
            "players",
            "Players",
            tuple(_player_counts(now)),
            waits=not now.has_begun and now.waiting > 0,
        ),
        DeskSection("rounds", "Rounds", tuple(_round_counts(now)), waits=bool(now.disputes)),
        DeskSection("standings", "Standings and cut", tuple(_standings_counts(now))),
        DeskSection("judges", "Judges", tuple(_judge_counts(judges)), waits=judges.calls > 0),
        DeskSection("event", "Event", tuple(_event_counts(now)), waits=bool(now.failed_jobs)),
    )


def _player_counts(now: DeskState) -> Iterator[str]:
    if not now.players:
        yield _("no players yet")
        return
    yield f"{now.checked_in} of {now.players} playing"
    if now.waiting:
        yield f"{now.waiting} to check in"
    if waiting := now.states[RegistrationState.WAITING]:
        yield f"{waiting} on the waiting list"
    if dropped := now.states[RegistrationState.DROPPED]:
        yield f"{dropped} dropped"


def _round_counts(now: DeskState) -> Iterator[str]:
    if now.round is None:
        yield _("not started")
    elif now.round.is_draft:
        yield _("draft of %(round)s") % {"round": now.round.in_sentence}
    elif now.round.is_closed:
        yield _("%(round)s: closed") % {"round": now.round.name}
    else:
        yield f"{now.round.name}: {count_phrase(len(now.open_tables), 'table')} open"
        if now.disputes:
            yield count_phrase(len(now.disputes), "dispute")


def _standings_counts(now: DeskState) -> Iterator[str]:
    rounds = [
        round_ for round_ in now.rounds if round_.is_closed and not round_.stage.way.is_elimination
    ]
    yield f"after round {rounds[-1].number}" if rounds else "no round closed"
    if now.cut:
        yield f"top {len(now.cut.entries)}"
    elif now.round is not None:
        yield from decided_in_words(now.tournament, now.round)


def _judge_counts(work: JudgeWorkload) -> Iterator[str]:
    yield f"{count_phrase(work.calls, 'call')} open" if work.calls else "no call open"
    if work.deck_checks:
        yield f"{count_phrase(work.deck_checks, 'deck')} to check"
    if work.penalties:
        text = ngettext("%(count)d penalty", "%(count)d penalties", work.penalties)
        yield text % {"count": work.penalties}


def _event_counts(now: DeskState) -> Iterator[str]:
    if now.tournament.is_finished:
        yield "finished"
    elif now.registration_is_open:
        yield _("registration open")
    else:
        yield _("registration closed")
    if now.failed_jobs:
        yield f"{count_phrase(len(now.failed_jobs), 'job')} failed"
