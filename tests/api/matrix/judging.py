"""Calls, penalties, the guide and rulings of an event; what overlays show."""

from typing import Any

from rulings.models import JudgeCall
from tests.api.matrix.rows import ALL, DESK, HEAD, JUDGE, SEATED, Row
from tournaments.models import LocalRuling, Penalty


def _call(scene: Any) -> int:
    return JudgeCall.objects.get(match__seats__player=scene.mine.player).pk


def _penalty(scene: Any) -> int:
    return Penalty.objects.get(tournament=scene.event).pk


def _local(scene: Any) -> int:
    return LocalRuling.objects.get(tournament=scene.event).pk


CALL, PENALTY, LOCAL = {"pk": _call}, {"pk": _penalty}, {"pk": _local}
OF_GUIDE = {"code": "slow-play"}
WORDS = {"text": "Two minutes."}
NEW = {"player": 1, "infraction": "late"}
ROWS = {
    "GET calls": Row(DESK),
    "POST calls": Row(DESK, body={"table": 1}),
    "GET call_statistics": Row(HEAD),
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
    "GET table_notes": Row(JUDGE),
    "POST table_notes": Row(JUDGE, body=WORDS),
    "GET penalties": Row(JUDGE),
    "POST penalties": Row(JUDGE, body=NEW),
    "POST penalty_look": Row(JUDGE, body=NEW),
    "GET penalty": Row(JUDGE, ids=PENALTY),
    "POST penalty_withdraw": Row(JUDGE, ids=PENALTY, body={"reason": "A mistake."}),
    "POST penalty_again": Row(JUDGE, ids=PENALTY),
    "GET conduct": Row(JUDGE),
    "GET guide": Row(),
    "POST guide": Row(HEAD, body={"name": "New", "ladder": ["caution"]}),
    "GET infraction": Row(ALL, ids=OF_GUIDE, foreign="ok"),
    "PUT infraction": Row(HEAD, ids=OF_GUIDE, body={"ladder": ["warning"]}, foreign="ok"),
    "DELETE infraction": Row(HEAD, ids=OF_GUIDE, foreign="ok"),
    "GET local_rulings": Row(),
    "POST local_rulings": Row(HEAD, body={"subject": "Draws", **WORDS}),
    "GET offered_rulings": Row(HEAD),
    "POST offered_rulings": Row(HEAD, body={"code": "L-0001"}),
    "GET local_ruling": Row(ALL, ids=LOCAL),
    "PUT local_ruling": Row(HEAD, ids=LOCAL, body={**WORDS, "seen": 1, "reason": "Too long."}),
    "DELETE local_ruling": Row(HEAD, ids=LOCAL),
    "GET judged": Row(HEAD),
    "GET cited": Row(JUDGE),
    "GET overlay_table": Row(ids={"number": 1}, foreign="ok"),
    "GET overlay_feature": Row(),
    "GET overlay_standings": Row(),
    "GET overlay_clock": Row(),
}
