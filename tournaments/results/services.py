"""Report, confirm, dispute and decide results of an event; choose factions.

`matches` changes the match. This module locks the event first, logs the change, and requests new
standings if a closed round changed.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.errors import ReasonMissing, Refusal, StaleVersion
from core.rate_limits import Busy
from matches import records as matches_records
from matches import services as matches_services
from matches.models import (
    SETTLED_STATES,
    UNSETTLED_REPORT_STATES,
    Match,
    MatchState,
    ReportState,
    ResultReport,
    Seat,
)
from matches.scoring.results import MatchResult
from rulings import services as rulings_services
from rulings.models import NoteKind, RulingVersion
from tournaments.event import history
from tournaments.event.permissions import NOBODY, Actor
from tournaments.event.services import request_ratings, request_standings
from tournaments.models import LogAction, LogEntry, Pairing, ProgramReason, Round, Tournament
from tournaments.results.queries import (
    FactionDraft,
    get_faction_draft,
    get_impact,
    unanswered_reports,
)
from tournaments.rounds import cut as rounds_cut

# Characters of a note on a result.
MAX_NOTE_LENGTH = 500
BYE_HAS_NO_RESULT = gettext_lazy("A bye has no result to report.")
# A round may be re-paired while a request waits for the lock.
TABLE_PAIRED_AGAIN = gettext_lazy("This table was re-paired. Check who sits where now.")


class ImpactChanged(Refusal):
    """The effects of a change of an old result differ from those the user saw."""


class NotPlayable(Refusal):
    """The table accepts no results now."""


class NotYourTurn(Refusal):
    pass


class NoFactionsNow(Refusal):
    pass


# The refusals of each action that the API declares; pages show any refusal.
TABLE_REFUSALS = (history.EventIsFinished, NotPlayable)
REPORT_REFUSALS = (
    *TABLE_REFUSALS,
    matches_services.AlreadySettled,
    matches_services.ImpossibleResult,
)
ANSWER_REFUSALS = (*TABLE_REFUSALS, matches_services.NothingToConfirm)
DECISION_REFUSALS = (
    *TABLE_REFUSALS,
    StaleVersion,
    matches_services.ImpossibleResult,
    ImpactChanged,
    ReasonMissing,
    Busy,
)


@transaction.atomic
def report_result(pairing: Pairing, seat: Seat, result: MatchResult, actor: Actor) -> Match:
    tournament, match = _lock_open_table(pairing, seat)
    # A report would guess the open choice of sides.
    if pairing.has_open_choice:
        raise NotPlayable(
            _(
                "The higher seed has not chosen a side yet. Choose it on the page of your table, "
                "or ask the staff. Then report the result."
            )
        )
    before, seen = matches_services.take_snapshot(match), match.version
    match = matches_services.propose_result(match, seat, result)
    if match.version != seen:
        log_result(tournament, pairing, actor, LogAction.RESULT_REPORTED, match, before, result)
    return match


@transaction.atomic
def agree_with_report(pairing: Pairing, seat: Seat, report_id: int, actor: Actor) -> Match:
    """Report the same result as an opponent, also after it was disputed.

    Raises NothingToConfirm if the report was replaced, and the refusals of `report_result`.
    """
    reports = ResultReport.objects.filter(match=pairing.match, state__in=UNSETTLED_REPORT_STATES)
    report = reports.filter(pk=report_id, seat__isnull=False).exclude(seat=seat).first()
    if report is None:
        raise matches_services.NothingToConfirm(
            _("Nothing was saved: this report has been replaced. Choose a current report.")
        )
    result = matches_records.result_from_document(report.result)
    return report_result(pairing, seat, result, actor)


@transaction.atomic
def confirm_report(pairing: Pairing, seat: Seat, report_id: int, actor: Actor) -> Match:
    tournament, match = _lock_open_table(pairing, seat)
    before, seen = matches_services.take_snapshot(match), match.version
    match = matches_services.confirm_report(match, seat, report_id)
    if match.version != seen:
        result = matches_records.settled_result(match)
        log_result(tournament, pairing, actor, LogAction.RESULT_CONFIRMED, match, before, result)
    return match


@transaction.atomic
def dispute_report(
    pairing: Pairing, seat: Seat, report_id: int, actor: Actor, note: str = ""
) -> Match:
    tournament, match = _lock_open_table(pairing, seat)
    before, seen = matches_services.take_snapshot(match), match.version
    match = matches_services.dispute_report(match, seat, report_id, note)
    if match.version != seen:
        log_result(
            tournament, pairing, actor, LogAction.RESULT_DISPUTED, match, before, reason=note
        )
    return match


@transaction.atomic
def accept_report(pairing: Pairing, report_id: int, actor: Actor) -> Match:
    """Settle a player's report as staff, without the answer of an opponent.

    Raises NothingToConfirm if it was answered or replaced. Accepting it twice changes nothing.
    """
    tournament = history.lock_unfinished(pairing.round.stage.tournament)
    match = _lock_published_match(pairing)
    if match.reports.filter(pk=report_id, state=ReportState.CONFIRMED).exists():
        return match
    before = matches_services.take_snapshot(match)
    match = matches_services.confirm_unanswered_report(match, report_id)
    result = matches_records.settled_result(match)
    log_result(tournament, pairing, actor, LogAction.RESULT_CONFIRMED, match, before, result)
    refuse_unless_bracket_fits(pairing.round)
    if pairing.round.is_closed:
        request_standings(tournament, pairing.round.number)
    return match


def _lock_open_table(pairing: Pairing, seat: Seat) -> tuple[Tournament, Match]:
    """Lock the event; return it and the match with its current reports."""
    if pairing.match is None:
        raise NotPlayable(str(BYE_HAS_NO_RESULT))
    tournament = history.lock_unfinished(
        pairing.round.stage.tournament, "finished_at", "practice_of", "name", "slug"
    )
    current = (
        Pairing.objects.select_for_update(of=("match",))
        .select_related("match", "round")
        .only("match", "round__state", "reasons")
        .filter(pk=pairing.pk, match__seats=seat.pk)
        .first()
    )
    if current is None:
        raise NotPlayable(str(TABLE_PAIRED_AGAIN))
    assert current.match is not None, "a seat is at a match"
    pairing.round.state, pairing.reasons = current.round.state, current.reasons
    if pairing.round.is_draft:
        raise NotPlayable(_("This round is not published yet."))
    if pairing.round.is_closed:
        raise NotPlayable(_("This round is closed. Ask the staff to change the result."))
    return tournament, matches_services.prefetch_result_rows(current.match)


def _lock_published_match(pairing: Pairing) -> Match:
    """Lock the match of a published table, also in a closed round. Requires the event's lock."""
    if not Pairing.objects.filter(pk=pairing.pk).exists():
        raise NotPlayable(str(TABLE_PAIRED_AGAIN))
    pairing.round.refresh_from_db(fields=["state"])
    if pairing.round.is_draft:
        raise NotPlayable(_("This round is not published yet."))
    if pairing.match is None:
        raise NotPlayable(str(BYE_HAS_NO_RESULT))
    return matches_services.locked_match(pairing.match)


@transaction.atomic
def decide_result(
    pairing: Pairing,
    result: MatchResult,
    actor: Actor,
    *,
    seen_version: int,
    note: str = "",
    force: bool = False,
    seen_impact: str | None = None,
    cited: Sequence[RulingVersion] = (),
) -> Match:
    """Enter or change a result as staff.

    Also works in closed rounds, whose standings are then recomputed. `seen_impact` is the mark of
    the impact (`queries.get_impact`) that the user saw. A different result in a closed round
    requires a `note` with the reason. In a finished event any change is a correction, and its
    `note` is public. `cited` rulings are saved in a note on the match, for judges to read.
    """
    event = pairing.round.stage.tournament
    if event.is_finished and not note.strip():
        raise ReasonMissing(_("This event is finished. Give the reason for the correction."))
    with history.record_as_correction(event, actor, note):
        tournament = history.lock_unfinished(event)
        match = _lock_published_match(pairing)
        before, had = matches_services.take_snapshot(match), matches_records.settled_result(match)
        # A stale version is refused below, with the recorded result.
        if match.version == seen_version:
            _refuse_changed_impact(pairing, result, seen_impact)
            if not note.strip() and is_reason_required(pairing, had, result):
                number = pairing.round.number
                raise ReasonMissing(
                    _("Round %(number)s is closed. Give the reason for the change.")
                    % {"number": number}
                )
        match = matches_services.decide_result(
            match, result, actor.user, seen_version=seen_version, note=note, force=force
        )
        action = LogAction.RESULT_CHANGED if had else LogAction.RESULT_ENTERED
        log_result(tournament, pairing, actor, action, match, before, result, had=had, reason=note)
        refuse_unless_bracket_fits(pairing.round)
        if cited:
            rulings_services.write_note(
                match, actor.user, note, cited, NoteKind.RESULT, practice=tournament.is_practice
            )
        if pairing.round.is_closed:
            request_standings(tournament, pairing.round.number)
        if tournament.is_finished:
            request_ratings(tournament)
        return match


def record_report(pairing: Pairing, report_id: int, actor: Actor, *, seen_version: int) -> Match:
    """Settle a table as staff with an open or disputed report of a player.

    Raises NothingToConfirm without such a report, and the refusals of `decide_result`.
    """
    reports = ResultReport.objects.filter(match=pairing.match, state__in=UNSETTLED_REPORT_STATES)
    report = reports.filter(pk=report_id, seat__isnull=False).first()
    if report is None:
        raise matches_services.NothingToConfirm(
            _("Nothing was saved: this report has been replaced. Choose a current report.")
        )
    result = matches_records.result_from_document(report.result)
    return decide_result(pairing, result, actor, seen_version=seen_version)


def _refuse_changed_impact(pairing: Pairing, result: MatchResult, seen: str | None) -> None:
    if seen is not None and get_impact(pairing, result).mark != seen:
        raise ImpactChanged(
            _(
                "Something else has changed since you reviewed this change. Nothing was saved. "
                "Review it again, then apply it."
            )
        )


def refuse_unless_bracket_fits(round_: Round) -> None:
    """Raise NotPlayable if a later game of the cut is published with different players."""
    if round_.is_in_cut and not rounds_cut.is_bracket_consistent(round_.stage):
        raise NotPlayable(
            _(
                "A later game of the bracket is published with the players of the old result. "
                "Unpublish that round first, or keep the player who advances."
            )
        )


def is_reason_required(pairing: Pairing, had: MatchResult, result: MatchResult) -> bool:
    is_finished = pairing.round.stage.tournament.is_finished
    return pairing.round.is_closed and (bool(had) or is_finished) and had != result


def log_result(
    tournament: Tournament,
    pairing: Pairing,
    actor: Actor,
    action: LogAction,
    match: Match,
    memory: matches_services.MatchSnapshot,
    result: MatchResult | None = None,
    *,
    had: MatchResult | None = None,
    reason: str = "",
) -> LogEntry:
    """Log a change of a result. `memory` is the match before it, which undo restores.

    `result` is the result reported now, `had` the result settled before, if any.
    """
    is_public = is_public_change(match, memory)
    return history.record(
        tournament,
        actor,
        action,
        pairing,
        before={**_result_summary(had), "match": memory},
        after={**_result_summary(result), **matches_records.match_state_for_log(match)},
        reason=reason,
        public=is_public,
        players=get_players_with_changed_pages(pairing) if is_public else get_player_ids(match),
    )


def is_public_change(match: Match, memory: matches_services.MatchSnapshot) -> bool:
    """Return True if `memory` and the match differ on public pages."""
    # Until a result is settled, only the players of the table and the staff see reports.
    if match.is_settled or memory["state"] in SETTLED_STATES:
        return True
    # The first report at a pod ends its faction draft, which is public.
    was_open: bool = memory["state"] == MatchState.OPEN
    is_open: bool = match.state == MatchState.OPEN
    return not match.rule.has_roles and was_open != is_open


def get_players_with_changed_pages(pairing: Pairing) -> list[int] | None:
    """Return the players whose own pages show a settled result of this table; None for all."""
    # Standings count the results of a closed round, and a bracket shows immediately who advances.
    if pairing.match is None or pairing.round.is_closed or not pairing.round.stage.way.is_drawn:
        return None
    return get_player_ids(pairing.match)


def get_player_ids(match: Match) -> list[int]:
    return [seat.player_id for seat in match.seats.all()]


def _result_summary(result: MatchResult | None) -> dict[str, str]:
    return {} if result is None else {"result": matches_records.result_summary(result)}


@transaction.atomic
def choose_faction(pairing: Pairing, seat: Seat, faction: str, actor: Actor) -> None:
    """Choose a faction on the player's turn. Choosing the same again changes nothing."""
    tournament, pairing, draft = _lock_faction_draft(pairing)
    pick = next(pick for pick in draft.picks if pick.seat == seat)
    if pick.faction is not None and pick.faction.id == faction:
        return
    if pick.faction is not None:
        raise NotYourTurn(
            _("You already have %(faction)s. Ask the staff if that was a mistake.")
            % {"faction": pick.faction.name}
        )
    if draft.next != pick:
        assert draft.next is not None
        raise NotYourTurn(_("%(player)s chooses before you.") % {"player": draft.next.seat.player})
    if faction not in {offered.id for offered in draft.offered}:
        raise matches_services.FactionRefused(
            _("This faction, or one of its colour, is taken. Choose another.")
        )
    _record_factions(tournament, pairing, {seat.position: faction}, actor)


@transaction.atomic
def set_factions(pairing: Pairing, chosen: Mapping[int, str], actor: Actor) -> None:
    """Set factions as staff, by position; an empty string means not chosen yet."""
    tournament, pairing, draft = _lock_faction_draft(pairing)
    had = {pick.seat.position: pick.faction.id if pick.faction else "" for pick in draft.picks}
    changed = {place: id_ for place, id_ in chosen.items() if had.get(place) != id_}
    if changed:
        _record_factions(tournament, pairing, changed, actor)


def _lock_faction_draft(pairing: Pairing) -> tuple[Tournament, Pairing, FactionDraft]:
    tournament = history.lock_unfinished(pairing.round.stage.tournament)
    round_ = Round.objects.select_related("stage__tournament").get(pk=pairing.round_id)
    if not round_.is_played:
        raise NoFactionsNow(_("You can choose a faction only while the round is being played."))
    current = round_.pairings.with_players().filter(pk=pairing.pk).first()
    if current is None:
        raise NotPlayable(str(TABLE_PAIRED_AGAIN))
    current.round = round_
    draft = get_faction_draft(current.match, round_)
    if draft is None:
        raise NoFactionsNow(
            _("No factions are chosen at this table, or a result has been reported.")
        )
    return tournament, current, draft


def _record_factions(
    tournament: Tournament, pairing: Pairing, chosen: Mapping[int, str], actor: Actor
) -> None:
    assert pairing.match is not None
    matches_services.set_factions(pairing.match, chosen)
    names = {seat.position: str(seat.player) for seat in pairing.match.seats.all()}
    after = {names[position]: id_ for position, id_ in chosen.items()}
    history.record(tournament, actor, LogAction.FACTION_CHOSEN, pairing, after=after)


def confirm_unanswered_reports(tournament: Tournament) -> None:
    """Confirm reports unanswered within the time limit of the event, except disputed reports."""
    for pairing, report in unanswered_reports(tournament, timezone.now()):
        _confirm_overdue_report(tournament, pairing, report)


@transaction.atomic
def _confirm_overdue_report(tournament: Tournament, pairing: Pairing, report: ResultReport) -> None:
    locked = history.lock(tournament)
    # Check again under the lock: a player may have answered, or the round was closed.
    still_unanswered = unanswered_reports(locked, timezone.now())
    if locked.is_finished or (pairing, report) not in still_unanswered:
        return
    assert pairing.match is not None
    match = matches_services.locked_match(pairing.match)
    before = matches_services.take_snapshot(match)
    match = matches_services.confirm_unanswered_report(match, report.pk)
    result = matches_records.result_summary(matches_records.settled_result(match))
    history.record(
        locked,
        NOBODY,
        LogAction.RESULT_CONFIRMED_BY_TIME,
        pairing,
        before={"match": before},
        after={"result": result, **matches_records.match_state_for_log(match)},
        reason=ProgramReason.NO_ANSWER,
    )
