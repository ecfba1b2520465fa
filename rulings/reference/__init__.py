"""Pages of the rules reference: a text file in, numbered sections with their sources out."""

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
