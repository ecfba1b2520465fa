"""The limit on open files."""

import pytest

from core import processes

resource = pytest.importorskip("resource")


def test_limit_refused_by_the_system_does_not_stop_the_start(monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> None:
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refuse)

    processes.raise_open_file_limit(4600)


def test_limit_is_raised_up_to_the_hard_limit(monkeypatch: pytest.MonkeyPatch):
    raised: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 4096))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: raised.append(limits))

    processes.raise_open_file_limit(4600)
    processes.raise_open_file_limit(500)

    assert raised == [(4096, 4096)]
