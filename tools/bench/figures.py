"""What was measured, how it went, and what was to be reached; as a table of goals."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True)
class Figure:
    """A figure with its goal; `met` is None where there is nothing to be reached."""

    id: str
    words: str
    measured: str
    goal: str = ""
    met: bool | None = None

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """As a line of the run."""
        verdict = {True: "yes", False: "no", None: ""}[self.met]
        return f"{self.id} {self.words}".strip(), self.measured, self.goal, verdict


def table(figures: Sequence[Figure]) -> str:
    """A row of Markdown for each goal with its figures; those without a goal come last."""
    rows = ["| | Goal | Measured |", "|---|---|---|"]
    in_order = sorted(figures, key=lambda figure: (not figure.id, *_goal(figure)))
    for (name, goal), group in groupby(in_order, key=_goal):
        rows.append(f"| {name} | {goal or 'none'} | {'<br>'.join(map(_line, group))} |")
    return "\n".join(rows)


def _goal(figure: Figure) -> tuple[str, str]:
    return figure.id, figure.goal


def _line(figure: Figure) -> str:
    missed = " **missed**" if figure.met is False else ""
    return f"{figure.words}: {figure.measured}{missed}"
