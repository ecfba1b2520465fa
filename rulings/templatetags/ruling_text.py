"""Render the text of rulings: paragraphs, lists, emphasis, and links for codes."""

from collections.abc import Callable, Iterable

from django import template
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from rulings import reference
from rulings.reference import BulletList, TextPiece, TextPieceKind
from rulings.words import passages

register = template.Library()


@register.filter
def ruling_text(text: str) -> SafeString:
    def linked(piece: TextPiece) -> SafeString:
        if piece.kind is TextPieceKind.CODE:
            url = reverse("ruling_short", args=[piece.text])
            return format_html('<a href="{}">{}</a>', url, piece.text)
        return escape(piece.text)

    return _html(text, linked)


@register.filter
def found_text(text: str, typed: str) -> SafeString:
    """Render the text as HTML with search words marked, and without links."""

    def marked(piece: TextPiece) -> SafeString:
        return format_html_join(
            "",
            "{}",
            (
                (format_html("<mark>{}</mark>", passage.text) if passage.is_hit else passage.text,)
                for passage in passages(piece.text, typed)
            ),
        )

    return _html(text, marked)


@register.filter
def plain_ruling_text(text: str) -> str:
    return reference.plain_text(text)


def _html(text: str, words_of: Callable[[TextPiece], SafeString]) -> SafeString:
    def line(pieces: Iterable[TextPiece]) -> SafeString:
        shown = (
            format_html("<em>{}</em>", words_of(piece))
            if piece.kind is TextPieceKind.EMPHASIS
            else words_of(piece)
            for piece in pieces
        )
        return format_html_join("", "{}", ((words,) for words in shown))

    def block_html(block: reference.TextBlock) -> SafeString:
        if isinstance(block, BulletList):
            items = format_html_join("", "<li>{}</li>", ((line(item),) for item in block.items))
            return format_html("<ul>{}</ul>", items)
        return format_html("<p>{}</p>", line(block.pieces))

    blocks = reference.blocks_of(text)
    return format_html_join("\n\n", "{}", ((block_html(block),) for block in blocks))
