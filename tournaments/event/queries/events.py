"""Lists of events, their times and their staff."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import slugify

from core.text import comparison_key, sort_key
from core.time_zones import known_zones
from players.models import Player, User
from players.queries import find_by_shown_name
from tournaments.event.queries.registrations import NEVER_CAME, TAKES_A_PLACE
from tournaments.event.queries.rounds import visible_rounds
from tournaments.event.queries.standings import snapshots_of_events, with_current_standings
from tournaments.models import (
    STATES_IN_PLAY,
    ImportedFile,
    Registration,
    Round,
    RoundState,
    Staff,
    StaffInvitation,
    StaffRole,
    Standing,
    Tournament,
    Visibility,
)
from tournaments.models.codes import normal_join_code

MOST_IN_A_CALENDAR = 1000
# An event with rounds but without changes for longer counts as abandoned.
UNDER_WAY = timedelta(days=7)


def _player_count() -> Coalesce:
    """Subquery of the number of players, without players who never came.

    Correlated, so that a list page counts the registrations of its own rows only.
    """
    places = Registration.objects.filter(tournament=OuterRef("pk")).exclude(NEVER_CAME).order_by()
    return Coalesce(Subquery(places.values("tournament").values(count=Count("pk"))), 0)


def listed() -> QuerySet[Tournament]:
    """Public events, latest first, with their number of players."""
    return _counted(public())


def public() -> QuerySet[Tournament]:
    return Tournament.objects.filter(visibility=Visibility.PUBLIC, practice_of=None)


def with_figures(tournament: Tournament) -> Tournament:
    """The event with `player_count` and `current_number`, the newest published round or None."""
    figures = Tournament.objects.annotate(player_count=_player_count())
    event: Tournament = figures.get(pk=tournament.pk)
    newest = visible_rounds(tournament).last()
    event.__dict__["current_number"] = newest.number if newest else None
    return event


def for_calendar(events: QuerySet[Tournament], *, since: date) -> QuerySet[Tournament]:
    """Events from this day on, annotated with `newest_round_at`. At most 1,000.

    `newest_round_at` is when the newest round was published.
    """
    seen = Round.objects.filter(stage__tournament=OuterRef("pk")).exclude(state=RoundState.DRAFT)
    newest = seen.order_by("-stage__number", "-number").values("published_at")[:1]
    recent = events.filter(starts_on__gte=since).annotate(newest_round_at=Subquery(newest))
    return recent[:MOST_IN_A_CALENDAR]


def _counted(events: QuerySet[Tournament]) -> QuerySet[Tournament]:
    seen = Round.objects.filter(stage__tournament=OuterRef("pk")).exclude(state=RoundState.DRAFT)
    newest = seen.order_by("-stage__number", "-number")
    return events.annotate(
        player_count=_player_count(),
        round_number=Subquery(newest.values("number")[:1]),
        round_system=Subquery(newest.values("stage__system")[:1]),
    ).order_by("-starts_on", "-pk")


def matching(events: QuerySet[Tournament], wanted: Mapping[str, Any]) -> QuerySet[Tournament]:
    """Filter events by these criteria; missing and empty ones are ignored.

    `q` and `place` match parts of name and location, ignoring case and accents. `since` and `until`
    are days. `player` is a full name; events of players who hide their history do not match.
    `state` is "finished" or "open". `series` is the slug of a public series.
    """
    conditions = {
        "game": wanted.get("game"),
        "series__slug": wanted.get("series"),
        "deck_rules__format_id": wanted.get("format"),
        "starts_on__gte": wanted.get("since"),
        "starts_on__lte": wanted.get("until"),
    }
    events = events.filter(**{name: value for name, value in conditions.items() if value})
    if wanted.get("series"):
        events = events.filter(series__visibility=Visibility.PUBLIC)
    if state := wanted.get("state"):
        events = events.filter(finished_at__isnull=state != "finished")
    if player := wanted.get("player"):
        events = events.filter(pk__in=_played_by(player))
    name, place = sort_key(wanted.get("q", "")), sort_key(wanted.get("place", ""))
    return events.filter(pk__in=_called(name, place)) if name or place else events


def _played_by(name: str) -> QuerySet[Registration, Any]:
    """Keys of events with a player of this name, respecting hidden histories."""
    key = comparison_key(name)
    own = Q(player__shown_name="", player__name_key=key)
    shown = Q(player__in=find_by_shown_name(lambda shown: comparison_key(shown) == key))
    found = Registration.objects.filter(own | shown)
    seen = found.filter(player__hides_history=False).exclude(NEVER_CAME)
    return seen.order_by().values("tournament")


def years_of(events: QuerySet[Tournament]) -> list[tuple[int, int]]:
    """The years of the events, latest first, each with its number of events."""
    rows = events.order_by().values_list("starts_on__year").annotate(Count("pk"))
    return sorted(rows, reverse=True)


def _called(name: str, place: str) -> list[int]:
    """Keys of events that match name and place, both as written by `core.text.sort_key`.

    Filtered in Python, because SQLite ignores case only for ASCII.
    """
    rows = Tournament.objects.order_by().values_list("pk", "name", "location")
    return [pk for pk, *said in rows if name in sort_key(said[0]) and place in sort_key(said[1])]


def best_placed(events: Iterable[Tournament]) -> dict[int, Player]:
    """The leader in the newest standings, by event key; three queries.

    Events whose standings are being recomputed are left out.
    """
    newest = list(snapshots_of_events(with_current_standings([event.pk for event in events])))
    best = Standing.objects.filter(snapshot__in=newest, rank=1)
    rows = best.select_related("snapshot", "registration__player")
    return {row.snapshot.tournament_id: row.registration.player for row in rows}


def events_of(user: User | None, player: Player | None) -> QuerySet[Tournament]:
    """Events in which this person plays or has a role."""
    mine = Q(pk__in=[])
    if user is not None:
        mine |= Q(pk__in=Staff.objects.filter(user=user).values("tournament"))
    if player is not None:
        mine |= Q(pk__in=Registration.objects.filter(player=player).values("tournament"))
    return _counted(Tournament.objects.filter(mine))


def event_now(player: Player) -> Tournament | None:
    """The player's only unfinished event, or their only event with a round in progress.

    None if several qualify.
    """
    mine = Tournament.objects.filter(finished_at=None, registrations__player=player).order_by("pk")
    for events in (mine, mine.filter(pk__in=under_way().order_by().values("pk"))):
        if len(found := list(events[:2])) == 1:
            return found[0]
    return None


def practices_of(user: User) -> QuerySet[Tournament]:
    """Practice events of this account, newest first."""
    mine = Staff.objects.filter(user=user, role=StaffRole.OWNER).values("tournament")
    return Tournament.objects.filter(pk__in=mine, practice_of__isnull=False).order_by("-pk")


def by_join_code(typed: str) -> Tournament | None:
    """The event with this join code, typed in any form; None if there is none."""
    real = Tournament.objects.filter(practice_of=None)
    return real.filter(join_code=normal_join_code(typed)).first()


def with_role_of(events: QuerySet[Tournament], user: User) -> QuerySet[Tournament]:
    """Annotate events with the account's staff role as `found_role`."""
    role = Staff.objects.filter(tournament=OuterRef("pk"), user=user).values("role")
    return events.annotate(found_role=Subquery(role))


def remember_role(tournament: Tournament, user: User, role: str | None) -> None:
    """Cache a role that was read with the event, for `role_of`."""
    tournament.__dict__["_roles"] = {user.pk: role}


def role_of(user: User, tournament: Tournament) -> str | None:
    """The account's staff role at this event; one query per event object."""
    cache: dict[int, str | None] = tournament.__dict__.setdefault("_roles", {})
    if user.pk not in cache:
        cache[user.pk] = tournament.staff.filter(user=user).values_list("role", flat=True).first()
    return cache[user.pk]


def has_a_role(user: User) -> bool:
    """Return True if the account has a role at any event; set as `settings.HAS_A_ROLE`."""
    return Staff.objects.filter(user=user).exists()


def is_on_now(prefix: str = "") -> Q:
    """Match today's events, a day either way for time zones, and unfinished ones of the week.

    `prefix` leads from the filtered model to the event, such as "tournament__".
    """
    today = timezone.localdate()
    fields = {
        "finished_at": None,
        "practice_of": None,
        "starts_on__range": (today - UNDER_WAY, today + timedelta(days=1)),
    }
    return Q(**{f"{prefix}{name}": value for name, value in fields.items()})


def roles_and_roles_now(user: User) -> tuple[int, int]:
    """Number of events in which the account has a role, and of those that are on now."""
    counts = Staff.objects.filter(user=user).aggregate(
        every=Count("pk"), now=Count("pk", filter=is_on_now("tournament__"))
    )
    return counts["every"], counts["now"]


def plays_now(player: Player) -> bool:
    """Return True if the player is registered for an event that is on now."""
    places = Registration.objects.filter(player=player, state__in=TAKES_A_PLACE)
    return places.filter(is_on_now("tournament__")).exists()


def open_invitations(tournament: Tournament) -> QuerySet[StaffInvitation]:
    """Staff invitation links that still work, newest first."""
    return tournament.invitations.filter(
        used_at=None, withdrawn_at=None, ends_at__gt=timezone.now()
    ).select_related("made_by")


def account_named(username: str) -> User | None:
    """The account with this username, ignoring case; None if several match."""
    exact = User.objects.filter(username=username, is_active=True).first()
    if exact is not None:
        return exact
    alike = User.objects.filter(username__iexact=username, is_active=True)[:2]
    return alike[0] if len(alike) == 1 else None


def free_slug(name: str) -> str:
    """An unused slug made from the name, with a number if needed."""
    stem = slugify(name)[:120] or "event"
    known = Tournament.objects.filter(slug__startswith=stem).values_list("slug", flat=True)
    taken = {*known, "new", "import"}
    slug, number = stem, 2
    while slug in taken:
        slug, number = f"{stem}-{number}", number + 1
    return slug


def listed_by_time(today: date) -> tuple[QuerySet[Tournament], ...]:
    """Public events (now, next, past). "Now" is today, or in progress for at most a week."""
    everything, recent = listed(), today - UNDER_WAY
    under_way = Q(finished_at=None, stages__rounds__isnull=False, starts_on__gte=recent)
    now = everything.filter(
        pk__in=Tournament.objects.filter(under_way | Q(finished_at=None, starts_on=today)).values(
            "pk"
        )
    )
    rest = everything.exclude(pk__in=now.values("pk"))
    is_next = Q(finished_at=None, starts_on__gt=today)
    upcoming = rest.filter(is_next).order_by("starts_on", "pk")
    return now, upcoming, rest.exclude(is_next)


def under_way() -> QuerySet[Tournament]:
    """Events with a round in progress."""
    at_tables = Round.objects.filter(state__in=STATES_IN_PLAY)
    return Tournament.objects.filter(
        finished_at=None,
        import_touched_at=None,
        pk__in=at_tables.values("stage__tournament"),
    ).order_by("pk")


def moment_in_words(moment: datetime, tournament: Tournament) -> str:
    """A time in the event's time zone, with the name of the zone."""
    zone = tournament.time_zone if tournament.time_zone in known_zones() else "UTC"
    local = moment.astimezone(ZoneInfo(zone))
    return f"{date_format(local, 'l j F Y, H:i')} ({zone})"


def is_importing(user: User | None, tournament: Tournament) -> bool:
    """Return True if this account is importing the event."""
    if user is None or tournament.import_touched_at is None:
        return False
    return ImportedFile.objects.filter(tournament=tournament, made_by=user).exists()
