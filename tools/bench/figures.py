"""Measured figures with their goals, as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True)
class Figure:
    """A figure with its goal; `met` is None without a goal."""

    id: str
    words: str
    measured: str
    goal: str = ""
    met: bool | None = None

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """The figure as a line of output."""
        verdict = {True: "yes", False: "no", None: ""}[self.met]
        return f"{self.id} {self.words}".strip(), self.measured, self.goal, verdict


def table(figures: Sequence[Figure]) -> str:
    """A row of Markdown for each goal with its figures; figures without a goal come last."""
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
