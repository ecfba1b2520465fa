"""Accounts and players, for those who run the site."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.mfa.admin import AuthenticatorAdmin
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from core.text import comparison_key
from players import factors, services
from players.forms import PlayerForm
from players.models import Player, User

_may_enter = admin.site.has_permission


def _nobody(*args: Any, **kwargs: Any) -> bool:
    return False


def _has_permission(request: HttpRequest) -> bool:
    return _may_enter(request) and not _lacks_factor(request)


def _lacks_factor(request: HttpRequest) -> bool:
    return settings.ADMIN_NEEDS_SECOND_FACTOR and not factors.has_factor(request.user)


@secure_admin_login
def _login(request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
    """One login for everybody: with the limit on failures and the second factor.

    Only staff who are logged in come this far, either without the factor or by mistake.
    """
    if _lacks_factor(request):
        messages.warning(request, "The administration opens once you have a second factor.")
        return redirect("mfa_index")
    return redirect("admin:index")


admin.site.has_permission = _has_permission  # type: ignore[method-assign]
admin.site.login = _login  # type: ignore[method-assign]


# Looked at and deleted for somebody who has lost a phone; its secret is shown to nobody.
AuthenticatorAdmin.exclude = ["data"]
AuthenticatorAdmin.has_add_permission = AuthenticatorAdmin.has_change_permission = _nobody


@admin.register(User)
class UserAdmin(DjangoUserAdmin):  # type: ignore[type-arg]
    list_display = ["username", "email", "is_staff", "is_active", "last_login"]


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = PlayerForm
    fields = ["name", "pronouns", "user", "claimed_at", "created_at"]
    readonly_fields = ["claimed_at", "created_at"]
    autocomplete_fields = ["user"]
    list_display = ["name", "pronouns", "user", "claimed_at", "created_at"]
    list_select_related = ["user"]
    search_fields = ["name_key", "user__username"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        return super().get_search_results(request, queryset, comparison_key(search_term))

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Who was forgotten gets no name and no account again."""
        is_erased = obj is not None and obj.erased_at is not None
        return not is_erased and super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        if change:
            services.note_former_name(obj)
        super().save_model(request, obj, form, change)
