"""Write docs/dev/reliability.md."""

from tests.reliability.page import PAGE, page

PAGE.write_text(page(), encoding="utf-8")
