"""Reasons and costs of a pairing, as text."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from html import unescape
from typing import Any

from django.utils.html import escape, format_html, strip_tags
from django.utils.safestring import SafeString

from engine.pairing import FOR_STAFF, PROFILES, Reason
from engine.pairing.pods import RULES as POD_RULES
from matches.scoring import exact
from tournaments.event import queries
from tournaments.models import Pairing, Tournament

# Names of costs that are no rule of a profile.
COST_AIMS = {
    "point_gap": "squared point gap",
    "closeness": "points, second meeting and sides",
    "fold": "distance from the fold",
    "seat_order": "seat order",
}
COST_RULES = {rule.id: rule.name for rule in POD_RULES} | {
    rule.id: rule.name for profile in PROFILES.values() for rule in profile.rules
}


def sentence(reason: Reason, names: Mapping[int | str, str]) -> str:
    """Return safe HTML with the players' names; a player without a name is "player 7"."""
    shown = [
        format_html("<bdi>{}</bdi>", names.get(player, f"player {player}"))
        for player in reason.players
    ]
    # The text may contain user input (the name of a group), so escape it before formatting.
    return format_html(escape(reason.text), *shown)


def stored_sentences(
    reasons: Iterable[Mapping[str, Any]], names: Mapping[int | str, str]
) -> tuple[str, ...]:
    """Return sentences for stored reasons: {"kind", "players", "text"}."""
    return tuple(
        sentence(Reason(one["kind"], tuple(one["players"]), one["text"]), names) for one in reasons
    )


def plain(text: str) -> str:
    """Return a sentence of a page as plain text for the API.

    Strings that are not safe HTML are returned unchanged.
    """
    return unescape(strip_tags(text)) if isinstance(text, SafeString) else text


@dataclass(frozen=True)
class Score:
    """A player of the table with the match points before the round."""

    name: str
    match_points: object


@dataclass(frozen=True)
class Why:
    """Reasons of one table or bye as sentences, and the scores before the round."""

    system: str
    is_bye: bool
    made_by_hand: bool
    sentences: tuple[str, ...]
    scores: tuple[Score, ...]


def why(tournament: Tournament, pairing: Pairing) -> Why:
    """Return the reasons of a pairing; a constant number of queries. For published rounds only."""
    reasons = _public(pairing)
    named = {int(number) for reason in reasons for number in reason["players"]}
    rows = tournament.registrations.filter(number__in=named)
    names: dict[int | str, str] = dict(rows.values_list("number", "player__name"))
    return Why(
        system=pairing.round.stage.system,
        is_bye=pairing.match is None,
        made_by_hand=pairing.made_by_hand,
        sentences=stored_sentences(reasons, names),
        scores=()
        if pairing.round.stage.way.is_elimination
        else _scores(tournament, pairing.round.number, pairing.players),
    )


def public_reasons(pairing: Pairing, names: Mapping[int | str, str]) -> list[str]:
    """Return the public reasons as plain text; `names` are by player number."""
    return [
        Reason(one["kind"], tuple(one["players"]), one["text"]).sentence(names)
        for one in _public(pairing)
    ]


def _public(pairing: Pairing) -> list[dict[str, Any]]:
    return [reason for reason in pairing.reasons if reason["kind"] not in FOR_STAFF]


def _scores(tournament: Tournament, number: int, players: Iterable[int]) -> tuple[Score, ...]:
    """Return the match points in the standings before the round; empty in round 1."""
    before = queries.newest_snapshot(tournament, number - 1) if number > 1 else None
    if before is None:
        return ()
    rows = before.rows.filter(registration__player__in=players).select_related(
        "registration__player"
    )
    return tuple(Score(row.registration.player.name, row.match_points) for row in rows)


def cost_in_words(cost: Mapping[str, int], point_unit: int = 1) -> tuple[str, ...]:
    """Return the nonzero parts of a cost as text, most important first.

    The engine counts `point_unit` units per point; the point gap is in squared units.
    """
    return tuple(
        f"{_cost_name(id_)} {_figure(id_, value, point_unit)}"
        for id_, value in cost.items()
        if value
    )


def _figure(id_: str, value: int, point_unit: int) -> str:
    shown = exact(Fraction(value, point_unit**2)) if id_ == "point_gap" else value
    return f"{shown:,}" if isinstance(shown, int) else str(shown)


def total_cost(costs: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return the sum of the costs by level, in the order of first appearance."""
    summed: Counter[str] = Counter()
    for cost in costs:
        # Not `+`, which drops zeros and so loses the order of the levels.
        for id_, value in cost.items():
            summed[id_] += value
    return dict(summed)


def _cost_name(id_: str) -> str:
    return COST_AIMS.get(id_) or COST_RULES.get(id_) or id_.replace("_", " ")
