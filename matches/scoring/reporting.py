"""Messages about missing input in a report."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Missing:
    """A missing input: the winner of `game`, or the number of a `seat`, in `game` if given."""

    message: str
    game: int | None = None
    seat: int | None = None


def winner_missing(game: int, nobody: str) -> Missing:
    """The winner of a game; `nobody` is the label of the choice without a winner."""
    return Missing(f"Game {game}: choose who won, or {nobody}.", game)


def agenda_points_missing(game: int, seat: int, name: str) -> Missing:
    message = f"Game {game}: enter the agenda points of {name}; 0 if there were none."
    return Missing(message, game, seat)


def total_missing(seat: int, name: str) -> Missing:
    """The total of a seat, when another seat has a total."""
    return Missing(f"Enter the match points of {name} too.", seat=seat)


def victory_points_missing(seat: int, name: str) -> Missing:
    message = f"Enter the victory points of {name}; 0 if there were none."
    return Missing(message, seat=seat)


def out_of_range(what: str, most: int) -> str:
    """Return the error for a number; `what` begins the sentence."""
    return f"{what} are a whole number from 0 to {most}."
