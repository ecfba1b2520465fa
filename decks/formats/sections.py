"""Under which heading a card stands in a list, and in which order the headings come."""

OTHER_ICE = "Ice"
SECTIONS = (
    "Event",
    "Prep",
    "Hardware",
    "Resource",
    "Icebreaker",
    "Program",
    "Agenda",
    "Asset",
    "Node",
    "Upgrade",
    "Operation",
    "Barrier",
    "Wall",
    "Code Gate",
    "Sentry",
    OTHER_ICE,
)
"""Both games in one order; ice and programs go by subtype, and "Ice" is all other ice."""

ICE_KINDS = ("Barrier", "Wall", "Code Gate", "Sentry")


def section_of(type_: str, subtypes: str) -> str:
    """The heading of a card of this type; `subtypes` are joined with " - ".

    A piece of ice with several subtypes goes under the last that applies, in the order
    Barrier (Wall), Code Gate, Sentry. Source: INTEROP section 7.
    """
    has = subtypes.split(" - ")
    if type_ == "ice":
        return next((name for name in reversed(ICE_KINDS) if name in has), OTHER_ICE)
    if type_ == "program" and "Icebreaker" in has:
        return "Icebreaker"
    return type_.capitalize()


def section_rank(section: str) -> int:
    """Where the section comes; one of a type nobody knows comes last."""
    return SECTIONS.index(section) if section in SECTIONS else len(SECTIONS)
