"""Why not somebody nearer? Whom a player might have expected instead, and what barred it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.pairing.costs import AVOID_GROUP, SIDE_IMBALANCE, Level, point_gap
from tournaments.pairing.exchanges import Exchange, cheapest, for_bye, for_opponent
from tournaments.pairing.matching import pair_parts
from tournaments.pairing.records import Entrant, Reason
from tournaments.pairing.roles import swap_roles
from tournaments.pairing.situations import Situation

MOST_NAMED = 3
MOST_COMPARED = 20
"""Of so many equals the exchanges are worked out."""


@dataclass(frozen=True)
class _Barred:
    """Somebody nearer, and the weightiest rule that a table with them would break."""

    entrant: Entrant
    rule: Level


def why_nobody_nearer(situation: Situation, player: Entrant) -> Iterator[Reason]:
    """Of the scores nearer than the opponent's: who is barred, and what the nearest would cost."""
    opponent = situation.opponents[player.id]
    assert opponent is not None
    barred: list[_Barred] = []
    free: list[Entrant] = []
    for _, group in groupby(
        _nearer(situation, player, opponent), lambda one: point_gap(player, one)
    ):
        for one in group:
            rule = _barring_rule(situation, player, opponent, one)
            if rule is None:
                free.append(one)
            else:
                barred.append(_Barred(one, rule))
        if free:
            break
    yield from _barred_reasons(player, barred)
    if free:
        exchange = cheapest([for_opponent(situation, player, one) for one in free[:MOST_COMPARED]])
        many = f" ({_of_several(free)})" if free[1:] else ""
        opening = (
            f"{{1}} has the nearest score to {{0}}'s among those whom no rule bars{many}. "
            f"{'The cheapest' if many else 'An'} exchange of opponents with one table for that"
        )
        yield _exchange_reason(situation, exchange, opening)
    elif not barred:
        text = "No score in this round is nearer to {0}'s than {1}'s."
        yield Reason("nobody_nearer", (player.id, opponent.id), text)


def why_not_the_lowest(situation: Situation, player: Entrant) -> Iterator[Reason]:
    """For a bye above the lowest score: what the bye for somebody of that score would cost."""
    fewest = min(one.byes for one in situation.field)
    eligible = [one for one in situation.field if one.byes == fewest]
    lowest = min(one.match_points for one in eligible)
    if player.byes == fewest and lowest < player.match_points:
        below = [one for one in eligible if one.match_points == lowest]
        exchange = cheapest([for_bye(situation, player, one) for one in below[:MOST_COMPARED]])
        many = f" ({_of_several(below)})" if below[1:] else ""
        opening = (
            f"{{0}} has the lowest score among those with the fewest byes{many}. "
            f"{'The cheapest' if many else 'An'} exchange with one table for that bye"
        )
        yield _exchange_reason(situation, exchange, opening)


def _nearer(situation: Situation, player: Entrant, opponent: Entrant) -> Iterator[Entrant]:
    """Everybody with a nearer score than the opponent's, the nearest first."""
    gap = point_gap(player, opponent)
    scores = sorted(situation.by_score, key=lambda score: abs(score - player.match_points))
    for score in scores:
        if abs(score - player.match_points) < gap:
            yield from (one for one in situation.by_score[score] if one is not player)


def _barring_rule(
    situation: Situation, player: Entrant, opponent: Entrant, wanted: Entrant
) -> Level | None:
    """The weightiest rule that this table breaks more than the one there is."""
    rules = situation.choice.rules
    would = pair_parts(rules, player, wanted)
    if not any(would) or would <= pair_parts(rules, player, opponent):
        return None
    return next(rule for rule, value in zip(rules, would, strict=True) if value)


def _barred_reasons(player: Entrant, barred: Sequence[_Barred]) -> Iterator[Reason]:
    for one in barred[:MOST_NAMED]:
        kind, fact = _fact(player, one)
        text = f"{{0}} and {{1}} have closer scores, but {fact}."
        yield Reason(kind, (player.id, one.entrant.id), text)
    more = len(barred) - MOST_NAMED
    if more > 0:
        others = (
            "one other player with a closer score is"
            if more == 1
            else (f"{more} other players with closer scores are")
        )
        yield Reason("nearer_more", (player.id,), f"For {{0}}, {others} barred in the same ways.")


def _fact(player: Entrant, barred: _Barred) -> tuple[str, str]:
    if barred.rule is AVOID_GROUP:
        return "nearer_group", "are in one group"
    if barred.rule is SIDE_IMBALANCE:
        if swap_roles(player, barred.entrant):
            swapped = "would have to swap the roles of their last meeting"
            return "nearer_sides", f"{swapped}, which makes a side imbalance worse"
        return "nearer_sides", "are owed the same side"
    met = [one.round_number for one in player.opponents if one.opponent == barred.entrant.id]
    known = [str(number) for number in met if number is not None]
    if len(known) < len(met) or not known:
        return "nearer_met", "met before" if len(met) == 1 else f"met {len(met)} times before"
    rounds = "round" if len(known) == 1 else "rounds"
    return "nearer_met", f"met in {rounds} {' and '.join(known)}"


def _exchange_reason(situation: Situation, exchange: Exchange, opening: str) -> Reason:
    kind = "exchange_group" if exchange.parts_a_group(situation) else "exchange"
    verdict = exchange.verdict(situation)
    return Reason(kind, exchange.players, f"{opening}, {exchange.tables_in_words()}, {verdict}.")


def _of_several(wanted: Sequence[Entrant]) -> str:
    if len(wanted) <= MOST_COMPARED:
        return f"one of {len(wanted)}"
    return f"one of {len(wanted)}, of whom {MOST_COMPARED} were compared"
