"""Querysets of events: lists, searches, and the events of a person."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext_lazy

from core.text import comparison_key, sort_key
from players.models import Player, User
from players.queries import find_by_shown_name
from tournaments.models.codes import normal_join_code
from tournaments.models.operations import Job
from tournaments.models.registrations import NEVER_CAME, TAKES_A_PLACE, Registration
from tournaments.models.rounds import STATES_IN_PLAY, Round, Standing, StandingSnapshot
from tournaments.models.staff import Staff, StaffRole

if TYPE_CHECKING:
    from tournaments.models.events import Tournament

MAX_CALENDAR_EVENTS = 1000
# An event with rounds but without changes for longer counts as abandoned.
ABANDONED_AFTER = timedelta(days=7)


class Visibility(models.TextChoices):
    PUBLIC = "public", gettext_lazy("public: listed, and anyone can see it")
    UNLISTED = "unlisted", gettext_lazy("unlisted: anyone with the link can see it")
    PRIVATE = "private", gettext_lazy("private: only its players and staff")


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def public(self) -> Self:
        return self.filter(visibility=Visibility.PUBLIC, practice_of=None)

    def listed(self) -> Self:
        return self.public().with_list_figures()

    def with_player_count(self) -> Self:
        """Annotate events with `player_count`, without players who never came."""
        # Correlated: a list page counts the registrations of its own rows only.
        places = Registration.objects.filter(tournament=OuterRef("pk")).exclude(NEVER_CAME)
        counts = places.order_by().values("tournament").values(count=Count("pk"))
        return self.annotate(player_count=Coalesce(Subquery(counts), 0))

    def with_list_figures(self) -> Self:
        """Latest first, annotated with the number of players and the newest published round."""
        newest = _published_rounds_of_event()
        return (
            self.with_player_count()
            .annotate(
                round_number=Subquery(newest.values("number")[:1]),
                round_system=Subquery(newest.values("stage__system")[:1]),
            )
            .order_by("-starts_on", "-pk")
        )

    def for_calendar(self, *, since: date) -> Self:
        """Events from this day on, annotated with `newest_round_at`. At most 1,000.

        `newest_round_at` is when the newest round was published.
        """
        newest = _published_rounds_of_event().values("published_at")[:1]
        recent = self.filter(starts_on__gte=since).annotate(newest_round_at=Subquery(newest))
        return recent[:MAX_CALENDAR_EVENTS]

    def matching(self, criteria: Mapping[str, Any]) -> Self:
        """Filter events by these criteria; missing and empty ones are ignored.

        `q` and `place` match parts of name and location, ignoring case and accents. `since` and
        `until` are days. `player` is a full name; events of players who hide their history do not
        match. `state` is "finished" or "open". `series` is the slug of a public series.
        """
        conditions = {
            "game": criteria.get("game"),
            "series__slug": criteria.get("series"),
            "deck_rules__format_id": criteria.get("format"),
            "starts_on__gte": criteria.get("since"),
            "starts_on__lte": criteria.get("until"),
        }
        events = self.filter(**{name: value for name, value in conditions.items() if value})
        if criteria.get("series"):
            events = events.filter(series__visibility=Visibility.PUBLIC)
        if state := criteria.get("state"):
            events = events.filter(finished_at__isnull=state != "finished")
        if player := criteria.get("player"):
            events = events.filter(pk__in=_events_played_by(player))
        name, place = sort_key(criteria.get("q", "")), sort_key(criteria.get("place", ""))
        if not name and not place:
            return events
        # Filtered in Python, because SQLite ignores case only for ASCII.
        rows = self.model.objects.order_by().values_list("pk", "name", "location")
        return events.filter(
            pk__in=[
                pk
                for pk, event_name, location in rows
                if name in sort_key(event_name) and place in sort_key(location)
            ]
        )

    def years(self) -> list[tuple[int, int]]:
        rows = self.order_by().values_list("starts_on__year").annotate(Count("pk"))
        return sorted(rows, reverse=True)

    def by_time(self, today: date) -> tuple[Self, Self, Self]:
        """Public events (now, next, past). "Now" is today, or in progress for at most a week."""
        listed = self.listed()
        under_way = Q(
            finished_at=None,
            stages__rounds__isnull=False,
            starts_on__gte=today - ABANDONED_AFTER,
        )
        is_now = under_way | Q(finished_at=None, starts_on=today)
        now = listed.filter(pk__in=self.model.objects.filter(is_now).values("pk"))
        rest = listed.exclude(pk__in=now.values("pk"))
        is_next = Q(finished_at=None, starts_on__gt=today)
        return now, rest.filter(is_next).order_by("starts_on", "pk"), rest.exclude(is_next)

    def under_way(self) -> Self:
        at_tables = Round.objects.filter(state__in=STATES_IN_PLAY)
        return self.filter(
            finished_at=None,
            import_touched_at=None,
            pk__in=at_tables.values("stage__tournament"),
        ).order_by("pk")

    def by_join_code(self, typed: str) -> "Tournament | None":
        return self.filter(practice_of=None, join_code=normal_join_code(typed)).first()

    def free_slug(self, name: str) -> str:
        stem = slugify(name)[:120] or "event"
        known = self.filter(slug__startswith=stem).values_list("slug", flat=True)
        taken = {*known, "new", "import"}
        slug, number = stem, 2
        while slug in taken:
            slug, number = f"{stem}-{number}", number + 1
        return slug

    def of_person(self, user: User | None, player: Player | None) -> Self:
        takes_part = Q(pk__in=[])
        if user is not None:
            takes_part |= Q(pk__in=Staff.objects.filter(user=user).values("tournament"))
        if player is not None:
            takes_part |= Q(pk__in=Registration.objects.filter(player=player).values("tournament"))
        return self.filter(takes_part).with_list_figures()

    def current_event_of(self, player: Player) -> "Tournament | None":
        """Return the player's only unfinished event, or their only event with a round in progress.

        None if several qualify.
        """
        unfinished = self.filter(finished_at=None, registrations__player=player).order_by("pk")
        under_way = self.model.objects.under_way().order_by().values("pk")
        for candidates in (unfinished, unfinished.filter(pk__in=under_way)):
            if len(events := list(candidates[:2])) == 1:
                return events[0]
        return None

    def practices_of(self, user: User) -> Self:
        owned = Staff.objects.filter(user=user, role=StaffRole.OWNER).values("tournament")
        return self.filter(pk__in=owned, practice_of__isnull=False).order_by("-pk")

    def with_role_of(self, user: User) -> Self:
        """Annotate events with the account's staff role as `found_role`."""
        role = Staff.objects.filter(tournament=OuterRef("pk"), user=user).values("role")
        return self.annotate(found_role=Subquery(role))

    def count_roles(self, user: User) -> tuple[int, int]:
        """Return the numbers of the account's events as staff: all, and those that are on now."""
        counts = self.filter(staff__user=user).aggregate(
            every=Count("pk"), now=Count("pk", filter=_is_on_now())
        )
        return counts["every"], counts["now"]

    def has_player_now(self, player: Player) -> bool:
        places = {"registrations__player": player, "registrations__state__in": TAKES_A_PLACE}
        return self.filter(_is_on_now(), **places).exists()

    def with_outdated_standings(self) -> Self:
        """Annotate events with `has_outdated_standings` for pages with a notice."""
        unfinished = Job.objects.filter(tournament=OuterRef("pk")).unfinished_standings()
        return self.annotate(has_outdated_standings=Exists(unfinished))

    def with_current_standings(self, events: Collection[int]) -> "QuerySet[Tournament, int]":
        """Keys of the events among these whose standings are not being recomputed."""
        unfinished = Job.objects.filter(tournament=OuterRef("pk")).unfinished_standings()
        current = self.filter(~Exists(unfinished), pk__in=events)
        return current.order_by().values_list("pk", flat=True)

    def newest_snapshots(self) -> "QuerySet[Tournament, int | None]":
        """Subquery of the keys of the current standings of these events."""
        newest = StandingSnapshot.objects.filter(tournament=OuterRef("pk")).newest_first()
        return self.order_by().values_list(Subquery(newest.values("pk")[:1]), flat=True)

    def leaders_of(self, events: Iterable["Tournament"]) -> dict[int, Player]:
        """Return the leader in the newest standings, by event key; two queries."""
        # Events whose standings are being recomputed are left out.
        current = self.with_current_standings([event.pk for event in events])
        newest = list(self.model.objects.filter(pk__in=current).newest_snapshots())
        best = Standing.objects.filter(snapshot__in=newest, rank=1)
        rows = best.select_related("snapshot", "registration__player")
        return {row.snapshot.tournament_id: row.registration.player for row in rows}


def _published_rounds_of_event() -> QuerySet[Round]:
    """Return the published rounds of the outer query's event, newest first."""
    rounds = Round.objects.filter(stage__tournament=OuterRef("pk")).published()
    return rounds.order_by("-stage__number", "-number")


def _events_played_by(name: str) -> "QuerySet[Registration, Any]":
    """Keys of events with a player of this name, respecting hidden histories."""
    key = comparison_key(name)
    own = Q(player__shown_name="", player__name_key=key)
    shown = Q(player__in=find_by_shown_name(lambda shown: comparison_key(shown) == key))
    registrations = Registration.objects.filter(own | shown)
    listed = registrations.filter(player__hides_history=False).exclude(NEVER_CAME)
    return listed.order_by().values("tournament")


def _is_on_now() -> Q:
    """Match today's events, a day either way for time zones, and unfinished ones of the week."""
    today = timezone.localdate()
    return Q(
        finished_at=None,
        practice_of=None,
        starts_on__range=(today - ABANDONED_AFTER, today + timedelta(days=1)),
    )
