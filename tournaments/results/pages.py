"""Results and reports as text, and open results with the next tables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.languages import in_words
from core.numbers import mixed_number
from matches import records as matches_records
from matches.comparison import ComparedField, compare_reports
from matches.models import (
    UNSETTLED_REPORT_STATES,
    Match,
    MatchState,
    ReportState,
    ResultReport,
    Seat,
)
from matches.records import result_from_document
from matches.scoring.codes import (
    ResultCode,
    codes_to_offer,
    outcome_codes,
    result_of_code,
    usual_codes,
)
from matches.scoring.results import (
    FACTIONS,
    Flag,
    GameEnd,
    GameResult,
    MatchResult,
    Points,
    PointShare,
    Role,
    total_points,
)
from matches.scoring.rules import AgendaRule, ScoringRule, scoring_rule
from tournaments.models import Round, Tournament
from tournaments.results.bracket_pages import bracket_drawing, get_schedule
from tournaments.results.queries import can_other_players_confirm
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds.pages import (
    FACTION_PREFETCH,
    SeatLine,
    name_lines,
    table_line,
    table_lines,
)

CURRENT_REPORT_STATES = (*UNSETTLED_REPORT_STATES, ReportState.CONFIRMED)


@dataclass(frozen=True)
class Dispute:
    """The current report of each player; the values of each field are in the order of `reports`."""

    reports: tuple[ResultReport, ...]
    fields: tuple[ComparedField, ...]

    @property
    def rows(self) -> list[tuple[ComparedField, list[tuple[str, str]]]]:
        names = [report.seat.player.name for report in self.reports if report.seat]
        return [(field, list(zip(names, field.values, strict=True))) for field in self.fields]

    @property
    def differences(self) -> list[tuple[ComparedField, list[tuple[str, str]]]]:
        return [(field, values) for field, values in self.rows if field.differs]


def get_latest_result(match: Match) -> MatchResult:
    """Return the settled result, else the newest undisputed report, else an empty result.

    Leaves out losses by penalty, so that saving the form unchanged changes nothing.
    """
    if match.is_settled:
        return matches_records.reported_result(match)
    if match.state == MatchState.DISPUTED:
        # Prefer neither report: the staff choose.
        return MatchResult()
    report = max(_current_reports(match), key=lambda entry: entry.pk, default=None)
    return result_from_document(report.result) if report else MatchResult()


def get_dispute(match: Match) -> Dispute:
    newest = {report.seat_id: report for report in _current_reports(match)}
    reports = sorted(newest.values(), key=lambda report: report.seat.position)  # type: ignore[union-attr]
    names = {seat.position: seat.player.name for seat in match.seats.all()}
    # Games decided by a penalty do not count as differences.
    results = [
        matches_records.undecided_report(match, result_from_document(report.result))
        for report in reports
    ]
    factions = (
        matches_records.factions_by_id() if any(result.factions for result in results) else FACTIONS
    )
    return Dispute(tuple(reports), tuple(compare_reports(results, names, factions)))


def _current_reports(match: Match) -> list[ResultReport]:
    return [
        report
        for report in sorted(match.reports.all(), key=lambda report: report.pk)
        if report.seat_id is not None and report.state in CURRENT_REPORT_STATES
    ]


@dataclass(frozen=True)
class SideInWords:
    name: str
    role: Role
    agenda_points: int | None
    points: Points
    reason: str
    has_won: bool
    # False for a winner, and for a losing Corp unless either loser keeps agenda points.
    agenda_points_count: bool


@dataclass(frozen=True)
class GameInWords:
    """A game as text, the Corp first. `winner` is empty without a winner, `end` if unknown."""

    number: int
    winner: str
    end: str
    sides: tuple[SideInWords, SideInWords]

    @property
    def unusual_end(self) -> str:
        """The end of the game, unless by agenda points, which are shown as numbers."""
        return "" if self.end == _(GameEnd.AGENDA.label) else self.end

    @property
    def winning_side(self) -> SideInWords | None:
        return next((side for side in self.sides if side.has_won), None)

    @property
    def sides_with_points(self) -> list[SideInWords]:
        """The sides whose agenda points count, so that a report includes them."""
        return [side for side in self.sides if side.agenda_points_count]


@dataclass(frozen=True)
class TotalInWords:
    """A player's match points as a sum: `10 + 3 = 13`."""

    name: str
    points: Points
    sum: str


@dataclass(frozen=True)
class PlaceInWords:
    """A player of a pod; `faction` is empty if unknown, `points` are match points."""

    name: str
    faction: str
    victory_points: int
    points: Points


@dataclass(frozen=True)
class ResultInWords:
    games: tuple[GameInWords, ...]
    places: tuple[PlaceInWords, ...]
    flags: tuple[str, ...]
    totals: tuple[TotalInWords, ...]


@dataclass(frozen=True)
class ReportInWords:
    """A report as it was made, for the player who confirms it."""

    name: str
    # The number of the reporter first: games won if agenda points count, else match points. In a
    # pod the victory points by seat.
    score: str
    # Match points, if `score` is games.
    points: str
    is_intentional_draw: bool
    is_two_for_one: bool
    result: ResultInWords

    @property
    def short(self) -> str:
        if self.is_intentional_draw:
            return _("intentional draw (%(score)s)") % {"score": self.score}
        return f"{self.score} ({self.points})" if self.points else self.score


@dataclass(frozen=True)
class UsualResult:
    """A result that a player of the table can report with one tap; own numbers come first."""

    code: str
    # Games won and lost, or match points if they do not depend on agenda points.
    score: str
    # Such as "You won both", with the name isolated.
    words: SafeString
    # Without the agenda points of the loser.
    points: tuple[Points, Points]


@dataclass(frozen=True)
class Outcome:
    """A usual result for staff to choose."""

    code: str
    # Games won or match points of each player, by seat; empty if `detail` says who won.
    numbers: tuple[int, ...] = ()
    # "Corp won both", "Intentional draw"; "Runner wins" in matches of one game.
    detail: str = ""
    # False if a penalty has decided a game otherwise.
    is_possible: bool = True


@dataclass(frozen=True)
class PlayerReport:
    pk: int
    name: str
    player_id: int
    note: str
    result: ResultInWords | None


def result_in_words(match: Match, result: MatchResult) -> ResultInWords | None:
    """Return this result as text; None if it is empty.

    Reads the seats of the match with their players: prefetch them for many matches.
    """
    if not result:
        return None
    seats = {seat.position: seat for seat in match.seats.all()}
    shares = match.rule.shares(result)
    return ResultInWords(
        games=tuple(_game_in_words(game, seats, match.rule) for game in result.games),
        places=_places_in_words(result, seats, shares),
        flags=tuple(sorted(_(flag.label) for flag in result.flags)),
        totals=tuple(_total_in_words(seat, shares[seat.position]) for seat in seats.values()),
    )


def _game_in_words(game: GameResult, seats: Mapping[int, Seat], rule: ScoringRule) -> GameInWords:
    shares = rule.shares(MatchResult((game,)))
    corp, runner = (
        SideInWords(
            name=seats[game.position(role)].player.name,
            role=role,
            agenda_points=game.agenda_points(role),
            points=shares[game.position(role)][0].points,
            reason=in_words(shares[game.position(role)][0].reason),
            has_won=game.winner is role,
            agenda_points_count=isinstance(rule, AgendaRule)
            and game.winner is not role
            and game.agenda_points(role) is not None
            and rule.keeps_agenda_points(role),
        )
        for role in (Role.CORP, Role.RUNNER)
    )
    winner = seats[game.position(game.winner)].player.name if game.winner else ""
    end = "" if game.end is GameEnd.NOT_RECORDED else _(game.end.label)
    return GameInWords(game.number, winner, end, (corp, runner))


def _places_in_words(
    result: MatchResult, seats: Mapping[int, Seat], shares: Mapping[int, tuple[PointShare, ...]]
) -> tuple[PlaceInWords, ...]:
    table = matches_records.factions_by_id() if any(result.factions) else {}
    chosen = dict(enumerate(result.factions, start=1))
    names = {position: table[id_].name if id_ in table else id_ for position, id_ in chosen.items()}
    return tuple(
        PlaceInWords(
            *(seats[position].player.name, names.get(position, ""), points),
            total_points(shares[position]),
        )
        for position, points in enumerate(result.victory_points, start=1)
    )


def _total_in_words(seat: Seat, shares: tuple[PointShare, ...]) -> TotalInWords:
    """Return the sum over games; points that do not come from a game are explained."""
    total = total_points(shares)
    parts = " + ".join(mixed_number(share.points) for share in shares)
    is_sum = len(shares) > 1
    sum_ = (
        f"{parts} = {mixed_number(total)}"
        if is_sum
        else "".join(in_words(share.reason) for share in shares)
    )
    return TotalInWords(seat.player.name, total, sum_)


def report_in_words(match: Match, report: ResultReport) -> ReportInWords:
    """Describe the report for the player who confirms it, with games decided by penalties."""
    assert report.seat is not None, "only players are asked to confirm what a player reported"
    result = matches_records.result_with_losses(match, result_from_document(report.result))
    reported = result_in_words(match, result)
    assert reported is not None, "a report has a result"
    reporter = report.seat.position
    others = (seat for seat in match.rule.match_points(result) if seat != reporter)
    score, beside = score_in_words(match.rule, result, (reporter, *others))
    return ReportInWords(
        name=report.seat.player.name,
        score=score,
        points=beside,
        is_intentional_draw=result.is_intentional_draw,
        is_two_for_one=result.is_two_for_one,
        result=reported,
    )


def score_in_words(rule: ScoringRule, result: MatchResult, seats: Sequence[int]) -> tuple[str, str]:
    """Return the score in this order of seats, and the points beside it if games are counted.

    Victory points of a pod are in the order of the table.
    """
    if not rule.has_roles:
        return ", ".join(map(str, result.victory_points)), ""
    match_points = rule.match_points(result)
    points = "–".join(mixed_number(match_points[seat]) for seat in seats)
    if isinstance(rule, AgendaRule):
        return "–".join(str(result.games_won(seat)) for seat in seats), points
    return points, ""


def usual_results(match: Match, me: Seat, *, is_cut: bool) -> tuple[UsualResult, ...]:
    """Return the usual results, best for this player first; empty if a penalty decided a game.

    In a cut, draws are left out.
    """
    if match.losses:
        return ()
    opponent = next((seat for seat in match.seats.all() if seat.pk != me.pk), None)
    if opponent is None:
        return ()
    codes = codes_to_offer(usual_codes(match.rule), is_cut=is_cut)
    results = [_usual_result(match.rule, code, me, opponent) for code in codes]
    return tuple(sorted(results, key=lambda result: result.points[1] - result.points[0]))


def _usual_result(rule: ScoringRule, code: ResultCode, me: Seat, opponent: Seat) -> UsualResult:
    points = rule.match_points(result_of_code(rule, code))
    own, opposing = points[me.position], points[opponent.position]
    won, lost = own, opposing
    if isinstance(rule, AgendaRule):
        won, lost = code.winners.count(me.position), code.winners.count(opponent.position)
    is_mine = code.winners[0] == me.position
    if not code.winners[0]:
        words = _("Draw")
    elif len(code.winners) == 1:
        words = _("You won") if is_mine else _("<bdi>{name}</bdi> won")
    elif len(set(code.winners)) == 1:
        words = _("You won both") if is_mine else _("<bdi>{name}</bdi> won both")
    elif is_mine:
        words = _("You won game 1, <bdi>{name}</bdi> won game 2")
    else:
        words = _("<bdi>{name}</bdi> won game 1, you won game 2")
    sentence = format_html(words, name=opponent.player.name)
    return UsualResult(code.keys, f"{won}–{lost}", sentence, (own, opposing))


def get_outcomes(rule: ScoringRule, *, is_cut: bool = False) -> tuple[Outcome, ...]:
    """Return the outcomes for staff to choose from; none for pods, no draws in a cut."""
    codes = codes_to_offer(outcome_codes(rule), is_cut=is_cut)
    return tuple(_outcome(rule, code) for code in codes)


def possible_outcomes(match: Match, outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """Return the outcomes, marked as not possible if a penalty has decided a game otherwise."""
    lost = matches_records.lost_games_of(match) if match.losses else {}
    winners = {code.keys: code.winners for code in outcome_codes(match.rule)} if lost else {}

    def is_possible(outcome: Outcome) -> bool:
        by_game = dict(enumerate(winners[outcome.code], start=1))
        return all(
            len(losers) == 1 and by_game.get(number) == 3 - min(losers)
            for number, losers in lost.items()
        )

    return tuple(
        replace(outcome, is_possible=is_possible(outcome)) if lost else outcome
        for outcome in outcomes
    )


def _outcome(rule: ScoringRule, code: ResultCode) -> Outcome:
    is_agreed = Flag.INTENTIONAL_DRAW in code.flags
    if rule.games_per_match == 1:
        words = {1: _("Corp wins"), 2: _("Runner wins"), 0: _("Draw")}
        detail = _("Intentional draw") if is_agreed else words[code.winners[0]]
        return Outcome(code.keys, detail=detail)
    if isinstance(rule, AgendaRule):
        numbers = tuple(code.winners.count(seat) for seat in (1, 2))
    else:
        points = rule.match_points(result_of_code(rule, code))
        numbers = tuple(int(points[seat]) for seat in (1, 2))
    detail = ""
    if is_agreed:
        detail = _("Intentional draw")
    elif len(set(code.winners)) > 1:
        # The sides swap after game 1, so both players won as the same side.
        detail = _("Corp won both") if code.winners[0] == 1 else _("Runner won both")
    return Outcome(code.keys, numbers, detail)


def find_open_report(match: Match) -> ResultReport | None:
    return find_waiting_report(unsettled_reports(match))


def find_waiting_report(reports: Iterable[ResultReport]) -> ResultReport | None:
    return next((report for report in reports if report.state == ReportState.PROPOSED), None)


def unsettled_reports(match: Match) -> list[ResultReport]:
    reports = ResultReport.objects.select_related("seat__player").order_by("pk")
    return list(reports.filter(match=match, state__in=UNSETTLED_REPORT_STATES, seat__isnull=False))


def newest_reports(match: Match, reports: Iterable[ResultReport]) -> list[PlayerReport]:
    newest = {report.seat_id: report for report in reports}
    return [
        PlayerReport(
            report.pk,
            report.seat.player.name,
            report.seat.player_id,
            report.note,
            result_in_words(match, result_from_document(report.result)),
        )
        for report in newest.values()
        if report.seat is not None
    ]


def confirmation_in_words(tournament: Tournament, match: Match, me: Seat) -> str:
    """Return when a report that this player sends now counts."""
    is_pod = match.seats.count() > 2
    if is_pod and match.state == MatchState.DISPUTED:
        return _("Your table disagrees about the result, so the staff decide.")
    reports = unsettled_reports(match) if match.state != MatchState.OPEN else []
    opposing = [report for report in reports if report.seat_id != me.pk]
    if opposing and opposing[-1].seat is not None:
        words = _(
            "If you report the same result as <bdi>{name}</bdi>, it counts. Otherwise the staff "
            "decide."
        )
        return format_html(words, name=opposing[-1].seat.player.name)
    minutes = tournament.confirm_after_minutes
    if not can_other_players_confirm(tournament, match, me):
        words = _("Your report counts when the staff confirm it.")
        later = ngettext(
            "Your report counts when the staff confirm it, or automatically after %(minutes)s "
            "minute.",
            "Your report counts when the staff confirm it, or automatically after %(minutes)s "
            "minutes.",
            minutes or 0,
        )
    elif is_pod:
        words = _("Your report counts when another player at your table confirms it.")
        later = ngettext(
            "Your report counts when another player at your table confirms it, or automatically "
            "after %(minutes)s minute.",
            "Your report counts when another player at your table confirms it, or automatically "
            "after %(minutes)s minutes.",
            minutes or 0,
        )
    else:
        words = _("Your report counts when your opponent confirms it.")
        later = ngettext(
            "Your report counts when your opponent confirms it, or automatically after "
            "%(minutes)s minute.",
            "Your report counts when your opponent confirms it, or automatically after "
            "%(minutes)s minutes.",
            minutes or 0,
        )
    return words if minutes is None else later % {"minutes": minutes}


def judged_games(match: Match) -> list[str]:
    """Return a sentence per game, or per player of a pod, decided by penalties.

    Empty once the match has its result. States the decision without the reason: players of the
    table and the staff may read it. Requires `match.seats` with their players.
    """
    if match.is_settled or not match.losses:
        return []
    losses, rule = matches_records.losses_of(match), match.rule
    names = {seat.position: seat.player.name for seat in match.seats.all()}
    if not rule.has_roles:
        words = _("%(name)s comes last at this table: a judge has decided it.")
        return [words % {"name": names[loss.seat]} for loss in losses]
    sentences = []
    for number in range(1, rule.games_per_match + 1):
        losers = {loss.seat for loss in losses if loss.game in (None, number)}
        if losers:
            winner = next((name for seat, name in names.items() if seat not in losers), None)
            words = _("A judge has decided game %(game)d: nobody wins it.")
            if winner:
                words = _("A judge has decided game %(game)d: %(name)s wins it.")
            sentences.append(words % {"game": number, "name": winner})
    return sentences


# Open results with the next table of each player.


@dataclass(frozen=True)
class NextTable:
    """The next table of a player; `table` is None without a number. A bye has no opponents."""

    round_number: int
    table: int | None
    role: Role | None
    opponents: tuple[str, ...]
    is_draft: bool


@dataclass(frozen=True)
class OpenResult:
    """A table without a settled result; `leads_to` explains its consequences in a cut."""

    # "Round 3"; in a cut the round of the match: "Semifinal".
    round_title: str
    table: int | None
    seats: tuple[tuple[SeatLine, NextTable | None], ...]
    leads_to: tuple[str, ...]

    @property
    def rows(self) -> int:
        return len(self.seats) + bool(self.leads_to)


def open_results(tournament: Tournament, *, with_drafts: bool) -> list[OpenResult]:
    """Return all open tables, oldest round first; a constant number of queries.

    `with_drafts` includes a draft as the next round, for readers who may see it.
    """
    rounds = tournament.rounds if with_drafts else tournament.rounds.published()
    latest = rounds.select_related("stage__tournament").last()
    if latest is None:
        return []
    late_tables = tournament.late_tables().select_related("round__stage")
    pairings = list(late_tables.prefetch_related(FACTION_PREFETCH))
    if latest.is_played:
        open_tables = latest.open_tables().select_related("round__stage")
        pairings += open_tables.prefetch_related(FACTION_PREFETCH)
    if not pairings:
        return []
    Round.prefetch_names([pairing.round for pairing in pairings])
    numbers = dict(tournament.registrations.values_list("player_id", "number"))
    has_roles = scoring_rule(tournament.scoring_rule).has_roles
    factions = {} if has_roles else matches_records.factions_by_id()
    lines = [table_line(pairing, numbers, None, factions) for pairing in pairings]
    # Next tables by number in the event, for tables of earlier rounds.
    following = {
        line.seat.number: NextTable(
            round_number=latest.number,
            table=line.table.table,
            role=line.seat.role,
            opponents=tuple(seat.name for seat in line.opponents),
            is_draft=latest.is_draft,
        )
        for line in name_lines(table_lines(latest))
    }
    leads_to: dict[int, tuple[str, ...]] = {}
    if (cut := tournament.get_cut()) is not None:
        games = bracket_drawing(rounds_cut.get_cut(cut)).games
        leads_to = {game.pairing.pk: game.leads_to for game in games if game.pairing is not None}
    to_come = _next_round_robin_tables(latest)
    return [
        OpenResult(
            round_title=pairing.round_title,
            table=line.table,
            seats=tuple(
                (seat, (to_come if pairing.round_id == latest.pk else following).get(seat.number))
                for seat in line.seats
            ),
            leads_to=leads_to.get(pairing.pk, ()),
        )
        for pairing, line in zip(pairings, lines, strict=True)
    ]


def _next_round_robin_tables(latest: Round) -> dict[int, NextTable]:
    """Return the next round of a round robin, by number in the event; empty for other systems."""
    if not latest.stage.order_is_fixed():
        return {}
    return {
        player.number: NextTable(
            round_number=encounter.round_number,
            table=encounter.table,
            role=None,
            opponents=tuple(place.name for place in encounter.places if place is not player),
            is_draft=False,
        )
        for round_ in get_schedule(latest.stage).rounds
        if round_.number == latest.number + 1
        for encounter in round_.encounters
        for player in encounter.places
    }
