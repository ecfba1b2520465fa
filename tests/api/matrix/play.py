"""Rounds, tables, results, clocks and cuts."""

from typing import Any

from tests.api.matrix.rows import ALL, DESK, JUDGE, RUN, SCORE, SEATED, Row


def newest_job(scene: Any) -> int:
    pk: int = scene.event.jobs.latest("pk").pk
    return pk


def result_entered(scene: Any) -> int:
    """A log entry that scorekeepers can undo."""
    pk: int = scene.event.log.filter(action="result entered").latest("pk").pk
    return pk


JOB = {"pk": newest_job}
ENTRY = {"pk": result_entered}
REASON = {"reason": "By mistake."}
A_PLAYER = {"player": 1}
# The scene has no draft, so actors who may see drafts get a 404 too.
NO_DRAFT = dict.fromkeys(RUN, "404")

ROWS = {
    "GET schedule": Row(),
    "GET workings": Row(ids={"number": 1}),
    "GET jobs": Row(DESK),
    "GET job": Row(DESK, ids=JOB),
    "POST rounds": Row(RUN, foreign="ok"),
    "GET draft": Row(RUN, but=NO_DRAFT),
    "DELETE draft": Row(RUN, but=NO_DRAFT),
    "POST draft_swap": Row(RUN, but=NO_DRAFT),
    "POST draft_lock": Row(RUN),
    "POST draft_rest": Row(RUN),
    "PUT draft_by_hand": Row(RUN, but=NO_DRAFT),
    "POST round_publish": Row(RUN),
    "POST round_unpublish": Row(RUN, body=REASON),
    "POST round_start": Row(RUN),
    "POST round_close": Row(RUN),
    "POST round_reopen": Row(RUN, body=REASON),
    "GET end_times": Row(),
    "GET clock": Row(),
    "POST clock_pause": Row(RUN),
    "POST clock_resume": Row(RUN),
    "POST clock_add": Row(RUN, body={"minutes": 1}),
    "GET table": Row(),
    "POST table_time": Row(JUDGE, body={"minutes": 1}),
    "GET result": Row(DESK),
    "PUT result": Row(SCORE, scope="results"),
    # No token of the organiser belongs to a player at the table.
    "GET report": Row(SEATED),
    "POST report": Row(SEATED, scope="results"),
    "POST confirm": Row(SEATED, scope="results", body={"report": 1}),
    "POST dispute": Row(SEATED, scope="results", body={"report": 1}),
    "POST advance": Row(SCORE, body=A_PLAYER),
    "GET role": Row(),
    "POST role": Row(SCORE, body={"corp": 1}),
    "GET cut": Row(RUN, but=NO_DRAFT),
    "POST cut": Row(RUN, foreign="ok"),
    "DELETE cut": Row(RUN, but=NO_DRAFT),
    "GET cut_candidates": Row(RUN),
    "POST cut_publish": Row(RUN, but=NO_DRAFT),
    "POST cut_decline": Row(RUN),
    "POST cut_changes": Row(RUN),
    "GET bracket": Row(ALL),
    "GET log": Row(DESK),
    "GET log_entry": Row(DESK, ids=ENTRY),
}
