"""Form for the settings of an event."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from core.form_fields import TitleField, moment_input, refuse_far_years
from core.time_zones import known_zones
from engine.standings import DEFAULT_TIE_BREAKERS
from matches.scoring import scoring_rule
from tournaments.models import Tournament
from tournaments.models.facts import MOST_LINKS, LinkError, links_of
from tournaments.settings.forms.deck_rules import DECK_RULES, DeckRulesFields
from tournaments.settings.forms.scoring import (
    TieBreakersField,
    can_avoid_second_meetings,
    choices_of,
    fitting_rule,
    fitting_system,
    offered_tie_breakers,
    rank_points_field,
    rank_points_of,
    refuse_foreign_tie_breakers,
    scoring_choices_of,
    second_meetings_field,
    system_field,
    with_rank_points,
)

DAYS = ("starts_on", "ends_on", "day_two_on")
DAY_TWO = ("day_two_on", "day_two_time", "day_two_round")
# Optional when an event is created.
MORE = (
    "start_time",
    "end_time",
    "ends_on",
    *DAY_TWO,
    "location",
    "address",
    "entry_fee",
    "contact",
    "links",
    "description",
    "visibility",
    "time_zone",
    "registration_closes_at",
    "max_players",
    "scoring_rule",
    "bye_points",
    "planned_rounds",
    "avoid_second_meetings",
    "round_minutes",
    "decks_required",
    "decks_close_at",
)

# Settings, apart from deck rules, that only games with decks have.
OF_DECKS = ("decks_required", "decks_close_at")

# Form fields that are part of a larger setting.
OTHERS = ("rank_points", *DECK_RULES, "tie_breakers")

# Headings with their fields; the last two link to separate pages.
GROUPS = {
    "what": (
        "What and when",
        (
            *("name", "starts_on", "start_time", "end_time", "ends_on", "time_zone"),
            *DAY_TWO,
            *("description", "links"),
        ),
    ),
    "where": (
        "Who and where",
        (
            *("location", "address", "entry_fee", "contact", "visibility"),
            *("max_players", "registration_closes_at"),
        ),
    ),
    "play": (
        "Play",
        (
            *("system", "scoring_rule", "rank_points", "bye_points", "planned_rounds"),
            *("avoid_second_meetings", "round_minutes", "tie_breakers"),
        ),
    ),
    "decks": ("Decks", (*OF_DECKS, *DECK_RULES)),
    "judges": ("Judges and penalties", ()),
    "messages": ("Messages and programs", ()),
}


@dataclass(frozen=True)
class Group:
    id: str
    title: str
    fields: tuple[forms.BoundField, ...]

    @property
    def has_errors(self) -> bool:
        return any(field.errors for field in self.fields)


class SettingsForm(DeckRulesFields, forms.ModelForm[Tournament]):
    """Settings of an event that organisers choose.

    Closing times are in the time zone of the event.
    """

    system = system_field()
    scoring_rule = forms.ChoiceField(label="Scoring", required=False)
    rank_points = rank_points_field()
    avoid_second_meetings = second_meetings_field()
    time_zone = forms.CharField(
        label="Time zone",
        help_text="Such as Europe/Berlin. Times on the pages of the event are of this zone.",
        widget=forms.TextInput(attrs={"list": "time-zones", "autocomplete": "off"}),
    )

    tie_breakers = TieBreakersField()

    class Meta:
        model = Tournament
        fields = ["name", "starts_on", *MORE]
        field_classes = dict.fromkeys(
            ("name", "location", "address", "entry_fee", "contact"), TitleField
        )
        labels = {
            "starts_on": "Date",
            "start_time": "Starts at",
            "end_time": "Ends at, about",
            "ends_on": "Last day",
            "day_two_on": "Day 2",
            "day_two_time": "Day 2 starts at",
            "day_two_round": "Day 2 begins with round",
            "location": "Place",
            "visibility": "Who can see it",
            "registration_closes_at": "Registration closes at",
            "max_players": "Most players",
            "bye_points": "Points for a bye",
            "planned_rounds": "Rounds",
            "round_minutes": "Minutes a round",
            "decks_required": "Players hand in deck lists",
            "decks_close_at": "Deck lists are due at",
        }
        help_texts = {
            "registration_closes_at": "Empty: it stays open until you close it.",
            "max_players": "Raise it for a larger event. Empty: no limit.",
            "decks_close_at": "From then on only the staff change lists. Empty: no deadline.",
            "bye_points": "Empty: as usual for the scoring.",
            "planned_rounds": "Empty: as many as the number of players wants.",
            "end_time": "Closing time. With two days, it holds for both.",
            "ends_on": "Only for an event of several days.",
            "day_two_on": "Only where players check in again on another day.",
            "day_two_round": "Such as 6. Empty: with the cut.",
            "location": "Shop, city, or where it is played online.",
            "address": "Street and city. The event page links to it on a map.",
            "entry_fee": "Such as 10 EUR, or free. Nothing is charged here.",
            "contact": "A mail address, a page or a name. Everybody who sees the event sees it.",
            "links": "One on each line, its name first: Prizes https://example.org/prizes",
        }
        widgets = {
            "starts_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "ends_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "day_two_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "day_two_time": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
            "start_time": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
            "end_time": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
            "links": forms.Textarea(attrs={"rows": 3}),
            "registration_closes_at": moment_input(),
            "decks_close_at": moment_input(),
            "description": forms.Textarea(attrs={"rows": 4}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs.setdefault("autocomplete", "off")
        for name in (*DAYS, "registration_closes_at", "decks_close_at"):
            self.fields[name].validators.append(refuse_far_years)
        self._ask_for_scoring()
        self._ask_for_decks()
        if self.instance.pk:
            self.fields["system"].initial = self.instance.stages.get(number=1).system
            self.fields["system"].choices = choices_of(self.instance.game)  # type: ignore[attr-defined]
        self._ask_for_tie_breakers()

    def _ask_for_scoring(self) -> None:
        """Offer the scoring rules of the game and drop fields that do not apply to it."""
        game, kept = self.instance.game, scoring_rule(self.instance.scoring_rule)
        self.fields["scoring_rule"].choices = scoring_choices_of(game)  # type: ignore[attr-defined]
        self.initial["scoring_rule"] = kept.id.partition(":")[0]
        self.initial["rank_points"] = rank_points_of(kept.id)
        if kept.has_roles:
            del self.fields["rank_points"]
        if not can_avoid_second_meetings(game):
            del self.fields["avoid_second_meetings"]

    def _ask_for_tie_breakers(self) -> None:
        field = self.fields["tie_breakers"]
        assert isinstance(field, TieBreakersField)
        field.initial = self._tie_breakers
        field.offer(self._offered_tie_breakers())

    def _offered_tie_breakers(self) -> Mapping[str, Sequence[str]]:
        return offered_tie_breakers(self.instance.game, self._tie_breakers)

    def _ask_for_decks(self) -> None:
        self.ask_for_deck_rules([self.instance.game], self.instance.deck_rules)
        if not self.instance.has_decks:
            for name in OF_DECKS:
                del self.fields[name]

    @property
    def more(self) -> list[forms.BoundField]:
        """Optional fields, which are collapsed at first."""
        return [self[name] for name in ("system", *MORE, *OTHERS) if name in self.fields]

    @property
    def groups(self) -> Iterator[Group]:
        """Yield headings with fields on this form, and headings that link to separate pages."""
        for id_, (title, names) in GROUPS.items():
            fields = tuple(self[name] for name in names if name in self.fields)
            if fields or not names:
                yield Group(id_, title, fields)

    @property
    def more_has_errors(self) -> bool:
        return any(field.errors for field in self.more)

    @property
    def zones(self) -> list[str]:
        return sorted(known_zones())

    def clean_time_zone(self) -> str:
        zone: str = self.cleaned_data["time_zone"].strip() or self._kept("time_zone")
        if zone not in known_zones():
            raise forms.ValidationError(
                f'"{zone}" is not a time zone. Try one such as Europe/Berlin.'
            )
        return zone

    def clean_round_minutes(self) -> int:
        minutes: int | None = self.cleaned_data["round_minutes"]
        if minutes is not None and not 5 <= minutes <= 600:
            raise forms.ValidationError(f"A round lasts 5 to 600 minutes, not {minutes}.")
        return minutes or int(self._kept("round_minutes"))

    def clean_tie_breakers(self) -> list[str]:
        # A request without the choices, such as from a script, changes nothing. Unchanged choices
        # are kept too: an imported order may have match points in the middle, or a seventh id.
        bound = self["tie_breakers"]
        omitted = bound.field.widget.value_omitted_from_data(self.data, self.files, bound.html_name)
        if omitted or not bound.field.has_changed(bound.initial, bound.data):
            return self._tie_breakers
        chosen: list[str] = self.cleaned_data["tie_breakers"]
        return chosen

    @property
    def _tie_breakers(self) -> list[str]:
        return list(self.instance.tie_breakers or DEFAULT_TIE_BREAKERS)

    def clean_max_players(self) -> int | None:
        most: int | None = self.cleaned_data["max_players"]
        if most is not None and most < 2:
            raise forms.ValidationError(
                f"An event has 2 players or more, not {most}. Leave it empty for no limit."
            )
        return most

    def clean_links(self) -> str:
        typed: str = self.cleaned_data["links"].strip()
        try:
            count = len([*links_of(typed)])
        except LinkError as unknown:
            raise forms.ValidationError(
                f'No address in "{unknown}". Write a name, then an address that begins with https://.'
            ) from unknown
        if count > MOST_LINKS:
            raise forms.ValidationError(f"An event has at most {MOST_LINKS} links, not {count}.")
        return typed

    def clean_visibility(self) -> str:
        return str(self.cleaned_data["visibility"] or self._kept("visibility"))

    def clean_planned_rounds(self) -> int | None:
        rounds: int | None = self.cleaned_data["planned_rounds"]
        if rounds is not None and not 1 <= rounds <= 30:
            raise forms.ValidationError(f"An event has 1 to 30 rounds, not {rounds}.")
        return rounds

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "scoring_rule" in cleaned:
            self._fit_scoring(cleaned)
        if cleaned.get("bye_points") is None and "scoring_rule" in cleaned:
            cleaned["bye_points"] = scoring_rule(cleaned["scoring_rule"]).bye_points
        if "scoring_rule" in cleaned and "system" in cleaned:
            self._fit_system(cleaned)
        self.refuse_format_of_another_game(self._game())
        if "tie_breakers" in cleaned:
            self._fit_tie_breakers(cleaned["tie_breakers"])
        self._refuse_end_before_start(cleaned)
        self._refuse_wrong_day_two(cleaned)
        return cleaned

    def _refuse_wrong_day_two(self, cleaned: dict[str, Any]) -> None:
        first, last, second = (cleaned.get(one) for one in ("starts_on", "ends_on", "day_two_on"))
        number = cleaned.get("day_two_round")
        if second is None:
            for name in ("day_two_time", "day_two_round"):
                if cleaned.get(name) is not None:
                    self.add_error(name, "Give the date of day 2 too.")
            return
        if first and second <= first:
            self.add_error("day_two_on", "Day 2 is after the first day.")
        elif last and second > last:
            self.add_error("day_two_on", "Day 2 is after the last day. Change the last day too.")
        if number is not None and not 2 <= number <= 30:
            self.add_error("day_two_round", f"Give a round from 2 to 30, not {number}.")

    def _refuse_end_before_start(self, cleaned: dict[str, Any]) -> None:
        first, last = cleaned.get("starts_on"), cleaned.get("ends_on")
        starts, ends = cleaned.get("start_time"), cleaned.get("end_time")
        if first and last and last < first:
            self.add_error("ends_on", "The last day is before the first one.")
        elif starts and ends and ends <= starts and (last or first) == first:
            self.add_error(
                "end_time", "It ends before it starts. Past midnight: give the last day too."
            )

    def _fit_tie_breakers(self, chosen: Sequence[str]) -> None:
        try:
            refuse_foreign_tie_breakers(self._game(), chosen, self._tie_breakers)
        except forms.ValidationError as refusal:
            self.add_error("tie_breakers", refusal)

    def _game(self) -> str:
        return str(self._kept("game"))

    def _kept_rule(self) -> str:
        """Return the current rule without its points by place, used for an empty choice."""
        return str(self._kept("scoring_rule")).partition(":")[0]

    def _fit_scoring(self, cleaned: dict[str, Any]) -> None:
        typed = cleaned.get("rank_points", "")
        try:
            chosen = cleaned["scoring_rule"] or self._kept_rule()
            cleaned["scoring_rule"] = fitting_rule(self._game(), chosen)
        except forms.ValidationError as refusal:
            self.add_error("scoring_rule", refusal)
            return
        try:
            cleaned["scoring_rule"] = with_rank_points(cleaned["scoring_rule"], typed)
        except forms.ValidationError as refusal:
            self.add_error("rank_points", refusal)

    def _fit_system(self, cleaned: dict[str, Any]) -> None:
        try:
            cleaned["system"] = fitting_system(cleaned["system"], cleaned["scoring_rule"])
        except forms.ValidationError as refusal:
            self.add_error("system", refusal)

    def _kept(self, name: str) -> Any:
        return getattr(self.instance, name)

    @property
    def settings(self) -> dict[str, Any]:
        """Return the arguments of the service by name; the instance itself is never saved."""
        asked = [name for name in self.Meta.fields if name in self.fields]
        return {
            **{name: self.cleaned_data[name] for name in asked},
            **self.deck_rules(self._game()),
            "system": self.cleaned_data["system"],
            "tie_breakers": self.cleaned_data["tie_breakers"],
        }
