"""Act in the middle of the site's work: before or after a function call.

A path names the function where its callers look it up, as in `unittest.mock.patch`.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial, wraps
from inspect import isgenerator
from pkgutil import resolve_name
from typing import Any, TypeAlias
from unittest.mock import patch

from core.jobs import AbstractJob

Act: TypeAlias = Callable[[], object]
Watcher: TypeAlias = Callable[[str], object]
Function: TypeAlias = Callable[..., Any]


def before(path: str, act: Act, *, given: object = None) -> AbstractContextManager[None]:
    """Act before each call, or only before calls with the positional argument `given`."""
    return _replaced(path, _act_before, act, given)


def after(path: str, act: Act, *, given: object = None) -> AbstractContextManager[None]:
    """Act after each call, as in `before`; after a generator has yielded its last item."""
    return _replaced(path, _act_after, act, given)


def after_each(path: str, act: Act) -> AbstractContextManager[None]:
    """Act each time the caller of this generator has finished with an item."""
    return _replaced(path, _act_after_each, act)


@contextmanager
def in_jobs(watcher: Watcher) -> Iterator[None]:
    """Call the watcher with `<kind>:<moment>` when a job is leased, worked and left.

    "worked" is before the outcome is stored, in the transaction of the work if it has one.
    """
    with (
        _replaced("core.jobs._lease", _watch_lease, watcher),
        _replaced("core.jobs._run_and_finish", _watch_work, watcher),
        _replaced("core.jobs._lease_and_run", _watch_end, watcher),
    ):
        yield


@contextmanager
def _replaced(path: str, replacement: Function, *more: Any) -> Iterator[None]:
    """Call the replacement with `more`, the function and the arguments of the call."""
    function = resolve_name(path)
    with patch(path, wraps(function)(partial(replacement, *more, function))):
        yield


def _act_before(act: Act, given: object, function: Function, *args: Any, **kwargs: Any) -> Any:
    if given is None or given in args:
        act()
    return function(*args, **kwargs)


def _act_after(act: Act, given: object, function: Function, *args: Any, **kwargs: Any) -> Any:
    result = function(*args, **kwargs)
    if isgenerator(result):
        return _exhausted(result, act)
    if given is None or given in args:
        act()
    return result


def _exhausted(items: Iterator[Any], act: Act) -> Iterator[Any]:
    yield from items
    act()


def _act_after_each(act: Act, function: Function, *args: Any, **kwargs: Any) -> Iterator[Any]:
    for item in function(*args, **kwargs):
        yield item
        act()


def _watch_lease(watcher: Watcher, function: Function, *args: Any) -> AbstractJob | None:
    job: AbstractJob | None = function(*args)
    if job is not None:
        watcher(f"{job.kind}:leased")
    return job


def _watch_work(watcher: Watcher, function: Function, handler: Function, job: AbstractJob) -> None:
    def work(job: AbstractJob) -> None:
        handler(job)
        watcher(f"{job.kind}:worked")

    function(work, job)


def _watch_end(
    watcher: Watcher, function: Function, model: Any, job_id: int, do: Function, *more: Any
) -> None:
    jobs_begun: list[AbstractJob] = []

    def begin(job: AbstractJob) -> None:
        jobs_begun.append(job)
        do(job)

    function(model, job_id, begin, *more)
    for job in jobs_begun:
        watcher(f"{job.kind}:left")
