"""How the players are seated for the meeting."""

from django import forms


class MeetingForm(forms.Form):
    """So many to a table; whether those who are not checked in get a seat too."""

    seats = forms.TypedChoiceField(
        label="Players to a table",
        choices=[(2, "Two"), (4, "Four")],
        coerce=int,
        initial=2,
        widget=forms.RadioSelect,
    )
    with_registered = forms.BooleanField(
        label="Also seat players who are not checked in yet", required=False
    )
