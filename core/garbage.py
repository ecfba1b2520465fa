"""How often Python looks for circles of objects that nobody uses.

A page of a large event makes tens of thousands of objects and keeps none of them. By default each
700 make Python look, and now and then at all that the process has loaded: that took half of the
time of such a page.
"""

import gc

from django.urls import resolve

LOOK_AFTER = (10_000, 20, 20)
"""New objects until Python looks at them, and how many such looks until it looks at older ones."""


def look_seldom() -> None:
    """What the process has loaded is never looked at again, and what is new more seldom."""
    # Loads the views, which otherwise the first request does.
    resolve("/")
    gc.collect()
    gc.freeze()
    gc.set_threshold(*LOOK_AFTER)
