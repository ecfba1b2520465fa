"""Forms for results: reports by players, decisions by staff, factions, and the cut."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.languages import in_words
from matches import records as matches_records
from matches.models import Match, Seat
from matches.scoring.codes import (
    ResultCode,
    agenda_points_needed,
    find_code,
    outcome_codes,
    result_of_code,
    usual_codes,
)
from matches.scoring.imposed_losses import losses_decide
from matches.scoring.results import Flag, MatchResult
from matches.scoring.rules import scoring_rules_of
from rulings.forms import CitedRulingsField
from tournaments.models import Registration, Tournament
from tournaments.models.events import CUT_SYSTEM_CHOICES
from tournaments.results.cuts import usual_cut_rule
from tournaments.results.pages import (
    Outcome,
    UsualResult,
    get_latest_result,
    get_outcomes,
    judged_games,
    possible_outcomes,
    usual_results,
)
from tournaments.results.queries import FactionDraft
from tournaments.results.result_reader import (
    GameFields,
    PlaceFields,
    faction_choices,
    get_filled_fields,
    get_result_reader,
)
from tournaments.results.rules import CutChange, CutChangeKind
from tournaments.results.services import MAX_NOTE_LENGTH

SEATS_CHANGED = gettext_lazy(
    "The seats of this table changed while you had the page open. Nothing was saved. Check who "
    "sits here now, then send the result again."
)


class ResultForm(forms.Form):
    """The result of a match; its fields depend on the scoring rule.

    A valid form has a `result`. Missing values are errors at their fields, and so are
    contradictions unless `force` is set. A form made for different seats is rejected as a whole.
    Requires `match.seats` with their players.

    Games decided by a penalty are shown as decided and cannot be changed. With `is_locked` false,
    staff can enter the games as played; this counts if the penalty is withdrawn. With `is_cut` the
    form offers no intentional draw.
    """

    def __init__(
        self,
        data: Any = None,
        *,
        match: Match,
        initial_result: MatchResult | None = None,
        by_staff: bool = False,
        force: bool = False,
        prefix: str | None = None,
        is_locked: bool = True,
        is_cut: bool = False,
    ) -> None:
        self.match, self.force, self.is_cut = match, force, is_cut
        self.initial_result = initial_result or MatchResult()
        self.is_locked = is_locked and bool(match.losses)
        self.reader = get_result_reader(match, by_staff=by_staff)
        super().__init__(data, initial=self.reader.initial(self.initial_result), prefix=prefix)
        self.fields.update(self.reader.fields())
        if is_cut and not self.initial_result.is_intentional_draw:
            self.fields.pop(Flag.INTENTIONAL_DRAW.value, None)
        # The report made before the penalties counts again if they are withdrawn.
        self.reported_before: MatchResult | None = None
        if self.is_locked:
            self.reported_before = (
                get_latest_result(match) if initial_result is None else initial_result
            )
            self._lock_decided_fields(matches_records.result_for_form(match, self.reported_before))

    def _lock_decided_fields(self, decided: MatchResult) -> None:
        shown = self.reader.initial(decided)
        if "corp" in shown:
            self.initial.setdefault("corp", shown["corp"])
        for name in self.reader.decided_fields() & self.fields.keys():
            self.fields[name].disabled = True
            # A player placed last by a penalty has no victory points, even before any report.
            self.initial[name] = shown.get(name, 0 if name.startswith("victory_points") else None)

    @property
    def is_decided(self) -> bool:
        seats = len(self.reader.seats)
        losses = matches_records.losses_of(self.match)
        return self.is_locked and losses_decide(self.match.rule, losses, seats)

    @property
    def result(self) -> MatchResult:
        result: MatchResult = self.cleaned_data["result"]
        return result

    @property
    def seated(self) -> str:
        """Identify the seated players. Fields are named by position, so the form sends this too."""
        return "-".join(str(seat.pk) for _, seat in sorted(self.reader.seats.items()))

    @property
    def seated_name(self) -> str:
        return self.add_prefix("seated")

    def judged(self) -> list[str]:
        return judged_games(self.match)

    def games(self) -> Iterator[GameFields]:
        return self.reader.games(self)

    def places(self) -> Iterator[PlaceFields]:
        return self.reader.places(self)

    def flags(self) -> list[forms.BoundField]:
        return self.reader.flags(self)

    def totals(self) -> list[forms.BoundField]:
        return self.reader.totals(self)

    def entered_result(self, cleaned: Mapping[str, Any]) -> MatchResult:
        return self.reader.result(cleaned)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.data.get(self.seated_name) not in (None, self.seated):
            self.add_error(None, SEATS_CHANGED)
        if self.errors:
            return cleaned
        result, faults = self.reader.complete(
            self.entered_result(cleaned), cleaned, self.reported_before
        )
        if faults:
            for field, message in faults:
                self.add_error(field, message)
            return cleaned
        if not self.force:
            for field, message in self.reader.contradictions(result):
                # The fields of the games are not shown with a code.
                self.add_error(None if cleaned.get("code") else field, message)
        return {**cleaned, "result": result}


class ReportForm(ResultForm):
    """A report by a player (`me`): a usual result by its `code`, or game by game without a code.

    `code` is the result that the player has already chosen, "" for game by game; None offers all.
    """

    def __init__(
        self,
        data: Any = None,
        *,
        match: Match,
        me: Seat,
        is_cut: bool = False,
        initial_result: MatchResult | None = None,
        code: str | None = None,
    ) -> None:
        super().__init__(data, match=match, initial_result=initial_result, is_cut=is_cut)
        self.usual = usual_results(match, me, is_cut=is_cut)
        self.chosen = self.data.get("code") if self.is_bound else code
        if self.usual:
            if self.chosen not in ("", *self._codes()):
                self.chosen = None
            initial = self._code_of(initial_result) if self.chosen is None else self.chosen
            self.fields["code"] = self._code_field(initial)
            for number in range(1, match.rule.games_per_match + 1):
                # Implied by the code; otherwise the scoring rule reports them as missing.
                self.fields[f"game_{number}_winner"].required = False

    def _codes(self) -> dict[str, ResultCode]:
        known = {code.keys: code for code in usual_codes(self.match.rule)}
        return {usual.code: known[usual.code] for usual in self.usual}

    def _code_field(self, initial: str) -> forms.ChoiceField:
        choices = [*((usual.code, usual.words) for usual in self.usual), ("", _("Another result"))]
        return forms.ChoiceField(
            label=_("Result"),
            choices=choices,
            initial=initial,
            required=False,
            widget=forms.RadioSelect,
            error_messages={"invalid_choice": _("Choose one of these results.")},
        )

    def _code_of(self, result: MatchResult | None) -> str:
        return find_code(self.match.rule, self._codes().values(), result) if result else ""

    def choices(self) -> list[tuple[Any, UsualResult | None]]:
        """Return each radio button of the code with its result; the last has none."""
        if not self.usual:
            return []
        return list(zip(self["code"], (*self.usual, None), strict=True))

    def codes_with_points(self) -> list[str]:
        """Return the codes whose results also require agenda points."""
        rule = self.match.rule
        return [key for key, code in self._codes().items() if agenda_points_needed(rule, code)]

    def complete_codes(self) -> list[str]:
        with_points = self.codes_with_points()
        return [key for key in self._codes() if key not in with_points]

    def entered_result(self, cleaned: Mapping[str, Any]) -> MatchResult:
        code = self._codes().get(cleaned.get("code", ""))
        if code is None:
            return super().entered_result(cleaned)
        points = {
            (game, seat): cleaned[f"game_{game}_points_{seat}"]
            for game, seat in agenda_points_needed(self.match.rule, code)
        }
        return result_of_code(self.match.rule, code, points)


class FactionsForm(forms.Form):
    def __init__(self, *args: Any, draft: FactionDraft, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.positions = [pick.seat.position for pick in draft.picks]
        choices = [
            ("", _("Not chosen yet")),
            *faction_choices(matches_records.factions_by_id().values()),
        ]
        for pick in draft.picks:
            self.fields[f"seat_{pick.seat.position}"] = forms.ChoiceField(
                label=_("Faction of %(player)s") % {"player": pick.seat.player},
                choices=choices,
                required=False,
                initial=pick.faction.id if pick.faction else "",
                error_messages={"invalid_choice": _("Choose a faction from the list.")},
                # Do not overwrite factions that players chose since the page was made: see
                # `chosen`.
                show_hidden_initial=True,
            )

    @property
    def chosen(self) -> dict[int, str]:
        """The changed factions, by position. Requires a valid form."""
        return {
            place: self.cleaned_data[f"seat_{place}"]
            for place in self.positions
            if f"seat_{place}" in self.changed_data
        }


class ReportAnswerForm(forms.Form):
    """Answer to a report; `report` is the primary key of the report shown."""

    report = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    note = forms.CharField(
        label=gettext_lazy("What is wrong?"),
        required=False,
        max_length=MAX_NOTE_LENGTH,
        help_text=gettext_lazy("The staff can read this."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class ResultEntryForm(ResultForm):
    """The result form with `seen`, the version of the match that the page showed.

    A result code (`code`) replaces the fields, except the agenda points that count. It does not
    change a game decided by a penalty. A result that contradicts the rules is accepted with
    `forced` and a `note`. With `is_cut` the form offers no draws.
    """

    seen = forms.IntegerField(widget=forms.HiddenInput)
    code = forms.CharField(required=False, max_length=5)
    forced = forms.BooleanField(label=gettext_lazy("Override the rules"), required=False)
    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=MAX_NOTE_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Saved in the log."),
    )

    def __init__(self, data: Any = None, *, match: Match, **options: Any) -> None:
        prefix = options.get("prefix")
        forced = f"{prefix}-forced" if prefix else "forced"
        force = bool(data and data.get(forced))
        super().__init__(data, match=match, by_staff=True, force=force, **options)
        self.initial["seen"] = match.version
        for name, field in self.fields.items():
            if name.endswith("_winner"):
                # Implied by a code; otherwise the scoring rule reports it as missing.
                field.required = False

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        if code and code not in get_filled_fields(self.match.rule):
            raise ValidationError(_("Choose one of these results."))
        return code

    def entered_result(self, cleaned: Mapping[str, Any]) -> MatchResult:
        corp = int(cleaned.get("corp") or 1)
        filled = get_filled_fields(self.match.rule, corp).get(cleaned.get("code", ""))
        if filled is None:
            return super().entered_result(cleaned)
        decided = self.reader.decided_fields() if self.is_locked else set()
        values = {name: cleaned.get(name) for name in ("corp", *filled.asks, *decided)}
        values |= {name: value for name, value in filled.values.items() if name not in decided}
        return self.reader.result(values)

    def outcomes(self) -> list[tuple[Outcome, bool]]:
        """Return the usual results to choose from, and whether each is chosen."""
        chosen = self["code"].value() if self.is_bound else self._initial_code()
        rule = self.match.rule
        outcomes = [*possible_outcomes(self.match, get_outcomes(rule, is_cut=self.is_cut))]
        unusual = get_filled_fields(rule).get(chosen or "")
        if unusual is not None and chosen not in {outcome.code for outcome in outcomes}:
            outcomes.append(Outcome(chosen, detail=unusual.words))
        return [(outcome, outcome.code == chosen) for outcome in outcomes]

    @property
    def is_other(self) -> bool:
        """True if the result is entered game by game."""
        return not any(is_chosen for _outcome, is_chosen in self.outcomes())

    def _initial_code(self) -> str:
        """Return the code of the initial result; empty if it has none or a penalty decided it."""
        if self.match.losses or self.initial.get("corp") == "2":
            return ""
        return find_code(self.match.rule, outcome_codes(self.match.rule), self.initial_result)

    def reason(self) -> forms.BoundField:
        note = self["note"]
        note.label, note.field.required = _("Reason"), True
        note.help_text = _("Required. Saved in the log.")
        return note

    @property
    def offers_override(self) -> bool:
        """Return True if the page offers to override the rules, which the entered result breaks."""
        return self.force or (self.is_bound and not self.is_valid() and self.can_be_forced)

    @property
    def can_be_forced(self) -> bool:
        """Return True if the form only breaks rules; missing values cannot be forced."""
        data = {name: self.data.get(name) for name in self.data}
        data[self.add_prefix("forced")] = "on"
        again = ResultEntryForm(
            data,
            match=self.match,
            is_cut=self.is_cut,
            prefix=self.prefix,
            is_locked=self.is_locked,
        )
        return again.is_valid()

    @property
    def contradictions(self) -> list[str]:
        return list(
            dict.fromkeys(str(error) for errors in self.errors.values() for error in errors)
        )


class ResultDecisionForm(ResultEntryForm):
    cited = CitedRulingsField(label=gettext_lazy("Cited rulings"))


# The cut.

MAX_REASON_LENGTH = 200


class CutForm(forms.Form):
    """Size, system, scoring and seeds; the seed of a player outside the cut is empty.

    `shown` is the size for which the page showed seeds. A different `size` seeds that many of the
    best, unless the seeds were also changed by hand.
    """

    size = forms.IntegerField(label=gettext_lazy("Players in the cut"), min_value=2, required=False)
    shown = forms.IntegerField(widget=forms.HiddenInput, required=False)
    system = forms.ChoiceField(
        label=gettext_lazy("How the cut is played"),
        choices=CUT_SYSTEM_CHOICES,
        widget=forms.RadioSelect,
    )
    fixed_bracket = forms.BooleanField(
        label=gettext_lazy("Keep the bracket fixed instead of re-seeding after each round"),
        help_text=gettext_lazy("Single elimination only; double elimination is always fixed."),
        required=False,
    )
    scoring_rule = forms.ChoiceField(label=gettext_lazy("Scoring of the matches"))
    reason = forms.CharField(
        label=gettext_lazy("Reason for manual seeds"),
        max_length=MAX_REASON_LENGTH,
        required=False,
        help_text=gettext_lazy(
            "Required if the seeds differ from the standings. Saved in the log."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Any, tournament: Tournament, players: Sequence[Registration]) -> None:
        super().__init__(data, initial={"system": tournament.planned_cut_system})
        self.players = players
        most = max(2, len(players))
        self.fields["size"].help_text = _(
            "From 2 to %(most)s. If it is not a power of two, the top seeds get a first-round bye."
        ) % {"most": most}
        self.fields["size"].validators.append(MaxValueValidator(most))
        self.fields["size"].widget.attrs["max"] = most
        rules = scoring_rules_of(tournament.game_played.scoring_rules)
        self.fields["scoring_rule"].choices = [(rule.id, in_words(rule.name)) for rule in rules]  # type: ignore[attr-defined]
        self.fields["scoring_rule"].initial = usual_cut_rule(tournament)
        for player in players:
            self.fields[seed_field_name(player)] = forms.IntegerField(
                label=_("Seed of %(player)s") % {"player": player.player},
                min_value=1,
                max_value=len(players),
                required=False,
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
            )

    def fill(self, size: int) -> None:
        self.initial.update(size=size, shown=size)
        for seed, player in enumerate(self.players[:size], start=1):
            self.initial[seed_field_name(player)] = seed

    def size_typed(self) -> int | None:
        """Return the typed size, independent of the seeds; None with an error if it is invalid."""
        try:
            size: int | None = self.fields["size"].clean(self["size"].data)
        except ValidationError as wrong:
            self.add_error("size", wrong)
            return None
        return size

    @property
    def rows(self) -> list[tuple[Registration, forms.BoundField]]:
        return [(player, self[seed_field_name(player)]) for player in self.players]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        self._follow_size(cleaned)
        seeds = sorted(seed for seed, _ in self._seeded(cleaned))
        twice = next((seed for seed in seeds if seeds.count(seed) > 1), None)
        gap = next((place for place, seed in enumerate(seeds, start=1) if seed != place), None)
        if twice is not None:
            self.add_error(None, _("Seed %(twice)s is used more than once.") % {"twice": twice})
        elif gap is not None:
            self.add_error(
                None,
                _("Seed %(gap)s is missing. Number the seeds from 1 without gaps.") % {"gap": gap},
            )
        elif len(seeds) < 2:
            self.add_error(None, _("Give at least two players a seed."))
        return cleaned

    def _follow_size(self, cleaned: dict[str, Any]) -> None:
        size, shown = cleaned.get("size"), cleaned.get("shown")
        if size is None or size == shown:
            return
        typed = {player: seed for seed, player in self._seeded(cleaned)}
        if typed == get_best_seeds(self.players, shown or 0):
            seeds = get_best_seeds(self.players, size)
            cleaned.update({seed_field_name(entry): seeds.get(entry) for entry in self.players})
        elif len(typed) != size:
            self.add_error(
                "size",
                ngettext(
                    'You asked for a top %(size)s, but %(typed)s player has a seed. Select "Show '
                    'these seeds" to seed this size, or change the size to %(typed)s.',
                    'You asked for a top %(size)s, but %(typed)s players have a seed. Select "Show '
                    'these seeds" to seed this size, or change the size to %(typed)s.',
                    len(typed),
                )
                % {"size": size, "typed": len(typed)},
            )

    def _seeded(self, cleaned: dict[str, Any]) -> list[tuple[int, Registration]]:
        seeds = [(cleaned.get(seed_field_name(player)), player) for player in self.players]
        return [(seed, player) for seed, player in seeds if seed is not None]

    @property
    def chosen(self) -> list[Registration]:
        """The players in the cut, best seed first."""
        by_seed = sorted(self._seeded(self.cleaned_data), key=lambda pair: pair[0])
        return [player for _, player in by_seed]


class CutChangeForm(forms.Form):
    """A change of the players in the cut; `seeds` are the numbers that its preview began with."""

    kind = forms.ChoiceField(choices=[(kind.value, kind.value) for kind in CutChangeKind])
    player = forms.IntegerField(min_value=1, max_value=32_767)
    other = forms.IntegerField(min_value=1, max_value=32_767, required=False)
    seed = forms.IntegerField(min_value=1, max_value=32_767, required=False)
    reason = forms.CharField(max_length=MAX_REASON_LENGTH, required=False)
    seeds = forms.RegexField(r"[0-9]{1,5}(,[0-9]{1,5})*", max_length=6_000, required=False)

    @property
    def change(self) -> CutChange:
        data = self.cleaned_data
        return CutChange(CutChangeKind(data["kind"]), data["player"], data["other"], data["seed"])

    @property
    def seen_seeds(self) -> list[int] | None:
        """Player numbers by seed, as in the preview."""
        seeds = self.cleaned_data["seeds"]
        return [int(number) for number in seeds.split(",")] if seeds else None


def get_best_seeds(players: Sequence[Registration], size: int) -> dict[Registration, int]:
    """Return the seeds of the first `size` players; `players` are in the order of the standings."""
    return {player: seed for seed, player in enumerate(players[:size], start=1)}


def seed_field_name(player: Registration) -> str:
    return f"seed-{player.number}"
