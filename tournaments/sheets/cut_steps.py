"""The next thing to do in a cut."""

from tournaments.elimination import Cut, needs_a_word
from tournaments.models import Pairing
from tournaments.sheets.steps import Step, StepKind


def between_cut_rounds(cut: Cut, number: int) -> Step:
    """No round of the cut is open: a word, the games that can be played, or the end.

    `number` is that of the next round.
    """
    waiting = tuple(pairing for pairing in cut.pairings.values() if needs_a_word(pairing))
    if waiting:
        return say_who_goes_on(waiting)
    if cut.winner is not None:
        title = "Finish the event"
        return Step(StepKind.FINISH, title, f"{cut.winner.player} has won the cut.")
    *others, last = [str(game.number) for game in cut.state.games]
    games = f"Games {', '.join(others)} and {last}" if others else f"Game {last}"
    title, text = f"Pair round {number}", f"{games} of the bracket can be played."
    seeds = () if cut.pairings else (Step(StepKind.MAKE_CUT, "Seeds and declined places"),)
    return Step(StepKind.PAIR, title, text, number, others=seeds)


def say_who_goes_on(tables: tuple[Pairing, ...]) -> Step:
    """Matches that ended level need the word of the staff."""
    level = "A match" if len(tables) == 1 else f"{len(tables)} matches"
    return Step(
        StepKind.SAY_WHO,
        "Say who goes on",
        f"{level} of the cut ended level, and the bracket waits.",
        tables[0].round.number,
        tables,
    )
