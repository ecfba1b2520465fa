"""`manage.py engine`: bytes in, bytes out, an exit status, and no database."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tournaments.documents.builders import bye, event, table
from tournaments.documents import pair, rank
from tournaments.documents.json_text import written

ROOT = Path(__file__).parents[2]
NOWHERE = {"DATABASE_URL": "postgres://nobody@192.0.2.1:1/none", "REDIS_URL": ""}
EVENT = event([table(1, ("Zoë", 20), (2, 4)), bye("王", 20)], players=3)
EVENT["players"] = [{"id": one} for one in ("Zoë", 2, "王", "Ада", "O'Shea")]


def engine(*arguments: str, given: bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "manage.py", "engine", *arguments],
        cwd=ROOT,
        env={**os.environ, **NOWHERE, **environment},
        input=given,
        capture_output=True,
        check=False,
    )


def test_an_answer_is_one_line_of_utf_8_and_needs_no_database():
    done = engine("pair", given=written(EVENT))

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == written(pair(EVENT))
    assert done.stdout.endswith(b"\n")
    assert "王".encode() in done.stdout


def test_an_answer_can_be_indented():
    done = engine("standings", "--indent", "2", given=written(EVENT))

    assert done.stdout == written(rank(EVENT), indent=2)


def test_a_wrong_document_is_status_2_and_one_object():
    done = engine("pair", given=written(EVENT | {"seed": "seven"}))

    assert (done.returncode, done.stderr) == (2, b"")
    refused = json.loads(done.stdout)
    assert refused["path"] == "$.seed"
    assert set(refused) == {"error", "path"}


@pytest.mark.parametrize("given", [b"", b"[" * 100_000])
def test_what_is_no_document_is_status_2(given: bytes):
    done = engine("standings", given=given)

    assert (done.returncode, done.stderr) == (2, b"")
    assert set(json.loads(done.stdout)) == {"error", "path"}


def test_a_replay_that_differs_is_status_1():
    answer = rank(EVENT)
    same = engine("verify", given=written({"document": EVENT, "answer": answer}))
    other = engine("verify", given=written({"document": EVENT | {"seed": 8}, "answer": answer}))

    assert (same.returncode, same.stdout) == (0, b'{"ok": true}\n')
    assert other.returncode == 1
    assert json.loads(other.stdout)["ok"] is False


def test_the_locale_of_the_machine_changes_nothing():
    machine = {"LC_ALL": "C", "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}

    assert engine("pair", given=written(EVENT), **machine).stdout == written(pair(EVENT))
