"""Forms for the settings of an event and for its staff."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.form_fields import TitleField, moment_input, refuse_far_years
from core.languages import languages_of_events
from core.time_zones import known_zones
from decks import games
from decks.catalogue import format_table
from decks.legality.records import DECK_RULE_KINDS, AnrRules, OnrRules, deck_rules_of
from engine import table_plan
from engine.standings.tie_breakers import DEFAULT_TIE_BREAKERS, FIXED_TIE_BREAKERS, TIE_BREAKERS
from engine.table_plan import RangesError
from matches.scoring.rules import scoring_rule
from players.models import User
from tournaments.models import LateEntry, StaffRole, Tournament, Visibility
from tournaments.models.events import MAX_LINKS, LinkError, parse_links
from tournaments.results.rules import MAX_CUT_SIZE, MIN_CUT_SIZE
from tournaments.settings.scoring_fields import (
    ScoringSelect,
    SystemRadios,
    TieBreakersField,
    can_avoid_second_meetings,
    clean_scoring_rule,
    clean_system,
    cut_system_field,
    offered_tie_breakers,
    rank_points_field,
    rank_points_of,
    refuse_foreign_tie_breakers,
    scoring_choices,
    scoring_choices_of,
    scoring_rule_with_points,
    second_meetings_field,
    system_choices_of,
    system_field,
    tie_breakers_by_game,
)
from tournaments.settings.services import (
    ASSIGNABLE_ROLES,
    INVITATION_LIFETIMES,
    default_scoring_rule,
)

# Names of the settings that are stored together in `deck_rules`.
DECK_RULE_FIELDS = tuple(rule.name for kind in DECK_RULE_KINDS.values() for rule in fields(kind))
BASIC_RULES: tuple[str, Any] = ("", _("Basic rules, no ban list"))


class DeckRulesFields(forms.Form):
    """Deck rules fields of all games; a form for one game drops the rest."""

    runner_minimum = forms.IntegerField(
        label=_("Minimum Runner deck size"), min_value=1, max_value=999, required=False
    )
    corp_minimum = forms.IntegerField(
        label=_("Minimum Corp deck size"), min_value=1, max_value=999, required=False
    )
    exact_ratio = forms.BooleanField(
        label=_("Exact agenda points"),
        help_text=_(
            "The required points are 2/5 of the deck size, rounded up. If unticked, they are "
            "2 for every 5 cards or part of 5."
        ),
        required=False,
    )
    ban_list = forms.BooleanField(
        label=_("Ban list of the Top Runners' Conference"),
        help_text=_("Tycho Extension and Enterprise, Inc., Shields are banned."),
        required=False,
    )
    format_id = forms.ChoiceField(
        label=_("Format of Android: Netrunner"),
        help_text=_("The card pool and ban list are those in force on the date of the event."),
        required=False,
    )

    identities_only = forms.BooleanField(
        label=_("Identities are enough"),
        help_text=_("Players of Android: Netrunner may submit only their two identities."),
        required=False,
    )

    def limit_deck_rules(self, offered_games: Iterable[str], stored: dict[str, Any]) -> None:
        """Keep only the fields of these games; `stored` has their initial values."""
        names = {name for game in offered_games for name in deck_rule_fields_of(game)}
        for name in set(DECK_RULE_FIELDS) - names:
            del self.fields[name]
        initial = {
            **asdict(OnrRules.from_settings(stored)),
            **asdict(AnrRules.from_settings(stored)),
        }
        for name in names:
            self.fields[name].initial = initial[name]
        if "format_id" in names:
            self.fields["format_id"].choices = _format_choices(offered_games, initial["format_id"])  # type: ignore[attr-defined]

    def deck_rules(self, game: str) -> dict[str, Any]:
        names = deck_rule_fields_of(game)
        if not names:
            return {}
        chosen = {name: self.cleaned_data[name] for name in names}
        known = {name: value for name, value in chosen.items() if value is not None}
        return {"deck_rules": asdict(deck_rules_of(game, known))}

    def refuse_format_of_another_game(self, game: str) -> None:
        """Reject a chosen format if the game has none, instead of ignoring it."""
        if not games.GAMES[game].has_formats and self.cleaned_data.get("format_id"):
            names = [played.name for played in games.GAMES.values() if played.has_formats]
            self.add_error(
                "format_id",
                gettext(
                    "%(name)s has no formats. Leave this at the basic rules, or choose %(names)s "
                    "as the game."
                )
                % {"name": games.GAMES[game].name, "names": get_text_list(names)},
            )


def deck_rule_fields_of(game: str) -> tuple[str, ...]:
    kind = games.GAMES[game].deck_rules
    return tuple(rule.name for rule in fields(DECK_RULE_KINDS[kind])) if kind else ()


def _format_choices(offered_games: Iterable[str], stored: str) -> list[tuple[str, str]]:
    with_formats = [game for game in offered_games if games.GAMES[game].has_formats]
    formats = [
        (format_.id, format_.name) for game in with_formats for format_ in format_table(game)
    ]
    if stored and stored not in dict(formats):
        # Keep the format of the event even if it is missing from the card data.
        formats.append((stored, f"{stored} (not among the card data of this site)"))
    return [BASIC_RULES, *formats]


# Settings


DATE_FIELDS = ("starts_on", "ends_on", "day_two_on")
DAY_TWO_FIELDS = ("day_two_on", "day_two_time", "day_two_round")
# Optional when an event is created.
OPTIONAL_FIELDS = (
    "start_time",
    "end_time",
    "ends_on",
    *DAY_TWO_FIELDS,
    "location",
    "address",
    "entry_fee",
    "contact",
    "links",
    "description",
    "visibility",
    "time_zone",
    "language",
    "registration_closes_at",
    "max_players",
    "scoring_rule",
    "bye_points",
    "planned_rounds",
    "planned_cut",
    "planned_cut_system",
    "avoid_second_meetings",
    "round_minutes",
    "decks_required",
    "decks_close_at",
)

# Form fields that are part of a larger setting.
SETTING_OF_FIELD = {"rank_points": "scoring_rule", **dict.fromkeys(DECK_RULE_FIELDS, "deck_rules")}

# Settings, apart from deck rules, that only games with decks have.
DECK_FIELDS = ("decks_required", "decks_close_at")

# Lowest and highest values, and the message for a value outside.
SETTING_RANGES = {
    "round_minutes": (5, 600, _("A round lasts {least} to {most} minutes, not {value}.")),
    "planned_rounds": (1, 30, _("An event has {least} to {most} rounds, not {value}.")),
    "planned_cut": (MIN_CUT_SIZE, MAX_CUT_SIZE, _("Enter {least} to {most} players, not {value}.")),
    "max_players": (
        2,
        32_767,
        _("An event has {least} players or more, not {value}. Leave it blank for no limit."),
    ),
}

VISIBILITY_CHOICES = (
    (Visibility.PUBLIC, _("Public: listed, and anyone can see it")),
    (Visibility.UNLISTED, _("Unlisted: anyone with the link can see it")),
    (Visibility.PRIVATE, _("Private: only its players and staff")),
)

# On the first screen of a new event.
FIRST_FIELDS = (
    *("game", "format_id", "name", "starts_on", "start_time", "end_time"),
    *("location", "visibility"),
    *("system", "planned_rounds", "planned_cut", "planned_cut_system", "decks_required"),
)

# Headings with their fields; the last two link to separate pages.
SETTINGS_GROUPS = {
    "what": (
        _("What and when"),
        (
            *("name", "time_zone", "language", "starts_on", "start_time", "ends_on", "end_time"),
            *DAY_TWO_FIELDS,
            *("description", "links"),
        ),
    ),
    "where": (
        _("Who and where"),
        (
            *("location", "address", "entry_fee", "contact", "visibility"),
            *("registration_closes_at", "max_players"),
        ),
    ),
    "play": (
        _("Play"),
        (
            *("system", "scoring_rule", "rank_points", "planned_rounds", "planned_cut"),
            *("planned_cut_system", "round_minutes", "bye_points"),
            *("avoid_second_meetings", "tie_breakers"),
        ),
    ),
    "decks": (_("Decks"), (*DECK_FIELDS, *DECK_RULE_FIELDS)),
    "judges": (_("Judges and penalties"), ()),
    "messages": (_("Notifications"), ()),
}


def refuse_outside_ranges(form: forms.BaseForm, ranges: Mapping[str, tuple[int, int, Any]]) -> None:
    for name, (least, most, message) in ranges.items():
        value = form.cleaned_data.get(name)
        if value is not None and not least <= value <= most:
            form.add_error(name, message.format(least=least, most=most, value=value))


@dataclass(frozen=True)
class SettingsGroup:
    id: str
    title: str
    fields: tuple[forms.BoundField, ...]

    @property
    def has_errors(self) -> bool:
        return any(field.errors for field in self.fields)


class ChangedLabels(forms.ModelForm[Tournament]):
    def changed_labels(self, before: Tournament, after: Tournament) -> list[str]:
        """Return the labels of the changed settings; checkboxes with their new value."""
        return [
            self._label_with_value(name)
            for name in self.changed_data
            if name == "system" or _setting_of(name, before) != _setting_of(name, after)
        ]

    def _label_with_value(self, name: str) -> str:
        value, label = self.cleaned_data[name], str(self[name].label)
        if not isinstance(value, bool) or not isinstance(self.fields[name], forms.BooleanField):
            return label
        text = gettext("%(setting)s (on)") if value else gettext("%(setting)s (off)")
        return text % {"setting": label}


def _setting_of(field: str, tournament: Tournament) -> Any:
    return getattr(tournament, SETTING_OF_FIELD.get(field, field))


class SettingsForm(DeckRulesFields, ChangedLabels):
    """Settings of an event that organisers choose.

    Closing times are in the time zone of the event.
    """

    system = system_field()
    scoring_rule = forms.ChoiceField(label=_("Scoring"), required=False, widget=ScoringSelect)
    rank_points = rank_points_field()
    planned_cut_system = cut_system_field()
    avoid_second_meetings = second_meetings_field()
    time_zone = forms.CharField(
        label=_("Time zone"),
        help_text=_("For example Europe/Berlin. All times are in this zone."),
        widget=forms.TextInput(attrs={"list": "time-zones", "autocomplete": "off"}),
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("Language of the site")), *languages_of_events()],
        required=False,
        help_text=_(
            "Language of the projector, overlays and printouts, and of emails and notifications to "
            "players who have not chosen their own."
        ),
    )
    tie_breakers = TieBreakersField(
        TIE_BREAKERS,
        fixed=FIXED_TIE_BREAKERS,
        help_text=_("Match points always come first, and a random draw comes last."),
    )

    class Meta:
        model = Tournament
        fields = ["name", "starts_on", *OPTIONAL_FIELDS]
        field_classes = dict.fromkeys(
            ("name", "location", "address", "entry_fee", "contact"), TitleField
        )
        labels = {
            "name": _("Name"),
            "description": _("Description"),
            "links": _("Links"),
            "address": _("Address"),
            "entry_fee": _("Entry fee"),
            "contact": _("Contact"),
            "starts_on": _("Date"),
            "start_time": _("Starts at"),
            "end_time": _("Ends around"),
            "ends_on": _("Last day"),
            "day_two_on": _("Day 2"),
            "day_two_time": _("Day 2 starts at"),
            "day_two_round": _("Day 2 begins with round"),
            "location": _("Place"),
            "visibility": _("Who can see it"),
            "registration_closes_at": _("Registration closes at"),
            "max_players": _("Player limit"),
            "bye_points": _("Points for a bye"),
            "planned_rounds": _("Rounds"),
            "planned_cut": _("Players in the top cut"),
            "round_minutes": _("Minutes per round"),
            "decks_required": _("Decklists required"),
            "decks_close_at": _("Decklists are due at"),
        }
        help_texts = {
            "registration_closes_at": _("Leave blank to close registration yourself."),
            "max_players": _("Clear the field for no limit."),
            "decks_required": _("If unticked, decklists are optional."),
            "decks_close_at": _(
                "After this time only the staff can change decklists. Leave blank for no deadline."
            ),
            "bye_points": _("Leave blank for the default of the scoring."),
            "planned_rounds": _("Leave blank to choose by the number of players."),
            "planned_cut": _("For example 8. Leave blank for no cut."),
            "end_time": _("Closing time of the venue, on both days of a two-day event."),
            "ends_on": _("Only for an event of several days."),
            "day_two_on": _("Only if players check in again on a second day."),
            "day_two_round": _("For example 6. Leave blank if day 2 begins with the cut."),
            "location": _("Shop or city, or where it is played online."),
            "address": _("Street and city. The event page links to a map."),
            "entry_fee": _("For example 10 EUR, or free. Datafort does not handle payments."),
            "contact": _(
                "An email address, a web page or a name. Everyone who can see the event can see it."
            ),
            "links": _("One per line, the name first: Prizes https://example.org/prizes"),
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
        for name in (*DATE_FIELDS, "registration_closes_at", "decks_close_at"):
            self.fields[name].validators.append(refuse_far_years)
        self.fields["visibility"].choices = VISIBILITY_CHOICES  # type: ignore[attr-defined]
        # The stylesheet shows how the cut is played while the placeholder is not shown.
        self.fields["planned_cut"].widget.attrs["placeholder"] = _("No cut")
        self._offer_scoring()
        self._offer_decks()
        if self.instance.pk:
            self.fields["system"].initial = self.instance.stages.get(number=1).system
            self.fields["system"].choices = system_choices_of(self.instance.game)  # type: ignore[attr-defined]
        field = self.fields["tie_breakers"]
        assert isinstance(field, TieBreakersField)
        field.initial = self._tie_breakers
        field.offer(self._offered_tie_breakers())

    def _offer_scoring(self) -> None:
        """Offer the scoring rules of the game and drop fields that do not apply to it."""
        game, rule = self.instance.game, scoring_rule(self.instance.scoring_rule)
        self.fields["scoring_rule"].choices = scoring_choices_of(game)  # type: ignore[attr-defined]
        self.initial["scoring_rule"] = rule.id.partition(":")[0]
        self.initial["rank_points"] = rank_points_of(rule.id)
        if rule.has_roles:
            del self.fields["rank_points"]
        if not can_avoid_second_meetings(game):
            del self.fields["avoid_second_meetings"]

    def _offered_tie_breakers(self) -> Mapping[str, Sequence[str]]:
        return offered_tie_breakers(self.instance.game, self._tie_breakers)

    def _offer_decks(self) -> None:
        self.limit_deck_rules([self.instance.game], self.instance.deck_rules)
        if not self.instance.has_decks:
            for name in DECK_FIELDS:
                del self.fields[name]

    @property
    def has_day_two(self) -> bool:
        """True if the fields of day 2 are filled in or have errors."""
        return any(self[name].value() or self[name].errors for name in DAY_TWO_FIELDS)

    def lock_fields_of_paired_rounds(self) -> None:
        """Show settings that are fixed once a round is paired as disabled.

        A submitted field stays as it is: the page is older than the round, so the service refuses
        the change.
        """
        for name in ("system", "scoring_rule", "rank_points", "bye_points"):
            if name in self.fields and self.add_prefix(name) not in self.data:
                self.fields[name].disabled = True
                self.fields[name].help_text = _("Locked since round 1 was paired.")

    @property
    def groups(self) -> Iterator[SettingsGroup]:
        """Yield headings with fields on this form, and headings that link to separate pages."""
        for id_, (title, names) in SETTINGS_GROUPS.items():
            fields = tuple(self[name] for name in names if name in self.fields)
            if fields or not names:
                yield SettingsGroup(id_, str(title), fields)

    def clean_time_zone(self) -> str:
        zone: str = self.cleaned_data["time_zone"].strip() or self._stored("time_zone")
        if zone not in known_zones():
            raise forms.ValidationError(
                _('"%(zone)s" is not a time zone. Try one such as Europe/Berlin.') % {"zone": zone}
            )
        return zone

    def clean_round_minutes(self) -> int:
        minutes: int | None = self.cleaned_data["round_minutes"]
        return int(self._stored("round_minutes")) if minutes is None else minutes

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

    def clean_links(self) -> str:
        typed: str = self.cleaned_data["links"].strip()
        try:
            count = len([*parse_links(typed)])
        except LinkError as unknown:
            raise forms.ValidationError(
                _('"%(line)s" has no address. Write a name, then an address with https://.')
                % {"line": unknown}
            ) from unknown
        if count > MAX_LINKS:
            raise forms.ValidationError(
                _("An event has at most %(most)s links, not %(count)s.")
                % {"most": MAX_LINKS, "count": count}
            )
        return typed

    def clean_planned_cut_system(self) -> str:
        return str(self.cleaned_data["planned_cut_system"] or self._stored("planned_cut_system"))

    def clean_visibility(self) -> str:
        return str(self.cleaned_data["visibility"] or self._stored("visibility"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        refuse_outside_ranges(self, SETTING_RANGES)
        if "scoring_rule" in cleaned:
            self._fit_scoring(cleaned)
        if cleaned.get("bye_points") is None and "scoring_rule" in cleaned:
            cleaned["bye_points"] = scoring_rule(cleaned["scoring_rule"]).bye_points
        if "scoring_rule" in cleaned and "system" in cleaned:
            try:
                cleaned["system"] = clean_system(cleaned["system"], cleaned["scoring_rule"])
            except forms.ValidationError as refusal:
                self.add_error("system", refusal)
        self.refuse_format_of_another_game(self._game())
        if "tie_breakers" in cleaned:
            try:
                refuse_foreign_tie_breakers(
                    self._game(), cleaned["tie_breakers"], self._tie_breakers
                )
            except forms.ValidationError as refusal:
                self.add_error("tie_breakers", refusal)
        self._refuse_end_before_start(cleaned)
        self._refuse_wrong_day_two(cleaned)
        return cleaned

    def _refuse_wrong_day_two(self, cleaned: dict[str, Any]) -> None:
        first, last, second = map(cleaned.get, ("starts_on", "ends_on", "day_two_on"))
        number = cleaned.get("day_two_round")
        if second is None:
            for name in ("day_two_time", "day_two_round"):
                if cleaned.get(name) is not None:
                    self.add_error(name, _("Also enter the date of day 2."))
            return
        if first and second <= first:
            self.add_error("day_two_on", _("Day 2 must be after the first day."))
        elif last and second > last:
            self.add_error(
                "day_two_on", _("Day 2 is after the last day. Also change the last day.")
            )
        if number is not None and not 2 <= number <= 30:
            self.add_error(
                "day_two_round",
                _("Enter a round from 2 to 30, not %(number)s.") % {"number": number},
            )

    def _refuse_end_before_start(self, cleaned: dict[str, Any]) -> None:
        first, last = cleaned.get("starts_on"), cleaned.get("ends_on")
        starts, ends = cleaned.get("start_time"), cleaned.get("end_time")
        if first and last and last < first:
            self.add_error("ends_on", _("The last day is before the first day."))
        elif starts and ends and ends <= starts and (last or first) == first:
            self.add_error(
                "end_time",
                _(
                    "The event ends before it starts. If it ends after midnight, enter the last "
                    "day."
                ),
            )

    def _game(self) -> str:
        return str(self._stored("game"))

    def _default_rule(self) -> str:
        """Return the current rule without its points by place, used for an empty choice."""
        return str(self._stored("scoring_rule")).partition(":")[0]

    def _fit_scoring(self, cleaned: dict[str, Any]) -> None:
        typed = cleaned.get("rank_points", "")
        try:
            chosen = cleaned["scoring_rule"] or self._default_rule()
            cleaned["scoring_rule"] = clean_scoring_rule(self._game(), chosen)
        except forms.ValidationError as refusal:
            self.add_error("scoring_rule", refusal)
            return
        try:
            cleaned["scoring_rule"] = scoring_rule_with_points(cleaned["scoring_rule"], typed)
        except forms.ValidationError as refusal:
            self.add_error("rank_points", refusal)

    def _stored(self, name: str) -> Any:
        return getattr(self.instance, name)

    @property
    def settings(self) -> dict[str, Any]:
        """Return the arguments of the service by name; the instance itself is never saved."""
        names = [name for name in self.Meta.fields if name in self.fields]
        return {
            **{name: self.cleaned_data[name] for name in names},
            **self.deck_rules(self._game()),
            "system": self.cleaned_data["system"],
            "tie_breakers": self.cleaned_data["tie_breakers"],
        }


# New event


# In place of help texts, to keep the first screen short.
SHORT_HINTS = {
    "location": _("Shop, city or online"),
    "planned_rounds": _("Automatic"),
}


class CreateEventForm(SettingsForm):
    game = forms.ChoiceField(label=_("Game"), choices=games.choices, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in OPTIONAL_FIELDS:
            self.fields[name].required = False
        self._propose_start()
        self.fields["decks_required"].initial = False
        # No game is chosen yet: leave the minutes blank and list the default of each game.
        defaults = (f"{game.name} {game.minutes_in_words}" for game in games.GAMES.values())
        minutes_help = _("Leave blank for the default of the game. %(defaults)s.") % {
            "defaults": "; ".join(defaults)
        }
        self.fields["round_minutes"].help_text = minutes_help
        self.initial["round_minutes"] = None
        for name in ("format_id", "end_time", "planned_cut", *SHORT_HINTS):
            self.fields[name].help_text = ""
        for name, hint in SHORT_HINTS.items():
            self.fields[name].widget.attrs["placeholder"] = hint
        self.fields["format_id"].label = _("Format")
        self.fields["planned_cut"].label = _("Top cut")
        self._mark_other_games()
        self.fields["name"].widget.attrs["autofocus"] = True

    def _propose_start(self) -> None:
        """Propose today, at the usual time of the organiser or at the next full hour."""
        now = timezone.localtime()
        self.fields["starts_on"].initial = now.date()
        if "start_time" in self.initial:
            return
        self.fields["start_time"].initial = time(now.hour + 1) if now.hour < 23 else None
        for name in ("starts_on", "start_time"):
            self.fields[name].widget.attrs["data-next-hour"] = True

    def _offer_scoring(self) -> None:
        """Offer the scoring rules of all games: the game is chosen in the same form."""
        self.fields["scoring_rule"].choices = scoring_choices()  # type: ignore[attr-defined]
        self.initial["scoring_rule"] = ""
        # The default points of a bye depend on the game.
        self.initial["bye_points"] = None

    def _offer_decks(self) -> None:
        """Offer the deck rules of all games; a script shows those of the chosen game."""
        self.limit_deck_rules(games.GAMES, self.instance.deck_rules)
        for game in games.GAMES:
            names = (*deck_rule_fields_of(game), *_scoring_field_names(game))
            for name in (*names, *(DECK_FIELDS if games.GAMES[game].has_decks else ())):
                of_games = self.fields[name].widget.attrs
                of_games["data-of-game"] = f"{of_games.get('data-of-game', '')} {game}".strip()

    def _mark_other_games(self) -> None:
        """Mark fields of unselected games, which are hidden until the script runs."""
        chosen = str(self["game"].value() or games.DEFAULT.id)
        for field in self.fields.values():
            of_games = field.widget.attrs.get("data-of-game", chosen)
            field.widget.attrs["data-of-other-game"] = chosen not in of_games.split()
        radios = self.fields["system"].widget
        assert isinstance(radios, SystemRadios)
        radios.game = chosen

    def _offered_tie_breakers(self) -> Mapping[str, Sequence[str]]:
        return tie_breakers_by_game()

    @property
    def groups(self) -> Iterator[SettingsGroup]:
        """Yield the headings of the settings with the fields that the first screen leaves out."""
        for group in super().groups:
            fields = tuple(field for field in group.fields if field.name not in FIRST_FIELDS)
            if fields:
                yield SettingsGroup(group.id, group.title, fields)

    @property
    def advanced_has_errors(self) -> bool:
        # An event that ends after midnight needs the last day.
        return "end_time" in self.errors or any(group.has_errors for group in self.groups)

    def clean_max_players(self) -> int | None:
        # A request without the field, such as from a script, gets the default limit.
        most: int | None = self.cleaned_data["max_players"]
        return most if "max_players" in self.data else int(self._stored("max_players"))

    def clean_game(self) -> str:
        return self.cleaned_data["game"] or games.DEFAULT.id

    def _game(self) -> str:
        return str(self.cleaned_data.get("game", games.DEFAULT.id))

    def _default_rule(self) -> str:
        return default_scoring_rule(self._game(), self.cleaned_data.get("system", ""))

    @property
    def settings(self) -> dict[str, Any]:
        settings = {**super().settings, "game": self.cleaned_data["game"]}
        if not self.data.get("round_minutes"):
            # Left empty: the service sets the default of the game.
            del settings["round_minutes"]
        if not games.GAMES[settings["game"]].has_decks:
            # The checkboxes may have been sent anyway.
            settings |= {"decks_required": False, "decks_close_at": None}
        if not can_avoid_second_meetings(settings["game"]):
            settings["avoid_second_meetings"] = None
        return settings


def _scoring_field_names(game: str) -> tuple[str, ...]:
    has_ranks = any(rank_points_of(rule) for rule in games.GAMES[game].scoring_rules)
    return (
        *(("rank_points",) if has_ranks else ()),
        *(("avoid_second_meetings",) if can_avoid_second_meetings(game) else ()),
    )


# Day of the event


DAY_GROUPS = (
    (_("Tables and clock"), ("table_numbers", "feature_tables", "overtime_minutes")),
    (_("Results"), ("confirm_after_minutes", "no_show_minutes", "rated", "shows_needs")),
    (
        _("Before round 1"),
        ("invitation_only", "has_waiting_list", "drops_absent", "guests_per_address"),
    ),
    (_("Late entries"), ("late_entry", "late_entry_until")),
    (_("Staff"), ("staff_need_second_factor",)),
)
LATE_ENTRY_CHOICES = (
    (LateEntry.NOBODY, _("No late entries")),
    (LateEntry.LOSSES, _("No points for missed rounds")),
    (LateEntry.HALF, _("Half the points of a bye for each missed round")),
    (LateEntry.BYES, _("The points of a bye for each missed round")),
)
MINUTES_MESSAGE = _("Enter {least} to {most} minutes, not {value}.")
DAY_RANGES = {
    "overtime_minutes": (0, 240, MINUTES_MESSAGE),
    "confirm_after_minutes": (1, 240, MINUTES_MESSAGE),
    "no_show_minutes": (1, 240, MINUTES_MESSAGE),
    "late_entry_until": (2, 30, _("Enter a round from {least} to {most}, not {value}.")),
}


class DaySettingsForm(ChangedLabels):
    """Settings that are all optional; with the defaults nothing happens automatically."""

    class Meta:
        model = Tournament
        fields = [name for _title, names in DAY_GROUPS for name in names]
        labels = {
            "table_numbers": _("Table numbers"),
            "feature_tables": _("Feature tables"),
            "overtime_minutes": _("Overtime in minutes"),
            "confirm_after_minutes": _("Minutes until an unanswered report counts"),
            "no_show_minutes": _("Minutes until a no-show loses"),
            "rated": _("Results count for ratings"),
            "shows_needs": _("Show clinch scenarios"),
            "late_entry": _("Late entries"),
            "late_entry_until": _("Last round for late entries"),
            "invitation_only": _("By invitation only"),
            "has_waiting_list": _("Offer a waiting list when the event is full"),
            "drops_absent": _("Drop players not checked in when round 1 is published"),
            "guests_per_address": _("New players from one network in ten minutes"),
            "staff_need_second_factor": _("Staff need two-factor authentication"),
        }
        help_texts = {
            "table_numbers": _("For example 1-20, 31-40. Leave blank for 1, 2, 3 and so on."),
            "feature_tables": _(
                "For example 1-2. The top tables play here, if they may be filmed."
            ),
            "overtime_minutes": _("Minutes on the clock after zero; 0 for none."),
            "confirm_after_minutes": _(
                "Leave blank if reports always wait for the opponent or the staff."
            ),
            "no_show_minutes": _(
                "Counted on the round clock, once a player is reported missing. The player is also "
                "dropped. Leave blank if the staff decide."
            ),
            "rated": _("Once the event is finished, and only while it is public."),
            "shows_needs": _(
                "In the last planned round, phones and standings show who has made the cut, who is "
                "out, and which results the remaining players need. Before that, they show the "
                "chance to make the cut, from simulated results."
            ),
            "late_entry": _("Half the points of a bye are rounded down."),
            "late_entry_until": _("Leave blank for any round."),
            "invitation_only": _(
                "Only players invited from a series can join. You can add anyone to the roster."
            ),
            "has_waiting_list": _("Players move up automatically when a place becomes free."),
            "staff_need_second_factor": _(
                "An authenticator app or a passkey, in addition to the password. Staff "
                "without it must set it up before they can open the desk. Players are not "
                "affected."
            ),
            "drops_absent": _("They stay on the roster and can return with one tap."),
            "guests_per_address": _(
                "Prevents fake sign-ups. All phones in the room share one network, so raise this "
                "for a large event. Leave blank for no limit. You can always add players."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["late_entry"].choices = LATE_ENTRY_CHOICES  # type: ignore[attr-defined]

    def clean_table_numbers(self) -> str:
        return self._ranges("table_numbers")

    def clean_feature_tables(self) -> str:
        return self._ranges("feature_tables")

    def _ranges(self, name: str) -> str:
        typed: str = self.cleaned_data[name].strip()
        try:
            table_plan.parse_ranges(typed)
        except RangesError as error:
            raise forms.ValidationError(str(error)) from error
        return typed

    def clean_overtime_minutes(self) -> int:
        return self.cleaned_data["overtime_minutes"] or 0

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        refuse_outside_ranges(self, DAY_RANGES)
        return cleaned

    @property
    def groups(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        return ((str(title), [self[name] for name in names]) for title, names in DAY_GROUPS)

    @property
    def settings(self) -> dict[str, Any]:
        """Return the arguments of the service by name; the instance itself is never saved."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


# Staff


class StaffForm(forms.Form):
    username = forms.CharField(
        label=_("Username"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
        help_text=_("The name that the person logs in with."),
    )
    role = forms.ChoiceField(
        label=_("Role"), choices=ASSIGNABLE_ROLES, initial=StaffRole.SCOREKEEPER
    )

    def clean_username(self) -> User:
        typed: str = self.cleaned_data["username"].strip()
        accounts = User.objects.filter(is_active=True)
        if exact := accounts.filter(username=typed).first():
            return exact
        # Ignore case only if that leaves a single account.
        similar = accounts.filter(username__iexact=typed)[:2]
        if len(similar) != 1:
            raise forms.ValidationError(
                gettext(
                    'There is no account "%(typed)s". Ask the person for their username, or let '
                    "them sign up first."
                )
                % {"typed": typed}
            )
        return similar[0]


class InvitationForm(forms.Form):
    """Invite the first person who opens the link to a role, for a limited time."""

    role = forms.ChoiceField(
        label=_("Role"), choices=ASSIGNABLE_ROLES, initial=StaffRole.SCOREKEEPER
    )
    hours = forms.TypedChoiceField(
        label=_("The link is valid for"),
        choices=list(INVITATION_LIFETIMES.items()),
        coerce=int,
        initial=24,
    )
    note = forms.CharField(
        label=_("Note"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("For the staff, such as the name of the invited person."),
    )

    @property
    def ends_at(self) -> datetime:
        hours: int = self.cleaned_data["hours"]
        return timezone.now() + timedelta(hours=hours)
