"""Pages of the admin that only look things up."""

from typing import Any

from django.http import HttpRequest


class ReadOnly:
    """Neither adds, changes nor deletes. Stands before the class of the admin it restrains."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
