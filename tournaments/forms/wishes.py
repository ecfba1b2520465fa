"""A player's wishes for the room."""

from django import forms

from tournaments.table_plan import MOST


class WishesForm(forms.Form):
    """As the staff set them on the roster."""

    fixed_table = forms.IntegerField(
        label="Fixed table", min_value=1, max_value=MOST, required=False
    )
    avoids_stream = forms.BooleanField(label="Never at a feature table", required=False)
