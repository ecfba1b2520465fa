"""Change marker for all rulings."""

from django.db import models


class RulingStamp(models.Model):
    """Written by the database whenever a ruling, its text or its links change.

    Used in the ETag of ruling pages: see queries.stamp.
    """

    value = models.CharField(max_length=40)

    def __str__(self) -> str:
        return self.value
