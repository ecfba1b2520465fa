"""Content of a player's own pages: their table at an event, and the list of their events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.systems import SystemKind
from matches import records as matches_records
from matches.models import MatchState
from players.models import Player
from tournaments.event import visibility
from tournaments.event.pages import identities_of_decks
from tournaments.event.permissions import Actor, events_with_desk_role
from tournaments.models import (
    Penalty,
    Registration,
    RegistrationState,
    Round,
    Standing,
    Tournament,
)
from tournaments.models.event_lists import ABANDONED_AFTER
from tournaments.models.penalties import COSTLY_KINDS
from tournaments.outlook.pages import get_need_lines
from tournaments.public.pages import EventListLine, event_list_lines
from tournaments.registration.pages import attendance_of_player
from tournaments.results.bracket_pages import bracket_drawing, find_cut_table
from tournaments.results.my_rounds import RoundLine, round_lines
from tournaments.results.pages import (
    find_waiting_report,
    judged_games,
    newest_reports,
    report_in_words,
    result_in_words,
    unsettled_reports,
    usual_results,
)
from tournaments.results.queries import (
    can_other_players_confirm,
    get_auto_confirm_time,
    get_faction_draft,
)
from tournaments.results.standings_pages import placing_lines
from tournaments.rounds import cut as rounds_cut
from tournaments.rounds import timing_pages
from tournaments.rounds.cut import get_cut
from tournaments.rounds.pages import get_pairing_explanation

REPORTED_STATES = {MatchState.PROPOSED, MatchState.DISPUTED}


@dataclass(frozen=True)
class PlayerDay:
    # Published rounds in order.
    rounds: list[RoundLine]
    standing: Standing | None


def player_day(registration: Registration, newest: Round | None) -> PlayerDay:
    """Load the player's day; `newest` is the newest published round with its stage."""
    lines = round_lines(registration)
    for line in lines:
        if newest is not None and line.round == newest:
            line.pairing.round = newest
    return PlayerDay(lines, registration.current_standing())


class MyPageState(StrEnum):
    FINISHED = "finished"
    SEATED = "seated"
    BYE = "bye"
    BETWEEN = "between"
    LEFT = "left"
    # Still in the cut, without a match in this round.
    NO_MATCH = "no_match"
    # Eliminated from the cut, or never in it.
    OUT_OF_CUT = "out_of_cut"
    WAITING = "waiting"
    MEETING = "meeting"
    CHECK_IN = "check_in"
    HERE = "here"
    MISSING = "missing"
    LISTED = "listed"


def page_state(
    registration: Registration,
    round_: Round | None,
    line: RoundLine | None,
    *,
    can_check_in: bool,
    has_meeting: bool,
    is_out: bool,
) -> MyPageState:
    """Choose the main content; `is_out`: no match is left for the player in the current cut."""
    if registration.tournament.is_finished:
        return MyPageState.FINISHED
    has_left = registration.state == RegistrationState.DROPPED
    if can_check_in and round_ is not None:
        return MyPageState.CHECK_IN
    if is_out and line is not None and line.table.is_settled:
        return MyPageState.OUT_OF_CUT
    if round_ is not None and line is not None:
        if not round_.is_closed:
            return MyPageState.BYE if line.table.is_bye else MyPageState.SEATED
        if not has_left:
            return MyPageState.BETWEEN
    if has_left:
        return MyPageState.LEFT
    if round_ is not None and round_.is_in_cut:
        return MyPageState.OUT_OF_CUT if is_out else MyPageState.NO_MATCH
    return _state_before_table(registration, round_, can_check_in, has_meeting)


def _state_before_table(
    registration: Registration, round_: Round | None, can_check_in: bool, has_meeting: bool
) -> MyPageState:
    if registration.state == RegistrationState.WAITING:
        return MyPageState.WAITING
    if can_check_in:
        return MyPageState.CHECK_IN
    if has_meeting and registration.meeting_table is not None:
        return MyPageState.MEETING
    if registration.is_active:
        return MyPageState.HERE
    return MyPageState.LISTED if round_ is None else MyPageState.MISSING


def my_page_context(registration: Registration) -> dict[str, Any]:
    """Template context of the player's page, in a constant number of queries."""
    tournament = registration.tournament
    round_ = tournament.newest_published_round()
    day = player_day(registration, round_)
    has_meeting = round_ is None and tournament.meeting_is_on()
    line = next((line for line in day.rounds if line.round == round_), None)
    if line is None or line.table.is_bye:
        clock = timing_pages.get_clock_face(round_)
    else:
        clock = timing_pages.get_clock_face(round_, line.table.table, line.extra_minutes)
    can_check_in = registration.can_check_in()
    cut = _cut_context(registration, round_)
    state = page_state(
        registration,
        round_,
        line,
        can_check_in=can_check_in,
        has_meeting=has_meeting,
        is_out=cut["is_out"],
    )
    return {
        "registration": registration,
        "round": round_,
        "state": state,
        "now": line,
        "rounds": day.rounds,
        "clock": clock,
        "can_check_in": can_check_in,
        "day_two": tournament.begins_day_two(),
        "has_meeting": has_meeting,
        "arriving": attendance_of_player(registration, round_, line),
        **_round_count_context(tournament, round_),
        "need": None if round_ is None or tournament.is_finished else get_need_lines(registration),
        **_penalty_context(registration, round_, line),
        "why": get_pairing_explanation(tournament, line.pairing)
        if line and not line.round.is_closed
        else None,
        **_opponent_deck_context(registration, day),
        **cut,
        "standing": day.standing,
        "snapshot": day.standing.snapshot if day.standing else None,
        **_result_context(registration, round_, line),
    }


def _penalty_context(
    registration: Registration, round_: Round | None, line: RoundLine | None
) -> dict[str, Any]:
    """Split penalties into current (this round, or still to take effect) and earlier.

    `own_losses` are the current ones that cost the player a game at the current table.
    """
    number = round_.number if round_ is not None else None
    new: list[Penalty] = []
    earlier: list[Penalty] = []
    for penalty in registration.penalties.for_own_page():
        is_new = penalty.is_waiting or penalty.round_number == number
        (new if is_new and not registration.tournament.is_finished else earlier).append(penalty)
    own_losses = [
        penalty
        for penalty in new
        if line is not None
        and penalty.pairing_id == line.pairing.pk
        and penalty.kind in COSTLY_KINDS
    ]
    return {"new_penalties": new, "own_losses": own_losses, "earlier_penalties": earlier}


def _round_count_context(tournament: Tournament, round_: Round | None) -> dict[str, Any]:
    """Return the planned or suggested number of rounds, None in the cut or before round 1."""
    if round_ is None or round_.is_in_cut:
        return {"planned": None, "is_last": False}
    fixed = tournament.planned_rounds
    if round_.stage.way.kind is SystemKind.ROUND_ROBIN:
        fixed = tournament.round_target()
    return {
        "planned": fixed or tournament.round_target(),
        # A suggested number does not count: more rounds may follow.
        "is_last": fixed is not None and round_.number >= fixed,
    }


def _opponent_deck_context(registration: Registration, day: PlayerDay) -> dict[str, Any]:
    """Opponents' identities, and the numbers of opponents whose decks the player may read."""
    tournament = registration.tournament
    if not tournament.has_decks:
        return {"identities": {}, "decks_seen": frozenset()}
    matches = [line.match for line in day.rounds if line.match is not None]
    players = {seat.player_id for match in matches for seat in match.seats.all()}
    readable, known = visibility.decks_of_opponents(
        registration, frozenset(players - {registration.player_id})
    )
    return {
        "identities": identities_of_decks(tournament, known),
        "decks_seen": frozenset(readable.values_list("registration__number", flat=True)),
    }


def _cut_context(registration: Registration, round_: Round | None) -> dict[str, Any]:
    """Context of the current cut, with the player's `next_match`, or of published seeds."""
    if round_ is None or not round_.is_in_cut:
        upcoming = _upcoming_cut_context(registration, round_)
        return {"placing": None, "cut_table": None, "is_out": False, **upcoming}
    cut, number = get_cut(round_.stage), registration.number
    places = placing_lines(registration.tournament, cut)
    own_games = [
        game
        for game in bracket_drawing(cut, registration.player).games
        if game.state in ("waiting", "ready") and any(seat.is_me for seat in game.seats)
    ]
    is_in_cut = number in cut.registrations
    return {
        "placing": next((line for line in places if line.number == number), None),
        "cut_table": find_cut_table(round_, registration),
        "cut_seed": cut.seeds.get(number),
        "is_in_cut": is_in_cut,
        "is_out": not is_in_cut or cut.is_out(number) or cut.place_of(number) is not None,
        "next_match": next(iter(own_games), None),
    }


def _upcoming_cut_context(registration: Registration, round_: Round | None) -> dict[str, Any]:
    """Return the player's seed and first match in a cut that has not started."""
    event = registration.tournament
    is_between = round_ is None or (round_.is_closed and not event.is_finished)
    stage = event.get_cut() if is_between else None
    if stage is None or stage.seeds_shown_at is None:
        return {"cut_seed": None}
    cut = get_cut(stage)
    games = bracket_drawing(cut, registration.player).games
    own_games = (
        game for game in games if game.state == "ready" and any(seat.is_me for seat in game.seats)
    )
    return {
        "cut_size": len(cut.entries),
        "cut_seed": cut.seeds.get(registration.number),
        "cut_game": next(own_games, None),
    }


def _result_context(
    registration: Registration, round_: Round | None, line: RoundLine | None
) -> dict[str, Any]:
    """Context of the result at the current table; queries reports only if there are any."""
    match = line.match if line is not None else None
    if match is None or round_ is None:
        return {}
    reports = unsettled_reports(match) if match.state in REPORTED_STATES else []
    report = find_waiting_report(reports)
    me = next(seat for seat in match.seats.all() if seat.player_id == registration.player_id)
    seat = report.seat if report is not None else None
    is_mine = seat is not None and seat.player_id == registration.player_id
    return {
        "settled": result_in_words(match, matches_records.settled_result(match)),
        "judged": judged_games(match),
        "usual": usual_results(match, me, is_cut=round_.is_in_cut)
        if match.state == MatchState.OPEN
        else (),
        "report": report,
        "reported": report_in_words(match, report) if report is not None else None,
        "report_is_mine": is_mine,
        "waits_for_staff": is_mine
        and not can_other_players_confirm(registration.tournament, match, me),
        "counts_at": get_auto_confirm_time(registration.tournament, round_, report)
        if report is not None
        else None,
        "words": newest_reports(match, reports),
        "has_reported": any(report.seat_id == me.pk for report in reports),
        "draft": get_faction_draft(match, round_),
    }


# My events and My page.


@dataclass(frozen=True)
class MyEventLine:
    """An event of the user, with its state for them, such as "Checked in" or "You finished 2nd"."""

    event: Tournament
    state: str
    # Badge style.
    kind: str
    is_player: bool
    # Being played or still to come.
    is_current: bool


def my_event_lines(actor: Actor, *, only_current: bool = False) -> list[MyEventLine]:
    """Return the events where the user plays or is staff; a constant number of queries.

    Events in progress come first, then the next ones, then past ones, latest first.
    """
    rows = Tournament.objects.of_person(actor.user, actor.player)
    events = list(rows.filter(finished_at=None) if only_current else rows)
    places: dict[int, Registration] = {}
    if actor.player is not None:
        entries = Registration.objects.filter(player=actor.player, tournament__in=events)
        places = {entry.tournament_id: entry for entry in entries}
    ranks = _final_ranks(actor.player, [event for event in events if event.pk in places], places)
    lines = [
        _my_event_line(line, places.get(line.event.pk), ranks.get(line.event.pk))
        for line in event_list_lines(events)
    ]
    return sorted(lines, key=_my_event_order)


def _my_event_order(line: MyEventLine) -> tuple[bool, bool, int]:
    is_running = line.is_current and line.kind == "running"
    day = line.event.starts_on.toordinal()
    return not line.is_current, not is_running, day if line.is_current else -day


def _my_event_line(
    line: EventListLine, place: Registration | None, rank: int | None
) -> MyEventLine:
    event = line.event
    is_abandoned = event.last_day < timezone.localdate() - ABANDONED_AFTER
    state, kind = (line.state, line.kind) if place is None else _own_state(line, place, rank)
    return MyEventLine(
        event=event,
        state=state,
        kind=kind,
        is_player=place is not None,
        is_current=not event.is_finished and not is_abandoned,
    )


def _own_state(line: EventListLine, place: Registration, rank: int | None) -> tuple[str, str]:
    """Return the event's state for this player as text and badge style."""
    if rank == 1:
        return _("You won"), "confirmed"
    if rank is not None:
        return _("You finished %(place)s") % {"place": ordinal(rank)}, "closed"
    if line.event.is_finished:
        return line.state, line.kind
    if place.state == RegistrationState.DROPPED:
        return _("You dropped"), "dropped"
    if line.kind == "running":
        return line.state, line.kind
    if place.state == RegistrationState.WAITING:
        return _("On the waiting list"), "waiting"
    if place.state == RegistrationState.CHECKED_IN:
        return _("Checked in"), "checked_in"
    return _("Registered"), "registered"


def _final_ranks(
    player: Player | None, events: Sequence[Tournament], places: Mapping[int, Registration]
) -> dict[int, int]:
    """Return the player's decided places by event key: of finished events, or of a cut."""
    if player is None or not events:
        return {}
    finished = [event.pk for event in events if event.is_finished]
    current = Tournament.objects.with_current_standings(finished)
    newest = Tournament.objects.filter(pk__in=current).newest_snapshots()
    rows = Standing.objects.filter(snapshot__in=newest, registration__player=player)
    ranks = dict(rows.values_list("snapshot__tournament", "rank"))
    for key, cut in rounds_cut.public_cuts(events).items():
        number = places[key].number
        place = cut.place_of(number) if cut is not None else None
        if place is not None:
            ranks[key] = place
        elif cut is None or number in cut.registrations:
            ranks.pop(key, None)
        elif key in ranks:
            # A player who declined is placed behind the cut.
            ranks[key] = max(ranks[key], len(cut.entries) + 1)
    return ranks


@dataclass(frozen=True)
class NextEvent:
    """The user's next event; `table` is set while they are seated, `has_bye` during a bye."""

    line: MyEventLine
    has_desk: bool
    table: int | None = None
    has_bye: bool = False


def next_event(actor: Actor) -> NextEvent | None:
    lines = [line for line in my_event_lines(actor, only_current=True) if line.is_current]
    if not lines:
        return None
    # Of events on the same day, the one where the user plays.
    line = min(
        lines, key=lambda line: (line.kind != "running", line.event.starts_on, not line.is_player)
    )
    has_desk = line.event.pk in events_with_desk_role(actor)
    round_ = line.event.newest_published_round() if line.is_player else None
    if round_ is None or round_.is_closed or actor.player is None:
        return NextEvent(line, has_desk)
    pairing = round_.pairings.of_player(actor.player).first()
    if pairing is None:
        return NextEvent(line, has_desk)
    return NextEvent(line, has_desk, pairing.table_number, has_bye=pairing.table_number is None)
