"""Calls, penalties, the guide, rulings of an event, and overlays."""

from typing import Any

from rulings.models import JudgeCall
from tests.api.matrix.rows import ALL, DESK, JUDGE, SEATED, Row
from tournaments.models import LocalRuling, Penalty


def _call(scene: Any) -> int:
    return JudgeCall.objects.get(match__seats__player=scene.player.player).pk


def _penalty(scene: Any) -> int:
    return Penalty.objects.get(tournament=scene.event).pk


def _local(scene: Any) -> int:
    return LocalRuling.objects.get(tournament=scene.event).pk


CALL, PENALTY, LOCAL = {"pk": _call}, {"pk": _penalty}, {"pk": _local}
NEW = {"player": 1, "infraction": "late"}
ROWS = {
    "GET calls": Row(DESK),
    "POST calls": Row(DESK, body={"table": 1}),
    "GET call": Row(JUDGE, ids=CALL),
    "POST call_take": Row(JUDGE, ids=CALL),
    "POST call_give_back": Row(JUDGE, ids=CALL),
    "POST call_escalate": Row(JUDGE, ids=CALL),
    "POST call_answer": Row(JUDGE, ids=CALL),
    "POST call_reopen": Row(JUDGE, ids=CALL),
    "POST call_appeal": Row(JUDGE | SEATED, ids=CALL),
    "POST call_withdraw": Row(JUDGE | SEATED, ids=CALL),
    "GET table_calls": Row(SEATED),
    "POST table_calls": Row(SEATED),
    "GET penalties": Row(JUDGE),
    "POST penalties": Row(JUDGE, body=NEW),
    "GET penalty": Row(JUDGE, ids=PENALTY),
    "POST penalty_withdraw": Row(JUDGE, ids=PENALTY, body={"reason": "A mistake."}),
    "GET guide": Row(),
    "GET local_rulings": Row(),
    "GET local_ruling": Row(ALL, ids=LOCAL),
    "GET overlay_table": Row(ids={"number": 1}, foreign="ok"),
    "GET overlay_feature": Row(),
    "GET overlay_standings": Row(),
    "GET overlay_clock": Row(),
}
