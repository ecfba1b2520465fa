"""Find a ruling by a typed, pasted or spoken code."""

import re
import secrets

from django.db.models import Q, QuerySet

from rulings.models import Ruling, RulingVersion
from rulings.queries.reading import published

LAST_SHIPPED = 1000
# Alphabet and length of local codes: 40 bits, without the ambiguous 0, 1, I and O.
SIGNS, LENGTH = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789", 8
# A typed or pasted code: "lockjaw-1", "R-0231 v2", or the URL of its page.
TYPED_CODE = re.compile(
    r"(?:\S*/)?(?P<code>[a-z0-9]+(?:-[a-z0-9]+)*-[0-9]+)(?:[\s/]+v?(?P<version>[0-9]{1,4}))?/?",
    re.IGNORECASE,
)
# A spoken short code: "r231", "R 231 v2".
SPOKEN_CODE = re.compile(
    r"(?P<letter>[rsl])[\s-]*(?P<serial>[0-9]{1,6})(?:[\s/]+v?(?P<version>[0-9]{1,4}))?",
    re.IGNORECASE | re.ASCII,
)
# The code of a local ruling: "L-7K3MQ2XA v2".
LOCAL_CODE = re.compile(
    rf"l[\s-]*(?P<signs>[{SIGNS}]{{{LENGTH}}})(?:[\s/]+v?(?P<version>[0-9]{{1,4}}))?",
    re.IGNORECASE | re.ASCII,
)


def find_by_code(code: str, among: QuerySet[Ruling] | None = None) -> Ruling | None:
    """Find a ruling by a typed or pasted code: "Lockjaw-1", "r231", or the URL of its page.

    Searches the published rulings by default.
    """
    if found := _taken_apart(code):
        return _in(among).filter(_is(found[0])).first()
    return None


def version_by_code(code: str, among: QuerySet[Ruling] | None = None) -> RulingVersion | None:
    """Find the version named by a code ("R-0231 v2"), or the newest version.

    Searches the published rulings by default.
    """
    found = _taken_apart(code)
    if found is None:
        return None
    versions = RulingVersion.objects.filter(ruling__in=_in(among).filter(_is(found[0])))
    if found[1]:
        versions = versions.filter(number=int(found[1]))
    return versions.select_related("ruling__document").order_by("-number").first()


def names_a_version(code: str) -> bool:
    found = _taken_apart(code)
    return bool(found and found[1])


def fresh_short_codes(count: int) -> list[str]:
    """Return the next `count` short codes of imported rulings, such as "R-1001".

    The caller must hold the lock of the document. Numbers up to LAST_SHIPPED are reserved for the
    shipped lists, so that they are the same on every site.
    """
    taken = Ruling.objects.filter(short_code__startswith="R-").values_list("short_code", flat=True)
    first = max([LAST_SHIPPED, *(int(code[2:]) for code in taken)]) + 1
    return [f"R-{serial:04d}" for serial in range(first, first + count)]


def random_short_code() -> str:
    """Return an unused, non-enumerable code for a local ruling: "L-7K3MQ2XA"."""
    code = "L-" + "".join(secrets.choice(SIGNS) for _ in range(LENGTH))
    return random_short_code() if Ruling.objects.filter(short_code=code).exists() else code


def nearest_codes(code: str) -> list[str]:
    """Return up to three similar codes."""
    from rapidfuzz import process  # imported lazily: most codes are valid
    from rapidfuzz.distance import Indel

    codes = list(published().order_by("number").values_list("code", flat=True))
    typed = code.strip().lower()[:80]
    found = process.extract(
        typed, codes, scorer=Indel.normalized_similarity, limit=3, score_cutoff=0.5
    )
    return [near for near, _, _ in found]


def _taken_apart(typed: str) -> tuple[str, str] | None:
    """Split a text into (code, version number or ""); None if there is no code."""
    if spoken := SPOKEN_CODE.fullmatch(typed.strip()):
        code = f"{spoken['letter']}-{int(spoken['serial']):04d}"
        return code, spoken["version"] or ""
    if local := LOCAL_CODE.fullmatch(typed.strip()):
        return f"L-{local['signs']}", local["version"] or ""
    if found := TYPED_CODE.fullmatch(typed.strip()):
        return found["code"], found["version"] or ""
    return None


def _in(among: QuerySet[Ruling] | None) -> QuerySet[Ruling]:
    return published() if among is None else among


def _is(code: str) -> Q:
    return Q(code=code.lower()) | Q(short_code=code.upper())
