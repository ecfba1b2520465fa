"""What a new token is good for."""

from datetime import timedelta

from django import forms

from core.form_fields import TitleField
from tournaments.models import TokenScope, Tournament
from tournaments.services.tokens import Wanted

LASTING = {
    "1": "A day",
    "30": "30 days",
    "365": "A year",
    "": "Until I revoke it",
}


class TokenForm(forms.Form):
    """A name, what it may do, at which event, and how long."""

    name = TitleField(
        label="Name",
        max_length=80,
        help_text="What it is for: the program, or its computer.",
    )
    scope = forms.ChoiceField(
        label="What it may do",
        choices=[
            (scope.value, f"{scope.label[0].upper()}{scope.label[1:]}") for scope in TokenScope
        ],
        initial=TokenScope.READ,
        widget=forms.RadioSelect,
        help_text="Never more than you may do yourself: lose a role, and your tokens lose it too.",
    )
    event = forms.ChoiceField(
        label="Where",
        required=False,
        help_text="A token of one event finds nothing at any other.",
    )
    lasts = forms.ChoiceField(
        label="How long",
        choices=list(LASTING.items()),
        initial="30",
        required=False,
        widget=forms.RadioSelect,
        help_text="One without an end is good for whoever finds it, years from now too.",
    )

    def __init__(self, *args, events: list[Tournament], **kwargs) -> None:  # type: ignore[no-untyped-def]
        super().__init__(*args, **kwargs)
        self._events = {event.slug: event for event in events}
        named = [(event.slug, event.name) for event in events]
        self.fields["event"].choices = [("", "All my events"), *named]  # type: ignore[attr-defined]

    def wanted(self) -> Wanted:
        """The token as the service takes it."""
        data = self.cleaned_data
        days = data["lasts"]
        return Wanted(
            data["name"],
            data["scope"],
            self._events.get(data["event"]),
            timedelta(days=int(days)) if days else None,
        )
