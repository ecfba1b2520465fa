"""Parse pages of the rules reference into numbered sections with sources."""

from rulings.reference.blocks import (
    Block,
    Bullets,
    Paragraph,
    Piece,
    PieceKind,
    blocks_of,
    codes_in,
    plain_text,
)
from rulings.reference.reading import check, read_page
from rulings.reference.records import DISAGREEMENT, Fault, Faulty, Page, Section, SourceLine
