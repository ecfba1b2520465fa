"""Python looks for garbage less often where pages are made, and still finds it."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from core import garbage


class Circle:
    """Refers to itself, so that only a look frees it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def _as_before() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


@pytest.mark.usefixtures("_as_before")
def test_what_is_loaded_is_left_alone_and_new_garbage_is_found():
    garbage.look_seldom()

    assert gc.get_freeze_count() > 0
    assert gc.get_threshold() == garbage.LOOK_AFTER
    ours = weakref.ref(Circle())
    rest: list[list[int]] = [[] for _ in range(2 * garbage.LOOK_AFTER[0])]
    assert ours() is None
    assert rest
