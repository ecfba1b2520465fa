"""Contents of the roster, and of pages on arrivals, missing players and the meeting."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.text import find_lookalikes
from decks.models import Side
from matches.models import MatchState, Seat
from players.models import Player
from tournaments.event import permissions as event_permissions
from tournaments.event import visibility
from tournaments.event.permissions import Actor
from tournaments.models import (
    DeckSubmission,
    DroppedBy,
    Pairing,
    Registration,
    RegistrationState,
    Round,
    Tournament,
    Visibility,
)
from tournaments.models.registrations import NEVER_CAME, TAKES_A_PLACE
from tournaments.results.my_rounds import RoundLine

# The roster

UNPAID, DECK_LEGAL, DECK_MISSING, DECK_ILLEGAL = "unpaid", "legal", "no_deck", "illegal"
# Filters of the roster by the tag of a row; "" shows all rows.
FILTER_LABELS = {
    "": gettext_lazy("All"),
    RegistrationState.REGISTERED: gettext_lazy("To check in"),
    RegistrationState.CHECKED_IN: gettext_lazy("Checked in"),
    UNPAID: gettext_lazy("Unpaid"),
    DECK_MISSING: gettext_lazy("Deck missing"),
    DECK_ILLEGAL: gettext_lazy("Deck illegal"),
    RegistrationState.DROPPED: gettext_lazy("Dropped"),
    RegistrationState.WAITING: gettext_lazy("Waiting list"),
}
STATE_LABELS = {
    RegistrationState.REGISTERED: gettext_lazy("Not checked in"),
    RegistrationState.CHECKED_IN: gettext_lazy("Checked in"),
    RegistrationState.DROPPED: gettext_lazy("Dropped"),
    RegistrationState.WAITING: gettext_lazy("Waiting list"),
}
DROP_REASONS = {
    DroppedBy.PLAYER: gettext_lazy("Dropped by the player"),
    DroppedBy.ABSENT: gettext_lazy("Not checked in for round 1"),
    DroppedBy.NO_SHOW: gettext_lazy("No-show at the table"),
    DroppedBy.DAY_TWO: gettext_lazy("Not checked in for day 2"),
}


@dataclass(frozen=True)
class RosterRow:
    """A player on the roster.

    `tap` is the end of the address that toggles the check-in, or "" where a tap changes nothing.
    `decks` has legal, no_deck or illegal for each side that shows a deck.
    """

    number: int
    name: str
    details: tuple[str, ...]
    lookalike: str
    state: str
    state_label: str
    tap: str
    # None if payments are not shown.
    is_paid: bool | None
    decks: Mapping[Side, str]
    tags: frozenset[str]
    is_shown: bool

    @property
    def is_here(self) -> bool:
        return self.state == RegistrationState.CHECKED_IN

    # Styles and the script read the first letters, because a page has hundreds of rows.

    @property
    def tag_letters(self) -> str:
        return "".join(sorted(tag[0] for tag in self.tags))

    @property
    def deck_letters(self) -> str:
        return "".join(self.decks.get(side, "-")[0] for side in Side)

    @property
    def decks_label(self) -> str:
        """Return the words for the marks of the decks, which are two for almost all players."""
        if set(self.decks.values()) == {DECK_LEGAL} and len(self.decks) == len(Side):
            return _("Decks legal")
        labels = [_DECK_LABELS[side, state] for side, state in self.decks.items()]
        return ", ".join(map(str, labels))


_DECK_LABELS = {
    (Side.CORP, DECK_LEGAL): gettext_lazy("Corp legal"),
    (Side.CORP, DECK_ILLEGAL): gettext_lazy("Corp illegal"),
    (Side.CORP, DECK_MISSING): gettext_lazy("Corp missing"),
    (Side.RUNNER, DECK_LEGAL): gettext_lazy("Runner legal"),
    (Side.RUNNER, DECK_ILLEGAL): gettext_lazy("Runner illegal"),
    (Side.RUNNER, DECK_MISSING): gettext_lazy("Runner missing"),
}


@dataclass(frozen=True)
class RosterFilter:
    value: str
    label: str
    count: int
    is_chosen: bool

    @property
    def letter(self) -> str:
        return self.value[:1]


@dataclass(frozen=True)
class RosterView:
    """The roster as a reader sees it, with the rows that a search shows marked."""

    rows: tuple[RosterRow, ...]
    filters: tuple[RosterFilter, ...]
    counts: Mapping[str, int]
    next_round: int
    shows_paid: bool
    paid_count: int
    shows_decks: bool
    is_full: bool
    is_too_late: bool

    @property
    def has_round_one(self) -> bool:
        return self.next_round > 1

    @property
    def place_count(self) -> int:
        return self.here_count + self.to_come_count

    @property
    def here_count(self) -> int:
        return self.counts[RegistrationState.CHECKED_IN]

    @property
    def to_come_count(self) -> int:
        return self.counts[RegistrationState.REGISTERED]

    @property
    def shown_count(self) -> int:
        return sum(row.is_shown for row in self.rows)

    def row(self, number: int) -> RosterRow | None:
        """Return the row of this number; None if the player was removed meanwhile."""
        return next((row for row in self.rows if row.number == number), None)


def roster_view(
    tournament: Tournament, actor: Actor, *, typed: str = "", state: str = ""
) -> RosterView:
    """Load the roster by name. `typed` is part of a name or a number, `state` a filter."""
    entries = list(tournament.registrations.select_related("player"))
    decks = _deck_states(tournament)
    has_paid = event_permissions.can_mark_paid(actor, tournament) and (
        bool(tournament.entry_fee) or any(entry.paid_at for entry in entries)
    )
    matches = set(tournament.search_roster(typed).values_list("number", flat=True)) if typed else ()
    builder = _RowBuilder(
        names={entry.number: entry.player.name for entry in entries},
        lookalikes=find_lookalikes({entry.number: entry.player.name for entry in entries}),
        decks=decks,
        sides=tuple(Side) if tournament.decks_required or decks else (),
        decks_required=tournament.decks_required,
        shows_paid=has_paid,
        is_too_late=tournament.is_too_late_to_join(),
        next_round=_next_round(tournament, actor),
        day_two=_day_two_players(tournament),
        matches=matches if typed else None,
        state=state if state in FILTER_LABELS else "",
    )
    rows = tuple(builder.row(entry) for entry in entries)
    counts = Counter(tag for row in rows for tag in row.tags)
    places = sum(entry.state in TAKES_A_PLACE for entry in entries)
    return RosterView(
        rows=rows,
        filters=_filters(tournament, builder, len(rows), counts),
        counts=counts,
        next_round=builder.next_round,
        shows_paid=has_paid,
        paid_count=sum(
            entry.paid_at is not None and entry.state in TAKES_A_PLACE for entry in entries
        ),
        shows_decks=bool(builder.sides),
        is_full=tournament.max_players is not None and places >= tournament.max_players,
        is_too_late=builder.is_too_late,
    )


def _deck_states(tournament: Tournament) -> dict[int, dict[str, str]]:
    decks = DeckSubmission.objects.filter(registration__tournament=tournament).order_by()
    states: dict[int, dict[str, str]] = defaultdict(dict)
    for pk, side, is_legal in decks.values_list("registration", "side", "version__is_legal"):
        states[pk][side] = DECK_LEGAL if is_legal else DECK_ILLEGAL
    return states


def _next_round(tournament: Tournament, actor: Actor) -> int:
    """Return the number of the next round; drafts hidden from the actor do not count."""
    rounds = tournament.rounds
    if visibility.can_see_drafts(actor, tournament):
        return rounds.count() + 1
    return rounds.published().count() + 1


def _day_two_players(tournament: Tournament) -> Collection[int] | None:
    """Return the keys of the players to check in for day 2; None while its check-in is closed."""
    if not tournament.day_two_check_in_is_open():
        return None
    return set(tournament.day_two_players().values_list("pk", flat=True))


@dataclass(frozen=True)
class _RowBuilder:
    names: Mapping[int, str]
    lookalikes: Mapping[int, int]
    decks: Mapping[int, Mapping[str, str]]
    sides: tuple[Side, ...]
    decks_required: bool
    shows_paid: bool
    is_too_late: bool
    next_round: int
    day_two: Collection[int] | None
    matches: Collection[int] | None
    state: str

    def row(self, entry: Registration) -> RosterRow:
        decks = self._decks(entry)
        state, tap = self._attendance(entry)
        takes_place = entry.state in TAKES_A_PLACE
        tags = {state}
        if takes_place:
            tags.update(set(decks.values()) - {DECK_LEGAL})
            if self.shows_paid and entry.paid_at is None:
                tags.add(UNPAID)
        lookalike = self.lookalikes.get(entry.number)
        is_found = self.matches is None or entry.number in self.matches
        return RosterRow(
            number=entry.number,
            name=entry.player.name,
            details=tuple(self._details(entry)),
            lookalike="" if lookalike is None else f"{lookalike} {self.names[lookalike]}",
            state=state,
            state_label=str(STATE_LABELS[RegistrationState(state)]),
            tap=tap,
            is_paid=entry.paid_at is not None if self.shows_paid else None,
            decks=decks,
            tags=frozenset(tags),
            is_shown=is_found and (not self.state or self.state in tags),
        )

    def _decks(self, entry: Registration) -> dict[Side, str]:
        submitted = self.decks.get(entry.pk, {})
        return {
            side: submitted.get(side, DECK_MISSING)
            for side in self.sides
            if side in submitted or self.decks_required
        }

    def _attendance(self, entry: Registration) -> tuple[str, str]:
        """Return the state to show, and the end of the address that toggles it."""
        here, registered = RegistrationState.CHECKED_IN, RegistrationState.REGISTERED
        if self.day_two is not None and entry.pk in self.day_two:
            return (registered, "check-in") if entry.day_two_at is None else (here, "not-here")
        if entry.state == registered and not (self.is_too_late and self.next_round > 1):
            return registered, "check-in"
        if entry.state == here and entry.joined_in_round >= self.next_round:
            return here, "not-here"
        return entry.state, ""

    def _details(self, entry: Registration) -> list[str]:
        details = [entry.player.pronouns] if entry.player.pronouns else []
        if entry.state == RegistrationState.DROPPED and entry.dropped_by in DROP_REASONS:
            details.append(str(DROP_REASONS[DroppedBy(entry.dropped_by)]))
        if entry.seed:
            details.append(_("Seed %(seed)s") % {"seed": entry.seed})
        if entry.avoid_group:
            details.append(_("Group %(group)s") % {"group": entry.avoid_group})
        if entry.fixed_table:
            details.append(_("Table %(table)s") % {"table": entry.fixed_table})
        if entry.first_round_bye:
            details.append(_("First-round bye"))
        if entry.joined_in_round > 1:
            details.append(_("From round %(number)s") % {"number": entry.joined_in_round})
        return details


def _filters(
    tournament: Tournament, builder: _RowBuilder, total: int, counts: Mapping[str, int]
) -> tuple[RosterFilter, ...]:
    """Return the filters that apply to this event, or have players, or are chosen."""
    applies = {
        "": True,
        RegistrationState.REGISTERED: True,
        UNPAID: builder.shows_paid,
        DECK_MISSING: builder.decks_required,
        RegistrationState.WAITING: tournament.has_waiting_list,
    }
    always_hidden = RegistrationState.CHECKED_IN
    return tuple(
        RosterFilter(value, str(label), counts.get(value, 0) if value else total, is_chosen)
        for value, label in FILTER_LABELS.items()
        if (is_chosen := value == builder.state)
        or applies.get(value, counts.get(value, 0) > 0 and value != always_hidden)
    )


def known_names(tournament: Tournament, actor: Actor) -> Iterator[str]:
    """Yield the names of players at other events that the reader may see.

    Players who hide their history or their name across events are not named.
    """
    events = Tournament.objects.filter(practice_of=None).exclude(pk=tournament.pk)
    readable = visibility.events_of_reader(actor).values("pk")
    events = events.filter(Q(visibility=Visibility.PUBLIC) | Q(pk__in=readable))
    places = Registration.objects.filter(tournament__in=events.values("pk")).exclude(NEVER_CAME)
    players = Player.objects.filter(
        pk__in=places.order_by().values("player"),
        shown_name="",
        hides_history=False,
        erased_at=None,
        merged_into=None,
    )
    return players.values_list("name", flat=True).order_by("pk").iterator()


# Arrivals, missing players and the waiting list


@dataclass(frozen=True)
class OpponentAtTable:
    name: str
    number: int
    is_missed: bool


@dataclass(frozen=True)
class PlayerAttendance:
    # Set on the waiting list, which is over once round 1 is public.
    waiting_place: int | None = None
    list_is_over: bool = False
    can_return: bool = False
    # Set while opponents can be reported missing there.
    table: int | None = None
    i_am_missed: bool = False
    opponents: tuple[OpponentAtTable, ...] = ()
    decided_after: int | None = None


def attendance_of_player(
    registration: Registration, round_: Round | None, line: RoundLine | None
) -> PlayerAttendance:
    """Load the attendance for the player's own page; `line` is their table in the round.

    At most one query, unless the player is on the waiting list or has dropped.
    """
    if registration.state == RegistrationState.WAITING:
        return PlayerAttendance(
            waiting_place=registration.waiting_position(),
            list_is_over=not registration.tournament.waiting_list_moves(),
        )
    can_return = registration.can_return()
    is_open = line is not None and line.match is not None and line.match.state == MatchState.OPEN
    if round_ is None or line is None or not (is_open and round_.is_played):
        return PlayerAttendance(can_return=can_return)
    absences = line.pairing.absences.filter(applied_at=None).order_by()
    missed = set(absences.values_list("registration__number", flat=True))
    return PlayerAttendance(
        can_return=can_return,
        table=line.table.table,
        i_am_missed=registration.number in missed,
        opponents=tuple(
            OpponentAtTable(seat.name, seat.number, seat.number in missed)
            for seat in sorted(line.opponents, key=lambda seat: seat.number)
        ),
        decided_after=registration.tournament.no_show_minutes,
    )


def players_at_table(pairing: Pairing) -> QuerySet[Registration]:
    assert pairing.match_id is not None
    entries = pairing.round.stage.tournament.registrations.select_related("player")
    seats = Seat.objects.filter(match=pairing.match_id)
    return entries.filter(player__in=seats.values("player")).order_by("number")


@dataclass(frozen=True)
class TableWithMissing:
    table: int
    missed: tuple[Registration, ...]


@dataclass(frozen=True)
class DeskAttendance:
    # Players who can still enter late, but are not checked in.
    not_checked_in: tuple[Registration, ...] = ()
    left_behind: tuple[Registration, ...] = ()
    missed: tuple[TableWithMissing, ...] = ()
    waiting: tuple[Registration, ...] = ()
    list_is_over: bool = False

    def __bool__(self) -> bool:
        return bool(self.not_checked_in or self.left_behind or self.missed or self.waiting)


def desk_attendance(
    tournament: Tournament,
    round_: Round | None,
    states: Mapping[str, int],
    *,
    has_begun: bool = False,
) -> DeskAttendance:
    # `states` counts players by state, so that empty lists cost no query.
    if tournament.is_finished:
        return DeskAttendance()
    dropped, waiting = states[RegistrationState.DROPPED], states[RegistrationState.WAITING]
    missing = list(round_.open_absences()) if round_ else []
    not_checked_in: tuple[Registration, ...] = ()
    if has_begun and states[RegistrationState.REGISTERED] and not tournament.is_too_late_to_join():
        registered = tournament.registrations.filter(state=RegistrationState.REGISTERED)
        not_checked_in = tuple(registered.select_related("player").order_by("player__sort_key"))
    return DeskAttendance(
        not_checked_in=not_checked_in,
        left_behind=_dropped_since_publishing(tournament) if dropped else (),
        missed=tuple(
            TableWithMissing(table, tuple(absence.registration for absence in absences))
            for table, absences in groupby(
                missing, lambda absence: absence.pairing.table_number or 0
            )
        ),
        waiting=tuple(tournament.registrations.waiting_list()) if waiting else (),
        list_is_over=bool(waiting) and not tournament.waiting_list_moves(),
    )


def _dropped_since_publishing(tournament: Tournament) -> tuple[Registration, ...]:
    """Return the players dropped for absence since the latest published round was published."""
    gone = tournament.registrations.dropped_for_absence()
    latest = tournament.rounds.published().last()
    if latest is not None and latest.published_at is not None:
        gone = gone.filter(dropped_at__gte=latest.published_at)
    return tuple(gone)


@dataclass(frozen=True)
class MeetingLine:
    name: str
    pronouns: str
    number: int
    table: int
    is_me: bool


def meeting_lines(tournament: Tournament, me: Player | None = None) -> list[MeetingLine]:
    return [
        MeetingLine(
            name=entry.player.name,
            pronouns=entry.player.pronouns,
            number=entry.number,
            table=entry.meeting_table,
            is_me=me is not None and entry.player_id == me.pk,
        )
        for entry in tournament.registrations.seated_for_meeting()
        if entry.meeting_table is not None
    ]


def meeting_tables(lines: list[MeetingLine]) -> list[tuple[int, list[MeetingLine]]]:
    ordered = sorted(lines, key=lambda line: line.table)
    return [(table, list(seats)) for table, seats in groupby(ordered, lambda line: line.table)]
