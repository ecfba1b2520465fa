"""Section headings of decklists and their order."""

OTHER_ICE = "Ice"
# Headings of both games. Ice and programs are grouped by subtype; "Ice" is all other ice.
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

ICE_KINDS = ("Barrier", "Wall", "Code Gate", "Sentry")


def section_of(type_: str, subtypes: str) -> str:
    """Return the heading for a card of this type; `subtypes` are joined with " - ".

    Ice with several subtypes goes under the last that applies, in the order Barrier (Wall), Code
    Gate, Sentry. Source: INTEROP section 7.
    """
    has = subtypes.split(" - ")
    if type_ == "ice":
        return next((name for name in reversed(ICE_KINDS) if name in has), OTHER_ICE)
    if type_ == "program" and "Icebreaker" in has:
        return "Icebreaker"
    return type_.capitalize()


def section_rank(section: str) -> int:
    """Sort key of a section; unknown sections sort last."""
    return SECTIONS.index(section) if section in SECTIONS else len(SECTIONS)
