"""The admin site, with the site's own login and a second factor."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.decorators import method_decorator

from players import factors


class DatafortAdminSite(admin.AdminSite):
    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and not _lacks_factor(request)

    @method_decorator(secure_admin_login)
    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        # Logged-in staff reach this page without a second factor, or by mistake.
        if _lacks_factor(request):
            messages.warning(
                request, "Set up two-factor authentication to open the administration."
            )
            return redirect("mfa_index")
        return redirect("admin:index")


def _lacks_factor(request: HttpRequest) -> bool:
    return settings.ADMIN_NEEDS_SECOND_FACTOR and not factors.has_factor(request.user)
