"""Minutes added to a round or a table, or taken away."""

from django import forms

MOST_AT_ONCE = 60
TYPED = {"inputmode": "numeric", "autocomplete": "off"}


class MinutesForm(forms.Form):
    """Minutes to add, or below zero to take; `seen` are those added before."""

    minutes = forms.IntegerField(
        label="Minutes",
        min_value=-MOST_AT_ONCE,
        max_value=MOST_AT_ONCE,
        widget=forms.TextInput(attrs=TYPED),
    )
    seen = forms.IntegerField(
        required=False, min_value=-9999, max_value=9999, widget=forms.HiddenInput
    )

    def clean_minutes(self) -> int:
        minutes: int = self.cleaned_data["minutes"]
        if minutes == 0:
            raise forms.ValidationError("Say how many minutes.")
        return minutes


class TableMinutesForm(MinutesForm):
    """Minutes for one table, with the reason for the log."""

    table = forms.IntegerField(
        label="Table", min_value=1, max_value=32767, widget=forms.TextInput(attrs=TYPED)
    )
    reason = forms.CharField(
        label="Why",
        required=False,
        max_length=200,
        help_text="For the log: a judge call, a late seat, a deck check.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
