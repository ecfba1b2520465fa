"""Warning about an upcoming deletion of the user's data, for their own page."""

from datetime import datetime, timedelta

from django import template
from django.template.context import Context
from django.utils import timezone

from tournaments.privacy import queries as privacy_queries

register = template.Library()

WARNED = timedelta(days=60)


@register.simple_tag(takes_context=True)
def forgetting_soon(context: Context) -> datetime | None:
    """When the user's data will be deleted, if within 60 days."""
    request, player = context["request"], context.get("player")
    user = request.user if request.user.is_authenticated else None
    if user is None and player is None:
        return None
    moment = privacy_queries.erasure_time(user, player)
    return moment if moment and moment - timezone.now() < WARNED else None
