"""What is said with a judge call."""

from django import forms


class CallForm(forms.Form):
    """A call from the table: what it is about may be left empty."""

    about = forms.CharField(
        label="What about?",
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class StaffCallForm(CallForm):
    """A call somebody makes at the desk for a table."""

    table = forms.IntegerField(label="Table", min_value=1, max_value=9999)


class CallAnswerForm(forms.Form):
    """How a call ended, and the minutes the table gets back for it."""

    text = forms.CharField(
        label="What was answered",
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Judges and organisers can read it later. May stay empty.",
    )
    minutes = forms.IntegerField(
        label="Minutes more for this table",
        min_value=0,
        max_value=60,
        required=False,
        help_text="The time the call took.",
    )
