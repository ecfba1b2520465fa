import pytest

from core.checkpoints import checkpoint, watched


def test_a_watcher_is_told_the_name_of_the_moment_until_it_leaves():
    told: list[str] = []

    with watched(told.append):
        checkpoint("pair:drafted")
    checkpoint("pair:written")

    assert told == ["pair:drafted"]


def test_what_a_watcher_raises_breaks_the_work_off():
    def breaks(name: str) -> None:
        raise RuntimeError(name)

    with pytest.raises(RuntimeError, match="close:locked"), watched(breaks):
        checkpoint("close:locked")
