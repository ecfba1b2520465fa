"""`manage.py engine`: bytes, exit statuses, and no database."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command

from engine.documents.commands import pair, rank
from engine.documents.json_text import write_json
from tests.engine.documents.builders import bye, event, table

ROOT = Path(__file__).parents[2]
MACHINE = {
    "DATABASE_URL": "postgres://nobody@192.0.2.1:1/none",
    "REDIS_URL": "",
    "LC_ALL": "C",
    "PYTHONIOENCODING": "latin-1",
    "PYTHONUTF8": "0",
}
EVENT = event([table(1, ("Zoë", 20), (2, 4)), bye("王", 20)], players=3)
EVENT["players"] = [{"id": id_} for id_ in ("Zoë", 2, "王", "Ада", "O'Shea")]
Engine = Callable[..., tuple[int, bytes]]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Engine:
    """Run the command in this process; return exit status and output."""

    def run(*arguments: str, stdin: bytes) -> tuple[int, bytes]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            call_command("engine", *arguments)
        except SystemExit as end:
            return int(str(end.code)), capsysbinary.readouterr().out
        return 0, capsysbinary.readouterr().out

    return run


def test_answer_is_a_line_of_utf_8_on_any_machine_without_a_database():
    process = subprocess.run(
        [sys.executable, "manage.py", "engine", "pair"],
        cwd=ROOT,
        env={**os.environ, **MACHINE},
        input=write_json(EVENT),
        capture_output=True,
        check=False,
    )

    assert (process.returncode, process.stderr) == (0, b"")
    assert process.stdout == write_json(pair(EVENT))
    assert process.stdout.endswith(b"\n")
    assert "王".encode() in process.stdout


def test_answer_can_be_indented(engine: Engine):
    answer = engine("standings", "--indent", "2", stdin=write_json(EVENT))

    assert answer == (0, write_json(rank(EVENT), indent=2))


def test_invalid_document_is_status_2_and_an_object(engine: Engine):
    status, printed = engine("pair", stdin=write_json(EVENT | {"seed": "seven"}))

    refused = json.loads(printed)
    assert (status, refused["path"], set(refused)) == (2, "$.seed", {"error", "path"})


@pytest.mark.parametrize("stdin", [b"", b"[" * 100_000])
def test_invalid_json_is_status_2(engine: Engine, stdin: bytes):
    status, printed = engine("standings", stdin=stdin)

    assert (status, set(json.loads(printed))) == (2, {"error", "path"})


def test_different_replay_is_status_1(engine: Engine):
    answer = rank(EVENT)
    same = engine("verify", stdin=write_json({"document": EVENT, "answer": answer}))
    status, printed = engine(
        "verify", stdin=write_json({"document": EVENT | {"seed": 8}, "answer": answer})
    )

    assert same == (0, b'{"ok": true}\n')
    assert (status, json.loads(printed)["ok"]) == (1, False)
