"""Accounts and players, for those who run the site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest

from core.text import comparison_key
from players.forms import PlayerForm
from players.models import Player, User

# One login for everybody: with the limit on failures and the second factor.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


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
