"""Reads the events of a series: which count, where everybody came, who met whom, shown names."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import count

from django.contrib.humanize.templatetags.humanize import ordinal
from django.db.models import F, FilteredRelation, QuerySet
from django.utils.text import slugify

from matches.scoring import Points
from players.models import Player
from tournaments.event import queries as event_queries
from tournaments.models import (
    EveningPlan,
    InvitedPlayer,
    Pairing,
    RoundState,
    Series,
    SeriesRole,
    SeriesStaff,
    Staff,
    StaffRole,
    Standing,
    Tournament,
    Visibility,
)
from tournaments.rounds import elimination
from tournaments.series.rules.evenings import Plan
from tournaments.series.rules.qualifying import ALREADY, DECLINED, Passage, Places, qualified
from tournaments.series.rules.season import (
    Evening,
    Line,
    Meeting,
    Result,
    SeasonRules,
    season_table,
)

LONGEST_HOW = 400
"""Letters of how somebody qualified."""
HEAD_TO_HEAD = "head_to_head"
OPEN_ENOUGH: Mapping[str, tuple[str, ...]] = {
    Visibility.PUBLIC: (Visibility.PUBLIC,),
    Visibility.UNLISTED: (Visibility.PUBLIC, Visibility.UNLISTED),
    Visibility.PRIVATE: tuple(Visibility.values),
}
"""An event counts, and is named, where everybody who reads the series may read it too."""


def shown_events(series: Series) -> QuerySet[Tournament]:
    """The events of the series that its readers may know of, first to last."""
    events = Tournament.objects.filter(series=series, practice_of=None)
    return events.filter(visibility__in=OPEN_ENOUGH[series.visibility]).order_by("starts_on", "pk")


def hidden_events(series: Series) -> QuerySet[Tournament]:
    """Those that are less open than the series: they count nowhere while that is so."""
    events = Tournament.objects.filter(series=series, practice_of=None)
    return events.exclude(visibility__in=OPEN_ENOUGH[series.visibility]).order_by("starts_on", "pk")


def rules_of(series: Series) -> SeasonRules:
    """How the series counts."""
    return SeasonRules(
        scoring=series.scoring,
        place_points=tuple(series.place_points),
        points_for_playing=series.points_for_playing,
        best_of=series.best_of,
        tie_breakers=tuple(series.tie_breakers),
    )


def places_of(series: Series) -> Places:
    """How many qualify."""
    return Places(series.qualify_per_event, series.qualify_by_table, series.passes_down)


def evenings(series: Series) -> list[Evening]:
    """The finished events that count, first to last; a constant number of queries."""
    events = shown_events(series).exclude(finished_at=None)
    keys = list(events.values_list("pk", flat=True))
    results = _results(keys)
    met = _meetings(keys) if HEAD_TO_HEAD in series.tie_breakers else {}
    return [Evening(key, tuple(results[key]), tuple(met.get(key, ()))) for key in keys]


def _results(events: Sequence[int]) -> Mapping[int, list[Result]]:
    """Everybody in the final standings, by event; places that a cut decided come first."""
    placed = elimination.decided_places(Tournament.objects.filter(pk__in=events).only("pk"))
    found: dict[int, list[Result]] = defaultdict(list)
    for event, ranked in _swiss(events).items():
        if in_cut := placed.get(event):
            # Behind the cut everybody keeps the order of the Swiss.
            ranked.sort(key=lambda one: in_cut.get(one[0], len(in_cut) + one[1]))
        found[event] = [
            Result(player, place, points) for place, (player, _, points) in enumerate(ranked, 1)
        ]
    return found


def _swiss(events: Sequence[int]) -> Mapping[int, list[tuple[int, int, Points]]]:
    """(player, rank, match points) of the standings in force, by event."""
    in_force = event_queries.snapshots_of_events(events)
    rows = Standing.objects.filter(snapshot__in=in_force).order_by("rank")
    found: dict[int, list[tuple[int, int, Points]]] = defaultdict(list)
    for event, player, rank, points in rows.values_list(
        "snapshot__tournament", "registration__player", "rank", "match_points"
    ):
        found[event].append((player, rank, points))
    return found


def _meetings(events: Sequence[int]) -> Mapping[int, list[Meeting]]:
    """Every two players of a settled table, by event."""
    closed = Pairing.objects.filter(
        round__stage__tournament__in=events, round__state=RoundState.CLOSED
    )
    # One filter: another one would join the seats once more.
    rows = (
        closed.annotate(
            one=FilteredRelation("match__seats"), other=FilteredRelation("match__seats")
        )
        .filter(
            other__position__gt=F("one__position"),
            one__points__isnull=False,
            other__points__isnull=False,
        )
        .order_by()
    )
    met: dict[int, list[Meeting]] = defaultdict(list)
    for event, one, other, points, theirs in rows.values_list(
        *("round__stage__tournament", "one__player", "other__player"),
        *("one__points", "other__points"),
    ):
        met[event].append((one, other, points, theirs))
    return met


@dataclass(frozen=True)
class Season:
    """The finished events that count, first to last, and the table after them."""

    played: tuple[Evening, ...]
    lines: tuple[Line, ...]


def season_of(series: Series) -> Season:
    """The season as it stands; a constant number of queries."""
    played = evenings(series)
    return Season(tuple(played), season_table(played, rules_of(series)))


def recomputing_event(season: Season) -> Tournament | None:
    """Return an event of the season whose standings are being recomputed, if there is one."""
    played = [evening.id for evening in season.played]
    current = event_queries.with_current_standings(played)
    return Tournament.objects.filter(pk__in=played).exclude(pk__in=current).first()


@dataclass(frozen=True)
class ShownPlayer:
    """A player as pages over many events name them."""

    key: int
    name: str
    pronouns: str = ""
    has_page: bool = False


def shown_players(series: Series, players: Collection[int]) -> dict[int, ShownPlayer]:
    """How these players are named wherever events are put together, by key; one query.

    Who was erased is "Player 17"; who hides their history keeps the place without a name. The
    others have a page for everybody where the series is public, as its events are then.
    """
    is_public = series.visibility == Visibility.PUBLIC
    return {one.pk: _shown(one, is_public) for one in Player.objects.filter(pk__in=players)}


def _shown(player: Player, is_public: bool) -> ShownPlayer:
    pronouns = "" if player.hides_history else player.pronouns
    has_page = is_public and not player.hides_history and player.erased_at is None
    return ShownPlayer(player.pk, player.listed_name, pronouns, has_page)


def _invited(series: Series, season: Season) -> dict[str, frozenset[int]]:
    """Who has a place at the event that the series qualifies for, and who gave it up.

    Who was invited by another series has a place; who was erased without one comes no more.
    """
    ranked = [line.player for line in season.lines]
    erased = Player.objects.filter(pk__in=ranked, erased_at__isnull=False)
    found: dict[str, set[int]] = {"declined": set(), "elsewhere": set(), "chosen": set()}
    rows = InvitedPlayer.objects.filter(tournament=series.target_id)
    for player, by, declined_at in rows.values_list("player", "series", "declined_at"):
        kind = "declined" if declined_at else "chosen" if by == series.pk else "elsewhere"
        found[kind].add(player)
    gone = set(erased.values_list("pk", flat=True)) - found["chosen"] - found["elsewhere"]
    found["declined"] |= gone
    return {kind: frozenset(players) for kind, players in found.items()}


def owner_of(series: Series) -> SeriesStaff | None:
    """Who owns it; nobody once the account was erased."""
    owners = SeriesStaff.objects.filter(series=series, role=SeriesRole.OWNER, user__is_active=True)
    return owners.select_related("user").first()


def plan_of(plan: EveningPlan) -> Plan:
    """The plan as the rules know it."""
    return Plan(
        first=plan.first_on,
        rhythm=plan.rhythm,
        starts_at=plan.starts_at,
        zone=plan.time_zone,
        days_before=plan.days_before,
        opens_at=plan.opens_at,
        last=plan.last_on,
    )


def running_plans() -> QuerySet[EveningPlan]:
    """Recurring evenings that nobody has stopped."""
    return EveningPlan.objects.filter(stopped_at=None).order_by("pk")


def days_done(plan: EveningPlan) -> set[date]:
    """The days of the plan on which nothing more is to be made."""
    return set(plan.evenings.values_list("day", flat=True))


def handed_over_with(series: Series) -> QuerySet[Tournament]:
    """The events that go along when the series is handed over: open ones that its owner owns."""
    owner = SeriesStaff.objects.filter(series=series, role=SeriesRole.OWNER).values("user")
    mine = Staff.objects.filter(role=StaffRole.OWNER, user__in=owner).values("tournament")
    events = Tournament.objects.filter(series=series, finished_at=None, pk__in=mine)
    return events.order_by("pk")


def free_slug(name: str) -> str:
    """An address no series has: the name, with a number behind it when it is taken."""
    stem = slugify(name)[:120] or "series"
    known = Series.objects.filter(slug__startswith=stem).values_list("slug", flat=True)
    taken = {*known, "new"}
    numbered = (f"{stem}-{number}" for number in count(2))
    return stem if stem not in taken else next(one for one in numbered if one not in taken)


def newest_log_id(series: Series) -> int:
    """Grows with every change of the series; 0 before any."""
    return series.log.values_list("pk", flat=True).first() or 0


@dataclass(frozen=True)
class Qualified:
    """Somebody who qualified, with how in words; `by_table` is whether the table said so."""

    player: int
    how: str
    by_table: bool


@dataclass(frozen=True)
class QualifiedSoFar:
    """Who goes through by the events that are over, and who shares the place at the edge."""

    through: tuple[Qualified, ...]
    tied: tuple[int, ...] = ()
    places_left: int = 0


PASSED = {ALREADY: "already qualified", DECLINED: "declined"}


def qualified_so_far(series: Series, season: Season, *, for_others: bool = False) -> QualifiedSoFar:
    """Who qualified by these events; by the table only once the season is over.

    `for_others` leaves the names of events out where the series is for those who run it alone.
    """
    places = places_of(series)
    if not is_season_over(series, len(season.played)):
        places = replace(places, by_table=0)
    found = qualified(season.played, season.lines, places, **_invited(series, season))
    names = dict(shown_events(series).values_list("pk", "name"))
    if for_others and series.visibility == Visibility.PRIVATE:
        names = dict.fromkeys(names, "a private event")
    return QualifiedSoFar(
        tuple(
            Qualified(one.player, _how(one, names), one.evening is None) for one in found.passages
        ),
        found.tied,
        found.places_left,
    )


def is_season_over(series: Series, finished: int) -> bool:
    """Whether the planned events are all finished; never where nobody said how many there are."""
    return series.planned_events is not None and finished >= series.planned_events


def _how(passage: Passage, names: Mapping[int, str]) -> str:
    """Such as "3rd at Spring Evening 2, place 1 already qualified"."""
    where = "of the table" if passage.evening is None else f"at {names[passage.evening]}"
    by_reason: dict[str, list[int]] = {}
    for place, why in passage.passed:
        by_reason.setdefault(PASSED[why], []).append(place)
    reasons = (f"{_places_in_words(places)} {why}" for why, places in by_reason.items())
    chosen = ["chosen by the organiser"] if passage.chosen else []
    return ", ".join([f"{ordinal(passage.place)} {where}", *chosen, *reasons])[:LONGEST_HOW]


def _places_in_words(places: Sequence[int]) -> str:
    """Such as "place 1", or "places 1, 2 and 5"."""
    *others, last = dict.fromkeys(places)
    return f"places {', '.join(map(str, others))} and {last}" if others else f"place {last}"


@dataclass(frozen=True)
class Figures:
    """How many events a series has, how many are finished, and the day of the newest."""

    events: int = 0
    finished: int = 0
    latest: date | None = None


def figures_of(series: Sequence[Series]) -> dict[int, Figures]:
    """The figures of each series by key, of the events its readers may know of; one query."""
    found = {one.pk: Figures() for one in series}
    levels = {one.pk: OPEN_ENOUGH[one.visibility] for one in series}
    rows = Tournament.objects.filter(series__in=found, practice_of=None).order_by()
    for key, visibility, finished_at, day in rows.values_list(
        "series", "visibility", "finished_at", "starts_on"
    ):
        if key is None or visibility not in levels[key]:
            continue
        before = found[key]
        found[key] = Figures(
            before.events + 1,
            before.finished + (finished_at is not None),
            max(day, before.latest or day),
        )
    return found


def shown_target(series: Series) -> Tournament | None:
    """The event that the series qualifies for, where its readers may know of it."""
    events = Tournament.objects.filter(visibility__in=OPEN_ENOUGH[series.visibility])
    return events.filter(pk=series.target_id or 0, practice_of=None).first()


def shown_targets(series: Iterable[Series]) -> dict[int, str]:
    """The slugs of those events, by key of the series."""
    levels = {one.pk: OPEN_ENOUGH[one.visibility] for one in series}
    rows = Series.objects.filter(pk__in=levels, target__practice_of=None).exclude(target=None)
    return {
        key: slug
        for key, slug, visibility in rows.values_list("pk", "target__slug", "target__visibility")
        if visibility in levels[key]
    }
