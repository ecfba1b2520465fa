"""Measured figures, listed by goal."""

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


def goal_lists(figures: Sequence[Figure]) -> str:
    """Return a list in Markdown for each goal; figures without a goal come last."""
    lines: list[str] = []
    in_order = sorted(figures, key=lambda figure: (not figure.id, *_goal(figure)))
    for (name, goal), group in groupby(in_order, key=_goal):
        lines += [f"**{name or 'Other'}**: {goal or 'no goal'}", "", *map(_line, group), ""]
    return "\n".join(lines).rstrip()


def _goal(figure: Figure) -> tuple[str, str]:
    return figure.id, figure.goal


def _line(figure: Figure) -> str:
    missed = " **missed**" if figure.met is False else ""
    return f"- {figure.words}: {figure.measured}{missed}"
