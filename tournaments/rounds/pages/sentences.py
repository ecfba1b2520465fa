"""Reasons as sentences of a page: each name isolated, so that no script turns the line around."""

from collections.abc import Iterable, Mapping
from html import unescape
from typing import Any

from django.utils.html import escape, format_html, strip_tags
from django.utils.safestring import SafeString

from engine.pairing import Reason


def sentence(reason: Reason, names: Mapping[int | str, str]) -> str:
    """Safe HTML with the names of the players; who has none is "player 7"."""
    shown = [
        format_html("<bdi>{}</bdi>", names.get(player, f"player {player}"))
        for player in reason.players
    ]
    # The text holds what people typed (the name of a group), so it is escaped before it is filled.
    return format_html(escape(reason.text), *shown)


def stored_sentences(
    reasons: Iterable[Mapping[str, Any]], names: Mapping[int | str, str]
) -> tuple[str, ...]:
    """The same for reasons as they are stored: {"kind", "players", "text"}."""
    return tuple(
        sentence(Reason(one["kind"], tuple(one["players"]), one["text"]), names) for one in reasons
    )


def plain(told: str) -> str:
    """A sentence of a page as a program is told it: the words alone, nothing escaped.

    What is no safe HTML is plain already.
    """
    return unescape(strip_tags(told)) if isinstance(told, SafeString) else told
