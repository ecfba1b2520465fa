"""Pairings with their reasons, stages, and suggested numbers of rounds, for pages and chats."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import unescape
from typing import Any, NamedTuple

from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.languages import in_words
from core.text import sort_key
from decks import games
from engine.bracket.display import RoundCode
from engine.bracket.games import Bracket
from engine.pairing.costs import PROFILES, SINGLE_ONCE_PROFILE, SINGLE_PROFILE
from engine.pairing.pods import POD_RULES
from engine.pairing.reasons import STAFF_REASONS
from engine.round_plan import RoundSuggestion, draw_rate, suggest_rounds
from engine.systems import SYSTEMS, System, SystemKind
from engine.table_plan import parse_ranges
from matches import records as matches_records
from matches.models import SETTLED_STATES, GameSeat, Seat
from matches.scoring.results import FactionFacts, Points, Role, exact
from matches.scoring.rules import ScoringRule, scoring_rule
from players.models import Player
from tournaments.event.chat_text import PLAIN, TextStyle
from tournaments.event.pages import chat_messages
from tournaments.models import Pairing, Round, Stage, Tournament
from tournaments.rounds.reasons import reason_html, reason_text

# Names of the engine's rules and aims.
COST_NAMES = {
    "second_bye": gettext_lazy("second byes"),
    "third_meeting": gettext_lazy("third matches between the same players"),
    "same_roles": gettext_lazy("rematches with the same sides"),
    "rematch": gettext_lazy("rematches"),
    "second_meeting": gettext_lazy("rematches"),
    "avoid_group": gettext_lazy("tables within one group"),
    "side_imbalance": gettext_lazy("side imbalances that grow to two games or more"),
    "second_short_pod": gettext_lazy("repeated short tables"),
    "repeat": gettext_lazy("repeated table-mates"),
    "point_gap": gettext_lazy("squared point gap"),
    "closeness": gettext_lazy("points, rematches and sides"),
    "fold": gettext_lazy("distance from top half against bottom half"),
    "seat_order": gettext_lazy("seat order"),
}
# How the sides of a match in a cut are set (DESIGN.md 4.5), and what a bracket reset is.
CHOICE_OF_SIDES = gettext_lazy(
    "If neither player has played in the cut yet, the higher seed chooses a side."
)
CHOICE_AFTER_DRAFT = gettext_lazy(
    "Where no side is shown, the higher seed chooses one after you publish."
)
BALANCE_OF_STARTS = gettext_lazy(
    "Sides are balanced within the cut. For each player, the starts as Runner are subtracted from "
    "the starts as Corp: the player with the lower number is Corp first. A random draw decides if "
    "both are equal."
)
BALANCE_OF_GAMES = gettext_lazy(
    "Sides are balanced within the cut. For each player, the games as Runner are subtracted from "
    "the games as Corp: the player with the lower number is Corp. A random draw decides if both "
    "are equal."
)
SIDES_OF_RESET = gettext_lazy("The bracket reset swaps the sides of the final.")
RESET_IS_POSSIBLE = gettext_lazy(
    "If the player from the lower bracket wins the final, both have lost once. One more match, the "
    "bracket reset, then decides the event."
)
RESET_IS_PLAYED = gettext_lazy(
    "The player from the lower bracket won the final, so both have lost once. This last match "
    "decides the event."
)


def bracket_notes(bracket: Bracket, rule: ScoringRule) -> list[str]:
    """Explain the sides and the bracket reset of a cut that is still played."""
    notes = []
    if rule.has_roles:
        balance = BALANCE_OF_GAMES if rule.has_one_game else BALANCE_OF_STARTS
        notes += [CHOICE_OF_SIDES, balance]
    if bracket.reset is not None:
        notes.append(RESET_IS_POSSIBLE)
    return [str(note) for note in notes]


def cut_round_notes(round_: Round, pairings: Iterable[Pairing]) -> list[str]:
    """Explain the sides in an open round of a cut, and a bracket reset; empty outside a cut."""
    if round_.is_closed or not round_.is_in_cut or round_.stage.bracket is None:
        return []
    rule, notes = scoring_rule(round_.stage.scoring_rule), []
    is_reset = any(name.code is RoundCode.BRACKET_RESET for name in round_.bracket_rounds)
    if is_reset:
        notes.append(RESET_IS_PLAYED)
    if rule.has_roles and is_reset:
        notes.append(SIDES_OF_RESET)
    elif rule.has_roles:
        are_chosen = [pairing.chooser_number is not None for pairing in pairings]
        # Once published, each table names the player who chooses.
        if any(are_chosen) and round_.is_draft:
            notes.append(CHOICE_AFTER_DRAFT)
        if not all(are_chosen):
            notes.append(BALANCE_OF_GAMES if rule.has_one_game else BALANCE_OF_STARTS)
    return [str(note) for note in notes]


def plain_text(text: str) -> str:
    """Return a sentence of a page as plain text; strings that are not safe HTML are unchanged."""
    return unescape(strip_tags(text)) if isinstance(text, SafeString) else text


@dataclass(frozen=True)
class PlayerScore:
    name: str
    match_points: object


@dataclass(frozen=True)
class PairingExplanation:
    """Reasons of one table or bye as sentences, and the scores before the round."""

    system: str
    is_bye: bool
    made_by_hand: bool
    sentences: tuple[str, ...]
    scores: tuple[PlayerScore, ...]


def get_pairing_explanation(tournament: Tournament, pairing: Pairing) -> PairingExplanation:
    """Return the reasons of a pairing; a constant number of queries. For published rounds only."""
    reasons = _reasons_for_players(pairing)
    named = {int(number) for reason in reasons for number in reason["players"]}
    rows = tournament.registrations.filter(number__in=named)
    names: dict[int | str, str] = dict(rows.values_list("number", "player__name"))
    return PairingExplanation(
        system=pairing.round.stage.system,
        is_bye=pairing.match is None,
        made_by_hand=pairing.made_by_hand,
        sentences=tuple(reason_html(reason, names) for reason in reasons),
        scores=_scores_before(tournament, pairing),
    )


def public_reasons(pairing: Pairing, names: Mapping[int | str, str]) -> list[str]:
    """Return the public reasons as plain text; `names` are by player number."""
    return [reason_text(reason, names) for reason in _reasons_for_players(pairing)]


def _reasons_for_players(pairing: Pairing) -> list[dict[str, Any]]:
    return [reason for reason in pairing.reasons if reason["kind"] not in STAFF_REASONS]


def _scores_before(tournament: Tournament, pairing: Pairing) -> tuple[PlayerScore, ...]:
    """Return the match points in the standings before the round; empty in round 1 and in a cut."""
    round_ = pairing.round
    if round_.number == 1 or round_.is_in_cut:
        return ()
    before = tournament.snapshots.newest(round_.number - 1)
    if before is None:
        return ()
    rows = before.rows.filter(registration__player__in=pairing.players)
    rows = rows.select_related("registration__player")
    return tuple(PlayerScore(row.registration.player.name, row.match_points) for row in rows)


def total_cost(costs: Iterable[Mapping[str, int]]) -> dict[str, int]:
    summed: Counter[str] = Counter()
    for cost in costs:
        # Not `+`, which drops zeros and so loses the order of the levels.
        for id_, value in cost.items():
            summed[id_] += value
    return dict(summed)


def cost_in_words(cost: Mapping[str, int], point_unit: int = 1) -> tuple[str, ...]:
    """Return the nonzero parts of a cost as text, most important first.

    The engine counts `point_unit` units per point; the point gap is in squared units.
    """
    words = []
    for id_, value in cost.items():
        if value:
            name = COST_NAMES.get(id_, id_.replace("_", " "))
            figure = exact(Fraction(value, point_unit**2)) if id_ == "point_gap" else value
            shown = f"{figure:,}" if isinstance(figure, int) else str(figure)
            words.append(_("%(name)s %(figure)s") % {"name": name, "figure": shown})
    return tuple(words)


# Tables and byes of a round, in a constant number of queries.

# Additional prefetch for lists of pods.
FACTION_PREFETCH = "match__seats__games"
# Roles in game 1, in the order of the seats.
ROLES_BY_SEAT = Role.CORP, Role.RUNNER
SEAT_COLUMNS = ("pk", "player_id", "player__name", "player__pronouns", "points")
TABLE_COLUMNS = ("match_id", "table_number", "match__state", "match__scoring_rule")
BYE_COLUMNS = (
    *("bye__player_id", "bye__player__name", "bye__player__pronouns", "bye__number"),
    "bye_points",
)


class SeatLine(NamedTuple):
    name: str
    pronouns: str
    number: int
    # In game 1; None in a pod, and in a cut for a player who still `chooses`.
    role: Role | None
    # None until settled.
    points: Points | None
    has_won: bool
    is_me: bool
    # In a pod, once known.
    faction: str = ""
    # Points before the round, for lists that show them.
    so_far: Points | None = None
    chooses: bool = False


class TableLine(NamedTuple):
    """A table of two to five players, the Corp of game 1 first; a bye has one seat and no table."""

    table: int | None
    seats: tuple[SeatLine, ...]
    is_settled: bool
    state: str
    bye_points: int | None = None
    # In the list of a round: a feature table, or a fixed table of a player.
    mark: str = ""
    # The seats have factions instead of roles.
    is_pod: bool = False
    # The bracket round of a cut, such as "Semifinal".
    round_title: str = ""

    @property
    def is_bye(self) -> bool:
        return self.table is None

    @property
    def is_mine(self) -> bool:
        return any(seat.is_me for seat in self.seats)

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(seat.number for seat in self.seats)

    @property
    def has_open_choice(self) -> bool:
        return any(seat.chooses for seat in self.seats)


class NameLine(NamedTuple):
    seat: SeatLine
    table: TableLine
    opponents: tuple[SeatLine, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        return self.table.numbers


class SeatRow(NamedTuple):
    """A seat, as selected by SEAT_COLUMNS."""

    seat: int
    player: int
    name: str
    pronouns: str
    points: Points | None


class ByeRow(NamedTuple):
    """A bye, as selected by BYE_COLUMNS."""

    player: int
    name: str
    pronouns: str
    number: int
    points: int | None


def table_lines(round_: Round, me: Player | None = None) -> list[TableLine]:
    """Return the tables of the round in order, byes last."""
    # Built from rows instead of model objects, because a round can have hundreds of tables.
    tables = list(round_.pairings.values_list(*TABLE_COLUMNS, *BYE_COLUMNS))
    seats = Seat.objects.filter(match__in=round_.pairings.values("match"))
    rows: defaultdict[int, list[SeatRow]] = defaultdict(list)
    for match, *row in seats.values_list("match_id", *SEAT_COLUMNS):
        rows[match].append(SeatRow(*row))
    factions: Mapping[int, str] = {}
    if not scoring_rule(round_.stage.scoring_rule).has_roles:
        played = GameSeat.objects.filter(seat__match__in=round_.pairings.values("match"))
        factions = _faction_names(dict(played.values_list("seat_id", "faction")))
    played_roles: Mapping[int, str] = {}
    if any(_has_stored_roles(state, rule) for _, _, state, rule, *_ in tables):
        played = GameSeat.objects.filter(seat__match__in=round_.pairings.values("match"))
        played_roles = dict(played.values_list("seat_id", "role"))
    cut_seatings = _cut_seatings(round_)
    # Query these after the seats, so that every seated player is included.
    places = round_.stage.tournament.registrations
    entries = list(places.values_list("player_id", "number", "fixed_table"))
    numbers = {player: number for player, number, _ in entries}
    fixed = {(player, table) for player, _, table in entries if table is not None}
    feature = frozenset(parse_ranges(round_.stage.tournament.feature_tables))
    lines = []
    for match, number, state, rule, *bye in tables:
        if match is None:
            lines.append(_bye_line(ByeRow(*bye), me))
            continue
        is_fixed = any((row.player, number) in fixed for row in rows[match])
        marks = (("feature", number in feature), ("fixed", is_fixed))
        lines.append(
            _table_line(
                number,
                state,
                rule,
                rows[match],
                numbers,
                me,
                factions,
                played_roles,
                mark=", ".join(mark for mark, applies in marks if applies),
                cut_seating=cut_seatings.get(match),
            )
        )
    return lines


def _has_stored_roles(state: str, rule: str) -> bool:
    # Before a game is played, and in matches of two games, the first seat is Corp in game 1.
    return state in SETTLED_STATES and scoring_rule(rule).has_one_game


class CutSeating(NamedTuple):
    """The bracket round of a table, and the number of the player who still has to choose a side."""

    round_title: str
    open_choice_of: int | None

    @classmethod
    def of(cls, pairing: Pairing) -> "CutSeating | None":
        """Build from a pairing with its stage; None outside a cut."""
        if pairing.bracket_game is None:
            return None
        chooser = pairing.chooser_number if pairing.has_open_choice else None
        return cls(pairing.round_title, chooser)


def _cut_seatings(round_: Round) -> dict[int | None, CutSeating | None]:
    if not round_.is_in_cut:
        return {}
    pairings = list(round_.pairings.order_by())
    for pairing in pairings:
        pairing.round = round_
    return {pairing.match_id: CutSeating.of(pairing) for pairing in pairings}


def with_points_so_far(lines: Iterable[TableLine], round_: Round) -> list[TableLine]:
    """Return the lines with each player's points before the round; without points in a cut."""
    tournament = round_.stage.tournament
    is_cut = round_.is_in_cut
    points = {} if is_cut else tournament.points_before(round_.number)
    return [
        line._replace(
            seats=tuple(seat._replace(so_far=points.get(seat.number)) for seat in line.seats)
        )
        for line in lines
    ]


def table_line(
    pairing: Pairing,
    numbers: Mapping[int, int],
    me: Player | None = None,
    factions: Mapping[str, FactionFacts] | None = None,
) -> TableLine:
    """Return the line of one pairing; `numbers` maps players to their numbers in the event.

    `factions` are queried if they are needed and not given.
    """
    if pairing.match is None:
        assert pairing.bye is not None
        player = pairing.bye.player
        names = player.pk, player.name, player.pronouns
        return _bye_line(ByeRow(*names, pairing.bye.number, pairing.bye_points), me)
    match = pairing.match
    seats = list(match.seats.all())
    chosen, played_roles = {}, {}
    if not match.rule.has_roles:
        chosen = {seat.pk: game.faction for seat in seats for game in seat.games.all()}
    elif _has_stored_roles(match.state, match.scoring_rule):
        played_roles = {seat.pk: game.role for seat in seats for game in seat.games.all()}
    return _table_line(
        pairing.table_number,
        match.state,
        match.scoring_rule,
        [
            SeatRow(seat.pk, seat.player_id, seat.player.name, seat.player.pronouns, seat.points)
            for seat in seats
        ],
        numbers,
        me,
        _faction_names(chosen, factions),
        played_roles,
        cut_seating=CutSeating.of(pairing),
    )


def _table_line(
    number: int | None,
    state: str,
    rule: str,
    seats: Sequence[SeatRow],
    numbers: Mapping[int, int],
    me: Player | None,
    factions: Mapping[int, str],
    played_roles: Mapping[int, str],
    *,
    mark: str = "",
    cut_seating: CutSeating | None = None,
) -> TableLine:
    """Build a line; `rule` is the id of a scoring rule; names and roles are by seat."""
    is_pod = not scoring_rule(rule).has_roles
    is_settled = state in SETTLED_STATES
    chooser = cut_seating.open_choice_of if cut_seating and not is_settled else None
    roles: Sequence[Role | None] = ROLES_BY_SEAT
    if is_pod or chooser is not None:
        roles = (None,) * len(seats)
    elif _has_stored_roles(state, rule):
        stored = (played_roles.get(row.seat) for row in seats)
        roles = [Role(role) if role else None for role in stored]
    # Without a winner if all points are equal.
    points = {row.points for row in seats if row.points is not None} if is_settled else set()
    best = max(points) if len(points) > 1 else None
    return TableLine(
        table=number,
        seats=tuple(
            SeatLine(
                name=row.name,
                pronouns=row.pronouns,
                number=numbers[row.player],
                role=role,
                points=row.points if is_settled else None,
                has_won=best is not None and row.points == best,
                is_me=me is not None and row.player == me.pk,
                faction=factions.get(row.seat, ""),
                chooses=chooser is not None and numbers[row.player] == chooser,
            )
            # A table that was re-paired between the queries has no seats.
            for row, role in zip(seats, roles, strict=False)
        ),
        is_settled=is_settled,
        state=state,
        mark=mark,
        is_pod=is_pod,
        round_title=cut_seating.round_title if cut_seating else "",
    )


def _faction_names(
    chosen: Mapping[int, str], factions: Mapping[str, FactionFacts] | None = None
) -> dict[int, str]:
    if not chosen:
        return {}
    known = matches_records.factions_by_id() if factions is None else factions
    return {seat: known[id_].name if id_ in known else id_ for seat, id_ in chosen.items()}


def _bye_line(row: ByeRow, me: Player | None) -> TableLine:
    is_me = me is not None and row.player == me.pk
    seat = SeatLine(row.name, row.pronouns, row.number, None, row.points, False, is_me)
    return TableLine(None, (seat,), True, "bye", row.points)


def name_lines(lines: Iterable[TableLine]) -> list[NameLine]:
    named = [
        NameLine(seat, line, tuple(opponent for opponent in line.seats if opponent is not seat))
        for line in lines
        for seat in line.seats
    ]
    return sorted(named, key=lambda line: (sort_key(line.seat.name), line.seat.number))


def pairings_texts(round_: Round, style: TextStyle = PLAIN) -> list[str]:
    """Return the tables of a published round as chat messages; empty for a draft."""
    if round_.is_draft:
        return []
    heading = style.bold(f"{round_.title}: {style.name(round_.stage.tournament.name)}")
    texts = []
    for line in table_lines(round_):
        if line.is_bye:
            texts.append(_("Bye: %(player)s") % {"player": style.name(line.seats[0].name)})
            continue
        seats = [_seat_text(seat, style) for seat in line.seats]
        if line.is_pod:
            names = {"table": line.table, "players": ", ".join(seats)}
            texts.append(_("Table %(table)s: %(players)s") % names)
        else:
            first, second = seats
            names = {"table": line.table, "first": first, "second": second}
            texts.append(_("Table %(table)s: %(first)s against %(second)s") % names)
    return chat_messages(heading, texts)


def _seat_text(seat: SeatLine, style: TextStyle) -> str:
    if seat.chooses:
        return _("%(player)s (chooses a side)") % {"player": style.name(seat.name)}
    role = f" ({_(seat.role.label)})" if seat.role else ""
    return style.name(seat.name) + role


# Stages and pairing systems.


@dataclass(frozen=True)
class StageLine:
    """A stage with its rounds; `profile` explains the aims of a Swiss stage, else it is empty."""

    stage: Stage
    scoring: str
    profile: str
    rounds: tuple[Round, ...]

    @property
    def has_begun(self) -> bool:
        return bool(self.rounds)


def stage_lines(tournament: Tournament) -> list[StageLine]:
    stages = tournament.stages.prefetch_related("rounds")
    return [
        StageLine(
            stage=stage,
            scoring=in_words(scoring_rule(stage.scoring_rule).name),
            profile=_profile_explanation(stage.system, tournament.avoid_second_meetings),
            rounds=tuple(stage.rounds.all()),
        )
        for stage in stages
    ]


AUTOMATIC_SECOND_MEETINGS = gettext_lazy(
    "Rematches are avoided if the planned rounds fit a round robin, unless the event "
    "settings differ."
)


def _profile_explanation(system: str, avoid_second_meetings: bool | None) -> str:
    if system not in PROFILES:
        return ""
    if system != SINGLE_PROFILE.id:
        return _(PROFILES[system].explanation)
    if avoid_second_meetings is None:
        return f"{_(SINGLE_PROFILE.explanation)} {AUTOMATIC_SECOND_MEETINGS}"
    profile = SINGLE_ONCE_PROFILE if avoid_second_meetings else SINGLE_PROFILE
    return _(profile.explanation)


@dataclass(frozen=True)
class SystemHelp:
    system: System
    # Most serious first.
    avoided: tuple[str, ...] = ()
    aim: str = ""


def system_helps() -> list[SystemHelp]:
    helps = []
    for system in SYSTEMS.values():
        avoided: tuple[str, ...] = ()
        aim = ""
        if system.id in PROFILES:
            is_single = system.id == SINGLE_PROFILE.id
            profile = SINGLE_ONCE_PROFILE if is_single else PROFILES[system.id]
            avoided = tuple(str(COST_NAMES[rule.id]) for rule in profile.rules)
            aim = _profile_explanation(system.id, avoid_second_meetings=None)
        elif system.kind is SystemKind.PODS:
            avoided = tuple(str(COST_NAMES[rule.id]) for rule in POD_RULES)
        helps.append(SystemHelp(system, avoided, aim))
    return helps


# Suggested numbers of rounds and cut sizes.

USUAL_FIELD_SIZES = (4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
SHORT_FIELD_SIZES = (8, 12, 16, 24, 32, 64)
# Smaller fields get no suggestion.
MIN_FIELD_SIZE = 4


@dataclass(frozen=True)
class SuggestionLine:
    """The suggestion for one number of players."""

    suggestion: RoundSuggestion
    # Each number of rounds with its chance as text.
    plans: tuple[tuple[int, str], ...]
    # The number of players of the event.
    is_own: bool = False

    @property
    def chance(self) -> str:
        return dict(self.plans)[self.suggestion.rounds]


@dataclass(frozen=True)
class SuggestionTable:
    lines: tuple[SuggestionLine, ...]
    percent: int

    @property
    def own(self) -> SuggestionLine | None:
        return next((line for line in self.lines if line.is_own), None)


def suggestion_table(
    draws: Fraction, own: int | None, fields: tuple[int, ...] = USUAL_FIELD_SIZES
) -> SuggestionTable:
    """Return a line for each number of players in `fields`, and one for `own` players."""
    lines = []
    for number in sorted({*fields, *([own] if own else [])}):
        suggestion = suggest_rounds(number, draws)
        plans = tuple((plan.rounds, format_percent(plan.chance)) for plan in suggestion.plans)
        lines.append(SuggestionLine(suggestion, plans, is_own=number == own))
    return SuggestionTable(tuple(lines), round(draws * 100))


def get_usual_draw_share() -> Fraction:
    """Return the assumed share of drawn matches for the first scoring rule of the default game."""
    return draw_rate(scoring_rule(games.DEFAULT.scoring_rules[0]).games_per_match)


def suggestions_for_event(tournament: Tournament) -> SuggestionTable | None:
    """Return suggestions for the registered players; None unless rounds are two-player Swiss."""
    rule = scoring_rule(tournament.scoring_rule)
    if not rule.has_roles or tournament.has_round_robin():
        return None
    players = tournament.registrations.not_waiting().count()
    own = players if players >= MIN_FIELD_SIZE else None
    return suggestion_table(draw_rate(rule.games_per_match), own, SHORT_FIELD_SIZES)


def format_percent(chance: Fraction | None) -> str:
    """Return whole percent; a chance that is not certain is never shown as 0 or 100."""
    if chance is None:
        return _("not computed")
    percent = round(chance * 100)
    if chance > 0 and percent == 0:
        return _("under %(percent)s") % {"percent": "1%"}
    if chance < 1 and percent == 100:
        return _("over %(percent)s") % {"percent": "99%"}
    return f"{percent}%"
