"""Results: the table is what it was before, "no result yet" and an open report included."""

from matches import records
from matches import services as matches
from matches.models import SETTLED, ReportState, ResultReport
from tournaments.desk.services.undo.kinds import CannotUndo, Kind, on_same, pairing_of
from tournaments.event import history, permissions, queries
from tournaments.event.actors import Actor
from tournaments.event.services import request_standings
from tournaments.models import LogAction, LogEntry
from tournaments.results.queries import Impact, impact
from tournaments.results.services import results

ACTIONS = (
    LogAction.RESULT_REPORTED,
    LogAction.RESULT_CONFIRMED,
    LogAction.RESULT_CONFIRMED_BY_TIME,
    LogAction.RESULT_DISPUTED,
    LogAction.NO_SHOW_DECIDED,
    LogAction.RESULT_ENTERED,
    LogAction.RESULT_CHANGED,
    LogAction.RESULT_TAKEN_BACK,
)


def says(entry: LogEntry) -> str:
    """What the table will say."""
    memory = entry.before["match"]
    pairing = pairing_of(entry)
    where = f"{str(pairing).capitalize()} of {entry.round}"
    if pairing.match is not None and pairing.match.losses != memory.get("losses", []):
        return f"{where} will have what was told before, as a judge has decided since."
    if memory["state"] in SETTLED:
        names = [seat.player.name for seat in pairing.seats]
        points = ", ".join(
            f"{name} {seat['points']}" for name, seat in zip(names, memory["seats"], strict=False)
        )
        return f"{where} will say again: {points}."
    state = {
        "proposed": "the report of one player that the other has not answered",
        "disputed": "a dispute the staff decide",
    }
    return f"{where} will have {state.get(memory['state'], 'no result')} again."


def touches(entry: LogEntry) -> Impact | None:
    """The standings of a closed round as they will be; None for a round that is still played."""
    pairing = pairing_of(entry)
    if not pairing.round.is_closed:
        return None
    told = entry.before["match"]["reports"]
    # The word that counted then; a result that a judge alone has made needs none.
    confirmed = [int(key) for key, state in told.items() if state == ReportState.CONFIRMED]
    if not confirmed:
        return impact(pairing, records.NOTHING_TOLD)
    report = ResultReport.objects.get(pk=max(confirmed))
    return impact(pairing, records.from_document(report.result))


def _back(entry: LogEntry, actor: Actor, reason: str) -> None:
    pairing = pairing_of(entry)
    tournament = history.lock_unfinished(entry.tournament)
    memory = entry.before.get("match")
    if memory is None or pairing.match is None:
        raise CannotUndo("The log does not hold what this table was before.")
    round_ = pairing.round
    if round_.is_draft:
        raise CannotUndo("This round is a draft again.")
    if round_.is_closed:
        _refuse_in_closed_round(entry, memory["state"])
    pairing.match.refresh_from_db()
    if pairing.match.state != entry.after.get("state"):
        raise CannotUndo("The result was changed again since. Change it at its table instead.")
    held = matches.held(pairing.match)
    had, before = records.settled_result(held), matches.remembered(held)
    match = matches.restore(pairing.match, memory, seen_version=pairing.match.version)
    if round_.is_closed:
        # A penalty that made the result may have been withdrawn since.
        _refuse_in_closed_round(entry, match.state)
    now = records.settled_result(match)
    results.log_result(
        tournament,
        pairing,
        actor,
        LogAction.RESULT_TAKEN_BACK,
        match,
        before,
        now,
        had=had,
        reason=reason,
    )
    results.refuse_unless_it_fits(round_)
    if round_.is_closed:
        request_standings(tournament, round_.number)


def _refuse_in_closed_round(entry: LogEntry, state: str) -> None:
    assert entry.round is not None
    number = entry.round.number
    if queries.rounds(entry.tournament).filter(number__gt=number).exists():
        raise CannotUndo(
            f"Round {number + 1} was paired from this result. Change the result instead."
        )
    if state not in SETTLED:
        raise CannotUndo(
            f"Round {number} is closed and needs all its results. Open it again first, or change "
            "the result."
        )


_KIND = Kind(permissions.can_enter_results, says, _back, on_same("pairing", *ACTIONS), touches)
KINDS: dict[str, Kind] = dict.fromkeys(ACTIONS, _KIND)
