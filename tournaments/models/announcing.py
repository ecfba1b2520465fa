"""Where the news of an event goes besides its pages; without a row, nowhere."""

from django.db import models

from tournaments.models.events import Tournament
from tournaments.models.registrations import Registration


class Announcing(models.Model):
    """What an event tells others when a round is published and when it ends.

    `webhook` is the address of a channel that takes Discord's form of message: whoever has it can
    write there, so it is shown to nobody again. With `allows_mail` players may ask for a mail
    with their table, with `allows_push` for a message to their phone.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="announcing")
    webhook = models.CharField(max_length=300, blank=True)
    tells_pairings = models.BooleanField(default=True)
    tells_standings = models.BooleanField(default=True)
    allows_mail = models.BooleanField(default=False)
    allows_push = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"news of {self.tournament}"


class MailWish(models.Model):
    """A player asks for a mail with the table when a round is published."""

    registration = models.OneToOneField(Registration, models.CASCADE, related_name="mail_wish")
    made_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"mail to {self.registration}"


class PushSubscription(models.Model):
    """A phone that is told its player's table when a round is published.

    The browser gave all three: the address of its maker's push service, which nobody else is
    told, and the keys, in base64url, that only this phone can read messages with.
    """

    registration = models.ForeignKey(Registration, models.CASCADE, related_name="phones")
    endpoint = models.CharField(max_length=500)
    p256dh = models.CharField(max_length=90)
    auth = models.CharField(max_length=30)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["registration", "endpoint"], name="one_subscription_a_phone"
            )
        ]

    def __str__(self) -> str:
        return f"phone of {self.registration}"
