"""Unanswered invitations to events."""

from django import template
from django.template.context import Context

from tournaments.event.permissions import actor_of
from tournaments.series.pages import Invitation
from tournaments.series.pages import open_invitations as invitations_of

register = template.Library()


@register.simple_tag(takes_context=True)
def open_invitations(context: Context) -> list[Invitation]:
    """Return the user's open invitations; empty for strangers."""
    actor = actor_of(context["request"])
    return invitations_of(actor) if actor.player is not None else []
