from django import template
from django.template.defaultfilters import capfirst
from django.utils.translation import gettext_lazy

register = template.Library()

STATUS_LABELS = {
    "bye": gettext_lazy("Bye"),
    "closed": gettext_lazy("Closed"),
    "confirmed": gettext_lazy("Confirmed"),
    "decided": gettext_lazy("Decided"),
    "disputed": gettext_lazy("Disputed"),
    "done": gettext_lazy("Done"),
    "draft": gettext_lazy("Draft"),
    "dropped": gettext_lazy("Dropped"),
    "failed": gettext_lazy("Failed"),
    "fixed": gettext_lazy("Fixed"),
    "float": gettext_lazy("Float"),
    "hand": gettext_lazy("By hand"),
    "late": gettext_lazy("Late"),
    "legal": gettext_lazy("Legal"),
    "locked": gettext_lazy("Locked"),
    "open": gettext_lazy("Open"),
    "private": gettext_lazy("Private"),
    "proposed": gettext_lazy("Proposed"),
    "public": gettext_lazy("Public"),
    "published": gettext_lazy("Published"),
    "reported": gettext_lazy("Reported"),
    "running": gettext_lazy("Running"),
    "unlisted": gettext_lazy("Unlisted"),
    "warning": gettext_lazy("Warning"),
}


@register.filter
def status_label(status: str) -> str:
    """Return the text of a badge with this status."""
    return str(STATUS_LABELS.get(status, capfirst(status)))
