"""The text of a ruling on a page: paragraphs, lists, emphasis, and codes that lead somewhere."""

from collections.abc import Iterable

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from rulings import reference
from rulings.reference import Bullets, Piece, PieceKind

register = template.Library()


@register.filter
def ruling_text(text: str) -> SafeString:
    """The text as HTML; everything in it is escaped. Codes such as R-0231 become links."""
    return format_html_join("\n", "{}", ((_block(block),) for block in reference.blocks_of(text)))


def _block(block: reference.Block) -> SafeString:
    if isinstance(block, Bullets):
        items = format_html_join("", "<li>{}</li>", ((_line(item),) for item in block.items))
        return format_html("<ul>{}</ul>", items)
    return format_html("<p>{}</p>", _line(block.pieces))


def _line(pieces: Iterable[Piece]) -> SafeString:
    return format_html_join("", "{}", ((_piece(piece),) for piece in pieces))


def _piece(piece: Piece) -> str:
    if piece.kind is PieceKind.CODE:
        url = reverse("ruling_short", args=[piece.text])
        return format_html('<a href="{}">{}</a>', url, piece.text)
    if piece.kind is PieceKind.EMPHASIS:
        return format_html("<em>{}</em>", piece.text)
    return piece.text
