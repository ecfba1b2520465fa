"""When anything of the rulings has changed."""

from django.db import models


class RulingStamp(models.Model):
    """The database itself writes one whenever a ruling, its words or its links change.

    What an ETag of all rulings is made of: see queries.stamp.
    """

    value = models.CharField(max_length=40)

    def __str__(self) -> str:
        return self.value
