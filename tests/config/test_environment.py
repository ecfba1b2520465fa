"""An invalid environment variable stops the process with an error message."""

import ast
import os
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import config.settings

FOLDER = Path(config.settings.__file__).parent
# An invalid value for each function that reads a setting, and the allowed values in its message.
READERS = {
    "whole_number": ("many", "a whole number from"),
    "_limit": ("-1", "a whole number from"),
    "switch": ("perhaps", "true or false"),
    "one_of": ("something", "one of"),
    "time_zone": ("Mars/Olympus", "the name of a time zone"),
    "address": ("https://play.example:port", "an address"),
    "database": ("mysql://club:secret@db.example/club", "postgres://USER:PASSWORD@HOST:PORT/NAME"),
    "mail_server": ("pigeon://club:secret@mail.example", "smtp+tls://USER:PASSWORD@HOST:PORT"),
    "redis_server": (
        "redis://:pa/secret@redis.example:6379/0",
        "redis://:PASSWORD@HOST:PORT/NUMBER",
    ),
    "required": ("", "missing"),
}
HIDDEN = ("database", "mail_server", "redis_server", "required")
# `env(name)` and `env.list(name)` accept any text.
PLAIN = ("env", "list")


def read_settings() -> Iterator[tuple[str, str, str]]:
    """Return module, reading function and name of each setting."""
    for path in sorted(FOLDER.glob("*.py")):
        if path.name == "environment.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and node.args):
                continue
            function, name = node.func, node.args[0]
            reader = function.attr if isinstance(function, ast.Attribute) else ""
            reader = function.id if isinstance(function, ast.Name) else reader
            is_env = isinstance(function, ast.Attribute) and ast.unparse(function.value) == "env"
            if (is_env or reader in (*READERS, *PLAIN)) and isinstance(name, ast.Constant):
                yield path.name, reader, str(name.value)


SETTINGS = sorted(read_settings())
TYPED = [setting for setting in SETTINGS if setting[1] in READERS]


def test_each_setting_is_read_by_a_validating_function():
    readers = {reader for _, reader, _ in SETTINGS}
    numbers = {name for _, reader, name in SETTINGS if reader in ("whole_number", "_limit")}

    assert readers <= {*READERS, *PLAIN}
    assert readers >= {*READERS}

    assert len(numbers) >= 20
    assert {"DATAFORT_LIMIT_AT_ONCE", "DATAFORT_PROXIES", "DATAFORT_BACKUP_MINUTES"} <= numbers


@pytest.mark.parametrize(
    ("module", "reader", "name"), TYPED, ids=[f"{module}-{name}" for module, _, name in TYPED]
)
def test_invalid_value_stops_the_start_with_a_message(
    module: str, reader: str, name: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SECRET_KEY", "signs nothing")
    monkeypatch.setenv("DATAFORT_PUBLIC_URL", "https://play.example")
    value, allowed = READERS[reader]
    monkeypatch.setenv(name, value)

    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(FOLDER / module))

    sentence = str(ended.value)
    assert sentence.startswith(f"{name} is ")
    assert allowed in sentence or reader == "required"
    assert (repr(value) in sentence) == (reader not in HIDDEN)
    assert "secret" not in sentence


@pytest.mark.parametrize(
    ("value", "is_on"), [("on", True), ("TRUE", True), ("1", True), ("0", False), ("", False)]
)
def test_switch_accepts_usual_words(value: str, is_on: bool, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATAFORT_PLAIN_LOGINS", value)

    settings = runpy.run_path(str(FOLDER / "accounts.py"))

    assert settings["ALLOW_PLAIN_LOGINS"] is is_on


def test_command_prints_only_the_message(tmp_path: Path):
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.embedded",
        "DATAFORT_VAR": str(tmp_path),
        "DATAFORT_LIMIT_HALL": "a lot",
    }
    ended = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=FOLDER.parent.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 1
    assert ended.stderr == (
        "DATAFORT_LIMIT_HALL is 'a lot'. Set it to a whole number from 0 to 10000000, or remove it "
        "for the default (3000).\n"
    )
