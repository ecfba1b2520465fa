"""Forms for series, recurring events and copies of an event."""

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.form_fields import TitleField, refuse_far_years
from core.time_zones import known_zones
from tournaments.models import EveningPlan, Series, SeriesScoring, Tournament
from tournaments.series.recurring import EventCopyOptions
from tournaments.series.rules import (
    DEFAULT_TIE_BREAKERS,
    PLACE_POINTS,
    TIE_BREAKERS,
    name_of_copy,
    next_week,
)
from tournaments.settings.forms import StaffForm
from tournaments.settings.scoring_fields import TieBreakersField

MAX_PLACES = 64
MAX_POINTS = 1_000
MAX_DAYS_BEFORE = 60
MAX_TIE_BREAKERS = 3


NOT_COPIED = gettext_lazy(
    "Players who dropped are copied too. No-shows, disqualified players and the waiting list "
    "are not."
)


class PlacePointsField(forms.CharField):
    """Points for place 1, 2, ..., typed with any separators."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        numbers = re.findall(r"[0-9]+", str(super().to_python(value)))
        points = [int(number[:6]) for number in numbers]
        if len(points) > MAX_PLACES:
            raise forms.ValidationError(
                _("Enter at most %(max_places)s places, not %(points)s.")
                % {"max_places": MAX_PLACES, "points": len(points)}
            )
        if any(number > MAX_POINTS for number in points):
            raise forms.ValidationError(
                _("A place can award at most %(max_points)s points.") % {"max_points": MAX_POINTS}
            )
        return points

    def validate(self, value: Any) -> None:
        """Accept an empty list, as every place then brings the same points."""

    def run_validators(self, value: Any) -> None:
        """Skip the validators, which expect text."""


class SeriesForm(forms.ModelForm[Series]):
    place_points = PlacePointsField(
        label=gettext_lazy("Points by place"),
        required=False,
        help_text=gettext_lazy("First place first, such as 10, 8, 6, 5, 4, 3, 2."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
    )
    tie_breakers = TieBreakersField(TIE_BREAKERS, places=MAX_TIE_BREAKERS)

    class Meta:
        model = Series
        fields = [
            *("name", "description", "visibility", "scoring", "place_points"),
            *("points_for_playing", "planned_events", "best_of"),
            *("target", "qualify_per_event", "qualify_by_table", "passes_down"),
        ]
        field_classes = {"name": TitleField}
        labels = {
            "name": gettext_lazy("Name"),
            "description": gettext_lazy("Description"),
            "visibility": gettext_lazy("Who can see it"),
            "scoring": gettext_lazy("Each event awards"),
            "points_for_playing": gettext_lazy("Points for every later place"),
            "planned_events": gettext_lazy("Events in the season"),
            "best_of": gettext_lazy("Best events that count"),
            "target": gettext_lazy("Event that players qualify for"),
            "qualify_per_event": gettext_lazy("Qualifying places per event"),
            "qualify_by_table": gettext_lazy("Qualifying places in the final table"),
            "passes_down": gettext_lazy(
                "If a player has already qualified, pass the place to the next player"
            ),
        }
        help_texts = {
            "visibility": gettext_lazy(
                "Events that are less visible than the series don't count towards it."
            ),
            "planned_events": (
                gettext_lazy(
                    "The table is final after the last event. Leave blank for an open-ended series."
                )
            ),
            "best_of": gettext_lazy("Leave blank to count all events."),
            "qualify_by_table": gettext_lazy("Awarded once all events of the season are finished."),
        }
        widgets = {"description": forms.Textarea(attrs={"rows": 3}), "scoring": forms.RadioSelect}

    def __init__(self, *args: Any, targets: QuerySet[Tournament], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autocomplete"] = "off"
        # Without the empty choice that a model field adds.
        self.fields["scoring"].choices = SeriesScoring.choices  # type: ignore[attr-defined]
        target = self.fields["target"]
        assert isinstance(target, forms.ModelChoiceField)
        target.queryset, target.empty_label = targets, _("None")
        for name in ("points_for_playing", "qualify_per_event", "qualify_by_table"):
            self.fields[name].required = False
        self.fields["tie_breakers"].initial = self.instance.tie_breakers
        before = self.Meta.fields.index("target")
        self.order_fields([*self.Meta.fields[:before], "tie_breakers", *self.Meta.fields[before:]])

    def clean_points_for_playing(self) -> int:
        points: int = self.cleaned_data["points_for_playing"] or 0
        if points > MAX_POINTS:
            raise forms.ValidationError(
                _("A place can award at most %(max_points)s points.") % {"max_points": MAX_POINTS}
            )
        return points

    def clean_qualify_per_event(self) -> int:
        return self.cleaned_data["qualify_per_event"] or 0

    def clean_qualify_by_table(self) -> int:
        return self.cleaned_data["qualify_by_table"] or 0

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        best, planned = cleaned.get("best_of"), cleaned.get("planned_events")
        for name, number in (("best_of", best), ("planned_events", planned)):
            if number == 0:
                self.add_error(name, _("Enter at least 1, or leave this blank."))
        if best and planned and best > planned:
            self.add_error(
                "best_of",
                ngettext(
                    "The season has only %(planned)s event.",
                    "The season has only %(planned)s events.",
                    planned,
                )
                % {"planned": planned},
            )
        return cleaned

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments of the service. The instance of the form is never saved."""
        return {name: self.cleaned_data[name] for name in (*self.Meta.fields, "tie_breakers")}


def default_series() -> Series:
    return Series(
        place_points=list(PLACE_POINTS),
        points_for_playing=1,
        tie_breakers=list(DEFAULT_TIE_BREAKERS),
    )


class EveningPlanForm(forms.ModelForm[EveningPlan]):
    class Meta:
        model = EveningPlan
        fields = [
            *("template", "first_on", "rhythm", "starts_at", "time_zone"),
            *("days_before", "opens_at", "last_on", "with_roster"),
        ]
        labels = {
            "template": gettext_lazy("Copy of"),
            "first_on": gettext_lazy("First event"),
            "rhythm": gettext_lazy("Repeat"),
            "time_zone": gettext_lazy("Time zone"),
            "starts_at": gettext_lazy("Starts at"),
            "days_before": gettext_lazy("Registration opens (days before)"),
            "opens_at": gettext_lazy("Registration opens at"),
            "last_on": gettext_lazy("Last event"),
            "with_roster": gettext_lazy("Copy the players of the previous event"),
        }
        help_texts = {
            "template": gettext_lazy(
                "The first event copies this one; each later event copies the previous."
            ),
            "time_zone": gettext_lazy(
                "For example Europe/Berlin. All times on this page are in this zone."
            ),
            "days_before": gettext_lazy("The event is created at this time, and anyone can join."),
            "last_on": gettext_lazy("Leave blank to continue until you stop it."),
            "with_roster": NOT_COPIED,
        }
        widgets = {
            "first_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "last_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "starts_at": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
            "opens_at": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
            "time_zone": forms.TextInput(attrs={"list": "time-zones", "autocomplete": "off"}),
        }

    def __init__(self, *args: Any, templates: QuerySet[Tournament], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["template"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset, field.empty_label, field.required = templates, None, True
        for name in ("first_on", "last_on"):
            self.fields[name].validators.append(refuse_far_years)

    @property
    def zones(self) -> list[str]:
        return sorted(known_zones())

    def clean_time_zone(self) -> str:
        zone: str = self.cleaned_data["time_zone"].strip()
        if zone not in known_zones():
            raise forms.ValidationError(
                _('"%(zone)s" is not a time zone. Try one such as Europe/Berlin.') % {"zone": zone}
            )
        return zone

    def clean_days_before(self) -> int:
        days: int = self.cleaned_data["days_before"]
        if days > MAX_DAYS_BEFORE:
            raise forms.ValidationError(
                _("Enter at most %(max_days_before)s days, not %(days)s.")
                % {"max_days_before": MAX_DAYS_BEFORE, "days": days}
            )
        return days

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        first, last = cleaned.get("first_on"), cleaned.get("last_on")
        if first and last and last < first:
            self.add_error("last_on", _("The last event must not be before the first event."))
        starts, opens = cleaned.get("starts_at"), cleaned.get("opens_at")
        if cleaned.get("days_before") == 0 and starts and opens and opens >= starts:
            self.add_error("opens_at", _("Registration must open before the event starts."))
        return cleaned


class CopyEventForm(forms.Form):
    name = TitleField(label=gettext_lazy("Name"), max_length=120)
    starts_on = forms.DateField(
        label=gettext_lazy("Date"),
        validators=[refuse_far_years],
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    start_time = forms.TimeField(
        label=gettext_lazy("Starts at"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    with_roster = forms.BooleanField(
        required=False,
        help_text=NOT_COPIED,
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, event: Tournament, players: int
    ) -> None:
        day = next_week(event.starts_on, timezone.localdate())
        initial = {
            "name": name_of_copy(event.name, event.starts_on, day),
            "starts_on": day,
            "start_time": event.start_time,
        }
        super().__init__(data, initial=initial)
        label = ngettext("Copy %(count)d player", "Copy %(count)d players", players)
        self.fields["with_roster"].label = label % {"count": players}

    @property
    def options(self) -> EventCopyOptions:
        cleaned = self.cleaned_data
        return EventCopyOptions(
            name=cleaned["name"],
            starts_on=cleaned["starts_on"],
            starts_at=cleaned["start_time"],
            with_roster=cleaned["with_roster"],
        )


class SeriesEventForm(forms.Form):
    event = forms.ModelChoiceField(
        Tournament.objects.none(),
        label=gettext_lazy("Event"),
        empty_label=None,
        to_field_name="slug",
    )

    def __init__(self, *args: Any, events: QuerySet[Tournament], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["event"].queryset = events  # type: ignore[attr-defined]


class SeriesOfEventForm(forms.Form):
    """Choice of the series that an event counts for; empty for none."""

    series = forms.ModelChoiceField(
        Series.objects.none(),
        label=gettext_lazy("Series"),
        required=False,
        empty_label=gettext_lazy("None"),
        to_field_name="slug",
    )

    def __init__(self, *args: Any, choices: QuerySet[Series], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["series"].queryset = choices  # type: ignore[attr-defined]


class SeriesOrganiserForm(StaffForm):
    role = None  # type: ignore[assignment]
