"""Texts and rows of the clinch scenarios for phones, standings and the public table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Any

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.text import capfirst, get_text_list
from django.utils.translation import gettext as _

from core.numbers import wilson_interval
from engine.clinch.last_round import ClinchVerdict, minimum_in_words
from engine.standings.tie_breakers import TIE_BREAKERS
from matches.scoring.results import exact
from matches.scoring.rules import AgendaRule, ScoringRule, scoring_rule
from tournaments.models import Forecast, Outlook, Registration, Round, Tournament
from tournaments.outlook import queries

NOT_PROVEN = "Not every case could be checked: less may be enough."


@dataclass(frozen=True)
class ExampleLines:
    title: str
    results: tuple[str, ...]
    outcome: str


@dataclass(frozen=True)
class NeedLines:
    """A player's own answer: heading, explanation and examples."""

    verdict: str
    heading: str
    sentences: tuple[str, ...]
    examples: tuple[ExampleLines, ...] = ()


@dataclass(frozen=True)
class NeedRow:
    """A player in the public table; `words` are in the third person."""

    number: int
    name: str
    pronouns: str
    verdict: str
    mark: str
    words: str
    place: int | None
    safe_from: Any
    possible_from: Any
    is_proven: bool


@dataclass(frozen=True)
class NeedsTable:
    """All players, certain qualifiers first; `goal` is the place or cut they play for."""

    goal: str
    round: int
    open_tables: int
    rows: tuple[NeedRow, ...]


@dataclass(frozen=True)
class ChanceRow:
    """Number of simulated runs in which a player reached the goal; the interval is in percent."""

    number: int
    name: str
    pronouns: str
    times_in: int
    low: int
    high: int
    words: str


@dataclass(frozen=True)
class ChancesTable:
    """All active players, best chances first."""

    goal: str
    round: int
    rounds_left: int
    runs: int
    rows: tuple[ChanceRow, ...]

    @property
    def left(self) -> str:
        return rounds_left_in_words(self.rounds_left)


@dataclass(frozen=True)
class StandingsMarks:
    """Marks for the standings page, by player number, and the text of the link to all scenarios."""

    marks: Mapping[int, str]
    leads_to: str = ""


def goal_in_words(places: int) -> str:
    return f"the top {places}" if places > 1 else "first place"


def rounds_left_in_words(count: int) -> str:
    """Return the words as the beginning of a sentence."""
    return "The last round" if count == 1 else f"The {count} rounds left"


def get_standings_marks(tournament: Tournament, after: int) -> StandingsMarks:
    """Return the marks for the newest standings, which count round `after`; one query."""
    known = queries.get_outlook_or_forecast(tournament)
    if isinstance(known, Forecast):
        return StandingsMarks({}, f"Chances of {goal_in_words(known.places)}" if known.runs else "")
    if known is None or known.round.number != after:
        return StandingsMarks({})
    return StandingsMarks(_marks(known), "Who needs what")


def decided_in_words(tournament: Tournament, round_: Round) -> Iterator[str]:
    """Yield texts such as "3 in" and "9 out" once this is the last round."""
    outlook = queries.get_round_outlook(tournament, round_)
    if outlook is None:
        return
    if outlook.places == 1:
        yield "first place decided" if outlook.players_in else "first place open"
        return
    for count, what in ((outlook.players_in, "in"), (outlook.players_out, "out")):
        if count:
            yield f"{count} {what}"


def get_outlook_marks(tournament: Tournament) -> dict[int, str]:
    """Return "in", "out" and decided places by player number; empty before the last round."""
    outlook = queries.get_outlook(tournament)
    return _marks(outlook) if outlook is not None else {}


def _marks(outlook: Outlook) -> dict[int, str]:
    return {int(number): _need_mark(need, outlook.places) for number, need in outlook.needs.items()}


def _need_mark(need: Mapping[str, Any], places: int) -> str:
    place = f"{ordinal(need['place'])}" if need["place"] else ""
    if places == 1 or need["verdict"] == ClinchVerdict.OPEN:
        return place
    return f"{need['verdict']}, {place}" if place else str(need["verdict"])


def get_need_lines(registration: Registration) -> NeedLines | None:
    """Return a player's answer, or None if nothing is known. One query, two with an example."""
    known = queries.get_outlook_or_forecast(registration.tournament)
    key = str(registration.number)
    if isinstance(known, Forecast):
        return _chance_lines(known, known.times_in[key]) if key in known.times_in else None
    need = known.needs.get(key) if known is not None else None
    if known is None or need is None:
        return None
    return _NeedWords(known, registration).lines(need)


def _chance_lines(forecast: Forecast, times_in: int) -> NeedLines | None:
    if not forecast.runs:
        return None
    low, high = _percent_interval(times_in, forecast.runs)
    verb = "make" if forecast.places > 1 else "take"
    return NeedLines(
        verdict=ClinchVerdict.OPEN,
        heading=f"You {verb} {goal_in_words(forecast.places)} in {times_in} of {forecast.runs} "
        "runs",
        sentences=(
            f"95 % interval: {low} to {high} %.",
            f"{rounds_left_in_words(forecast.rounds_left)} after round {forecast.round.number} "
            f"{'was' if forecast.rounds_left == 1 else 'were'} played out {forecast.runs} times "
            "with results drawn at random. What you need exactly appears in the last round.",
        ),
    )


class _NeedWords:
    def __init__(self, outlook: Outlook, registration: Registration) -> None:
        self.outlook, self.me = outlook, registration.number
        self.tournament = registration.tournament
        self.rule = scoring_rule(outlook.round.stage.scoring_rule)
        self.goal = goal_in_words(outlook.places)
        self.are_in = "come first" if outlook.places == 1 else f"are in {self.goal}"

    def lines(self, need: Mapping[str, Any]) -> NeedLines:
        verdict = need["verdict"]
        if verdict == ClinchVerdict.IN:
            return NeedLines(verdict, f"You {self.are_in}", self._certain(need["place"]))
        if verdict == ClinchVerdict.OUT:
            heading = f"{self.goal[0].upper()}{self.goal[1:]} is out of reach"
            return NeedLines(verdict, heading, self._certain(need["place"]))
        examples = tuple(self._examples(need))
        safe, hoped_for = _parse_points(need["safe"]), _points_hoped_for(need)
        if safe is not None:
            heading = f"You {self.are_in} if you {minimum_in_words(self.rule, safe)}"
        elif _needs_unusual_results(need):
            heading = _("You need unusual results to reach %(goal)s") % {"goal": self.goal}
        elif hoped_for:
            least = minimum_in_words(self.rule, hoped_for, is_enough=False)
            heading = _("You must %(result)s, and you need other results") % {"result": least}
        else:
            heading = "The other tables decide"
        return NeedLines(verdict, heading, tuple(self._sentences(need)), examples)

    def _certain(self, place: int | None) -> tuple[str, ...]:
        if self.outlook.round.is_closed:
            if not place:
                return ()
            return (_("You are %(place)s after the last round.") % {"place": ordinal(place)},)
        certain = _("Whatever happens in this round.")
        if place:
            ends = _("You finish %(place)s.") % {"place": ordinal(place)}
            return (certain, ends)
        return (certain,)

    def _sentences(self, need: Mapping[str, Any]) -> Iterator[str]:
        safe, possible = _parse_points(need["safe"]), _parse_points(need["possible"])
        unusual = {"results": _unusual_results_in_words(self.rule)}
        if _needs_unusual_results(need):
            yield _("You only make it with results such as %(results)s.") % unusual
        elif safe is None and _points_hoped_for(need) != possible:
            yield _("Less is enough only with unusual results, such as %(results)s.") % unusual
        if safe is not None:
            yield f"That is {_points_in_words(safe)} from your table, whatever others do."
        elif possible is not None:
            yield f"No result of yours is enough for {self.goal} by itself."
        if possible and safe != possible:
            yield f"With fewer than {_points_in_words(possible)} you are out."
        elif possible and safe == possible:
            yield "With less you are out."
        if not _is_proven(need):
            yield NOT_PROVEN

    def _examples(self, need: Mapping[str, Any]) -> Iterator[ExampleLines]:
        for key, title, unlikely, bound in (
            (
                "missing",
                "How you could miss it",
                _("How you could miss it, only with unusual results"),
                "at best",
            ),
            (
                "making",
                "How you could make it",
                _("How you could make it, only with unusual results"),
                "at worst",
            ),
        ):
            if need[key]:
                is_ordinary = need[key].get("ordinary", True)
                yield self._example(need[key], title if is_ordinary else unlikely, bound)

    def _example(self, example: Mapping[str, Any], title: str, bound: str) -> ExampleLines:
        results = tuple(self._result(table) for table in example["tables"])
        then = f"Then you are {ordinal(example['place'])}"
        if not example["whole"]:
            return ExampleLines(title, results, f"{then} {bound}, however other tables end.")
        if not example["level"]:
            return ExampleLines(title, results, f"{then}.")
        level = get_text_list([self._name(number) for number in example["level"]], "and")
        by = example["by"]
        decides = f"{TIE_BREAKERS[by].name.lower()} decides" if by else "you share the place"
        if by == "lot":
            decides = "the lot decides"
        return ExampleLines(title, results, f"Then you are level with {level}, and {decides}.")

    def _result(self, table: list[list[Any]]) -> str:
        if len(table) != 2:
            return capfirst(", ".join(f"{self._name(number)} {points}" for number, points in table))
        (winner, most), (loser, least) = sorted(table, key=lambda seat: -Fraction(seat[1]))
        if most == least:
            first, second = sorted((winner, loser), key=lambda number: number != self.me)
            return f"{capfirst(self._name(first))} and {self._name(second)} end {most}-{least}"
        verb = "beat" if winner == self.me else "beats"
        return f"{capfirst(self._name(winner))} {verb} {self._name(loser)} {most}-{least}"

    def _name(self, number: int) -> str:
        return "you" if number == self.me else self._names[number]

    @cached_property
    def _names(self) -> Mapping[int, str]:
        return dict(self.tournament.registrations.values_list("number", "player__name"))


def _points_in_words(points: Any) -> str:
    return f"{points} point" if points == 1 else f"{points} points"


def chances_table(tournament: Tournament) -> ChancesTable | None:
    """Return the chances of all players, or None if they are not known. Two queries."""
    forecast = queries.get_outlook_or_forecast(tournament)
    if not isinstance(forecast, Forecast) or not forecast.runs:
        return None
    entries = tournament.registrations.select_related("player").order_by("number")
    rows = [
        _chance_row(entry, forecast.times_in[str(entry.number)], forecast.runs)
        for entry in entries
        if str(entry.number) in forecast.times_in
    ]
    rows.sort(key=lambda row: (-row.times_in, row.name))
    return ChancesTable(
        goal=goal_in_words(forecast.places),
        round=forecast.round.number,
        rounds_left=forecast.rounds_left,
        runs=forecast.runs,
        rows=tuple(rows),
    )


def _chance_row(entry: Registration, times_in: int, runs: int) -> ChanceRow:
    low, high = _percent_interval(times_in, runs)
    return ChanceRow(
        number=entry.number,
        name=entry.player.name,
        pronouns=entry.player.pronouns,
        times_in=times_in,
        low=low,
        high=high,
        words=f"In {times_in} of {runs} runs, 95 % interval {low} to {high} %",
    )


def _percent_interval(hits: int, of: int) -> tuple[int, int]:
    """Return the 95 % Wilson interval in percent, rounded outwards."""
    low, high = wilson_interval(hits, of)
    return floor(low * 100), ceil(high * 100)


def needs_table(tournament: Tournament) -> NeedsTable | None:
    """Return the scenarios of all players, or None if nothing is known."""
    outlook = queries.get_outlook(tournament)
    if outlook is None:
        return None
    rule = scoring_rule(outlook.round.stage.scoring_rule)
    entries = tournament.registrations.select_related("player").order_by("number")
    rows = [
        _need_row(entry, outlook.needs[str(entry.number)], outlook.places, rule)
        for entry in entries
        if str(entry.number) in outlook.needs
    ]
    order = (ClinchVerdict.IN, ClinchVerdict.OPEN, ClinchVerdict.OUT)
    rows.sort(key=lambda row: (order.index(ClinchVerdict(row.verdict)), row.place or 0, row.name))
    return NeedsTable(
        goal_in_words(outlook.places), outlook.round.number, outlook.open_tables, tuple(rows)
    )


def _need_row(
    entry: Registration, need: Mapping[str, Any], places: int, rule: ScoringRule
) -> NeedRow:
    return NeedRow(
        number=entry.number,
        name=entry.player.name,
        pronouns=entry.player.pronouns,
        verdict=need["verdict"],
        mark=_need_mark(need, places)
        or ("in" if need["verdict"] == ClinchVerdict.IN else need["verdict"]),
        words=_in_third_person(need, rule),
        place=need["place"],
        safe_from=_parse_points(need["safe"]),
        possible_from=_parse_points(need["possible"]),
        is_proven=_is_proven(need),
    )


def _is_proven(need: Mapping[str, Any]) -> bool:
    # Answers stored by an earlier release have no "proven".
    return bool(need.get("proven", True))


def _in_third_person(need: Mapping[str, Any], rule: ScoringRule) -> str:
    if need["verdict"] != ClinchVerdict.OPEN:
        return "Nothing more" if need["verdict"] == ClinchVerdict.IN else "Out of reach"
    safe, hoped_for = _parse_points(need["safe"]), _points_hoped_for(need)
    if safe is not None:
        words = f"In with this: {minimum_in_words(rule, safe)}"
    elif _needs_unusual_results(need):
        words = _("Needs unusual results, such as %(results)s") % {
            "results": _unusual_results_in_words(rule)
        }
    elif hoped_for:
        words = _("Must %(result)s, and needs other results") % {
            "result": minimum_in_words(rule, hoped_for, is_enough=False)
        }
    else:
        words = "Other tables decide"
    return words if _is_proven(need) else f"{words}. {NOT_PROVEN}"


def _points_hoped_for(need: Mapping[str, Any]) -> Any:
    """Return the fewest points that can be enough with ordinary results, else with any results."""
    ordinary = _parse_points(need.get("ordinary"))
    return _parse_points(need["possible"]) if ordinary is None else ordinary


def _needs_unusual_results(need: Mapping[str, Any]) -> bool:
    """Return True if no ordinary results put the player in; False for answers of old releases."""
    making = need["making"]
    # A search that was given up has no ordinary example, though ordinary results may do it.
    return bool(making) and not making.get("ordinary", True) and need.get("ordinary") is None


def _unusual_results_in_words(rule: ScoringRule) -> str:
    if isinstance(rule, AgendaRule):
        return _("a game without a winner")
    return _("a double loss or a draw")


def _parse_points(text: str | None) -> Any:
    return None if text is None else exact(Fraction(text))
