"""The infraction guide as it comes with the site."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from rulings.guide_data import shipped_guide


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """Every infraction with what it costs; each has an anchor of its own to be cited by."""
    return render(request, "rulings/guide.html", {"categories": shipped_guide().by_category()})
