"""Unanswered reports of a table, and the faction draft of a pod."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from engine.pairing.pods import draft_order
from engine.standings import PlayerId
from matches import queries as match_queries
from matches import records
from matches.models import Match, MatchState, ReportState, ResultReport, Seat
from matches.scoring import Faction
from tournaments.event import field, queries
from tournaments.models import (
    AT_TABLES,
    LogEntry,
    Pairing,
    Registration,
    Round,
    Tournament,
    log_actions,
)


def confirms_itself_at(
    tournament: Tournament, round_: Round, report: ResultReport
) -> datetime | None:
    """Return when the report is confirmed automatically; None if it will not be."""
    minutes = tournament.confirm_after_minutes
    is_open = report.state == ReportState.PROPOSED and report.seat_id is not None
    if minutes is None or not is_open or not round_.is_played:
        return None
    return report.created_at + timedelta(minutes=minutes)


def newest_result_entry(pairing: Pairing) -> LogEntry | None:
    entries = LogEntry.objects.filter(pairing=pairing, action__in=log_actions.RESULTS)
    return entries.order_by("-pk").first()


def unanswered(tournament: Tournament, now: datetime) -> list[tuple[Pairing, ResultReport]]:
    """Return reports without an answer after the time limit, with their tables; two queries."""
    minutes = tournament.confirm_after_minutes
    if minutes is None:
        return []
    waiting = Pairing.objects.filter(
        round__stage__tournament=tournament,
        round__state__in=AT_TABLES,
        match__state=MatchState.PROPOSED,
    ).select_related("match", "round__stage")
    by_match = {pairing.match_id: pairing for pairing in waiting}
    reports = ResultReport.objects.filter(
        match__in=by_match,
        state=ReportState.PROPOSED,
        seat__isnull=False,
        created_at__lte=now - timedelta(minutes=minutes),
    )
    return [(by_match[report.match_id], report) for report in reports.order_by("pk")]


@dataclass(frozen=True)
class Pick:
    """A seat in the order of the draft; `faction` is None until it is chosen."""

    seat: Seat
    number: int
    faction: Faction | None


@dataclass(frozen=True)
class FactionDraft:
    """All picks in order; `offered` are the factions of colours not taken at the table."""

    picks: tuple[Pick, ...]
    offered: tuple[Faction, ...]

    @property
    def next(self) -> Pick | None:
        """The next pick; None after the last."""
        return next((pick for pick in self.picks if pick.faction is None), None)


def faction_draft(match: Match | None, round_: Round) -> FactionDraft | None:
    """Return the draft at a table; None without factions, or once a result is reported.

    The player with the lowest score before the round chooses first; a random draw of the event
    decides ties. A constant number of queries.
    """
    if match is None or match.rule.has_roles or match.state != MatchState.OPEN:
        return None
    seats = {seat.player_id: seat for seat in match.seats.all()}
    known = match_queries.factions()
    chosen = dict(enumerate(records.factions_of(match), start=1))
    return FactionDraft(
        picks=tuple(
            Pick(seats[player], number, _faction(chosen.get(seats[player].position, ""), known))
            for player, number in _order(round_, list(seats))
        ),
        offered=tuple(_offered(known, [id_ for id_ in chosen.values() if id_])),
    )


def _faction(id_: str, known: Mapping[str, Faction]) -> Faction | None:
    if not id_:
        return None
    return known.get(id_, Faction(id_, id_, ""))


def _offered(known: Mapping[str, Faction], chosen: list[str]) -> list[Faction]:
    taken = {known[id_].colour for id_ in chosen if id_ in known}
    free = (faction for faction in known.values() if faction.colour not in taken)
    return sorted(free, key=lambda faction: (faction.colour, faction.name))


def _order(round_: Round, players: list[int]) -> list[tuple[int, int]]:
    tournament = round_.stage.tournament
    entries: dict[PlayerId, Registration] = {
        entry.number: entry for entry in tournament.registrations.filter(player__in=players)
    }
    before = queries.rounds(tournament).filter(number__lt=round_.number).last()
    past = field.history(tournament, before) if before is not None else field.History(0)
    scores = {number: past.record(entry).match_points for number, entry in entries.items()}
    # One random draw per round, however often it is re-paired.
    order = draft_order(scores, seed=tournament.seed + round_.number)
    return [(entries[number].player_id, entries[number].number) for number in order]
