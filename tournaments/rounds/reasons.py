"""Sentences for the stored reasons and warnings of pairings.

A row stores the code and params of a reason. Rows of earlier releases, and imported ones, have the
English text of the documents instead.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from django.utils.html import conditional_escape, escape, format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy, override

from core.numbers import mixed_number
from engine.bracket.games import bracket_for
from engine.pairing.reason_texts import document_text
from engine.pairing.records import PairingReason
from tournaments.models.rounds import match_names, match_source

# {"kind", "players", "code", "params"}, or {"kind", "players", "text"}.
StoredReason: TypeAlias = Mapping[str, Any]
Names: TypeAlias = Mapping[int | str, str]

# The reasons that the engine does not make.
OWN_SENTENCES: Mapping[str, Any] = {
    "bracket": gettext_lazy("%(match)s: %(first)s against %(second)s."),
    "chooses_side": gettext_lazy(
        "%(player1)s is the higher seed and chooses who is Corp in game 1."
    ),
    "chose_corp": gettext_lazy("%(player1)s is the higher seed and chose to be Corp in game 1."),
    "chose_runner": gettext_lazy(
        "%(player1)s is the higher seed and chose to be Runner in game 1."
    ),
    "player_left": gettext_lazy("%(player1)s has left the event. Enter a concession or a no-show."),
    "fixed_table_taken": gettext_lazy(
        "%(player1)s has table %(table)s as a fixed table, but another player needs it too."
    ),
    "missed_round": ngettext_lazy(
        "Late entry: this missed round gives %(points)s point.",
        "Late entry: this missed round gives %(points)s points.",
        "points",
    ),
    "alone": gettext_lazy("%(player1)s sits alone at table %(table)s."),
}

_CLOSER_BARRED_TOO = ngettext_lazy(
    "The same reasons rule out %(players)s more player with a closer score.",
    "The same reasons rule out %(players)s more players with a closer score.",
    "players",
)

# Names are %(player1)s to %(player4)s; the players harmed by a swap are %(harmed1)s and
# %(harmed2)s. A reason shows the sentences of its code and of its "details".
SENTENCES: Mapping[str, Any] = {
    **OWN_SENTENCES,
    # Locks and byes.
    "locked_table": gettext_lazy("This table was locked, so it was kept."),
    "locked_pod": gettext_lazy("This table was locked, so it was kept."),
    "locked_bye": gettext_lazy("The bye of %(player1)s was locked, so it was kept."),
    "first_round_bye": gettext_lazy("%(player1)s was given a bye for round 1."),
    "bye_lowest": gettext_lazy(
        "%(player1)s has the bye, with the lowest score (%(points)s) of the players with the "
        "fewest byes."
    ),
    "bye_random": ngettext_lazy(
        "%(player1)s has the bye, because the number of players to pair is odd. %(players)s player "
        "has the lowest score and the fewest byes.",
        "%(player1)s has the bye, because the number of players to pair is odd. %(players)s "
        "players share the lowest score and the fewest byes; the other tables and a random draw "
        "decided between them.",
        "players",
    ),
    "bye_above_lowest": gettext_lazy(
        "%(player1)s has the bye with a score of %(points)s, although the lowest score of the "
        "players with the fewest byes is %(lowest)s."
    ),
    "costs_more": gettext_lazy(
        "Giving the bye to a player with that score would break another rule or make the other "
        "tables worse."
    ),
    "costs_more_later": gettext_lazy(
        "Giving the bye to a player with that score would break another rule or make the other "
        "tables or later rounds worse."
    ),
    "second_bye": gettext_lazy(
        "This is %(player1)s's second bye; all other players have had at least as many."
    ),
    "repeated_bye": gettext_lazy(
        "This is bye number %(number)s for %(player1)s; all other players have had at least as "
        "many."
    ),
    "left_alone": gettext_lazy(
        "%(player1)s has a bye: all other players have a bye or keep a locked table."
    ),
    "odd_field_bye": gettext_lazy(
        "%(player1)s has the bye: with an odd number of players, each player sits out once."
    ),
    "opponent_gone": gettext_lazy(
        "%(player1)s has a bye: the scheduled opponent, %(player2)s, has dropped."
    ),
    # Scores.
    "random": gettext_lazy("Random draw for the first round."),
    "fold": gettext_lazy(
        "Top half against bottom half: seed %(seed)s plays seed %(opponent_seed)s."
    ),
    "same_score": ngettext_lazy(
        "Equal scores: %(points)s point each.", "Equal scores: %(points)s points each.", "points"
    ),
    "floated_down": gettext_lazy(
        "%(player1)s plays down against %(player2)s, with a score of %(points)s to "
        "%(opponent_points)s."
    ),
    "floated_up": gettext_lazy(
        "%(player1)s plays up against %(player2)s, with a score of %(points)s to "
        "%(opponent_points)s."
    ),
    "alone_on_score": gettext_lazy("No other player has a score of %(points)s."),
    "all_met_on_score": gettext_lazy(
        "%(player1)s has already played all other players with a score of %(points)s."
    ),
    "all_met_twice_on_score": gettext_lazy(
        "%(player1)s has already played all other players with a score of %(points)s twice."
    ),
    "odd_number_on_score": gettext_lazy(
        "The number of players with a score of %(points)s is odd (%(players)s)."
    ),
    "score_group_costs_more": gettext_lazy(
        "If all players with a score of %(points)s played each other, other pairings of this round "
        "would be worse."
    ),
    "score_group_costs_more_later": gettext_lazy(
        "If all players with a score of %(points)s played each other, other pairings of this round "
        "or of later rounds would be worse."
    ),
    # Opponents with a closer score.
    "no_closer_score": gettext_lazy("No other player has a score closer to %(player1)s's."),
    "closer_same_group": gettext_lazy(
        "%(player2)s has a closer score but is in the same group as %(player1)s."
    ),
    "closer_same_side": gettext_lazy(
        "%(player2)s has a closer score but is due the same side as %(player1)s."
    ),
    "closer_sides_reversed": gettext_lazy(
        "%(player2)s has a closer score, but reversing the sides of their last match against "
        "%(player1)s would make a side imbalance worse."
    ),
    "closer_met": ngettext_lazy(
        "%(player2)s has a closer score but has already played %(player1)s.",
        "%(player2)s has a closer score but has already played %(player1)s %(meetings)s times.",
        "meetings",
    ),
    "closer_met_in_rounds": ngettext_lazy(
        "%(player2)s has a closer score but played %(player1)s in round %(rounds)s.",
        "%(player2)s has a closer score but played %(player1)s in rounds %(rounds)s.",
        "meetings",
    ),
    "event_avoids_second_meetings": gettext_lazy("This event avoids rematches."),
    "closer_barred_too": _CLOSER_BARRED_TOO,
    "more_closer_barred_too": _CLOSER_BARRED_TOO,
    # The best swap that would give a player a closer opponent, or the bye to a lower score.
    "swap_opponents": gettext_lazy(
        "%(player1)s could also play %(player2)s, whose score is closer."
    ),
    "swap_opponents_of_many": ngettext_lazy(
        "%(players)s player has a closer score and could also play %(player1)s. "
        "The best swap is with %(player2)s.",
        "%(players)s players have a closer score and could also play %(player1)s. "
        "The best swap is with %(player2)s.",
        "players",
    ),
    "swap_opponents_of_compared": ngettext_lazy(
        "%(players)s player has a closer score and could also play %(player1)s. "
        "%(compared)s were compared; the best swap is with %(player2)s.",
        "%(players)s players have a closer score and could also play %(player1)s. "
        "%(compared)s were compared; the best swap is with %(player2)s.",
        "players",
    ),
    "swap_bye_holder": gettext_lazy(
        "%(player1)s has the lowest score of the players with the fewest byes."
    ),
    "swap_bye_holder_of_many": ngettext_lazy(
        "%(players)s player has the lowest score and the fewest byes. The best swap is with "
        "%(player1)s.",
        "%(players)s players share the lowest score and the fewest byes. The best swap is with "
        "%(player1)s.",
        "players",
    ),
    "swap_bye_holder_of_compared": ngettext_lazy(
        "%(players)s player has the lowest score and the fewest byes. %(compared)s were compared; "
        "the best swap is with %(player1)s.",
        "%(players)s players share the lowest score and the fewest byes. %(compared)s were "
        "compared; the best swap is with %(player1)s.",
        "players",
    ),
    "swap_tables": gettext_lazy(
        "With a swap, %(player1)s would play %(player2)s, and %(player3)s would play %(player4)s."
    ),
    "swap_bye": gettext_lazy(
        "With a swap, %(player1)s would play %(player2)s, and %(player3)s would have the bye."
    ),
    "swap_gives_bye": gettext_lazy(
        "With a swap, %(player1)s would have the bye, and %(player2)s would play %(player3)s."
    ),
    "swap_second_bye": gettext_lazy("That would be %(harmed1)s's second bye."),
    "swap_repeated_bye": gettext_lazy("That would be bye number %(number)s for %(harmed1)s."),
    "swap_same_group": gettext_lazy(
        "That would put %(harmed1)s and %(harmed2)s, who are in the same group, at one table."
    ),
    "swap_side_imbalance": gettext_lazy(
        "That would give %(harmed1)s or %(harmed2)s two more games on one side than on the other, "
        "or make such an imbalance worse."
    ),
    "swap_same_sides": gettext_lazy(
        "That would be a rematch between %(harmed1)s and %(harmed2)s with the same sides as before."
    ),
    "swap_rematch": gettext_lazy("That would be a rematch between %(harmed1)s and %(harmed2)s."),
    "swap_repeated_match": gettext_lazy(
        "That would be match number %(number)s between %(harmed1)s and %(harmed2)s."
    ),
    "swap_raises_point_gap": gettext_lazy(
        "That would make the point gaps of the round larger (sum of squares: +%(more)s)."
    ),
    "swap_raises_closeness": gettext_lazy(
        "That would cost %(more)s more in point gaps, rematches and sides."
    ),
    "swap_spoils_rounds": ngettext_lazy(
        "That would improve this round, but the next round could then not be paired without "
        "rematches.",
        "That would improve this round, but the next %(kept)s rounds could then not all be paired "
        "without rematches.",
        "kept",
    ),
    "swap_spoils_rounds_third": ngettext_lazy(
        "That would improve this round, but the next round could then not be paired without a "
        "third match between the same players.",
        "That would improve this round, but the next %(kept)s rounds could then not all be "
        "paired without a third match between the same players.",
        "kept",
    ),
    "swap_may_spoil_rounds": ngettext_lazy(
        "That would improve this round, but it is not known whether the next round could then be "
        "paired without rematches.",
        "That would improve this round, but it is not known whether the next %(kept)s rounds could "
        "then be paired without rematches.",
        "kept",
    ),
    "swap_may_spoil_rounds_third": ngettext_lazy(
        "That would improve this round, but it is not known whether the next round could then be "
        "paired without a third match between the same players.",
        "That would improve this round, but it is not known whether the next %(kept)s rounds "
        "could then be paired without a third match between the same players.",
        "kept",
    ),
    "swap_costs_the_same": gettext_lazy("That would be an equally good round."),
    "swap_costs_the_same_random": gettext_lazy(
        "That would be an equally good round; a random draw decided."
    ),
    # Broken rules.
    "rematch": gettext_lazy("%(player1)s and %(player2)s play each other again."),
    "repeated_match": gettext_lazy(
        "This is match number %(number)s between %(player1)s and %(player2)s."
    ),
    "met_outside_schedule": gettext_lazy(
        "%(player1)s and %(player2)s play each other again: they have already played outside the "
        "schedule."
    ),
    "same_group": gettext_lazy('%(player1)s and %(player2)s are both in the group "%(group)s".'),
    "sides_reversed": gettext_lazy(
        "%(player1)s and %(player2)s reverse the sides of their last match, which makes a side "
        "imbalance worse."
    ),
    "owed_same_side": gettext_lazy(
        "%(player1)s and %(player2)s are due the same side, so at least one of them does not get "
        "it."
    ),
    "no_better_round": gettext_lazy(
        "No other pairing of the round follows this rule better without breaking a more important "
        "rule."
    ),
    # Later rounds without rematches, or without a third match between the same players.
    "rounds_kept_somehow": ngettext_lazy(
        "The next round can be paired without rematches. A slightly better pairing of this round "
        "may exist; not every option was checked.",
        "The next %(kept)s rounds can be paired without rematches. A slightly better pairing of "
        "this round may exist; not every option was checked.",
        "kept",
    ),
    "rounds_kept_somehow_third": ngettext_lazy(
        "The next round can be paired without a third match between the same players. A slightly "
        "better pairing of this round may exist; not every option was checked.",
        "The next %(kept)s rounds can be paired without a third match between the same players. "
        "A slightly better pairing of this round may exist; not every option was checked.",
        "kept",
    ),
    "rounds_lost": ngettext_lazy(
        "The remaining round cannot be paired without rematches, however this round is paired.",
        "The remaining %(left)s rounds cannot all be paired without rematches, however this round "
        "is paired.",
        "left",
    ),
    "rounds_lost_third": ngettext_lazy(
        "The remaining round cannot be paired without a third match between the same players, "
        "however this round is paired.",
        "The remaining %(left)s rounds cannot all be paired without a third match between the "
        "same players, however this round is paired.",
        "left",
    ),
    "rounds_unknown": ngettext_lazy(
        "It is not known whether the remaining round can be paired without rematches. No way was "
        "found within the limits of the search.",
        "It is not known whether the remaining %(left)s rounds can be paired without rematches. No "
        "way was found within the limits of the search.",
        "left",
    ),
    "rounds_unknown_third": ngettext_lazy(
        "It is not known whether the remaining round can be paired without a third match between "
        "the same players. No way was found within the limits of the search.",
        "It is not known whether the remaining %(left)s rounds can be paired without a third "
        "match between the same players. No way was found within the limits of the search.",
        "left",
    ),
    "all_rounds_kept": ngettext_lazy(
        "The remaining round can be paired without rematches.",
        "The remaining %(left)s rounds can be paired without rematches.",
        "left",
    ),
    "all_rounds_kept_third": ngettext_lazy(
        "The remaining round can be paired without a third match between the same players.",
        "The remaining %(left)s rounds can be paired without a third match between the same "
        "players.",
        "left",
    ),
    "most_rounds_kept": ngettext_lazy(
        "Only one of the %(left)s remaining rounds can be paired without rematches. This round "
        "leaves that possible.",
        "At most %(kept)s of the %(left)s remaining rounds can be paired without rematches. This "
        "round leaves that possible.",
        "kept",
    ),
    "most_rounds_kept_third": ngettext_lazy(
        "Only one of the %(left)s remaining rounds can be paired without a third match between "
        "the same players. This round leaves that possible.",
        "At most %(kept)s of the %(left)s remaining rounds can be paired without a third match "
        "between the same players. This round leaves that possible.",
        "kept",
    ),
    "some_rounds_kept": ngettext_lazy(
        "The next one of the %(left)s remaining rounds can be paired without rematches. It is not "
        "known whether more can.",
        "The next %(kept)s of the %(left)s remaining rounds can be paired without rematches. It is "
        "not known whether more can.",
        "kept",
    ),
    "some_rounds_kept_third": ngettext_lazy(
        "The next one of the %(left)s remaining rounds can be paired without a third match "
        "between the same players. It is not known whether more can.",
        "The next %(kept)s of the %(left)s remaining rounds can be paired without a third match "
        "between the same players. It is not known whether more can.",
        "kept",
    ),
    "rematches_needed": gettext_lazy("No way was found to pair another round without rematches."),
    "keeps_rounds": ngettext_lazy(
        "Chosen so that the next round can be paired without rematches. The best pairing of this "
        "round alone would prevent that.",
        "Chosen so that the next %(kept)s rounds can be paired without rematches. The best pairing "
        "of this round alone would prevent that.",
        "kept",
    ),
    "keeps_rounds_third": ngettext_lazy(
        "Chosen so that the next round can be paired without a third match between the same "
        "players. The best pairing of this round alone would prevent that.",
        "Chosen so that the next %(kept)s rounds can be paired without a third match between the "
        "same players. The best pairing of this round alone would prevent that.",
        "kept",
    ),
    "may_keep_rounds": ngettext_lazy(
        "Chosen so that the next round can be paired without rematches. It is not known whether "
        "the best pairing of this round alone allows that.",
        "Chosen so that the next %(kept)s rounds can be paired without rematches. It is not known "
        "whether the best pairing of this round alone allows that.",
        "kept",
    ),
    "may_keep_rounds_third": ngettext_lazy(
        "Chosen so that the next round can be paired without a third match between the same "
        "players. It is not known whether the best pairing of this round alone allows that.",
        "Chosen so that the next %(kept)s rounds can be paired without a third match between the "
        "same players. It is not known whether the best pairing of this round alone allows that.",
        "kept",
    ),
    # Sides.
    "corp_reversed": gettext_lazy(
        "%(player1)s is Corp in game 1: the sides of their last match are reversed."
    ),
    "corp_owed": gettext_lazy(
        "%(player1)s is Corp in game 1, having been Corp first less often (%(corp_times)s to "
        "%(runner_times)s)."
    ),
    "corp_random": ngettext_lazy(
        "%(player1)s is Corp in game 1. Random draw; both players have been Corp first once.",
        "%(player1)s is Corp in game 1. Random draw; both players have been Corp first "
        "%(corp_times)s times.",
        "corp_times",
    ),
    "corp_random_never": gettext_lazy(
        "%(player1)s is Corp in game 1. Random draw; neither player has been Corp first yet."
    ),
    "single_corp_reversed": gettext_lazy(
        "%(player1)s is Corp: the sides of their last match are reversed."
    ),
    "single_corp_owed": gettext_lazy(
        "%(player1)s is Corp, having been Corp less often (compared with Runner)."
    ),
    "single_corp_random": gettext_lazy(
        "%(player1)s is Corp. Random draw; both players are equally far from even sides."
    ),
    "side_balances": gettext_lazy(
        "Corp minus Runner games so far: %(player1)s %(corp_balance)s, %(player2)s "
        "%(runner_balance)s."
    ),
    "cut_corp_count": gettext_lazy(
        "%(player1)s is Corp in game 1, having been Corp less often (compared with Runner) in this "
        "cut."
    ),
    "cut_corp_random": gettext_lazy(
        "%(player1)s is Corp in game 1. Random draw; both players have been Corp equally often "
        "(compared with Runner) in this cut."
    ),
    "cut_corp_reversed": gettext_lazy(
        "%(player1)s is Corp in game 1: the sides of the final are reversed."
    ),
    # Round robin.
    "fixed_table": gettext_lazy(
        "The round-robin schedule has this match in round %(round)s; %(player1)s is Corp first."
    ),
    # Pods.
    "pod_same_score": gettext_lazy("Equal scores: %(points)s each."),
    "pod_scores": gettext_lazy(
        "Scores at this table: %(scores)s. The other tables allow nothing closer."
    ),
    "short_pod": gettext_lazy(
        "This table has fewer players (%(size)s) than others (%(largest)s). Earlier short tables "
        "of these players: %(before)s."
    ),
    "short_pod_again": ngettext_lazy(
        "%(player1)s sits at a short table again (%(times)s time in all).",
        "%(player1)s sits at a short table again (%(times)s times in all).",
        "times",
    ),
    "table_mates_again": ngettext_lazy(
        "%(player1)s and %(player2)s share a table again (%(times)s time in all).",
        "%(player1)s and %(player2)s share a table again (%(times)s times in all).",
        "times",
    ),
    "pod_same_group": gettext_lazy("%(player1)s and %(player2)s are in the same group."),
    "no_swap_for_short_pod": gettext_lazy(
        "All players who could swap have had at least as many short tables."
    ),
    "no_better_seats": gettext_lazy("No other seating of the round follows this rule better."),
    "no_better_seats_within_rules": gettext_lazy(
        "No other seating of the round follows this rule better without breaking a more important "
        "rule."
    ),
    "no_better_swap": gettext_lazy("No swap of two players would follow this rule better."),
    "no_better_swap_within_rules": gettext_lazy(
        "No swap of two players would follow this rule better without breaking a more important "
        "rule."
    ),
    "pod_seats": gettext_lazy(
        "%(player1)s sits first (first seats so far: %(first_times)s) and %(player2)s last (last "
        "seats so far: %(last_times)s). Ties are drawn at random."
    ),
    # Warnings about tables and byes made by hand.
    "promised_bye": gettext_lazy("%(player1)s was promised a bye in round 1."),
    "had_bye": ngettext_lazy(
        "%(player1)s has already had a bye.",
        "%(player1)s has already had %(byes)s byes.",
        "byes",
    ),
    "fewer_byes": ngettext_lazy(
        "%(players)s player has had fewer.", "%(players)s players have had fewer.", "players"
    ),
    "high_bye": ngettext_lazy(
        "%(player1)s has the bye with a score of %(points)s; %(players)s player has a lower score "
        "and has not had more byes.",
        "%(player1)s has the bye with a score of %(points)s; %(players)s players have a lower "
        "score and have not had more byes.",
        "players",
    ),
    "two_places": gettext_lazy("%(player1)s has two places in this round."),
    "no_place": gettext_lazy("%(player1)s has no table and no bye."),
    "have_met": ngettext_lazy(
        "%(player1)s and %(player2)s have already played each other.",
        "%(player1)s and %(player2)s have already played each other %(meetings)s times.",
        "meetings",
    ),
    "have_met_in_rounds": ngettext_lazy(
        "%(player1)s and %(player2)s have already played each other, in round %(rounds)s.",
        "%(player1)s and %(player2)s have already played each other, in rounds %(rounds)s.",
        "meetings",
    ),
    "corp_again": gettext_lazy(
        "%(player1)s was Corp in game 1 against %(player2)s before, and would be again."
    ),
    "group_kept_apart": gettext_lazy(
        "%(player1)s and %(player2)s are in a group that is kept apart."
    ),
    "too_often_corp": gettext_lazy(
        "%(player1)s would be Corp again: Corp minus Runner games go from %(balance_before)s to "
        "%(balance_after)s."
    ),
    "too_often_runner": gettext_lazy(
        "%(player1)s would be Runner again: Corp minus Runner games go from %(balance_before)s to "
        "%(balance_after)s."
    ),
}


def stored_reason(reason: PairingReason) -> dict[str, Any]:
    return {
        "kind": reason.kind,
        "players": list(reason.players),
        "code": reason.code,
        "params": dict(reason.params),
    }


def stored_reasons(reasons: Iterable[PairingReason]) -> list[dict[str, Any]]:
    return [stored_reason(reason) for reason in reasons]


def document_reason(reason: StoredReason) -> dict[str, Any]:
    """Return {"kind", "players", "text"}, as in documents."""
    kind, players = reason["kind"], reason["players"]
    if "text" in reason:
        text = reason["text"]
    elif reason["code"] in OWN_SENTENCES:
        with override("en"):
            text = _sentences(reason, [f"{{{place}}}" for place in range(len(players))])
    else:
        params = reason["params"]
        text = document_text(PairingReason(kind, tuple(players), reason["code"], params))
    return {"kind": kind, "players": players, "text": text}


def reason_html(reason: StoredReason, names: Names) -> SafeString:
    """Return the sentences of a reason with the players' names; `names` are by player number."""
    shown = [format_html("<bdi>{}</bdi>", name) for name in _names(reason, names)]
    if "text" in reason:
        # The text may contain user input (the name of a group), so escape it before formatting.
        return format_html(escape(reason["text"]), *shown)
    return SafeString(_sentences(reason, shown, is_html=True))


def reason_text(reason: StoredReason, names: Names) -> str:
    """Return the sentences of a reason as plain text."""
    shown = _names(reason, names)
    if "text" in reason:
        text: str = reason["text"].format(*shown)
        return text
    return _sentences(reason, shown)


def _names(reason: StoredReason, names: Names) -> list[str]:
    unknown = _("player %(number)s")
    return [names.get(player) or unknown % {"number": player} for player in reason["players"]]


def _sentences(reason: StoredReason, players: Sequence[str], *, is_html: bool = False) -> str:
    params = reason["params"]
    values = {key: _shown_value(key, value) for key, value in params.items()}
    if is_html:
        values = {
            key: conditional_escape(value) if isinstance(value, str) else value
            for key, value in values.items()
        }
    values |= {f"player{place}": player for place, player in enumerate(players, start=1)}
    for place, harmed in enumerate(params.get("harmed", ()), start=1):
        values[f"harmed{place}"] = players[harmed]
    if reason["code"] == "bracket":
        values |= _bracket_values(params)
    codes = (reason["code"], *params.get("details", ()))
    return " ".join(SENTENCES[code] % values for code in codes)


def _shown_value(key: str, value: Any) -> Any:
    """Return a value as shown. Counts stay numbers, which select the plural form."""
    if key in ("corp_balance", "runner_balance", "balance_before", "balance_after"):
        return f"{value:+}" if value else "0"
    if key == "scores":
        return ", ".join(mixed_number(Fraction(score)) for score in value)
    if key == "points" and isinstance(value, str):
        return mixed_number(Fraction(value))
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _bracket_values(params: Mapping[str, Any]) -> Mapping[str, str]:
    bracket = bracket_for(params["system"], params["size"], fixed=params["fixed"])
    names = match_names(bracket)
    first, second = (
        match_source(source, names) for source in bracket.by_number[params["game"]].sources
    )
    return {"match": capfirst(names[params["game"]]), "first": first, "second": second}
