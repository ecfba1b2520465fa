"""What several uses of decks refuse."""

from core.errors import Refusal


class DeckIsLocked(Refusal):
    """A locked deck is changed by the staff only, with a reason."""

    code = "deck_is_locked"


class DeckNotLegal(Refusal):
    """An illegal list stays a draft."""

    code = "deck_not_legal"
