"""What a report of a match must say, in sentences for whoever enters it; nothing is guessed."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Missing:
    """Something to enter: who won the `game`, or the number of a `seat` (of it, in a game)."""

    message: str
    game: int | None = None
    seat: int | None = None


def winner_missing(game: int, nobody: str) -> Missing:
    """A game without a word on it; `nobody` is what is chosen when nobody won."""
    return Missing(f"Game {game}: choose who won, or {nobody}.", game)


def agenda_points_missing(game: int, seat: int, name: str) -> Missing:
    """Agenda points that may count."""
    message = f"Game {game}: enter the agenda points of {name}; 0 if there were none."
    return Missing(message, game, seat)


def total_missing(seat: int, name: str) -> Missing:
    """The total of one seat, where another has one."""
    return Missing(f"Enter the match points of {name} too.", seat=seat)


def victory_points_missing(seat: int, name: str) -> Missing:
    """What a place in a pod is made from."""
    message = f"Enter the victory points of {name}; 0 if there were none."
    return Missing(message, seat=seat)


def out_of_range(what: str, most: int) -> str:
    """Why a number is not taken; `what` begins the sentence."""
    return f"{what} are a whole number from 0 to {most}."
