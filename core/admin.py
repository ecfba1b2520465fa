"""Read-only pages of the admin."""

from typing import Any

from django.http import HttpRequest


class ReadOnlyAdmin:
    """List this mixin before the admin class."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
