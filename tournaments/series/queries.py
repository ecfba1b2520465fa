"""Queries on the events of a series: results, meetings, qualification and shown names."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, count

from django.contrib.humanize.templatetags.humanize import ordinal
from django.db.models import F, FilteredRelation, QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext

from matches.scoring.results import Points
from players.models import Player
from rulings.guide import PenaltyKind
from tournaments.models import (
    DroppedBy,
    EveningPlan,
    InvitedPlayer,
    Pairing,
    Penalty,
    Registration,
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
from tournaments.models.event_lists import TournamentQuerySet
from tournaments.models.registrations import NEVER_CAME
from tournaments.rounds import cut as rounds_cut
from tournaments.series.rules import (
    ALREADY_QUALIFIED,
    DECLINED,
    EveningSchedule,
    EventResult,
    Meeting,
    Qualifier,
    QualifyingPlaces,
    SeasonEvent,
    SeasonRow,
    SeasonRules,
    season_qualification,
    season_table,
)

# Maximum length of the text that describes a qualification.
MAX_DESCRIPTION_LENGTH = 400
HEAD_TO_HEAD = "head_to_head"
# An event counts and is named only if every reader of the series may read the event.
COUNTED_VISIBILITIES: Mapping[str, tuple[str, ...]] = {
    Visibility.PUBLIC: (Visibility.PUBLIC,),
    Visibility.UNLISTED: (Visibility.PUBLIC, Visibility.UNLISTED),
    Visibility.PRIVATE: tuple(Visibility.values),
}


def players_to_copy(event: Tournament) -> QuerySet[Registration]:
    """Return the registrations that a copy of the event repeats, by number.

    Everyone on the roster except no-shows and players who are disqualified or erased.
    """
    penalties = Penalty.objects.in_force().filter(registration__tournament=event)
    disqualified = penalties.filter(kind=PenaltyKind.DISQUALIFICATION).values("registration")
    places = event.registrations.exclude(NEVER_CAME).exclude(dropped_by=DroppedBy.NO_SHOW)
    places = places.exclude(pk__in=disqualified).filter(player__erased_at=None)
    return places.select_related("player").order_by("number")


def shown_events(series: Series) -> TournamentQuerySet:
    """Return the events of the series that its readers may see, first to last."""
    events = Tournament.objects.filter(series=series, practice_of=None).order_by("starts_on", "pk")
    return events.filter(visibility__in=COUNTED_VISIBILITIES[series.visibility])


def hidden_events(series: Series) -> QuerySet[Tournament]:
    """Return the events that are less visible than the series and so do not count."""
    events = Tournament.objects.filter(series=series, practice_of=None).order_by("starts_on", "pk")
    return events.exclude(visibility__in=COUNTED_VISIBILITIES[series.visibility])


def season_events(series: Series) -> list[SeasonEvent]:
    """Return the finished events that count, first to last; a constant number of queries."""
    events = shown_events(series).exclude(finished_at=None)
    keys = list(events.values_list("pk", flat=True))
    results = _results_by_event(keys)
    meetings = _meetings_by_event(keys) if HEAD_TO_HEAD in series.tie_breakers else {}
    return [SeasonEvent(key, tuple(results[key]), tuple(meetings.get(key, ()))) for key in keys]


def _results_by_event(events: Sequence[int]) -> Mapping[int, list[EventResult]]:
    """Return the final standings by event; places decided by a cut come first."""
    cut_places = rounds_cut.decided_places(Tournament.objects.filter(pk__in=events).only("pk"))
    results: dict[int, list[EventResult]] = defaultdict(list)
    for event, ranked in _swiss_ranks_by_event(events).items():
        if in_cut := cut_places.get(event):
            # After the cut, players stay in Swiss order.
            ranked.sort(key=lambda row: in_cut.get(row[0], len(in_cut) + row[1]))
        results[event] = [
            EventResult(player, place, points)
            for place, (player, _, points) in enumerate(ranked, 1)
        ]
    return results


def _swiss_ranks_by_event(events: Sequence[int]) -> Mapping[int, list[tuple[int, int, Points]]]:
    snapshots = Tournament.objects.filter(pk__in=events).newest_snapshots()
    rows = Standing.objects.filter(snapshot__in=snapshots).order_by("rank")
    ranks: dict[int, list[tuple[int, int, Points]]] = defaultdict(list)
    for event, player, rank, points in rows.values_list(
        "snapshot__tournament", "registration__player", "rank", "match_points"
    ):
        ranks[event].append((player, rank, points))
    return ranks


def _meetings_by_event(events: Sequence[int]) -> Mapping[int, list[Meeting]]:
    closed = Pairing.objects.filter(
        round__stage__tournament__in=events, round__state=RoundState.CLOSED
    )
    # A single filter: a second filter would join the seats again.
    rows = (
        closed.annotate(
            seat=FilteredRelation("match__seats"), opposite=FilteredRelation("match__seats")
        )
        .filter(
            opposite__position__gt=F("seat__position"),
            seat__points__isnull=False,
            opposite__points__isnull=False,
        )
        .order_by()
    )
    meetings: dict[int, list[Meeting]] = defaultdict(list)
    for event, player, opponent, points, against in rows.values_list(
        *("round__stage__tournament", "seat__player", "opposite__player"),
        *("seat__points", "opposite__points"),
    ):
        meetings[event].append((player, opponent, points, against))
    return meetings


@dataclass(frozen=True)
class Season:
    """The finished events that count, first to last, and the table after them."""

    played: tuple[SeasonEvent, ...]
    lines: tuple[SeasonRow, ...]


def current_season(series: Series) -> Season:
    rules = SeasonRules(
        scoring=series.scoring,
        place_points=tuple(series.place_points),
        points_for_playing=series.points_for_playing,
        best_of=series.best_of,
        tie_breakers=tuple(series.tie_breakers),
    )
    played = season_events(series)
    return Season(tuple(played), season_table(played, rules))


def recomputing_event(season: Season) -> Tournament | None:
    played = [evening.id for evening in season.played]
    current = Tournament.objects.with_current_standings(played)
    return Tournament.objects.filter(pk__in=played).exclude(pk__in=current).first()


@dataclass(frozen=True)
class ShownPlayer:
    """A player as named on pages about several events."""

    key: int
    name: str
    pronouns: str = ""
    has_page: bool = False


def shown_players(series: Series, players: Collection[int]) -> dict[int, ShownPlayer]:
    """Return the public names of these players, by key; a single query.

    Erased players are "Player 17". Players who hide their history appear without a name. All
    remaining players have a public page if the series is public, because then its events are public
    too.
    """
    is_public = series.visibility == Visibility.PUBLIC
    return {
        player.pk: ShownPlayer(
            player.pk,
            player.listed_name,
            pronouns="" if player.hides_history else player.pronouns,
            has_page=is_public and not player.hides_history and player.erased_at is None,
        )
        for player in Player.objects.filter(pk__in=players)
    }


def _invited_players(series: Series, season: Season) -> dict[str, frozenset[int]]:
    """Return the players with a place at the target event, and the players who declined.

    Players invited by another series have a place. Players erased without a place count as
    declined.
    """
    invited: dict[str, set[int]] = {"declined": set(), "elsewhere": set(), "chosen": set()}
    rows = InvitedPlayer.objects.filter(tournament=series.target_id)
    for player, by, declined_at in rows.values_list("player", "series", "declined_at"):
        kind = "declined" if declined_at else "chosen" if by == series.pk else "elsewhere"
        invited[kind].add(player)
    ranked = [line.player for line in season.lines]
    erased = Player.objects.filter(pk__in=ranked, erased_at__isnull=False)
    without_place = set(erased.values_list("pk", flat=True)) - invited["chosen"]
    invited["declined"] |= without_place - invited["elsewhere"]
    return {kind: frozenset(players) for kind, players in invited.items()}


def owner_of(series: Series) -> SeriesStaff | None:
    """Return the owner; None once the account is erased."""
    owners = SeriesStaff.objects.filter(series=series, role=SeriesRole.OWNER, user__is_active=True)
    return owners.select_related("user").first()


def schedule_of(plan: EveningPlan) -> EveningSchedule:
    return EveningSchedule(
        first=plan.first_on,
        rhythm=plan.rhythm,
        starts_at=plan.starts_at,
        zone=plan.time_zone,
        days_before=plan.days_before,
        opens_at=plan.opens_at,
        last=plan.last_on,
    )


def events_handed_over_with(series: Series) -> QuerySet[Tournament]:
    """Return the events handed over with the series: open events of its owner."""
    owner = SeriesStaff.objects.filter(series=series, role=SeriesRole.OWNER).values("user")
    owned = Staff.objects.filter(role=StaffRole.OWNER, user__in=owner).values("tournament")
    events = Tournament.objects.filter(series=series, finished_at=None, pk__in=owned)
    return events.order_by("pk")


def free_slug(name: str) -> str:
    stem = slugify(name)[:120] or "series"
    taken = {*Series.objects.filter(slug__startswith=stem).values_list("slug", flat=True), "new"}
    slugs = chain([stem], (f"{stem}-{number}" for number in count(2)))
    return next(slug for slug in slugs if slug not in taken)


def newest_log_id(series: Series) -> int:
    """Return a number that grows with every change of the series; 0 before any."""
    return series.log.values_list("pk", flat=True).first() or 0


@dataclass(frozen=True)
class QualifiedPlayer:
    player: int
    how: str
    by_table: bool


@dataclass(frozen=True)
class QualifiedSoFar:
    through: tuple[QualifiedPlayer, ...]
    tied: tuple[int, ...] = ()
    places_left: int = 0


SKIP_REASONS = {ALREADY_QUALIFIED: "already qualified", DECLINED: "declined"}


def qualified_so_far(series: Series, season: Season, *, for_others: bool = False) -> QualifiedSoFar:
    """Return the qualified players; by the table only once the season is over.

    `for_others` hides the names of events of a private series.
    """
    is_over = is_season_over(series, len(season.played))
    by_table = series.qualify_by_table if is_over else 0
    places = QualifyingPlaces(series.qualify_per_event, by_table, series.passes_down)
    qualification = season_qualification(
        season.played, season.lines, places, **_invited_players(series, season)
    )
    names = dict(shown_events(series).values_list("pk", "name"))
    if for_others and series.visibility == Visibility.PRIVATE:
        names = dict.fromkeys(names, gettext("a private event"))
    players = (
        QualifiedPlayer(row.player, _qualification_in_words(row, names), row.evening is None)
        for row in qualification.passages
    )
    return QualifiedSoFar(tuple(players), qualification.tied, qualification.places_left)


def is_season_over(series: Series, finished: int) -> bool:
    """Return True if all planned events are finished; False without a planned number."""
    return series.planned_events is not None and finished >= series.planned_events


def _qualification_in_words(passage: Qualifier, names: Mapping[int, str]) -> str:
    """Describe a qualification, such as "3rd at Spring Evening 2, place 1 already qualified"."""
    where = "of the table" if passage.evening is None else f"at {names[passage.evening]}"
    by_reason: dict[str, list[int]] = {}
    for place, why in passage.passed:
        by_reason.setdefault(SKIP_REASONS[why], []).append(place)
    parts = [f"{ordinal(passage.place)} {where}"]
    if passage.chosen:
        parts.append("chosen by the organiser")
    for why, places in by_reason.items():
        *first, last = dict.fromkeys(places)
        skipped = f"places {', '.join(map(str, first))} and {last}" if first else f"place {last}"
        parts.append(f"{skipped} {why}")
    return ", ".join(parts)[:MAX_DESCRIPTION_LENGTH]


@dataclass(frozen=True)
class SeriesFigures:
    """Numbers of events and finished events, and the day of the newest event."""

    events: int = 0
    finished: int = 0
    latest: date | None = None


def series_figures(series: Sequence[Series]) -> dict[int, SeriesFigures]:
    """Return the figures of each series by key, from events its readers may see; a single query."""
    figures = {row.pk: SeriesFigures() for row in series}
    levels = {row.pk: COUNTED_VISIBILITIES[row.visibility] for row in series}
    rows = Tournament.objects.filter(series__in=figures, practice_of=None).order_by()
    for key, visibility, finished_at, day in rows.values_list(
        "series", "visibility", "finished_at", "starts_on"
    ):
        if key is None or visibility not in levels[key]:
            continue
        before = figures[key]
        figures[key] = SeriesFigures(
            before.events + 1,
            before.finished + (finished_at is not None),
            max(day, before.latest or day),
        )
    return figures


def shown_target(series: Series) -> Tournament | None:
    events = Tournament.objects.filter(visibility__in=COUNTED_VISIBILITIES[series.visibility])
    return events.filter(pk=series.target_id or 0, practice_of=None).first()


def shown_targets(series: Iterable[Series]) -> dict[int, str]:
    """Return the slugs of the shown target events, by key of the series."""
    levels = {row.pk: COUNTED_VISIBILITIES[row.visibility] for row in series}
    rows = Series.objects.filter(pk__in=levels, target__practice_of=None).exclude(target=None)
    return {
        key: slug
        for key, slug, visibility in rows.values_list("pk", "target__slug", "target__visibility")
        if visibility in levels[key]
    }
