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
from django.utils.translation import gettext_lazy, ngettext

from core.languages import in_words
from core.numbers import wilson_interval
from engine.clinch.last_round import ClinchVerdict, minimum_result
from engine.standings.tie_breakers import TIE_BREAKERS
from matches.scoring.results import exact
from matches.scoring.rules import AgendaRule, ScoringRule, scoring_rule
from tournaments.models import Forecast, Outlook, Registration, Round, Tournament
from tournaments.outlook import queries

NOT_PROVEN = gettext_lazy("Not every case could be checked: fewer points may be enough.")
VERDICT_LABELS = {
    ClinchVerdict.IN: gettext_lazy("in"),
    ClinchVerdict.OUT: gettext_lazy("out"),
    ClinchVerdict.OPEN: gettext_lazy("open"),
}


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

    heading: str
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
    goal: str
    heading: str
    round: int
    rounds_left: int
    runs: int
    rows: tuple[ChanceRow, ...]


@dataclass(frozen=True)
class StandingsMarks:
    """Certain verdicts by player number ("in", "out"), and the text of the link to all of them."""

    verdicts: Mapping[int, str]
    leads_to: str = ""


def goal_in_words(places: int) -> str:
    return _("the top %(places)s") % {"places": places} if places > 1 else _("first place")


def _chances_heading(places: int) -> str:
    if places == 1:
        return _("Chances to finish first")
    return _("Chances to make the top %(places)s") % {"places": places}


def _needs_heading(places: int) -> str:
    if places == 1:
        return _("Clinch scenarios: what it takes to finish first")
    return _("Clinch scenarios: what it takes to make the top %(places)s") % {"places": places}


def get_standings_marks(tournament: Tournament, after: int) -> StandingsMarks:
    known = queries.get_outlook_or_forecast(tournament)
    if isinstance(known, Forecast):
        return StandingsMarks({}, _chances_heading(known.places) if known.runs else "")
    if known is None or known.round.number != after:
        return StandingsMarks({})
    heading = _needs_heading(known.places)
    if known.places == 1:
        return StandingsMarks({}, heading)
    verdicts = {
        int(number): need["verdict"]
        for number, need in known.needs.items()
        if need["verdict"] != ClinchVerdict.OPEN
    }
    return StandingsMarks(verdicts, heading)


def decided_in_words(tournament: Tournament, round_: Round) -> Iterator[str]:
    """Yield how many places are decided, once this is the last round before them."""
    outlook = queries.get_round_outlook(tournament, round_)
    if outlook is None:
        return
    if outlook.places == 1:
        yield _("first place decided") if outlook.players_in else _("first place open")
        return
    if outlook.players_in:
        values = {"count": outlook.players_in, "places": outlook.places}
        yield _("%(count)d of %(places)d places in the cut decided") % values


def get_outlook_marks(tournament: Tournament) -> dict[int, str]:
    """Return "in", "out" and decided places by player number; empty before the last round."""
    outlook = queries.get_outlook(tournament)
    if outlook is None:
        return {}
    return {int(number): _need_mark(need, outlook.places) for number, need in outlook.needs.items()}


def _need_mark(need: Mapping[str, Any], places: int) -> str:
    place = str(ordinal(need["place"])) if need["place"] else ""
    if places == 1 or need["verdict"] == ClinchVerdict.OPEN:
        return place
    mark = str(VERDICT_LABELS[ClinchVerdict(need["verdict"])])
    return _("%(mark)s, %(place)s") % {"mark": mark, "place": place} if place else mark


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
    percent = _rounded_percent(times_in, forecast.runs)
    if forecast.places == 1:
        heading = _("About %(percent)s%% to finish first")
        unlikely = _("Less than 1%% to finish first")
    else:
        heading = _("About %(percent)s%% to make the top %(places)s")
        unlikely = _("Less than 1%% to make the top %(places)s")
    low, high = _percent_interval(times_in, forecast.runs)
    interval = _("The 95%% interval is %(low)s to %(high)s%%.") % {"low": low, "high": high}
    return NeedLines(
        verdict=ClinchVerdict.OPEN,
        heading=(heading if percent else unlikely)
        % {"percent": percent, "places": forecast.places},
        sentences=(
            *([interval] if percent else []),
            ngettext(
                "After round %(round)s, the last round was simulated %(runs)s times with random "
                "results. Exact scenarios appear in the last round.",
                "After round %(round)s, the remaining %(rounds_left)s rounds were simulated "
                "%(runs)s times with random results. Exact scenarios appear in the last round.",
                forecast.rounds_left,
            )
            % {
                "round": forecast.round.number,
                "rounds_left": forecast.rounds_left,
                "runs": forecast.runs,
            },
        ),
    )


class _NeedWords:
    """The stored scenario of a player as sentences."""

    def __init__(self, outlook: Outlook, registration: Registration) -> None:
        self.outlook, self.me = outlook, registration.number
        self.tournament = registration.tournament
        self.rule = scoring_rule(outlook.round.stage.scoring_rule)

    def lines(self, need: Mapping[str, Any]) -> NeedLines:
        verdict = need["verdict"]
        if verdict == ClinchVerdict.OPEN:
            return NeedLines(
                verdict,
                self._heading(need),
                tuple(self._sentences(need)),
                tuple(self._examples(need)),
            )
        if verdict == ClinchVerdict.IN:
            heading = self._for_goal(_("You finish first"), _("You are in the top %(places)s"))
        else:
            heading = self._for_goal(
                _("First place is out of reach"), _("The top %(places)s is out of reach")
            )
        return NeedLines(verdict, heading, tuple(self._certain(need["place"])))

    def _for_goal(self, first_place: str, cut: str, **more: str) -> str:
        places = self.outlook.places
        return (first_place if places == 1 else cut) % {"places": places, **more}

    def _heading(self, need: Mapping[str, Any]) -> str:
        safe, hoped_for = _parse_points(need["safe"]), _points_hoped_for(need)
        if safe is not None:
            return self._for_goal(
                _("You finish first if you %(result)s"),
                _("You are in the top %(places)s if you %(result)s"),
                result=in_words(minimum_result(self.rule, safe, held=_points_held(need))),
            )
        if _needs_unusual_results(need):
            return self._for_goal(
                _("You need unusual results to finish first"),
                _("You need unusual results to reach the top %(places)s"),
            )
        if hoped_for and hoped_for > _least_points(need):
            held = _points_held(need)
            least = in_words(minimum_result(self.rule, hoped_for, is_enough=False, held=held))
            return _("You must %(result)s, and you need other results") % {"result": least}
        return _("It depends on the other tables")

    def _certain(self, place: int | None) -> Iterator[str]:
        if self.outlook.round.is_closed:
            if place:
                yield _("You are %(place)s after the last round.") % {"place": ordinal(place)}
            return
        yield _("This is certain, whatever happens in this round.")
        if place:
            yield _("You finish %(place)s.") % {"place": ordinal(place)}

    def _sentences(self, need: Mapping[str, Any]) -> Iterator[str]:
        safe, possible = _parse_points(need["safe"]), _parse_points(need["possible"])
        unusual = {"results": _unusual_results_in_words(self.rule)}
        if _needs_unusual_results(need):
            yield _("You only make it with unusual results, such as %(results)s.") % unusual
        elif safe is None and _points_hoped_for(need) != possible:
            yield (
                _("Fewer points are enough only with unusual results, such as %(results)s.")
                % unusual
            )
        if safe is not None:
            yield ngettext(
                "You need %(points)s point at your table, whatever happens elsewhere.",
                "You need %(points)s points at your table, whatever happens elsewhere.",
                1 if safe == 1 else 2,
            ) % {"points": safe}
        elif possible is not None:
            yield _("Your own result alone is not enough.")
        if possible and safe != possible and possible > _least_points(need):
            yield ngettext(
                "With less than %(points)s point you are out.",
                "With fewer than %(points)s points you are out.",
                1 if possible == 1 else 2,
            ) % {"points": possible}
        elif possible and safe == possible:
            yield _("With fewer points you are out.")
        if not _is_proven(need):
            yield str(NOT_PROVEN)

    def _examples(self, need: Mapping[str, Any]) -> Iterator[ExampleLines]:
        for key, title, unusual_title, bound in (
            (
                "missing",
                _("How you could miss it"),
                _("How you could miss it (unusual results only)"),
                _("Then you finish %(place)s at best, whatever happens at the other tables."),
            ),
            (
                "making",
                _("How you could make it"),
                _("How you could make it (unusual results only)"),
                _("Then you finish %(place)s at worst, whatever happens at the other tables."),
            ),
        ):
            example = need[key]
            if example:
                yield ExampleLines(
                    title if example.get("ordinary", True) else unusual_title,
                    tuple(self._result(table) for table in example["tables"]),
                    self._outcome(example, bound),
                )

    def _outcome(self, example: Mapping[str, Any], bound: str) -> str:
        place = {"place": ordinal(example["place"])}
        if not example["whole"]:
            return bound % place
        if not example["level"]:
            return _("Then you finish %(place)s.") % place
        rivals = get_text_list([self._names[number] for number in example["level"]], _("and"))
        if not example["by"]:
            return _("Then you are tied with %(players)s and share the place.") % {
                "players": rivals
            }
        return _(
            "Then you are tied with %(players)s, and this tie-breaker decides: %(tie_breaker)s."
        ) % {"players": rivals, "tie_breaker": _(TIE_BREAKERS[example["by"]].name)}

    def _result(self, table: list[list[Any]]) -> str:
        if len(table) != 2:
            names = {**self._names, self.me: _("You")}
            return ", ".join(f"{names[number]} {points}" for number, points in table)
        (winner, most), (loser, least) = sorted(table, key=lambda seat: -Fraction(seat[1]))
        is_draw = most == least
        if winner == self.me:
            text = (
                _("You and %(loser)s draw %(score)s")
                if is_draw
                else _("You beat %(loser)s %(score)s")
            )
        elif loser == self.me:
            text = (
                _("You and %(winner)s draw %(score)s")
                if is_draw
                else _("%(winner)s beats you %(score)s")
            )
        elif is_draw:
            text = _("%(winner)s and %(loser)s draw %(score)s")
        else:
            text = _("%(winner)s beats %(loser)s %(score)s")
        return text % {
            "winner": self._names[winner],
            "loser": self._names[loser],
            "score": f"{most}-{least}",
        }

    @cached_property
    def _names(self) -> Mapping[int, str]:
        return dict(self.tournament.registrations.values_list("number", "player__name"))


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
        heading=_chances_heading(forecast.places),
        round=forecast.round.number,
        rounds_left=forecast.rounds_left,
        runs=forecast.runs,
        rows=tuple(rows),
    )


def _chance_row(entry: Registration, times_in: int, runs: int) -> ChanceRow:
    low, high = _percent_interval(times_in, runs)
    percent = _rounded_percent(times_in, runs)
    words = _("About %(percent)s%% (95%% interval: %(low)s to %(high)s%%)") % {
        "percent": percent,
        "low": low,
        "high": high,
    }
    return ChanceRow(
        number=entry.number,
        name=entry.player.name,
        pronouns=entry.player.pronouns,
        times_in=times_in,
        low=low,
        high=high,
        words=words if percent else _("Less than %(percent)s%%") % {"percent": 1},
    )


def _rounded_percent(hits: int, runs: int) -> int:
    return floor(100 * hits / runs + 0.5)


def _percent_interval(hits: int, runs: int) -> tuple[int, int]:
    """Return the 95 % Wilson interval in percent, rounded outwards."""
    low, high = wilson_interval(hits, runs)
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
        heading=_needs_heading(outlook.places),
        goal=goal_in_words(outlook.places),
        round=outlook.round.number,
        open_tables=outlook.open_tables,
        rows=tuple(rows),
    )


def _need_row(
    entry: Registration, need: Mapping[str, Any], places: int, rule: ScoringRule
) -> NeedRow:
    return NeedRow(
        number=entry.number,
        name=entry.player.name,
        pronouns=entry.player.pronouns,
        verdict=need["verdict"],
        mark=_need_mark(need, places) or str(VERDICT_LABELS[ClinchVerdict(need["verdict"])]),
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
    if need["verdict"] == ClinchVerdict.IN:
        return _("Nothing more")
    if need["verdict"] == ClinchVerdict.OUT:
        return _("Out of reach")
    safe, hoped_for = _parse_points(need["safe"]), _points_hoped_for(need)
    if safe is not None:
        words = capfirst(in_words(minimum_result(rule, safe, held=_points_held(need))))
    elif _needs_unusual_results(need):
        words = _("Needs unusual results, such as %(results)s") % {
            "results": _unusual_results_in_words(rule)
        }
    elif hoped_for and hoped_for > _least_points(need):
        held = _points_held(need)
        words = _("Must %(result)s, and needs other results") % {
            "result": in_words(minimum_result(rule, hoped_for, is_enough=False, held=held))
        }
    else:
        words = _("Depends on other tables")
    return words if _is_proven(need) else f"{words}. {NOT_PROVEN}"


def _least_points(need: Mapping[str, Any]) -> Any:
    """Return the points that the player's own table brings at least, after judges' losses."""
    return _parse_points(need.get("least")) or 0


def _points_held(need: Mapping[str, Any]) -> Any:
    """Return the player's points from a game that a judge decided; None if there is none."""
    return _parse_points(need.get("held"))


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
