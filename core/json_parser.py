"""JSON bodies of API requests, read with limits."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from core import json_guard
from core.errors import Refusal

# Entries of lists, and keys with their values, in a body (ASVS 1.5.3).
MOST_ITEMS = 10_000


class GuardedJsonParser(JSONParser):
    """Parser that answers 400 to invalid JSON, duplicate keys and deep nesting."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the value of the body. Raises ParseError."""
        try:
            return json_guard.parse(stream.read(), most_values=2 * MOST_ITEMS)
        except Refusal as refusal:
            raise ParseError(str(refusal)) from refusal
