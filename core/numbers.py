"""Whole numbers as pages send them."""


def whole_number(typed: str, digits: int) -> int | None:
    """The number; None for anything else, and for one of more digits than what it names can have.

    A database refuses a question for a number it cannot hold.
    """
    is_one = typed.isascii() and typed.isdecimal() and len(typed) <= digits
    return int(typed) if is_one else None
