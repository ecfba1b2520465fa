"""Series, their tables, staff and evenings in the API."""

from typing import Any

from django.db.models import QuerySet
from django.utils.decorators import method_decorator
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from core.api_bodies import given, valid
from core.api_errors import found_or_404, not_found
from core.api_viewsets import Who, endpoint
from core.rate_limits import rate_limited
from tournaments.event import permissions as event_permissions
from tournaments.event.history import EventIsFinished
from tournaments.models import EveningPlan, Series, Tournament
from tournaments.series import pages, permissions, queries
from tournaments.series.forms import OrganiserForm, PlanForm, SeriesForm, as_typed
from tournaments.series.serializers import (
    EveningPlanLineSerializer,
    EventSlugBody,
    InviteBody,
    InvitedNumberSerializer,
    NewSeriesBody,
    OrganiserBody,
    PlanBody,
    QualifiedSerializer,
    SeasonLineSerializer,
    SeriesBody,
    SeriesEventSerializer,
    SeriesSerializer,
    SeriesStaffSerializer,
    SkipBody,
    TiedSerializer,
)
from tournaments.series.services import inviting, recurring
from tournaments.series.services import series as series_services
from tournaments.settings.services.staff import StaffRefused
from tournaments.statistics.serializers import PlayStatisticsSerializer
from tournaments.web.api.access import actor_of
from tournaments.web.api.viewsets import SiteViewSet, with_account

NOT_YOURS = "You run no event with this slug."


class SeriesListViewSet(SiteViewSet):
    """The series of the site."""

    @endpoint("series_list", "Public series", SeriesSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Public series, the newest first."""
        rows = permissions.listed().order_by("-pk")
        return self.listed(rows, SeriesSerializer, targets=queries.shown_targets(rows))

    @endpoint(
        "series_create",
        "A new series",
        SeriesSerializer,
        body=NewSeriesBody,
        status=201,
        who=with_account,
    )
    def create(self, request: Request) -> Response:
        """Make a series that belongs to the asking account."""
        said = given(NewSeriesBody, request)
        settings = _settings(None, said, permissions.targets_of(self.actor))
        made = series_services.create(self.organiser(), **settings)
        address = reverse("api:series", args=[made.slug], request=request)
        return Response(_shown(self, made), status=201, headers={"Location": address})


class OneSeriesViewSet(SiteViewSet):
    """Addresses below a series: for those who may read it."""

    series: Series

    def find(self, request: Request) -> None:
        slug = self.kwargs["series"]
        self.series, self.actor = (
            found_or_404(Series.objects.all(), "Series", slug=slug),
            actor_of(request),
        )
        if not permissions.can_see(self.actor, self.series):
            raise not_found("Series", slug)

    def require(self, who: Who) -> None:
        if not who(self.actor, self.series):
            self.refuse(self.request)

    def refuse(self, request: Request) -> None:
        if self.actor.player is not None:
            raise PermissionDenied
        super().refuse(request)

    def subject(self) -> str:
        return f"series {self.series.pk}"

    def cache_control(self) -> dict[str, bool]:
        return {"private": True}


class SeriesViewSet(OneSeriesViewSet):
    """One series: how it counts, its table and its events."""

    @endpoint("series_read", "One series", SeriesSerializer)
    def retrieve(self, request: Request, series: str) -> Response:
        """How the series counts."""
        return Response(_shown(self, self.series))

    @endpoint(
        "series_change",
        "Change a series",
        SeriesSerializer,
        body=SeriesBody,
        who=permissions.can_run,
    )
    def partial_update(self, request: Request, series: str) -> Response:
        """Change the settings that are named; the answer is all of them."""
        said = given(SeriesBody, request, partial=True)
        targets = permissions.targets_of(self.actor, self.series)
        settings = _settings(self.series, said, targets)
        # What is not named stays as somebody else may have set it meanwhile.
        named = {name: value for name, value in settings.items() if name in said}
        return Response(_shown(self, series_services.change(self.series, self.actor, **named)))

    @endpoint(
        "series_delete",
        "Delete a series",
        status=204,
        who=permissions.can_own,
        fresh_session=True,
    )
    def destroy(self, request: Request, series: str) -> Response:
        """Delete the series; its events stay."""
        series_services.delete(self.series)
        return Response(status=204)

    @endpoint("series_table", "The table", SeasonLineSerializer(many=True))
    @method_decorator(rate_limited("search"))
    def table(self, request: Request, series: str) -> Response:
        """Everybody in the table, first to last, with what each finished event brought."""
        table = pages.series_table(self.series)
        names = queries.shown_players(self.series, [line.player for line in table.lines])
        slugs = {event.pk: event.slug for event in table.events}
        return self.listed(table.lines, SeasonLineSerializer, slugs=slugs, players=names)

    @endpoint("series_statistics", "Statistics of a series", PlayStatisticsSerializer)
    @method_decorator(rate_limited("expensive"))
    def statistics(self, request: Request, series: str) -> Response:
        """Of its finished events, of the game most of them are of; decks where all may see them."""
        return Response(PlayStatisticsSerializer(pages.season_statistics(self.series)).data)

    @endpoint("series_qualified", "Who qualified", QualifiedSerializer(many=True))
    @method_decorator(rate_limited("search"))
    def qualified(self, request: Request, series: str) -> Response:
        """Who qualified so far, and how, in the order in which they did."""
        page = pages.qualified_page(self.series)
        return self.listed(page.lines if page else [], QualifiedSerializer)

    @endpoint("series_tied", "Who shares the last place", TiedSerializer(many=True))
    @method_decorator(rate_limited("search"))
    def tied(self, request: Request, series: str) -> Response:
        """Those who share the last place of the table that qualifies; the organiser chooses."""
        page = pages.qualified_page(self.series)
        return self.listed(page.tied if page else [], TiedSerializer)

    @endpoint(
        "series_invite",
        "Invite who qualified",
        InvitedNumberSerializer,
        body=InviteBody,
        who=permissions.can_run,
        refusals=(inviting.NobodyToInvite, inviting.NotTied, EventIsFinished),
    )
    def invite(self, request: Request, series: str) -> Response:
        """Everybody who qualified may join the event, which the asking account runs too."""
        target = self.series.target
        if target is not None and not event_permissions.can_run(self.actor, target):
            self.refuse(request)
        said = given(InviteBody, request)
        if "player" in said and not said.get("reason", "").strip():
            raise ValidationError({"reason": ["Say why this player goes through."]})
        if "player" in said:
            inviting.choose(self.series, self.actor, said["player"], said.get("reason", ""))
            return Response({"invited": 1})
        only = said.get("only_invited", True)
        number = inviting.invite_qualified(self.series, self.actor, only_invited=only)
        return Response({"invited": number})

    @endpoint("series_events", "Events of a series", SeriesEventSerializer(many=True))
    def events(self, request: Request, series: str) -> Response:
        """The events that its readers may know of, first to last."""
        return self.listed(queries.shown_events(self.series), SeriesEventSerializer)

    @endpoint(
        "series_events_add",
        "Add an event",
        SeriesEventSerializer,
        body=EventSlugBody,
        status=201,
        who=permissions.can_run,
        refusals=(series_services.NotThisEvent,),
    )
    def add_event(self, request: Request, series: str) -> Response:
        """An event that the asking account runs counts for this series, and for no other."""
        event = _own(permissions.events_run_by(self.actor), given(EventSlugBody, request)["event"])
        series_services.add_event(self.series, event, self.actor)
        context = self.get_serializer_context()
        return Response(SeriesEventSerializer(event, context=context).data, status=201)

    @endpoint("series_events_remove", "Remove an event", status=204, who=permissions.can_run)
    def remove_event(self, request: Request, series: str, event: str) -> Response:
        """The event counts for the series no longer."""
        held = found_or_404(self.series.events.all(), "Event", slug=event)
        series_services.remove_event(held, self.actor, series=self.series)
        return Response(status=204)


class SeriesStaffViewSet(OneSeriesViewSet):
    """Who runs a series."""

    @endpoint(
        "series_staff",
        "Who runs a series",
        SeriesStaffSerializer(many=True),
        who=permissions.can_run,
    )
    def list(self, request: Request, series: str) -> Response:
        """The owner and the organisers."""
        return self.listed(self.series.staff.select_related("user"), SeriesStaffSerializer)

    @endpoint(
        "series_staff_give",
        "Add an organiser",
        SeriesStaffSerializer,
        body=OrganiserBody,
        status=201,
        who=permissions.can_own,
        fresh_session=True,
        refusals=(series_services.OwnerStays,),
    )
    def create(self, request: Request, series: str) -> Response:
        """Another account organises the series."""
        form = valid(OrganiserForm(given(OrganiserBody, request)))
        user = form.cleaned_data["username"]
        staff = series_services.give_role(self.series, self.actor, user)
        return Response(SeriesStaffSerializer(staff).data, status=201)

    @endpoint(
        "series_staff_take",
        "Remove an organiser",
        status=204,
        who=permissions.can_own,
        fresh_session=True,
        refusals=(series_services.OwnerStays,),
    )
    def destroy(self, request: Request, series: str, pk: int) -> Response:
        """The account organises the series no longer."""
        member = found_or_404(self.series.staff.select_related("user"), "Organiser", pk=pk)
        series_services.take_role(self.series, self.actor, member)
        return Response(status=204)

    @endpoint(
        "series_hand_over",
        "Hand a series over",
        SeriesStaffSerializer,
        who=permissions.can_own,
        fresh_session=True,
        refusals=(series_services.OwnerStays, series_services.EventsChanged, StaffRefused),
    )
    def hand_over(self, request: Request, series: str, pk: int) -> Response:
        """An organiser owns the series, and its open events that its owner owns; who owned them
        stays as an organiser."""
        rows = self.series.staff.select_related("user")
        series_services.hand_over(self.series, self.actor, found_or_404(rows, "Organiser", pk=pk))
        return Response(SeriesStaffSerializer(rows.get(pk=pk)).data)


class PlanViewSet(OneSeriesViewSet):
    """Recurring evenings of a series."""

    @endpoint(
        "plans_list",
        "Recurring evenings",
        EveningPlanLineSerializer(many=True),
        who=permissions.can_run,
    )
    def list(self, request: Request, series: str) -> Response:
        """The plans, running ones first, each with its next evenings."""
        return self.listed(pages.plan_lines(self.series), EveningPlanLineSerializer)

    @endpoint(
        "plans_create",
        "Plan evenings",
        EveningPlanLineSerializer,
        body=PlanBody,
        status=201,
        who=permissions.can_run,
        refusals=(recurring.NotPlanned,),
    )
    def create(self, request: Request, series: str) -> Response:
        """Evenings like one of the events of the series that the asking account runs."""
        settings = self._settings(request, self._models())
        return Response(self._line(recurring.plan(self.series, self.actor, **settings)), status=201)

    @endpoint(
        "plans_change",
        "Change recurring evenings",
        EveningPlanLineSerializer,
        body=PlanBody,
        who=permissions.can_run,
        refusals=(recurring.NotPlanned,),
    )
    def update(self, request: Request, series: str, pk: int) -> Response:
        """Another rhythm, hour or model for the evenings to come; those that are open stay."""
        plan = found_or_404(self.series.plans.filter(stopped_at=None), "Plan", pk=pk)
        kept = Tournament.objects.filter(pk=plan.template_id or 0)
        settings = self._settings(request, self._models() | kept)
        return Response(self._line(recurring.change(plan, self.actor, **settings)))

    @endpoint(
        "plans_skip",
        "Skip an evening",
        EveningPlanLineSerializer,
        body=SkipBody,
        who=permissions.can_run,
        refusals=(recurring.NotPlanned,),
    )
    def skip(self, request: Request, series: str, pk: int) -> Response:
        """No evening on this day, or one after all."""
        said, held = given(SkipBody, request), self._plan()
        act = recurring.skip if said["skipped"] else recurring.keep
        act(held, self.actor, said["day"])
        return Response(self._line(held))

    @endpoint("plans_stop", "Stop evenings", status=204, who=permissions.can_run)
    def destroy(self, request: Request, series: str, pk: int) -> Response:
        """No further evening opens by itself; those that are open stay."""
        recurring.stop(self._plan(), self.actor)
        return Response(status=204)

    def _models(self) -> QuerySet[Tournament]:
        """The events of the series that the asking account may have copied."""
        return permissions.events_run_by(self.actor).filter(series=self.series)

    def _settings(self, request: Request, models: QuerySet[Tournament]) -> dict[str, Any]:
        """What the service gets. Raises ValidationError."""
        said = given(PlanBody, request)
        said["template"] = _own(models, said["template"], "template").pk
        return dict(valid(PlanForm(said, templates=models)).cleaned_data)

    def _plan(self) -> EveningPlan:
        """The plan of the address."""
        return found_or_404(self.series.plans.all(), "Plan", pk=self.kwargs["pk"])

    def _line(self, plan: EveningPlan) -> Any:
        lines = (one for one in pages.plan_lines(self.series) if one.plan.pk == plan.pk)
        return EveningPlanLineSerializer(next(lines)).data


def _settings(
    series: Series | None, said: dict[str, Any], targets: QuerySet[Tournament]
) -> dict[str, Any]:
    """What the service gets. Raises ValidationError."""
    if said.get("target"):
        said = {**said, "target": _own(targets, said["target"], "target").pk}
    elif "target" not in said and series is not None:
        said = {**said, "target": series.target_id}
    copy = Series.objects.get(pk=series.pk) if series else None
    form = valid(SeriesForm(as_typed(series, said), instance=copy, targets=targets))
    return form.settings


def _own(events: QuerySet[Tournament], slug: str, field: str = "event") -> Tournament:
    """The event with this slug among these. Raises ValidationError."""
    found = events.filter(slug=slug).first()
    if found is None:
        raise ValidationError({field: [NOT_YOURS]})
    return found


def _shown(view: SiteViewSet, series: Series) -> Any:
    context = {**view.get_serializer_context(), "targets": queries.shown_targets([series])}
    return SeriesSerializer(series, context=context).data
