"""Parts of pages with forms in them, laid out once for all who are shown the same."""

import secrets
from collections import OrderedDict
from collections.abc import Callable

from django.utils.safestring import SafeString

MOST = 4096
"""Some rounds and rosters of a large event, each row some thousand bytes."""
A_TOKEN = secrets.token_hex(32)
"""Stands in kept parts where the token of a reader's forms belongs; nobody can type it."""

_kept: OrderedDict[tuple[str, str], str] = OrderedDict()


def is_kept(template: str, said: str) -> bool:
    """Whether this has been laid out by this template already."""
    return (template, said) in _kept


def laid_out(template: str, said: str, token: str, lay_out: Callable[[str], str]) -> SafeString:
    """The part that says `said` (core.fingerprints), its forms with the reader's `token`.

    `lay_out` is given the token to write into the forms; it is called where nothing is kept.
    """
    key = (template, said)
    kept = _kept.get(key)
    if kept is None:
        kept = _kept[key] = lay_out(A_TOKEN)
        while len(_kept) > MOST:
            _kept.popitem(last=False)
    # The template has escaped all it says, and a token is letters and digits.
    return SafeString(kept.replace(A_TOKEN, token))
