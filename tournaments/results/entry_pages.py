"""The tables of the result entry: open tables with outcomes to choose, settled ones on one line."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Any

from django.db.models import Max, prefetch_related_objects
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.numbers import mixed_number
from matches import records as matches_records
from matches.models import UNSETTLED_REPORT_STATES, Match, MatchState, ResultReport
from matches.scoring.results import FactionFacts, Points
from matches.scoring.rules import scoring_rule
from tournaments.models import Pairing, Round, event_log
from tournaments.results.forms import ResultEntryForm
from tournaments.results.pages import (
    Outcome,
    get_latest_result,
    get_outcomes,
    possible_outcomes,
    score_in_words,
)
from tournaments.results.queries import get_auto_confirm_time
from tournaments.rounds import cut as rounds_cut


@dataclass(frozen=True)
class CardSeat:
    position: int
    name: str
    # The number in the event.
    number: int
    # Before the round; None if there are no standings yet.
    so_far: Points | None
    # Of the settled result.
    points: Points | None
    # "Corp first"; "Corp" or "Runner" in matches of one game.
    side: str
    # In a pod, once known.
    faction_id: str = ""
    faction: str = ""
    # True if a penalty puts the player last in a pod.
    is_lost: bool = False

    @property
    def so_far_text(self) -> str:
        if self.so_far is None:
            return ""
        # Half a point is one point, 1½ are points.
        text = ngettext("%(points)s point so far", "%(points)s points so far", ceil(self.so_far))
        return text % {"points": mixed_number(self.so_far)}


@dataclass(frozen=True)
class ReportClaim:
    """A report without a settled result, as a sentence."""

    report_id: int
    sentence: str


@dataclass(frozen=True)
class ResultCard:
    """A table of the result entry. With a `form` it shows every field of the result."""

    pairing: Pairing
    seats: tuple[CardSeat, ...]
    # Games won in a settled match, "2–0", where the points do not show them.
    score: str = ""
    outcomes: tuple[Outcome, ...] = ()
    claims: tuple[ReportClaim, ...] = ()
    # "Game 1 is lost by Ada."
    losses: tuple[str, ...] = ()
    form: ResultEntryForm | None = None
    # The log entry to undo, None if there is none.
    undo: int | None = None
    # Time when an open report is confirmed automatically.
    counts_at: datetime | None = None
    refusals: tuple[str, ...] = ()
    saved: str = ""
    is_stale: bool = False
    # A settled match of a cut whose points do not decide who advances.
    is_tied: bool = False
    # Name of the player with the better seed at an undecided table; else empty.
    higher_seed: str = ""

    @property
    def round_title(self) -> str:
        """The round of the match in the bracket, where the tables play more than one."""
        has_many = len(self.pairing.round.bracket_rounds) > 1
        return self.pairing.round_title if has_many else ""

    @property
    def is_undecided(self) -> bool:
        return self.is_tied and self.pairing.advances_id is None

    @property
    def chooser(self) -> str:
        """The player who has to choose a side before there is a result; empty if none has to."""
        if self.match.is_settled or not self.pairing.has_open_choice:
            return ""
        number = self.pairing.chooser_number
        return next((seat.name for seat in self.seats if seat.number == number), "")

    @property
    def table(self) -> int | None:
        return self.pairing.table_number

    @property
    def prefix(self) -> str:
        return f"t{self.table}"

    @property
    def match(self) -> Match:
        assert self.pairing.match is not None
        return self.pairing.match

    @property
    def seated(self) -> str:
        return "-".join(str(seat.pk) for seat in self.match.seats.all())

    @property
    def is_disputed(self) -> bool:
        return self.match.state == MatchState.DISPUTED

    @property
    def decided_games(self) -> str:
        """Numbers of the games decided by penalties, separated by spaces."""
        return " ".join(map(str, sorted(matches_records.lost_games_of(self.match))))


def get_result_cards(round_: Round) -> list[ResultCard]:
    """Return a card for each table of the round; a constant number of queries."""
    pairings = round_.pairings.with_players().select_related("advances__player")
    return make_cards(round_, list(pairings.exclude(match=None)))


def get_result_card(pairing: Pairing) -> ResultCard:
    return make_cards(pairing.round, [pairing])[0]


def make_cards(round_: Round, pairings: list[Pairing]) -> list[ResultCard]:
    """Return the cards of these tables. Requires seats with their players."""
    event, is_cut = round_.stage.tournament, round_.is_in_cut
    numbers = dict(event.registrations.values_list("player_id", "number"))
    so_far = {} if is_cut else event.points_before(round_.number)
    undo: Mapping[int | None, int] = {}
    if not round_.is_closed:
        entries = event.log.filter(round=round_, action__in=event_log.RESULT_CHANGES)
        undo = dict(entries.values_list("pairing").annotate(Max("pk")).order_by())
    matches = [pairing.match for pairing in pairings if pairing.match is not None]
    pods = [match for match in matches if not match.rule.has_roles]
    factions = matches_records.factions_by_id() if pods else {}
    # Scores, sides of decided games, and the factions of pods.
    with_games = [match for match in matches if match.losses or match.is_settled]
    prefetch_related_objects([*pods, *with_games], "games__seats")
    reports: defaultdict[int, dict[int | None, ResultReport]] = defaultdict(dict)
    unsettled = ResultReport.objects.filter(match__in=matches, state__in=UNSETTLED_REPORT_STATES)
    for report in unsettled.exclude(seat=None).order_by("pk"):
        reports[report.match_id][report.seat_id] = report
    outcomes = get_outcomes(scoring_rule(round_.stage.scoring_rule), is_cut=is_cut)
    tied = {pairing.pk for pairing in pairings if is_cut and rounds_cut.is_tied(pairing)}
    seeds: Mapping[int, int | None] = {}
    if tied:
        seeds = dict(round_.stage.entries.values_list("registration__player", "seed"))
    cards = []
    for pairing in pairings:
        assert pairing.match is not None
        pairing.round = round_
        points = {
            seat.player_id: so_far.get(numbers.get(seat.player_id, 0))
            for seat in pairing.match.seats.all()
        }
        cards.append(
            ResultCard(
                pairing,
                seats=tuple(_card_seats(pairing, numbers, points, factions)),
                score=_score(pairing.match),
                # Without sides nobody wins as Corp or Runner.
                outcomes=()
                if pairing.has_open_choice
                else possible_outcomes(pairing.match, outcomes),
                claims=tuple(_claims(pairing.match, reports[pairing.match.pk].values())),
                losses=tuple(_loss_sentences(pairing.match)),
                undo=undo.get(pairing.pk) if pairing.match.is_settled else None,
                counts_at=_auto_confirm_time(round_, reports[pairing.match.pk].values()),
                is_tied=pairing.pk in tied,
                higher_seed=_higher_seed(pairing, seeds) if pairing.pk in tied else "",
            )
        )
    return cards


def _card_seats(
    pairing: Pairing,
    numbers: Mapping[int, int],
    so_far: Mapping[int, Points | None],
    factions: Mapping[str, FactionFacts],
) -> Iterator[CardSeat]:
    match = pairing.match
    assert match is not None
    rule, lost = match.rule, {loss["seat"] for loss in match.losses}
    sides: tuple[str, ...] = (_("Corp first"), "")
    if not rule.has_roles or pairing.has_open_choice:
        sides = ()
    elif rule.has_one_game:
        sides = (_("Corp"), _("Runner"))
    chosen = () if rule.has_roles else matches_records.factions_of(match)
    for index, seat in enumerate(match.seats.all()):
        faction = chosen[index] if chosen else ""
        yield CardSeat(
            position=seat.position,
            name=seat.player.name,
            number=numbers.get(seat.player_id, 0),
            so_far=so_far[seat.player_id],
            points=seat.points,
            side=sides[index] if sides else "",
            faction_id=faction,
            faction=factions[faction].name if faction in factions else faction,
            is_lost=not rule.has_roles and seat.position in lost,
        )


def _higher_seed(pairing: Pairing, seeds: Mapping[int, int | None]) -> str:
    assert pairing.match is not None
    seats = [seat for seat in pairing.match.seats.all() if seeds.get(seat.player_id)]
    best = min(seats, key=lambda seat: seeds[seat.player_id] or 0, default=None)
    return best.player.name if best else ""


def _score(match: Match) -> str:
    result = matches_records.settled_result(match)
    if not result or not match.rule.has_roles:
        return ""
    seats = [seat.position for seat in match.seats.all()]
    score, points = score_in_words(match.rule, result, seats)
    # Without points beside it, the score is the points that the row shows already.
    return score if points else ""


def _claims(match: Match, reports: Iterable[ResultReport]) -> Iterator[ReportClaim]:
    """Yield the newest report of each player while there is no settled result."""
    names = {seat.pk: seat.player.name for seat in match.seats.all()}
    for report in () if match.is_settled else reports:
        sentence = claim_sentence(match, report, names[report.seat_id or 0])
        yield ReportClaim(report.pk, sentence)


def claim_sentence(match: Match, report: ResultReport, name: str) -> str:
    result = matches_records.result_with_losses(
        match, matches_records.result_from_document(report.result)
    )
    if not match.rule.has_roles:
        victory_points = ", ".join(map(str, result.victory_points))
        values = {"name": name, "points": victory_points}
        return _("%(name)s reports %(points)s victory points.") % values
    match_points = match.rule.match_points(result)
    seats = sorted(match_points, key=lambda seat: -match_points[seat])
    names = {seat.position: seat.player.name for seat in match.seats.all()}
    # The player with more points comes first; games won are given if agenda points decide.
    score, points = score_in_words(match.rule, result, seats)
    values = {"name": name, "score": score, "points": points, "winner": names[seats[0]]}
    is_tied = len(set(match_points.values())) == 1
    if result.is_intentional_draw:
        return _("%(name)s reports an intentional draw (%(score)s).") % values
    if is_tied and points:
        return _("%(name)s reports %(score)s (%(points)s points).") % values
    if is_tied:
        return _("%(name)s reports %(score)s.") % values
    if points and len({result.games_won(seat) for seat in seats}) == 1:
        return _("%(name)s reports %(score)s. %(winner)s leads %(points)s on points.") % values
    if points:
        return _("%(name)s reports %(score)s for %(winner)s (%(points)s points).") % values
    return _("%(name)s reports %(score)s for %(winner)s.") % values


def _loss_sentences(match: Match) -> Iterator[str]:
    """Yield a sentence per game that a penalty has decided, or per player of a pod."""
    if not match.losses:
        return
    names = {seat.position: seat.player.name for seat in match.seats.all()}
    for number, losers in sorted(matches_records.lost_games_of(match).items()):
        for seat in sorted(losers):
            values = {"game": number, "name": names[seat]}
            yield _("Game %(game)s is lost by %(name)s: penalty.") % values
    if not match.rule.has_roles:
        for loss in match.losses:
            yield _("%(name)s comes last: penalty.") % {"name": names[loss["seat"]]}


def _auto_confirm_time(round_: Round, reports: Iterable[ResultReport]) -> datetime | None:
    event = round_.stage.tournament
    moments = (get_auto_confirm_time(event, round_, report) for report in reports)
    return next((moment for moment in moments if moment is not None), None)


def get_entry_texts() -> dict[str, str]:
    """Return the sentences of the scripts; they replace {names in braces}."""
    return {
        "players": _("Table {table}: {players}."),
        "repeated": _("Repeated at each table: {result}"),
        "number_missing": _("Type a table number."),
        "no_table": _("There is no table {table} in this round."),
        "has_result": _("Table {table} has a result: {result}. Press Enter again to change it."),
        "score": _("Type the code of the result, not a score. The codes are listed under “?”."),
        "score_saved": _(
            "That digit was the code of a result, not part of a score. Undo it if it is wrong; "
            "the codes are listed under “?”."
        ),
        "no_code": _("“{code}” is not a code. The codes are listed under “?”."),
        "sides_open": _("Table {table}: first choose who plays Corp, on its card."),
        "wrong_count": _("Numbers needed at table {table}: {needed}. You typed {typed}."),
        "does_not_fit": _(
            "The repeated result does not fit table {table}. Press R to stop repeating it."
        ),
        "saving": _("Saving table {table}…"),
        "points_missing": _("Table {table}: type the agenda points, 0 if there were none."),
        "unchanged": _("Table {table} was not changed."),
        "not_saved": _("Table {table} was not saved: {reason}"),
        "not_saved_yet": _("Table {table} is not saved yet."),
        "not_opened": _("Table {table} was not opened: {reason}"),
        "no_answer": _("no answer from the site. Try again."),
        "changed_since": _("Table {table} has changed since. Check its card."),
        "repeat_on": _(
            "Enter the next result once. It is then saved for every table whose number you type."
        ),
        "repeat_off": _("Results are no longer repeated."),
        "outdated": _("Not updated since {time}"),
    }


def make_entry_form(pairing: Pairing, data: Any = None) -> ResultEntryForm:
    """Return the form of a table, filled with the settled result or the latest report."""
    assert pairing.match is not None
    return ResultEntryForm(
        data,
        match=pairing.match,
        is_cut=pairing.round.is_in_cut,
        initial_result=get_latest_result(pairing.match),
        prefix=f"t{pairing.table_number}",
    )
