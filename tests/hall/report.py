"""The figures of a hall as lines, and as a section of docs/performance.md."""

from datetime import UTC, datetime

from tests.bench.report import PATH, machine
from tests.hall.day import Day, Outcome
from tests.hall.measures import share

HEADING = "## The hall"
INTRODUCTION = """{heading}

Written by `make hall`: phones before the site as it is served, each with a connection of its own.
Two of five look at the page of their player, the others at the pairings, every five seconds as the
pages do; beside them a projector and two desks. One round: each player opens the form of the own
table, half of them report within two seconds, the others after that; the staff start and close the
round, pair and publish the next one. Until it is seen counts from the press of that button. The
phones run on the same machine and take their share of it.
"""
GOALS = {"p95": 0.050, "p99": 0.200, "half": 3.0, "most": 7.0, "bytes": 400}


def lines(outcome: Outcome, day: Day, kind: str) -> list[str]:
    """One line for each thing that was measured, as the rows of a table."""
    measured = outcome.measures
    seen = measured.seen_after
    phones = (day.phones + 1) * measured.rounds_published
    rows = [f"| {kind}, {day.phones} phones, {outcome.seconds:.0f} s | |", "|---|---|"]
    for name, answers in measured.kinds.items():
        parts = [f"{share(answers.seconds, part) * 1000:.0f}" for part in (0.5, 0.95, 0.99, 1)]
        rows.append(
            f"| {name}: p50 / p95 / p99 / longest | {' / '.join(parts)} ms of "
            f"{len(answers.seconds):,} |"
        )
    return [
        *rows,
        f"| errors | {len(measured.errors)} |",
        f"| results accepted | {measured.accepted:,} of {measured.reported:,} |",
        f"| a published round: half / 99 % of the phones | {share(seen, 0.5):.1f} s / "
        f"{share(seen, 0.99):.1f} s; {len(seen):,} of {phones:,} had it |",
        f"| the server's share of a core | {outcome.processor / outcome.seconds:.0%} |",
        f"| an unchanged poll | {share(measured.unchanged_bytes, 0.5):.0f} bytes |",
    ]


def goals_missed(outcome: Outcome) -> list[str]:
    """What is not as it should be, a sentence each."""
    measured = outcome.measures
    figures = {
        "p95": share(measured.polls.seconds, 0.95),
        "p99": share(measured.polls.seconds, 0.99),
        "half": share(measured.seen_after, 0.5),
        "most": share(measured.seen_after, 0.99),
        "bytes": share(measured.unchanged_bytes, 0.5),
    }
    missed = [
        f"{name}: {figures[name]:.3g} instead of {goal}"
        for name, goal in GOALS.items()
        if figures[name] > goal
    ]
    if measured.errors:
        missed.append(f"{len(measured.errors)} errors, the first: {measured.errors[0]}")
    return missed


def write(tables: list[list[str]]) -> None:
    """Replace the section of the hall; the rest of the page is that of `make bench`."""
    before = PATH.read_text().partition(HEADING)[0].rstrip()
    where = f"Measured on {datetime.now(UTC):%Y-%m-%d}: {machine()}."
    parts = [before, INTRODUCTION.format(heading=HEADING).rstrip(), where]
    PATH.write_text("\n\n".join([*parts, *("\n".join(table) for table in tables)]) + "\n")
