"""Effects of a penalty on a result and its player, in words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.utils.html import format_html, format_html_join

from matches import records
from matches.scoring import (
    GameEnd,
    GameResult,
    MatchResult,
    Points,
    Role,
    ScoringRule,
    scoring_rule,
)
from rulings.guide import Infraction, PenaltyKind
from tournaments.event import queries as event_queries
from tournaments.models import Pairing, Penalty, Registration, RoundState, Tournament

TIMES = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(frozen=True)
class Expectation:
    """The guide's penalty for a player with `earlier` penalties for it at this event."""

    infraction: Infraction
    earlier: int
    kind: PenaltyKind

    @property
    def time(self) -> int:
        """Ordinal of this offence, counted from 1."""
        return self.earlier + 1

    @property
    def words(self) -> str:
        """A sentence, such as "Second time at this event: warning." after a single penalty."""
        word = TIMES[self.earlier] if self.time <= len(TIMES) else f"{self.time}th"
        return f"{word.capitalize()} time at this event: {self.kind.label.lower()}."


@dataclass(frozen=True)
class Effect:
    """The effect of a penalty in sentences; `mark` identifies them."""

    sentences: tuple[str, ...]

    @property
    def mark(self) -> str:
        """Hash of the sentences, to detect that the effect changed since it was shown."""
        return sha256("\n".join(self.sentences).encode()).hexdigest()[:16]


def tables_of(place: Registration) -> dict[str, Pairing]:
    """Tables of the player in published rounds, newest first, by primary key as text."""
    tables = Pairing.objects.filter(
        round__stage__tournament=place.tournament_id, match__seats__player=place.player_id
    ).exclude(round__state=RoundState.DRAFT)
    found = tables.select_related("match", "round__stage").prefetch_related(event_queries.SEATS)
    ordered = found.order_by("-round__stage__number", "-round__number")
    return {str(pairing.pk): pairing for pairing in ordered}


def games_of(tournament: Tournament, pairing: Pairing | None) -> int:
    """Games per match at the table, or in the current stage without a table."""
    return _rule(tournament, pairing).games_per_match


def effect(
    place: Registration, kind: PenaltyKind, pairing: Pairing | None, game: int | None
) -> Effect:
    """Describe the effect of giving the penalty."""
    name = place.player.name
    if not kind.costs_games:
        return Effect(
            (format_html("Recorded for <bdi>{}</bdi> at this event. No result changes.", name),)
        )
    loss = _loss(place, kind, pairing, game)
    if kind is PenaltyKind.DISQUALIFICATION:
        gone = format_html("<bdi>{}</bdi> is dropped and will not be paired again.", name)
        return Effect((*loss, gone))
    return Effect(loss)


def effect_of_withdrawal(penalty: Penalty, tables: Sequence[Pairing]) -> Effect:
    """Describe the effect of withdrawing the penalty; `tables` are those of the player."""
    kind = PenaltyKind(penalty.kind)
    name = penalty.registration.player.name
    if not kind.costs_games:
        said = "It no longer counts when <bdi>{}</bdi> is penalised again. No result changes."
        return Effect((format_html(said, name),))
    sentences: list[str] = []
    table = next((one for one in tables if one.pk == penalty.pairing_id), None)
    if table is not None:
        sentences.append(
            f"The result of table {table.table_number}, round {table.round.number}, is again "
            f"what was reported there. {_state(table)}"
        )
        sentences += [
            f"Game {number} was not reported: it stays as decided until you enter what was played."
            for number in _unreported_games(penalty, table)
        ]
    elif penalty.waits:
        sentences.append("It waits for the next round; that round is played as any other.")
    if kind is PenaltyKind.DISQUALIFICATION:
        sentences.append(format_html("<bdi>{}</bdi> can be paired again.", name))
    return Effect(tuple(sentences))


def _unreported_games(penalty: Penalty, table: Pairing) -> list[int]:
    """Games lost to the penalty for which the table's report has only a judge's decision."""
    report = records.confirmed_report(table.match) if table.match else None
    if report is None:
        return []
    decided = (GameEnd.JUDGE, GameEnd.DOUBLE_LOSS)
    games = records.from_document(report.result).games
    return [
        game.number for game in games if game.end in decided and penalty.game in (None, game.number)
    ]


def in_order(penalties: Iterable[Penalty]) -> list[Penalty]:
    """Sort penalties for the page: in force first, then newest first."""
    return sorted(penalties, key=lambda one: (not one.stands, -one.pk))


def _loss(
    place: Registration, kind: PenaltyKind, pairing: Pairing | None, game: int | None
) -> tuple[str, ...]:
    name = place.player.name
    if pairing is None or pairing.match is None:
        if kind is PenaltyKind.DISQUALIFICATION:
            return ()
        what = "the first game" if kind is PenaltyKind.GAME_LOSS else "the match"
        said = "It waits for the next round: <bdi>{}</bdi> loses {} there."
        return (format_html(said, name, what),)
    rule, others = pairing.match.rule, _opponents(place, pairing)
    table = f"table {pairing.table_number}"
    if not rule.has_roles:
        said = "<bdi>{}</bdi> keeps no victory points and comes last at {}."
        return (format_html(said, name, table), _state(pairing))
    points = points_of_a_win(rule)
    if kind is PenaltyKind.GAME_LOSS and rule.games_per_match > 1:
        goes = f"Game {game} of {table} goes"
    elif rule.games_per_match > 1:
        goes, points = f"Both games of {table} go", rule.games_per_match * points
    else:
        goes = f"The game of {table} goes"
    return (format_html("{} to {}: {} points.", goes, others, points), _state(pairing))


def points_of_a_win(rule: ScoringRule) -> Points:
    """Match points for winning a game by a judge's decision."""
    won = GameResult(1, 1, Role.CORP, GameEnd.JUDGE, 0, 0)
    return rule.match_points(MatchResult((won,)))[1]


def _opponents(place: Registration, pairing: Pairing) -> str:
    others = [seat for seat in pairing.seats if seat.player_id != place.player_id]
    return format_html_join(" and ", "<bdi>{}</bdi>", ((seat.player.name,) for seat in others))


def _state(pairing: Pairing) -> str:
    number = pairing.round.number
    if pairing.round.is_closed:
        return f"Round {number} is closed: its standings are computed again."
    return f"Round {number} is still open."


def _rule(tournament: Tournament, pairing: Pairing | None) -> ScoringRule:
    if pairing is not None and pairing.match is not None:
        return pairing.match.rule
    return scoring_rule(event_queries.current_stage(tournament).scoring_rule)
