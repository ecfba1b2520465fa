"""English texts of reasons in the JSON documents, which stay the same from version to version.

Pages and the API have sentences of their own (`tournaments.rounds.reasons`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.pairing.costs import PROFILES
from engine.pairing.pods import POD_RULES
from engine.pairing.records import PairingReason
from engine.standings.records import PlayerId

_BYE_AGAIN = "{0} has bye number {number}: nobody to be paired has had fewer."
_MEETS_AGAIN = "{0} and {1} meet again, meeting number {number}{details}."
_WITHIN_RULES = ", unless a rule that weighs more is broken"
_NO_BETTER_SEATS = "no way to seat the round costs less in {pod_rule}"
_NO_BETTER_SWAP = "no exchange of two players costs less in {pod_rule}"
_SWAP_OPPONENTS = (
    "{{1}} has the nearest score to {{0}}'s among those whom no rule bars{}. {} exchange of "
    "opponents with one table for that{{details}}."
)
_SWAP_BYE_HOLDER = (
    "{{0}} has the lowest score among those with the fewest byes{}. {} exchange with one table for "
    "that bye{{details}}."
)
_SCORE_GROUP = "pairing all who have {points} among themselves would break another rule or "
_COSTS_MORE, _COSTS_MORE_LATER = (
    "cost more at other tables",
    "cost more at other tables or in the rounds left",
)
_SWAP_BYE_AGAIN = ", would give {harmed} bye number {number}"
_CORP_RANDOM = "{0} is Corp in game 1 against {1}: by lot, both {corp_times} so far."
_OF_MANY = " (one of {players})", "The cheapest"
_OF_COMPARED = " (one of {players}, of whom {compared} were compared)", "The cheapest"

# {0} and {1} are players. {details} are the texts of the further codes, one after the other.
TEXTS: Mapping[str, str] = {
    # Locks and byes
    "locked_table": "{0} and {1} keep their table.",
    "locked_pod": "{all_names} keep their table.",
    "locked_bye": "{0} keeps the bye.",
    "first_round_bye": "{0} was given a bye for round 1.",
    "bye_lowest": "{0} has the bye: {points} is the lowest score among the players {fewest_byes}.",
    "bye_random": (
        "{0} has the bye: one of {players} players with the lowest score ({points}) among those "
        "{fewest_byes}, by lot where the other tables leave a choice."
    ),
    "bye_above_lowest": (
        "{0} has the bye: {points}, although the lowest score {fewest_byes} is {lowest}: that bye "
        "would break another rule or {details}."
    ),
    "second_bye": _BYE_AGAIN,
    "repeated_bye": _BYE_AGAIN,
    "left_alone": "{0} has a bye: everybody else has a bye or keeps a locked table.",
    "odd_field_bye": "{0} has the bye: among an odd number of players everybody sits out once.",
    "opponent_gone": "{0} has a bye: {1} would be the opponent, but no longer plays.",
    # Scores
    "random": "{names} are drawn at random for the first round.",
    "fold": "{0} and {1}: seed {seed} meets seed {opponent_seed}, as the fold has it.",
    "same_score": "{0} and {1} both have {points}.",
    "floated_down": "{0} plays down against {1}, {points} against {opponent_points}: {details}.",
    "floated_up": "{0} plays up against {1}: {details}.",
    "alone_on_score": "nobody else has {points}",
    "all_met_on_score": "all others with {points} are past opponents",
    "all_met_twice_on_score": "all others with {points} were met twice before",
    "odd_number_on_score": "{players} players have {points}, an odd number",
    "score_group_costs_more": f"{_SCORE_GROUP}{_COSTS_MORE}",
    "score_group_costs_more_later": f"{_SCORE_GROUP}{_COSTS_MORE_LATER}",
    "costs_more": _COSTS_MORE,
    "costs_more_later": _COSTS_MORE_LATER,
    # Closer scores
    "no_closer_score": "No score in this round is nearer to {0}'s than {1}'s.",
    "closer_same_group": "{0} and {1} have closer scores, but are in one group.",
    "closer_same_side": "{0} and {1} have closer scores, but are owed the same side.",
    "closer_sides_reversed": (
        "{0} and {1} have closer scores, but would have to swap the roles of their last meeting, "
        "which makes a side imbalance worse."
    ),
    "closer_met": "{0} and {1} have closer scores, but met {meetings}before{details}.",
    "closer_met_in_rounds": "{0} and {1} have closer scores, but met in {rounds}{details}.",
    "event_avoids_second_meetings": ", and this event avoids second meetings",
    "closer_barred_too": (
        "For {0}, one other player with a closer score is barred in the same ways."
    ),
    "more_closer_barred_too": (
        "For {0}, {players} other players with closer scores are barred in the same ways."
    ),
    # Exchanges
    "swap_opponents": _SWAP_OPPONENTS.format("", "An"),
    "swap_opponents_of_many": _SWAP_OPPONENTS.format(*_OF_MANY),
    "swap_opponents_of_compared": _SWAP_OPPONENTS.format(*_OF_COMPARED),
    "swap_bye_holder": _SWAP_BYE_HOLDER.format("", "An"),
    "swap_bye_holder_of_many": _SWAP_BYE_HOLDER.format(*_OF_MANY),
    "swap_bye_holder_of_compared": _SWAP_BYE_HOLDER.format(*_OF_COMPARED),
    "swap_tables": ", {0} with {1} and {2} with {3}",
    "swap_bye": ", {0} with {1} and the bye for {2}",
    "swap_gives_bye": ", the bye for {0} and {1} with {2}",
    "swap_second_bye": _SWAP_BYE_AGAIN,
    "swap_repeated_bye": _SWAP_BYE_AGAIN,
    "swap_same_group": ", would put {harmed}, who are in one group, at a table",
    "swap_side_imbalance": ", would make a side imbalance of {harmed} worse, to two or more",
    "swap_same_sides": ", would make {harmed} meet again in roles that were played before",
    "swap_rematch": ", would make {harmed} meet again",
    "swap_repeated_match": ", would make {harmed} meet again, meeting number {number}",
    "swap_raises_point_gap": ", would raise the sum of squared point gaps by {more}",
    "swap_raises_closeness": ", would raise the price of gaps, second meetings and sides by {more}",
    "swap_spoils_rounds": (
        ", would {gain}, but then the {kept_rounds} could not all be paired without {avoided}"
    ),
    "swap_may_spoil_rounds": (
        ", would {gain}, but then the {kept_rounds} are not known to be possible without {avoided}"
    ),
    "swap_costs_the_same": ", would cost the same",
    "swap_costs_the_same_random": ", would cost the same, so the lot has chosen",
    # Broken rules
    "rematch": _MEETS_AGAIN,
    "repeated_match": _MEETS_AGAIN,
    "met_outside_schedule": "{0} and {1} meet again: they have met outside the fixed table.",
    "same_group": '{0} and {1} are both in the group "{group}"{details}.',
    "sides_reversed": (
        "{0} and {1} swap the roles of their last meeting, which makes a side imbalance "
        "worse{details}."
    ),
    "owed_same_side": (
        "{0} and {1} are owed the same side, and one of them or both go on without it{details}."
    ),
    "no_better_round": f": no way to pair the round has fewer {{rule}}{_WITHIN_RULES}",
    # Later rounds
    "rounds_kept_somehow": (
        "The {kept_rounds} {stay} free of {avoided}. A cheaper way to pair this round that keeps "
        "{them} so may exist: not all were looked at."
    ),
    "rounds_lost": (
        "However this round is paired, the {rounds_left} left cannot be paired without {avoided}. "
        "This round is paired at the least cost."
    ),
    "rounds_unknown": (
        "Whether the {rounds_left} left can be paired without {avoided} is not known: no way was "
        "found within the steps allowed. This round is paired at the least cost."
    ),
    "all_rounds_kept": "{details}The {rounds_left} left {stay} free of {avoided}.",
    "most_rounds_kept": (
        "{details}{at_most} of the {rounds_left} left can be paired without {avoided}. This round "
        "is paired so that the next {one_or_kept} can."
    ),
    "some_rounds_kept": (
        "{details}The next {kept} of the {rounds_left} left can be paired without {avoided}. "
        "Whether more can is not known."
    ),
    "rematches_needed": "No way was found to pair another round without rematches. ",
    "keeps_rounds": (
        "{meet} in a round that keeps the {kept_rounds} free of {avoided}; the round chosen "
        "without that would not."
    ),
    "may_keep_rounds": (
        "{meet} in a round that keeps the {kept_rounds} free of {avoided}; the round chosen "
        "without that is not known to."
    ),
    # Sides
    "corp_reversed": (
        "{0} is Corp in game 1 against {1}: the roles of their last meeting are reversed."
    ),
    "corp_owed": (
        "{0} is Corp in game 1 against {1}: {corp_times} so far, the opponent {runner_times}."
    ),
    "corp_random": _CORP_RANDOM,
    "corp_random_never": _CORP_RANDOM,
    "single_corp_reversed": (
        "{0} is Corp against {1}: the roles of their last meeting are reversed.{details}"
    ),
    "single_corp_owed": "{0} is Corp against {1}: {0} is owed it more.{details}",
    "single_corp_random": (
        "{0} is Corp against {1}: by lot, both are as far from even sides.{details}"
    ),
    "side_balances": (
        " Corp minus Runner games: {0} {corp_balance} before and {corp_after} after, {1} "
        "{runner_balance} before and {runner_after} after."
    ),
    "cut_corp_count": (
        "{0} is Corp in game 1: fewer games as Corp than as Runner in this cut, compared with the "
        "opponent."
    ),
    "cut_corp_random": "{0} is Corp in game 1: by lot, both are level in this cut.",
    "cut_corp_reversed": "{0} is Corp in game 1: the roles of the final are swapped.",
    # Round robin
    "fixed_table": "{0} and {1} meet in round {round} of the fixed table; {0} begins as Corp.",
    # Pods
    "pod_same_score": "{names} all have {points}.",
    "pod_scores": "{names} have {scores} points: as close as the rest of the round allows.",
    "short_pod": (
        "{names} sit {size} at a table while others sit {largest}; shorter tables they had before: "
        "{before}."
    ),
    "short_pod_again": "{0} sits at a shorter table again ({times} times now): {details}.",
    "table_mates_again": "{0} and {1} share a table again ({times} times now): {details}.",
    "pod_same_group": "{0} and {1} are of one group: {details}.",
    "no_swap_for_short_pod": "nobody who could swap has had fewer",
    "no_better_seats": _NO_BETTER_SEATS,
    "no_better_seats_within_rules": f"{_NO_BETTER_SEATS}{_WITHIN_RULES}",
    "no_better_swap": _NO_BETTER_SWAP,
    "no_better_swap_within_rules": f"{_NO_BETTER_SWAP}{_WITHIN_RULES}",
    "pod_seats": (
        "{0} sits first ({first_times} so far) and {1} last ({last_times} so far); the lot decides "
        "among equals."
    ),
}


_RULES = {rule.id: rule.name for profile in PROFILES.values() for rule in profile.rules}
_POD_RULES = {rule.id: rule.name for rule in POD_RULES}
_AIMS = {
    "point_gap": "the sum of squared point gaps",
    "closeness": "the price of gaps, second meetings and sides",
}


def document_sentence(reason: PairingReason, names: Mapping[PlayerId, str] | None = None) -> str:
    """Fill in the names; without a name use "player 7"."""
    names = names or {}
    shown = (names.get(player, f"player {player}") for player in reason.players)
    return document_text(reason).format(*shown)


def document_text(reason: PairingReason) -> str:
    """Return the text with placeholders {0}, {1} for the players."""
    players = [f"{{{place}}}" for place in range(len(reason.players))]
    values = {key: _WORDS.get(key, str)(value) for key, value in reason.params.items()}
    values |= {
        "names": _listed(players),
        "all_names": ", ".join(players),
        "meet": "{0} and {1} meet" if len(players) == 2 else "{0} has the bye",
        "rule": _RULES.get(reason.kind, ""),
        "pod_rule": _POD_RULES.get(reason.kind, ""),
        **_derived_words(reason.params),
    }

    def text(code: str) -> str:
        avoided = "third meetings" if code.endswith("_third") else "rematches"
        return TEXTS[code.removesuffix("_third")].format(*players, **values, avoided=avoided)

    values["details"] = "".join(map(text, reason.params.get("details", ())))
    return text(reason.code)


def _derived_words(params: Mapping[str, Any]) -> Mapping[str, str]:
    words: dict[str, str] = {}
    if "left" in params:
        kept, left = params["kept"], params["left"]
        is_single = kept == 1
        next_rounds = "next round" if is_single else f"next {kept} rounds"
        words |= {
            "kept_rounds": f"{_rounds(left)} left" if kept == left else next_rounds,
            "rounds_left": _rounds(left),
            "at_most": "Only one" if is_single else f"At most {kept}",
            "one_or_kept": "one" if is_single else str(kept),
            "stay": "stays" if is_single else "stay",
            "them": "it" if is_single else "them",
        }
    if (level := params.get("level")) in _AIMS:
        words["gain"] = f"lower {_AIMS[level]} by {params['less']}"
    elif level is not None:
        words["gain"] = f"have {params['less']} fewer {_RULES[level]}"
    if "corp_balance" in params:
        words["corp_after"] = _signed(params["corp_balance"] + 1)
        words["runner_after"] = _signed(params["runner_balance"] - 1)
    return words


def _points(points: int | str) -> str:
    return f"{points} point" + ("" if str(points) in ("1", "-1") else "s")


def _how_often(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _rounds(rounds: int) -> str:
    return "one round" if rounds == 1 else f"{rounds} rounds"


def _signed(count: int) -> str:
    return f"{count:+}" if count else "0"


def _listed(things: Sequence[object]) -> str:
    *rest, last = map(str, things or [""])
    return f"{', '.join(rest)} and {last}" if rest else last


_WORDS: Mapping[str, Callable[[Any], str]] = {
    "points": _points,
    "opponent_points": _points,
    "fewest_byes": lambda byes: f"with the fewest byes ({byes})" if byes else "without a bye",
    "meetings": lambda meetings: "" if meetings == 1 else f"{meetings} times ",
    "rounds": lambda rounds: (
        f"{'round' if len(rounds) == 1 else 'rounds'} {' and '.join(map(str, rounds))}"
    ),
    "harmed": lambda places: " and ".join(f"{{{place}}}" for place in places),
    # Braces in the name are no placeholders.
    "group": lambda group: group.replace("{", "{{").replace("}", "}}"),
    "corp_balance": _signed,
    "runner_balance": _signed,
    "corp_times": _how_often,
    "runner_times": _how_often,
    "scores": _listed,
    "before": _listed,
    "first_times": _how_often,
    "last_times": _how_often,
}
