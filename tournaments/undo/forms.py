"""Filter form of the event log."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.form_fields import ANY_CHOICE
from tournaments.models import LogTopic, Tournament
from tournaments.undo import queries

TOPIC_CHOICES = [ANY_CHOICE, *((topic.value, topic.capitalize()) for topic in LogTopic)]


class LogFilterForm(forms.Form):
    words = forms.CharField(
        label=gettext_lazy("Search words"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    kind = forms.ChoiceField(label=gettext_lazy("Topic"), choices=TOPIC_CHOICES, required=False)
    round = forms.ChoiceField(label=gettext_lazy("Round"), required=False)
    player = forms.ChoiceField(label=gettext_lazy("Player"), required=False)
    by = forms.ChoiceField(label=gettext_lazy("Done by"), required=False)

    def __init__(self, data: Any, tournament: Tournament) -> None:
        super().__init__(data)
        numbers = tournament.rounds.values_list("number", flat=True)
        roster = tournament.registrations.select_related("player")
        users, guests = queries.log_actors(tournament)
        self._offer(
            "round",
            [(str(number), _("Round %(number)s") % {"number": number}) for number in numbers],
        )
        self._offer("player", [(str(entry.number), entry.player.name) for entry in roster])
        self._offer(
            "by",
            [(f"user-{user.pk}", str(user)) for user in users]
            + [(f"player-{guest.pk}", guest.name) for guest in guests],
        )

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        self.fields[name].choices = [ANY_CHOICE, *choices]  # type: ignore[attr-defined]

    @property
    def log_filter(self) -> queries.LogFilter:
        """The filters as a query; invalid values are ignored."""
        self.full_clean()
        data = self.cleaned_data
        who, _, key = data.get("by", "").partition("-")
        number, player = data.get("round"), data.get("player")
        return queries.LogFilter(
            words=data.get("words", ""),
            kind=LogTopic(data["kind"]) if data.get("kind") else None,
            round_number=int(number) if number else None,
            player=int(player) if player else None,
            user=int(key) if who == "user" else None,
            by_player=int(key) if who == "player" else None,
        )

    @property
    def is_used(self) -> bool:
        return self.log_filter != queries.LogFilter()
