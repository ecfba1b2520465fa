"""Figures of an event under load as lines, and as a section of docs/dev/performance.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tools.bench.report import PATH, machine

HEADING = "## The hall"
INTRODUCTION = f"""{HEADING}

This section comes from `make hall RUSH="60 2"` (Locust, tools/load). Phones poll every five
seconds: two of five request the page of their player, and the others the pairings. A projector and
a desk are open as well. The players play one round, and half of the results arrive within the time
of the rush. The staff start and close the round, then pair and publish the next. "Until a published
round is seen" counts from the moment they publish. The phones run on the machine of the site.

The goals of W4 are 95 of 100 polls within 250 ms and 99 within 1 s, and 95 of 100 results within
1 s. A published round must reach half of the phones within 4 s and 99 of 100 within 8 s. Between
changes the site may use 60 % of a core. In a rush of two seconds, 95 of 100 results must be saved
within 5 s (W4r).
"""
KINDS = {
    "first visit": "first visits",
    "poll": "polls",
    "player's page": "pages of players",
    "result": "results sent",
    "desk": "desk",
    "published round": "until a published round is seen",
}
# Kind of response, percentile, and limit milliseconds.
GOALS = (
    ("poll", 0.95, 250),
    ("poll", 0.99, 1000),
    ("result", 0.95, 1000),
    ("published round", 0.5, 4000),
    ("published round", 0.99, 8000),
)
RUSH_GOALS = (("result", 0.95, 5000),)


@dataclass(frozen=True)
class Evening:
    """Figures of Locust: milliseconds by kind and percentile (0.5 to 1.0), counts, and failures.

    `rush` is the number of seconds in which half of the results arrived; `core` is the server's
    share of a core, `quiet_core` its share while nothing changed and the phones polled.
    """

    kind: str
    phones: int
    seconds: float
    rush: float
    core: float
    quiet_core: float
    figures: dict[str, dict[str, Any]]
    errors: list[str]

    @property
    def title(self) -> str:
        """Distinguishes the run from other runs."""
        return f"{self.kind}, {self.phones} phones, {self.seconds:.0f} s, rush of {self.rush:.0f} s"

    def milliseconds(self, name: str, share: float) -> float:
        return float(self.figures.get(name, {}).get(str(share), 0.0))

    def count(self, name: str) -> int:
        return int(self.figures.get(name, {}).get("count", 0))


def table(evenings: Sequence[Evening]) -> list[str]:
    """A column for each run, a row for each kind of response."""
    columns = [_column(evening) for evening in evenings]
    heads = ["p50 / p95 / p99 / longest, ms", *(evening.title for evening in evenings)]
    rows = [heads, ["---"] * (len(evenings) + 1)]
    rows += [[name, *(column[name] for column in columns)] for name in columns[0]]
    return [f"| {' | '.join(row)} |" for row in rows]


def _column(evening: Evening) -> dict[str, str]:
    """Figures of one run, by the label of the row."""
    column = {}
    for name, label in KINDS.items():
        shares = [f"{evening.milliseconds(name, share):.0f}" for share in (0.5, 0.95, 0.99, 1.0)]
        column[label] = f"{' / '.join(shares)} of {evening.count(name):,}"
    core = f"{evening.quiet_core:.0%} / {evening.core:.0%}"
    return {
        **column,
        "forms sent again, for want of an answer": f"{evening.count('sent again')}",
        "errors": f"{len(evening.errors)}",
        "the server's share of a core, between changes / in all": core,
    }


def goals_missed(evening: Evening) -> list[str]:
    """Missed goals of W4, or of W4r if the results arrive in two seconds."""
    goals = RUSH_GOALS if evening.rush <= 2 else GOALS
    missed = [
        f"{KINDS[name]}: {evening.milliseconds(name, share):.0f} ms at {share:.0%}, goal {limit} ms"
        for name, share, limit in goals
        if evening.milliseconds(name, share) > limit
    ]
    # The projector shows a published round too.
    for name, expected_count in (
        ("result", evening.phones),
        ("published round", evening.phones + 1),
    ):
        if evening.count(name) != expected_count:
            missed.append(f"{KINDS[name]}: {evening.count(name)} of {expected_count}")
    if evening.quiet_core > 0.6:
        missed.append(f"{evening.quiet_core:.0%} of a core between changes, goal 60 %")
    if evening.count("sent again") > evening.phones / 100:
        missed.append(f"forms sent again, for want of an answer: {evening.count('sent again')}")
    return [*missed, *evening.errors]


def write(evenings: Sequence[Evening]) -> None:
    """Replace the section of the load test; the rest of the page belongs to `make bench`."""
    before = PATH.read_text().partition(HEADING)[0].rstrip()
    measured_on = f"Measured on {datetime.now(UTC):%Y-%m-%d}: {machine()}."
    figures = "\n".join(table(evenings))
    PATH.write_text("\n\n".join([before, INTRODUCTION.rstrip(), measured_on, figures]) + "\n")
