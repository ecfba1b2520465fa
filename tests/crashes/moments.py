"""Named moments of the site's work at which a process is killed or an error raised."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial

from tests.moments import Act, Watcher, after, before, in_jobs
from tournaments.models import LogAction

LOCK = "tournaments.event.history.lock_unfinished"
LOCK_ROUND = "tournaments.rounds.services.lock_round"
RECORD = "tournaments.event.history.record"
SEED = "tournaments.models.StageEntry.objects.bulk_create"
DRAFTING = "tournaments.rounds.drafting"
SNAPSHOTS = "tournaments.event.snapshots"
IMPORTS = "tournaments.files.services"

MOMENTS: dict[str, Callable[[Act], AbstractContextManager[None]]] = {
    "ask:locked": partial(after, LOCK),
    "ask:recorded": partial(after, RECORD, given=LogAction.PAIRING_ASKED_FOR),
    "job:committed": partial(before, "core.jobs._enqueue_now"),
    "pair:locked": partial(before, f"{DRAFTING}.round_seed"),
    "pair:drafted": partial(after, f"{DRAFTING}.assign_table_numbers"),
    "pair:begun": partial(before, f"{DRAFTING}.write_pairings"),
    "pair:written": partial(after, f"{DRAFTING}.write_pairings"),
    "pair:recorded": partial(after, RECORD, given=LogAction.ROUND_DRAFTED),
    "publish:locked": partial(after, LOCK_ROUND),
    "publish:saved": partial(before, RECORD, given=LogAction.ROUND_PUBLISHED),
    "publish:recorded": partial(after, RECORD, given=LogAction.ROUND_PUBLISHED),
    "publish:done": partial(after, "tournaments.event.services.notify_round_published"),
    "close:locked": partial(after, LOCK_ROUND),
    "close:saved": partial(before, RECORD, given=LogAction.ROUND_CLOSED),
    "close:recorded": partial(after, RECORD, given=LogAction.ROUND_CLOSED),
    "close:done": partial(after, "tournaments.ops.services.request_backup"),
    "standings:locked": partial(before, f"{SNAPSHOTS}.store_standings"),
    "standings:written": partial(after, f"{SNAPSHOTS}.store_standings"),
    "cut:locked": partial(after, LOCK),
    "cut:made": partial(before, SEED),
    "cut:seeded": partial(after, SEED),
    "cut:recorded": partial(after, RECORD, given=LogAction.CUT_MADE),
    "import:read": partial(after, f"{IMPORTS}.read_event_file"),
    "import:players": partial(after, "tournaments.files.import_steps._identity_steps"),
    "import:rounds": partial(before, f"{SNAPSHOTS}.compute_standings_from"),
    "import:standings": partial(after, f"{SNAPSHOTS}.compute_standings_from"),
    "import:stored": partial(after, f"{IMPORTS}.request_ratings"),
}
"""Functions that patch the site to call back at each moment. Every job also has the moments of
`in_jobs`."""


@contextmanager
def watch_moments(watcher: Watcher) -> Iterator[None]:
    """Call the watcher with the name of every moment during the block."""
    with ExitStack() as stack:
        stack.enter_context(in_jobs(watcher))
        for name, moment in MOMENTS.items():
            stack.enter_context(moment(partial(watcher, name)))
        yield
