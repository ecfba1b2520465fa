"""Change matches: seats, results, imposed losses, reports, factions and snapshots."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import Prefetch, prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from core.errors import Refusal, StaleVersion
from core.languages import in_words
from core.text import Message, gettext_noop
from decks import games
from matches import records
from matches.models import (
    UNSETTLED_REPORT_STATES,
    Game,
    GameSeat,
    Match,
    MatchState,
    ReportState,
    ResultReport,
    Seat,
)
from matches.scoring.imposed_losses import ImposedLoss, losses_decide
from matches.scoring.results import (
    FACTIONS,
    GameRow,
    MatchResult,
    PointShare,
    Role,
    faction_clashes,
    result_to_rows,
    total_points,
)
from matches.scoring.rules import Contradiction, scoring_rule
from players.models import User

# Rows that a result is read from and written to.
RESULT_ROWS = (Prefetch("seats", Seat.objects.select_related("player")), "games__seats", "reports")


class AlreadySettled(Refusal):
    pass


class WrongSeats(Refusal):
    pass


@dataclass(frozen=True)
class MatchRequest:
    # Primary keys by seat. With roles, the first player is Corp in game 1 and the second in game 2.
    players: tuple[int, ...]
    scoring_rule: str
    game_system: str = games.DEFAULT.id
    # By seat; empty without factions, and if they are not known yet.
    factions: tuple[str, ...] = ()


def create_matches(requests: Sequence[MatchRequest]) -> list[Match]:
    """Create matches in this order. Raises WrongSeats, UnknownScoringRule."""
    for request in requests:
        _check_seat_count(request.scoring_rule, len(request.players))
    matches = Match.objects.bulk_create(
        Match(game_system=request.game_system, scoring_rule=request.scoring_rule)
        for request in requests
    )
    seats = Seat.objects.bulk_create(
        Seat(match=match, position=position, player_id=player)
        for match, request in zip(matches, requests, strict=True)
        for position, player in enumerate(request.players, start=1)
    )
    games = Game.objects.bulk_create(
        Game(match=match, number=number)
        for match in matches
        for number in range(1, match.rule.games_per_match + 1)
    )
    by_match: dict[int, list[Seat]] = {match.pk: [] for match in matches}
    for seat in seats:
        by_match[seat.match_id].append(seat)
    factions = {
        match.pk: request.factions or ("",) * len(request.players)
        for match, request in zip(matches, requests, strict=True)
    }
    GameSeat.objects.bulk_create(
        _game_seat(game, seat, factions[game.match_id][seat.position - 1])
        for game in games
        for seat in by_match[game.match_id]
    )
    return matches


def _check_seat_count(rule_id: str, players: int) -> None:
    rule = scoring_rule(rule_id)
    if not rule.min_seats <= players <= rule.max_seats:
        text = (
            gettext("A table has %(least)s players here, not %(players)s.")
            if rule.min_seats == rule.max_seats
            else gettext("A table has %(least)s to %(most)s players here, not %(players)s.")
        )
        limits = {"least": rule.min_seats, "most": rule.max_seats}
        raise WrongSeats(text % {**limits, "players": players})


def _game_seat(game: Game, seat: Seat, faction: str = "") -> GameSeat:
    """Build a seat of a game not played yet. The matches of both must be loaded."""
    if not game.match.rule.has_roles:
        return GameSeat(game=game, seat=seat, faction=faction)
    role = Role.CORP if seat.position == game.number else Role.RUNNER
    return GameSeat(game=game, seat=seat, role=role)


@transaction.atomic
def reseat_match(match: Match, players: tuple[int, ...]) -> None:
    """Replace the players of a match without a result; in a pod their number may change.

    A loss imposed by a judge moves with its player, and is dropped if the player leaves. Raises
    WrongSeats, UnknownScoringRule or AlreadySettled.
    """
    match = lock_row(match)
    _check_seat_count(match.scoring_rule, len(players))
    if match.state != MatchState.OPEN:
        raise AlreadySettled(
            gettext("A result has been reported here, so the seats cannot change.")
        )
    before = dict(match.seats.values_list("position", "player"))
    # Clear all seats first: (match, player) is unique.
    match.seats.all().delete()
    seats = [
        Seat.objects.create(match=match, position=position, player_id=player)
        for position, player in enumerate(players, start=1)
    ]
    GameSeat.objects.bulk_create(
        _game_seat(game, seat) for game in match.games.select_related("match") for seat in seats
    )
    positions = {player: position for position, player in enumerate(players, start=1)}
    match.losses = [
        {**loss, "seat": positions[before[loss["seat"]]]}
        for loss in match.losses
        if before[loss["seat"]] in positions
    ]
    # Bump the version so that a result for the old seats is stale.
    match.version += 1
    match.save(update_fields=["version", "losses"])


def delete_matches(matches: Iterable[int]) -> None:
    Match.objects.filter(pk__in=list(matches), state=MatchState.OPEN).delete()


def lock_row(match: Match) -> Match:
    return Match.objects.select_for_update().get(pk=match.pk)


def locked_match(match: Match) -> Match:
    """Lock the match and fetch its result rows."""
    return prefetch_result_rows(lock_row(match))


def prefetch_result_rows(match: Match) -> Match:
    prefetch_related_objects([match], *RESULT_ROWS)
    return match


# Settled results


def settle_match(match: Match, reported: MatchResult, state: MatchState) -> Match:
    """Settle a locked match with this result and the judges' losses. Updates its fetched rows."""
    prefetch_related_objects([match], "seats", "games__seats")
    result = records.result_with_losses(match, reported)
    seats = {seat.position: seat for seat in match.seats.all()}
    shares = match.rule.shares(result)
    rows = {
        (row.number, row.position): row for row in result_to_rows(result, records.game_rows(match))
    }
    _write_games(match, rows, seats, shares)
    for position, seat in seats.items():
        seat.points = total_points(shares[position])
        seat.typed_points = result.totals[position - 1] if result.totals else None
        seat.save(update_fields=["points", "typed_points"])
    match.flags = sorted(flag.value for flag in result.flags)
    match.settled_at = timezone.now()
    match.state, match.version = state, match.version + 1
    match.save(update_fields=["state", "version", "flags", "settled_at"])
    return match


def unsettle_match(match: Match, state: MatchState) -> Match:
    match.games.update(end="", winner=None)
    GameSeat.objects.filter(game__match=match).update(
        agenda_points=None, victory_points=None, points=None
    )
    match.seats.update(points=None, typed_points=None)
    match.flags, match.settled_at = [], None
    match.state, match.version = state, match.version + 1
    match.save(update_fields=["state", "version", "flags", "settled_at"])
    return match


def _write_games(
    match: Match,
    # By game number and position.
    rows: Mapping[tuple[int, int], GameRow],
    seats: Mapping[int, Seat],
    shares: Mapping[int, Sequence[PointShare]],
) -> None:
    game_seats: list[GameSeat] = []
    for game in match.games.all():
        by_seat = {game_seat.seat_id: game_seat for game_seat in game.seats.all()}
        for position, seat in seats.items():
            row, game_seat = rows[game.number, position], by_seat[seat.pk]
            game.end, game.winner = row.end, seats[row.winner] if row.winner else None
            game_seat.role, game_seat.faction = row.role, row.faction
            game_seat.agenda_points = row.agenda_points
            game_seat.victory_points = row.victory_points
            game_seat.points = None
            if row.end or not match.rule.has_roles:
                game_seat.points = total_points(
                    share for share in shares[position] if share.game == game.number
                )
            game_seats.append(game_seat)
        game.save(update_fields=["end", "winner"])
    # Delete first: (game, role) is unique.
    GameSeat.objects.filter(pk__in=[game_seat.pk for game_seat in game_seats]).delete()
    for game_seat in game_seats:
        game_seat.pk = None
    GameSeat.objects.bulk_create(game_seats)


# Losses imposed by judges, stored beside the reports


class LossRefused(Refusal):
    pass


@transaction.atomic
def set_losses(match: Match, losses: Collection[ImposedLoss]) -> Match:
    """Replace the losses of the match; an empty collection withdraws them all.

    A settled match is settled again from its last report. A match without a result is settled if
    the losses decide every game, and reopened if they no longer do. Otherwise the losses are
    applied when a result is reported. Setting the same losses changes nothing. The time to answer
    an open report starts again.

    Raises LossRefused for an unknown seat or game. Also for a single game if only totals were
    entered, as the points of that game are unknown.
    """
    match = lock_row(match)
    as_json = records.losses_to_json(losses)
    if as_json == match.losses:
        return match
    _check_losses(match, losses)
    _check_totals(match, losses)
    match.losses = as_json
    match.save(update_fields=["losses"])
    return settle_again(match)


def settle_again(match: Match) -> Match:
    report = records.confirmed_report(match)
    if report is not None:
        by_staff = report.seat_id is None
        state = MatchState.DECIDED if by_staff else MatchState.CONFIRMED
        return settle_match(match, records.result_from_document(report.result), state)
    if losses_decide(match.rule, records.losses_of(match), match.seats.count()):
        return settle_match(match, records.NO_RESULT, MatchState.DECIDED)
    # The time to answer a report starts again.
    match.reports.filter(state=ReportState.PROPOSED).update(created_at=timezone.now())
    states = set(match.reports.values_list("state", flat=True))
    if ReportState.PROPOSED in states:
        return unsettle_match(match, MatchState.PROPOSED)
    return unsettle_match(
        match, MatchState.DISPUTED if ReportState.DISPUTED in states else MatchState.OPEN
    )


def check_games_reported(match: Match) -> None:
    report, losses = records.confirmed_report(match), records.losses_of(match)
    if report and report.result["totals"] and losses and not losses_decide(match.rule, losses):
        raise LossRefused(
            gettext(
                "A judge has since decided a game of this match, but this result has only totals. "
                "Enter its games instead."
            )
        )


def _check_losses(match: Match, losses: Collection[ImposedLoss]) -> None:
    seats, games = match.seats.count(), match.rule.games_per_match
    for loss in losses:
        if not 1 <= loss.seat <= seats:
            raise LossRefused(
                gettext("There is no seat %(seat)s at this table of %(seats)s.")
                % {"seat": loss.seat, "seats": seats}
            )
        if loss.game is not None and not 1 <= loss.game <= games:
            text = ngettext(
                "There is no game %(game)s here; a match has one game.",
                "There is no game %(game)s here; a match has %(games)s games.",
                games,
            )
            raise LossRefused(text % {"game": loss.game, "games": games})


def _check_totals(match: Match, losses: Collection[ImposedLoss]) -> None:
    confirmed = records.confirmed_report(match)
    reports = [confirmed] if confirmed else match.reports.filter(state=ReportState.PROPOSED)
    if not any(report.result["totals"] for report in reports):
        return
    before = set(records.losses_of(match))
    # After a withdrawal the other losses apply as if set alone.
    is_new = any(loss not in before and ImposedLoss(loss.seat) not in before for loss in losses)
    if is_new and not losses_decide(match.rule, losses):
        raise LossRefused(
            gettext(
                "Only the totals of this match are known, so a single game cannot be lost. Enter "
                "the games first, then give the penalty, or give a match loss."
            )
        )


# Reports of players and staff


GAMES_REQUIRED = Message(
    gettext_noop(
        "A judge has decided a game of this match, so totals alone are not enough. Enter who won "
        "each game."
    )
)


class ImpossibleResult(Refusal):
    """The reported result contradicts the rules; `details["contradictions"]` lists how."""


class NothingToConfirm(Refusal):
    pass


class UnknownReport(NothingToConfirm):
    pass


class OwnReport(NothingToConfirm):
    pass


class ReportReplaced(NothingToConfirm):
    pass


class ReportDisputed(NothingToConfirm):
    pass


class AlreadyConfirmed(NothingToConfirm):
    pass


class DecidedByStaff(NothingToConfirm):
    pass


def propose_result(match: Match, seat: Seat, result: MatchResult) -> Match:
    """Report a result for a player. An equal report of an opponent confirms it, a different report
    disputes it. The same report again changes nothing.

    Raises ImpossibleResult, AlreadySettled.
    """
    document = records.result_to_document(result)
    if match.is_settled:
        confirmed = records.confirmed_report(match)
        if confirmed and _are_equal_reports(match, confirmed.result, document):
            return match
        raise AlreadySettled(gettext("This result is settled. Ask the staff to change it."))
    _check_contradictions(match, result)
    opposing = _latest_report(match, not_by=seat)
    if opposing is None:
        return _store_proposal(match, seat, document)
    if _are_equal_reports(match, opposing.result, document) and not _only_staff_can_resolve(match):
        return _confirm_agreement(match, seat, opposing, result)
    return _store_disagreement(match, seat, opposing, document)


def confirm_report(match: Match, seat: Seat, report_id: int) -> Match:
    """Confirm the report. A second confirmation changes nothing."""
    report = _report_to_answer(match, seat, report_id, ReportState.CONFIRMED)
    if report is None:
        return match
    return _confirm_agreement(match, seat, report, records.result_from_document(report.result))


def dispute_report(match: Match, seat: Seat, report_id: int, note: str = "") -> Match:
    report = _report_to_answer(match, seat, report_id, ReportState.DISPUTED)
    if report is None:
        return match
    report.state, report.note = ReportState.DISPUTED, note
    report.save(update_fields=["state", "note"])
    return _change_state(match, MatchState.DISPUTED)


def confirm_unanswered_report(match: Match, report_id: int) -> Match:
    """Settle a report without an answer.

    Raises NothingToConfirm if it was answered, replaced or disputed.
    """
    report = _find_report(match, report_id)
    if (
        report is None
        or report.seat_id is None
        or report.state != ReportState.PROPOSED
        or match.state != MatchState.PROPOSED
    ):
        raise NothingToConfirm(
            gettext("This report has already been answered or replaced. Reload the page.")
        )
    _set_report_state(report, ReportState.CONFIRMED)
    return settle_match(match, records.result_from_document(report.result), MatchState.CONFIRMED)


def decide_result(
    match: Match,
    result: MatchResult,
    user: User | None,
    *,
    seen_version: int,
    note: str = "",
    force: bool = False,
) -> Match:
    """Settle the result for the staff, whatever was reported.

    `seen_version` is the version of the match when the decision was made. Raises StaleVersion if it
    has changed, with both results in the details. A contradiction raises ImpossibleResult, unless
    `force` is set and a note gives the reason.
    """
    if match.version != seen_version:
        raise _stale_version(match, result)
    if not force:
        _check_contradictions(match, result)
    elif not note.strip():
        raise ImpossibleResult(
            gettext("Explain in the note why you are recording an impossible result.")
        )
    _check_complete(match, result)
    document = records.result_to_document(result)
    _supersede_reports(
        report for report in match.reports.all() if report.state == ReportState.PROPOSED
    )
    match.reports.create(user=user, result=document, state=ReportState.CONFIRMED, note=note)
    return settle_match(match, result, MatchState.DECIDED)


def _are_equal_reports(
    match: Match, first: records.ReportDocument, second: records.ReportDocument
) -> bool:
    """Compare two reports, apart from the games that judges have decided."""
    if first == second or not match.losses:
        return first == second
    return records.undecided_report(
        match, records.result_from_document(first)
    ) == records.undecided_report(match, records.result_from_document(second))


def _only_staff_can_resolve(match: Match) -> bool:
    """Two players may still agree; at a larger table, an agreement of two is not enough."""
    return match.state == MatchState.DISPUTED and match.seats.count() > 2


def _report_to_answer(
    match: Match, seat: Seat, report_id: int, answer: ReportState
) -> ResultReport | None:
    """Return None if the report already has this answer. Raises NothingToConfirm."""
    report = _find_report(match, report_id)
    if report is None or report.seat_id is None:
        raise UnknownReport(
            gettext("This table has no such report. Reload the page and answer the one it shows.")
        )
    is_own = report.seat_id == seat.pk
    if report.state == answer and not is_own:
        return None
    if report.state == ReportState.CONFIRMED:
        raise AlreadyConfirmed(
            gettext("This result is already confirmed. If it is wrong, ask the staff to change it.")
        )
    if match.is_settled:
        raise DecidedByStaff(
            gettext("The staff have decided the result of this table. If it is wrong, ask them.")
        )
    if report.state == ReportState.SUPERSEDED:
        raise ReportReplaced(gettext("This report has been replaced. Answer the newest one."))
    if is_own:
        raise OwnReport(
            gettext(
                "This is your own report, so another player at your table has to answer it. If it "
                "is wrong, report the result again."
            )
        )
    if report.state == ReportState.DISPUTED:
        raise ReportDisputed(
            gettext(
                "This report is disputed, so the staff will decide. If you agree with it after "
                "all, report the same result."
            )
        )
    return report


def _latest_report(match: Match, *, not_by: Seat) -> ResultReport | None:
    reports = (
        report
        for report in match.reports.all()
        if report.state in UNSETTLED_REPORT_STATES and report.seat_id not in (None, not_by.pk)
    )
    return max(reports, key=lambda report: report.pk, default=None)


def _find_report(match: Match, report_id: int) -> ResultReport | None:
    return next((report for report in match.reports.all() if report.pk == report_id), None)


def _reports_by(match: Match, seat: Seat, state: ReportState) -> list[ResultReport]:
    reports = match.reports.all()
    return [report for report in reports if (report.seat_id, report.state) == (seat.pk, state)]


def _set_report_state(report: ResultReport, state: ReportState) -> None:
    report.state = state
    report.save(update_fields=["state"])


def _supersede_reports(reports: Iterable[ResultReport]) -> None:
    for report in reports:
        _set_report_state(report, ReportState.SUPERSEDED)


def find_contradictions(match: Match, result: MatchResult) -> list[Contradiction]:
    """If a judge has decided a game, the games are required: totals alone would hide it."""
    factions = records.factions_by_id() if result.factions else FACTIONS
    contradictions = list(match.rule.contradictions(result, match.seats.count(), factions))
    if result.totals and match.losses and not losses_decide(match.rule, records.losses_of(match)):
        contradictions.append(Contradiction("totals", GAMES_REQUIRED))
    return contradictions


def _check_contradictions(match: Match, result: MatchResult) -> None:
    if contradictions := find_contradictions(match, result):
        raise ImpossibleResult(
            " ".join(in_words(item.message) for item in contradictions),
            contradictions=[
                {"code": item.code, "game": item.game, "message": in_words(item.message)}
                for item in contradictions
            ],
        )


def _check_complete(match: Match, result: MatchResult) -> None:
    """Require a number for each seat, even from staff."""
    seats = match.seats.count()
    by_seat = (result.totals, result.factions, result.victory_points)
    has_points = match.rule.has_roles or result.victory_points
    if not has_points or any(len(numbers) not in (0, seats) for numbers in by_seat):
        raise ImpossibleResult(
            gettext("Enter a number for each of the %(seats)s seats.") % {"seats": seats}
        )


def _has_report(reports: Iterable[ResultReport], document: records.ReportDocument) -> bool:
    return any(report.result == document for report in reports)


def _store_proposal(match: Match, seat: Seat, document: records.ReportDocument) -> Match:
    """Store a reported result. A match that was disputed stays disputed."""
    proposals = _reports_by(match, seat, ReportState.PROPOSED)
    if _has_report(proposals, document):
        return match
    if _has_report(_reports_by(match, seat, ReportState.DISPUTED), document):
        # A correction in between is withdrawn.
        _supersede_reports(proposals)
        return _change_state(match, MatchState.DISPUTED) if proposals else match
    if _only_staff_can_resolve(match):
        return _store_disputed_report(match, seat, document)
    _supersede_reports(proposals)
    match.reports.create(seat=seat, result=document, state=ReportState.PROPOSED)
    return _change_state(match, MatchState.PROPOSED)


def _confirm_agreement(
    match: Match, seat: Seat, opposing: ResultReport, result: MatchResult
) -> Match:
    _supersede_reports(
        report
        for report in match.reports.all()
        if report.state == ReportState.PROPOSED and report != opposing
    )
    _set_report_state(opposing, ReportState.CONFIRMED)
    match.reports.create(seat=seat, result=opposing.result, state=ReportState.CONFIRMED)
    return settle_match(match, result, MatchState.CONFIRMED)


def _store_disagreement(
    match: Match, seat: Seat, opposing: ResultReport, document: records.ReportDocument
) -> Match:
    is_repeated = _has_report(_reports_by(match, seat, ReportState.DISPUTED), document)
    if opposing.state == ReportState.DISPUTED and is_repeated:
        return match
    _set_report_state(opposing, ReportState.DISPUTED)
    return _store_disputed_report(match, seat, document)


def _store_disputed_report(match: Match, seat: Seat, document: records.ReportDocument) -> Match:
    _supersede_reports(_reports_by(match, seat, ReportState.DISPUTED))
    match.reports.create(seat=seat, result=document, state=ReportState.DISPUTED)
    return _change_state(match, MatchState.DISPUTED)


def _change_state(match: Match, state: MatchState) -> Match:
    match.state, match.version = state, match.version + 1
    match.save(update_fields=["state", "version"])
    return match


def _stale_version(match: Match, result: MatchResult) -> StaleVersion:
    recorded = records.result_summary(records.settled_result(match))
    if not match.is_settled:
        reports = match.reports.filter(state__in=UNSETTLED_REPORT_STATES, seat__isnull=False)
        for report in reports.select_related("seat__player").order_by("pk"):
            summary = records.result_summary(records.result_from_document(report.result))
            assert report.seat
            claim = gettext("%(player)s reports %(result)s")
            recorded += f"; {claim % {'player': report.seat.player, 'result': summary}}"
    entered = records.result_summary(result)
    return StaleVersion(
        gettext(
            "Someone changed this result while you looked at it. Now recorded: %(recorded)s. "
            "You entered: %(entered)s. Check both, then save again."
        )
        % {"recorded": recorded, "entered": entered},
        recorded=recorded,
        entered=entered,
    )


# Factions of a table without a result


class FactionRefused(Refusal):
    pass


@transaction.atomic
def set_factions(match: Match, chosen: Mapping[int, str]) -> Match:
    """Set factions by position, "" for none; the factions of other seats are unchanged.

    Raises FactionRefused, and AlreadySettled after a report, which contains the factions.
    """
    match = lock_row(match)
    if match.state != MatchState.OPEN:
        raise AlreadySettled(
            gettext("This table has a result. To change the factions, change the result.")
        )
    seats = list(GameSeat.objects.filter(game__match=match).select_related("seat"))
    for game_seat in seats:
        game_seat.faction = chosen.get(game_seat.seat.position, game_seat.faction)
    clashes = faction_clashes([game_seat.faction for game_seat in seats], records.factions_by_id())
    if reasons := " ".join(in_words(message) for _, message in clashes):
        raise FactionRefused(reasons)
    GameSeat.objects.bulk_update(seats, ["faction"])
    return match


# Snapshots of a match


# {"state", "flags", "losses", "seats": [{"position", "player", "points", "typed"}], "games":
# [{"number", "end", "winner", "seats": [...]}], "reports": {primary key: state}}; exact numbers as
# text.
MatchSnapshot = dict[str, Any]
RESTORED_FIELDS = ("role", "faction", "agenda_points", "victory_points")


class SeatsChanged(Refusal):
    pass


def take_snapshot(match: Match) -> MatchSnapshot:
    """Return the values that a log entry needs. Requires a match from `locked_match`."""
    positions = {seat.pk: seat.position for seat in match.seats.all()}
    return {
        "state": match.state,
        "flags": match.flags,
        "losses": match.losses,
        "seats": [
            {
                "position": seat.position,
                "player": seat.player_id,
                "points": _points_text(seat.points),
                "typed": seat.typed_points,
            }
            for seat in match.seats.all()
        ],
        "games": [_game_snapshot(game, positions) for game in match.games.all()],
        "reports": {str(report.pk): report.state for report in match.reports.all()},
    }


def _game_snapshot(game: Game, positions: dict[int, int]) -> MatchSnapshot:
    seats = [
        {
            "position": positions[game_seat.seat_id],
            **{key: getattr(game_seat, key) for key in RESTORED_FIELDS},
            "points": _points_text(game_seat.points),
        }
        for game_seat in game.seats.all()
    ]
    winner = positions[game.winner_id] if game.winner_id else None
    return {"number": game.number, "end": game.end, "winner": winner, "seats": seats}


def _points_text(points: object) -> str | None:
    return None if points is None else str(points)


def _parse_points(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


@transaction.atomic
def restore_match(match: Match, snapshot: MatchSnapshot, *, seen_version: int) -> Match:
    """Restore a match to its snapshot; later reports are superseded.

    Raises StaleVersion if the match is no longer in `seen_version`, and SeatsChanged if other
    players sit there. The time of settling is now, because later pairings used the replaced result.

    Later changes of the judges' losses still apply, to the restored report. Raises LossRefused if a
    game was lost since and the report has only totals.
    """
    match = lock_row(match)
    if match.version != seen_version:
        raise StaleVersion(gettext("This result has changed again. Check it, then try again."))
    seats = {seat.position: seat for seat in match.seats.all()}
    sitting = {position: seat.player_id for position, seat in seats.items()}
    if sitting != {stored["position"]: stored["player"] for stored in snapshot["seats"]}:
        raise SeatsChanged(
            gettext(
                "Other players sit at this table now, so the earlier result cannot be restored."
            )
        )
    for stored in snapshot["seats"]:
        seat = seats[stored["position"]]
        seat.points, seat.typed_points = _parse_points(stored["points"]), stored["typed"]
    Seat.objects.bulk_update(seats.values(), ["points", "typed_points"])
    for stored in snapshot["games"]:
        _restore_game(match.games.get(number=stored["number"]), stored, seats)
    _restore_reports(match, snapshot["reports"])
    match.state, match.flags = MatchState(snapshot["state"]), snapshot["flags"]
    match.version += 1
    match.settled_at = timezone.now() if match.is_settled else None
    match.save(update_fields=["state", "flags", "version", "settled_at"])
    if match.losses == snapshot.get("losses", []):
        return match
    check_games_reported(match)
    return settle_again(match)


def _restore_game(game: Game, stored: MatchSnapshot, seats: dict[int, Seat]) -> None:
    game.end, game.winner = stored["end"], seats[stored["winner"]] if stored["winner"] else None
    game.save(update_fields=["end", "winner"])
    # Clear all seats first: (game, role) is unique.
    game.seats.all().delete()
    GameSeat.objects.bulk_create(
        GameSeat(
            game=game,
            seat=seats[game_seat["position"]],
            **{key: game_seat[key] for key in RESTORED_FIELDS},
            points=_parse_points(game_seat["points"]),
        )
        for game_seat in stored["seats"]
    )


def _restore_reports(match: Match, states: dict[str, str]) -> None:
    # Supersede these first: only one proposal may be open.
    match.reports.exclude(pk__in=map(int, states)).update(state=ReportState.SUPERSEDED)
    answered = match.reports.exclude(state=ReportState.PROPOSED)
    # The time to answer starts again.
    reopened = [int(key) for key, state in states.items() if state == ReportState.PROPOSED]
    answered.filter(pk__in=reopened).update(created_at=timezone.now())
    by_state: dict[str, list[int]] = {}
    for key, state in states.items():
        by_state.setdefault(state, []).append(int(key))
    for state in sorted(by_state, key=lambda state: state == ReportState.PROPOSED):
        ResultReport.objects.filter(pk__in=by_state[state]).update(state=state)
