"""An event in which every user-written text is a payload."""

from collections.abc import Sequence
from itertools import count
from typing import Any

from django.apps import apps
from django.db import models

from tests.hostile.payloads import PAYLOADS

TEXTS = {
    "players.User": ("first_name", "last_name"),
    "players.Player": ("name", "pronouns", "shown_name"),
    "decks.Decklist": ("title",),
    "decks.DecklistVersion": ("text",),
    "matches.ResultReport": ("note",),
    "rulings.RulingDocument": ("title", "edition", "notice"),
    "rulings.Ruling": ("heading", "subject", "overturned"),
    "rulings.RulingLink": ("name",),
    "rulings.JudgeNote": ("text",),
    "rulings.JudgeCall": ("about",),
    "tournaments.Tournament": (
        "name",
        "location",
        "description",
        "address",
        "entry_fee",
        "contact",
        "links",
    ),
    "tournaments.Registration": ("avoid_group",),
    "tournaments.DeckReceipt": ("reason",),
    "tournaments.DeckCheck": ("note",),
    "tournaments.Job": ("error",),
    "tournaments.LogEntry": ("subject", "reason"),
    "tournaments.ImportedFile": ("file_name",),
    "tournaments.StatedIdentity": ("title",),
    "tournaments.Penalty": ("infraction_name", "withdrawn_reason"),
    "tournaments.InfractionChange": ("name", "description"),
    "tournaments.StaffInvitation": ("note",),
    "tournaments.ApiToken": ("name",),
    "tournaments.Upload": ("error",),
    "tournaments.Webhook": ("disabled_why",),
    "tournaments.WebhookDelivery": ("last_error",),
}
"""Columns with texts written by users, or received from other sites."""


def plant(payloads: Sequence[str] = PAYLOADS) -> set[str]:
    """Write payloads over every row of these columns, as many as fit, and return them.

    The database is written directly, because pages must also be safe for texts that forms refuse.
    """
    index, planted = count(), set()
    for label, names in TEXTS.items():
        model = apps.get_model(label)
        for row in model._default_manager.order_by("pk"):
            for name in names:
                fitting = _that_fit(model._meta.get_field(name), payloads, next(index))
                planted |= set(fitting)
                setattr(row, name, " ".join(fitting))
            models.Model.save(row, update_fields=list(names))
    return planted


def _that_fit(field: Any, payloads: Sequence[str], start: int) -> list[str]:
    """Payloads from an index on, each complete; three screens full for an unlimited column."""
    room, fitting = field.max_length or 4000, []
    for step in range(len(payloads)):
        payload = payloads[(start + step) % len(payloads)]
        if len(payload) < room:
            fitting.append(payload)
            room -= len(payload) + 1
    return fitting
