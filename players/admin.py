"""Accounts and players in the admin."""

from typing import Any

from allauth.mfa.admin import AuthenticatorAdmin
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Permission
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from core.admin import ReadOnlyAdmin
from core.text import comparison_key
from players import queries, services
from players.forms import PlayerForm
from players.models import Player, User

# Registered by allauth, with its secret.
admin.site.unregister(Authenticator)


@admin.register(Authenticator)
class FactorAdmin(ReadOnlyAdmin, AuthenticatorAdmin):
    """Staff can delete a factor for a user who has lost a phone, but never see its secret."""

    exclude = ["data"]
    has_delete_permission = AuthenticatorAdmin.has_delete_permission


class ApprovedFilter(admin.SimpleListFilter):
    title = gettext_lazy("may organise events")
    parameter_name = "organises"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", gettext_lazy("Approved")), ("no", gettext_lazy("Not approved"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        approved = queries.approved_organisers()
        if self.value() == "yes":
            return queryset.filter(pk__in=approved)
        return queryset.exclude(pk__in=approved) if self.value() == "no" else queryset


@admin.register(User)
class UserAdmin(DjangoUserAdmin):  # type: ignore[type-arg]
    list_display = ["username", "email", "is_staff", "is_active", "last_login"]
    list_filter = [ApprovedFilter, *DjangoUserAdmin.list_filter]
    actions = ["approve_organisers", "withdraw_organisers"]

    @admin.action(description="Let these accounts organise events", permissions=["change"])
    def approve_organisers(self, request: HttpRequest, accounts: QuerySet[User]) -> None:
        # For sites where DATAFORT_ORGANISERS is `approved`.
        for user in accounts:
            user.user_permissions.add(_organiser_permission())
        self.message_user(request, f"{len(accounts)} accounts can now organise events.")

    @admin.action(
        description="No longer let these accounts organise events", permissions=["change"]
    )
    def withdraw_organisers(self, request: HttpRequest, accounts: QuerySet[User]) -> None:
        # A group can still give the permission.
        for user in accounts:
            user.user_permissions.remove(_organiser_permission())
        self.message_user(request, f"{len(accounts)} accounts can no longer organise events.")


def _organiser_permission() -> Permission:
    """Return the permission that tournaments.event.permissions requires of approved accounts."""
    return Permission.objects.get_by_natural_key("add_tournament", "tournaments", "tournament")


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = PlayerForm
    fields = ["name", "pronouns", *services.PRIVACY_FIELDS, "user", "claimed_at", "created_at"]
    readonly_fields = ["claimed_at", "created_at"]
    autocomplete_fields = ["user"]
    list_display = ["name", "pronouns", "user", "claimed_at", "created_at"]
    list_select_related = ["user"]
    search_fields = ["name_key", "user__username"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        return super().get_search_results(request, queryset, comparison_key(search_term))

    @transaction.atomic
    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Player | None:
        # Lock the player before a change, so that no concurrent write is overwritten.
        player = super().get_object(request, object_id, from_field)
        if player is None or request.method != "POST":
            return player
        return Player.objects.select_for_update().filter(pk=player.pk).first()

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        # An erased player gets no name or account again.
        is_erased = obj is not None and obj.erased_at is not None
        return not is_erased and super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        if change:
            services.note_former_name(obj)
        super().save_model(request, obj, form, change)
