"""One line of the report: what was measured, how it went, and what was to be reached."""

from dataclasses import dataclass


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
        """As a row of a table."""
        verdict = {True: "yes", False: "no", None: ""}[self.met]
        return f"{self.id} {self.words}".strip(), self.measured, self.goal, verdict


def table(figures: list[Figure]) -> str:
    """The figures as Markdown."""
    rows = [("What", "Measured", "Goal", "Reached"), ("---",) * 4]
    rows += [figure.cells for figure in figures]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
