"""The five sections of the desk, with a summary of each."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.desk.state import DeskState
from tournaments.models import RegistrationState
from tournaments.outlook.pages import decided_in_words
from tournaments.rounds.timing_pages import EndTimes

SECTION_TITLES = {
    "players": gettext_lazy("Players"),
    "rounds": gettext_lazy("Rounds"),
    "standings": gettext_lazy("Standings and cut"),
    "judges": gettext_lazy("Judges"),
    "event": gettext_lazy("Event"),
}


@dataclass(frozen=True)
class DeskSection:
    """A section of the desk; `waits` counts what needs attention."""

    id: str
    counts: tuple[str, ...]
    waits: int = 0

    @property
    def title(self) -> str:
        return str(SECTION_TITLES[self.id])


@dataclass(frozen=True)
class JudgeWorkload:
    """Open and finished work of the judges. Only judges may see the penalty count."""

    calls: int
    deck_checks: int = 0
    penalties: int = 0


def desk_sections(
    state: DeskState, judges: JudgeWorkload, end_times: EndTimes | None
) -> tuple[DeskSection, ...]:
    """Build the sections Players, Rounds, Standings, Judges and Event, in this order."""
    return (
        DeskSection(
            "players",
            tuple(_player_counts(state)),
            waits=0 if state.has_begun else state.waiting,
        ),
        DeskSection("rounds", tuple(_round_counts(state)), waits=len(state.disputes)),
        DeskSection("standings", tuple(_standings_counts(state))),
        DeskSection("judges", tuple(_judge_counts(judges)), waits=judges.calls),
        DeskSection("event", tuple(_event_counts(state, end_times)), waits=len(state.failed_jobs)),
    )


def _player_counts(state: DeskState) -> Iterator[str]:
    if not state.players:
        yield _("no players yet")
        return
    values = {"active": state.checked_in, "players": state.players}
    if state.tournament.is_finished or state.cut:
        text = ngettext("%(players)d player", "%(players)d players", state.players)
        yield text % values
    elif not state.has_begun:
        yield _("%(active)d of %(players)d checked in") % values
    else:
        yield _("%(active)d of %(players)d playing") % values
        if state.waiting:
            yield _("%(count)d to check in") % {"count": state.waiting}
    if waiting := state.states[RegistrationState.WAITING]:
        yield _("%(count)d on the waiting list") % {"count": waiting}
    if dropped := state.states[RegistrationState.DROPPED]:
        yield _("%(count)d dropped") % {"count": dropped}


def _round_counts(state: DeskState) -> Iterator[str]:
    if state.round is None:
        yield _("not started")
    elif state.round.is_draft:
        yield _("draft of %(round)s") % {"round": state.round.in_sentence}
    elif state.round.is_closed:
        yield _("%(round)s: closed") % {"round": state.round.name}
    elif not state.open_tables:
        yield _("%(round)s: all results in") % {"round": state.round.name}
    else:
        open_tables = len(state.open_tables)
        text = ngettext(
            "%(round)s: %(count)d table open", "%(round)s: %(count)d tables open", open_tables
        )
        yield text % {"round": state.round.name, "count": open_tables}


def _standings_counts(state: DeskState) -> Iterator[str]:
    rounds = [round_ for round_ in state.rounds if round_.is_closed and not round_.is_in_cut]
    if rounds:
        yield _("after round %(number)d") % {"number": rounds[-1].number}
    else:
        yield _("no round closed")
    if state.cut:
        yield _("top %(size)d") % {"size": len(state.cut.entries)}
    elif state.round is not None:
        yield from decided_in_words(state.tournament, state.round)


def _judge_counts(work: JudgeWorkload) -> Iterator[str]:
    calls = ngettext("%(count)d call open", "%(count)d calls open", work.calls)
    yield calls % {"count": work.calls} if work.calls else _("no judge calls")
    if work.deck_checks:
        decks = ngettext("%(count)d deck to check", "%(count)d decks to check", work.deck_checks)
        yield decks % {"count": work.deck_checks}
    if work.penalties:
        text = ngettext("%(count)d penalty", "%(count)d penalties", work.penalties)
        yield text % {"count": work.penalties}


def _event_counts(state: DeskState, end_times: EndTimes | None) -> Iterator[str]:
    ends_around = end_times.ends_around if end_times else ""
    if state.tournament.is_finished:
        yield _("finished")
    elif state.registration_is_open:
        yield _("registration is open")
    elif not (state.has_begun and ends_around):
        yield _("registration is closed")
    if end_times and ends_around and end_times.today.is_cut and end_times.cut_size:
        values = {"time": ends_around, "size": end_times.cut_size}
        yield _("ends around %(time)s, with the top %(size)d") % values
    elif ends_around:
        yield _("ends around %(time)s") % {"time": ends_around}
    if count := len(state.failed_jobs):
        yield ngettext("%(count)d job failed", "%(count)d jobs failed", count) % {"count": count}
