"""Pages about the site and its operator, robots.txt, security.txt, and the style guide."""

from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from core import backups
from core.addresses import shared_address
from core.credits import DATA, PARTS
from core.version import VERSION

LONGEST_TEXT = 100_000  # characters of a page of the operator
# RFC 9116 recommends less than a year.
SECURITY_TXT_VALID = timedelta(days=180)
# One for each look of a badge, see static/css/components/data.css.
STATUSES = ("running", "confirmed", "reported", "disputed", "closed", "registered")
PLAIN_TEXT = "text/plain; charset=utf-8"
ROBOTS_TXT = """\
User-agent: *
Disallow: /account/
Disallow: /api/
Disallow: /join/
Disallow: /me/
"""


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    context = {
        "text": operator_text("privacy"),
        "months": settings.FORGET_AFTER_MONTHS,
        "backup_days": backups.days_in_backups(),
    }
    return render(request, "site/privacy.html", context)


@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    return render(request, "site/accessibility.html")


@require_safe
def credits_page(request: HttpRequest) -> HttpResponse:
    context = {"version": VERSION, "data": DATA, "parts": PARTS}
    return render(request, "site/credits.html", context)


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """Show every component in both themes; with DATAFORT_DEBUG only."""
    if not settings.DEBUG:
        raise Http404
    context = {"themes": ("light", "dark"), "statuses": STATUSES}
    return render(request, "site/styleguide.html", context)


@require_safe
def imprint(request: HttpRequest) -> HttpResponse:
    return render(request, "site/imprint.html", {"text": operator_text("imprint")})


def operator_text(page: str) -> str:
    """Return the text of DATAFORT_VAR/pages/PAGE.txt, or ""."""
    path = Path(settings.VAR_DIR) / "pages" / f"{page}.txt"
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            return file.read(LONGEST_TEXT).strip()
    except FileNotFoundError:
        return ""


def contact_address() -> str:
    """Return the operator's contact as a URI such as mailto:club@example.org, or ""."""
    contact: str = settings.OPERATOR_CONTACT
    if contact.startswith(("https://", "http://", "mailto:")):
        return contact
    return f"mailto:{contact}" if "@" in contact and " " not in contact else ""


@require_safe
@cache_control(max_age=3600)
def robots_txt(request: HttpRequest) -> HttpResponse:
    return HttpResponse(ROBOTS_TXT, content_type=PLAIN_TEXT)


@require_safe
@cache_control(max_age=3600)
def security_txt(request: HttpRequest) -> HttpResponse:
    """Serve the contact for reporting vulnerabilities (RFC 9116)."""
    contact = contact_address()
    if not contact:
        raise Http404("DATAFORT_OPERATOR_CONTACT is not set.")
    expires = timezone.now().replace(microsecond=0) + SECURITY_TXT_VALID
    lines = [
        f"Contact: {contact}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {shared_address(request)}{reverse('security_txt')}",
    ]
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type=PLAIN_TEXT)
