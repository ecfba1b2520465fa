"""A match from the first seat to a settled result.

proposed -> confirmed or disputed -> decided. All fields of the two reports
are compared; the word of the staff wins. Every call locks the match first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from core.errors import Refusal, StaleVersion
from matches import records
from matches.models import Game, GameSeat, Match, MatchState, ReportState, ResultReport, Seat
from matches.scoring import GameResult, Role, game_points
from players.models import User


class ImpossibleResult(Refusal):
    """The games told contradict the rules; `details["contradictions"]` lists how."""

    code = "impossible_result"


class AlreadySettled(Refusal):
    """Players cannot change a settled result."""

    code = "already_settled"


class NothingToConfirm(Refusal):
    """There is no report of the opponent to answer, or it has been replaced."""

    code = "nothing_to_confirm"


@dataclass(frozen=True)
class NewMatch:
    """Who will meet. The first player is Corp in game 1, the second in game 2."""

    players: tuple[int, int]
    scoring_rule: str
    game_system: str = "onr"


def create_matches(wanted: Sequence[NewMatch]) -> list[Match]:
    """Matches with seats, games and roles, in the order asked for; a few queries for any number."""
    matches = Match.objects.bulk_create(
        Match(game_system=new.game_system, scoring_rule=new.scoring_rule) for new in wanted
    )
    seats = Seat.objects.bulk_create(
        Seat(match=match, position=position, player_id=player)
        for match, new in zip(matches, wanted, strict=True)
        for position, player in enumerate(new.players, start=1)
    )
    games = Game.objects.bulk_create(
        Game(match=match, number=number) for match in matches for number in (1, 2)
    )
    by_match = {
        match.pk: [seat for seat in seats if seat.match_id == match.pk] for match in matches
    }
    GameSeat.objects.bulk_create(
        GameSeat(game=game, seat=seat, role=_role(seat.position, game.number))
        for game in games
        for seat in by_match[game.match_id]
    )
    return matches


def _role(position: int, number: int) -> Role:
    return Role.CORP if position == number else Role.RUNNER


@transaction.atomic
def propose(match: Match, seat: Seat, games: Sequence[GameResult]) -> Match:
    """A player says what the result was.

    The opponent's equal report confirms it, a different one makes a dispute.
    Sent twice, it changes nothing. Raises ImpossibleResult, AlreadySettled.
    """
    match = _locked(match)
    theirs = _latest_report(match, not_by=seat)
    documents = records.to_documents(games)
    if match.is_settled:
        if _last_told(match) == documents:
            return match
        raise AlreadySettled("This result is settled. Ask the staff to change it.")
    _refuse_contradictions(match, games)
    if theirs is None:
        return _keep_proposal(match, seat, documents)
    if theirs.games == documents:
        return _agree(match, seat, theirs, games)
    return _disagree(match, seat, theirs, documents)


@transaction.atomic
def confirm(match: Match, seat: Seat, report_id: int) -> Match:
    """The opponent says yes to the report with this id. Confirmed twice, it changes nothing."""
    match = _locked(match)
    report = _report_to_answer(match, seat, report_id, ReportState.CONFIRMED)
    if report is None:
        return match
    return _agree(match, seat, report, records.from_documents(report.games))


@transaction.atomic
def dispute(match: Match, seat: Seat, report_id: int, note: str = "") -> Match:
    """The opponent says no to the report with this id; the staff will decide."""
    match = _locked(match)
    report = _report_to_answer(match, seat, report_id, ReportState.DISPUTED)
    if report is None:
        return match
    report.state, report.note = ReportState.DISPUTED, note
    report.save(update_fields=["state", "note"])
    return _move(match, MatchState.DISPUTED)


@transaction.atomic
def decide(
    match: Match,
    games: Sequence[GameResult],
    user: User | None,
    *,
    seen_version: int,
    note: str = "",
    force: bool = False,
) -> Match:
    """The staff settle the result, whatever was reported.

    `seen_version` is the version of the match the decision was made on:
    StaleVersion when it has changed since, with both results in the details.
    A contradiction is refused unless `force` is set and a note says why.
    """
    match = _locked(match)
    if match.version != seen_version:
        raise _stale(match, games)
    if not force:
        _refuse_contradictions(match, games)
    elif not note.strip():
        raise ImpossibleResult("Say in the note why an impossible result is to be recorded.")
    documents = records.to_documents(games)
    match.reports.filter(state=ReportState.PROPOSED).update(state=ReportState.SUPERSEDED)
    match.reports.create(user=user, games=documents, state=ReportState.CONFIRMED, note=note)
    return _settle(match, games, MatchState.DECIDED)


@transaction.atomic
def reseat(match: Match, players: tuple[int, int]) -> None:
    """Other players take the seats of a match that has no result yet."""
    match = _locked(match)
    if match.state != MatchState.OPEN:
        raise AlreadySettled("A result has been reported here, so the seats stay.")
    # All get up before anybody sits down: nobody may hold two seats in between.
    match.seats.all().delete()
    fresh = [
        Seat.objects.create(match=match, position=position, player_id=player)
        for position, player in enumerate(players, start=1)
    ]
    GameSeat.objects.bulk_create(
        GameSeat(game=game, seat=seat, role=_role(seat.position, game.number))
        for game in match.games.all()
        for seat in fresh
    )


def delete_matches(matches: Iterable[int]) -> None:
    """Take back matches of a draft that never were seen; by primary key."""
    Match.objects.filter(pk__in=list(matches), state=MatchState.OPEN).delete()


def _locked(match: Match) -> Match:
    return Match.objects.select_for_update().get(pk=match.pk)


def _report_to_answer(
    match: Match, seat: Seat, report_id: int, answer: ReportState
) -> ResultReport | None:
    """The opponent's report with this id; None when it has this answer already."""
    report = match.reports.filter(pk=report_id).exclude(seat=seat).first()
    if report is not None and report.state == answer:
        return None
    if report is None or report.state != ReportState.PROPOSED:
        raise NothingToConfirm("This report has been replaced. Look at the newest one.")
    return report


def _latest_report(match: Match, *, not_by: Seat) -> ResultReport | None:
    """What the other player says now."""
    spoken = (ReportState.PROPOSED, ReportState.DISPUTED)
    others = match.reports.filter(state__in=spoken, seat__isnull=False).exclude(seat=not_by)
    return others.order_by("-pk").first()


def _last_told(match: Match) -> list[dict[str, object]] | None:
    report = match.reports.filter(state=ReportState.CONFIRMED).order_by("-pk").first()
    return report.games if report else None


def _refuse_contradictions(match: Match, games: Sequence[GameResult]) -> None:
    if found := list(match.rule.contradictions(games)):
        raise ImpossibleResult(
            " ".join(item.message for item in found),
            contradictions=[
                {"code": item.code, "game": item.game, "message": item.message} for item in found
            ],
        )


def _keep_proposal(match: Match, seat: Seat, documents: list[dict[str, object]]) -> Match:
    mine = match.reports.filter(seat=seat, state=ReportState.PROPOSED)
    if mine.filter(games=documents).exists():
        return match
    mine.update(state=ReportState.SUPERSEDED)
    match.reports.create(seat=seat, games=documents, state=ReportState.PROPOSED)
    return _move(match, MatchState.PROPOSED)


def _agree(match: Match, seat: Seat, theirs: ResultReport, games: Sequence[GameResult]) -> Match:
    match.reports.filter(state=ReportState.PROPOSED).exclude(pk=theirs.pk).update(
        state=ReportState.SUPERSEDED
    )
    theirs.state = ReportState.CONFIRMED
    theirs.save(update_fields=["state"])
    match.reports.create(seat=seat, games=theirs.games, state=ReportState.CONFIRMED)
    return _settle(match, games, MatchState.CONFIRMED)


def _disagree(
    match: Match, seat: Seat, theirs: ResultReport, documents: list[dict[str, object]]
) -> Match:
    mine = match.reports.filter(seat=seat, state=ReportState.DISPUTED)
    if theirs.state == ReportState.DISPUTED and mine.filter(games=documents).exists():
        return match
    mine.update(state=ReportState.SUPERSEDED)
    theirs.state = ReportState.DISPUTED
    theirs.save(update_fields=["state"])
    match.reports.create(seat=seat, games=documents, state=ReportState.DISPUTED)
    return _move(match, MatchState.DISPUTED)


def _move(match: Match, state: MatchState) -> Match:
    match.state, match.version = state, match.version + 1
    match.save(update_fields=["state", "version"])
    return match


def _settle(match: Match, games: Sequence[GameResult], state: MatchState) -> Match:
    seats = {seat.position: seat for seat in match.seats.all()}
    told = {game.number: game for game in games}
    for game in match.games.all():
        _write_game(game, told[game.number], seats, match)
    for position, points in match.rule.match_points(games).items():
        seats[position].points = points
    Seat.objects.bulk_update(seats.values(), ["points"])
    match.settled_at = timezone.now()
    match.state, match.version = state, match.version + 1
    match.save(update_fields=["state", "version", "settled_at"])
    return match


def _write_game(game: Game, result: GameResult, seats: dict[int, Seat], match: Match) -> None:
    points = game_points(result, match.rule.loser_rule)
    game.end = result.end.value
    game.winner = seats[result.position(result.winner)] if result.winner else None
    game.save(update_fields=["end", "winner"])
    GameSeat.objects.filter(game=game).delete()
    GameSeat.objects.bulk_create(
        GameSeat(
            game=game,
            seat=seats[result.position(role)],
            role=role.value,
            agenda_points=result.agenda_points(role),
            points=points[role],
        )
        for role in Role
    )


def _stale(match: Match, games: Sequence[GameResult]) -> StaleVersion:
    theirs = records.summary(records.settled_games(match))
    yours = records.summary(games)
    return StaleVersion(
        f"Somebody changed this result while you looked at it. Now recorded: {theirs}. "
        f"You entered: {yours}. Look again, then decide.",
        recorded=theirs,
        entered=yours,
    )
