"""Views of series: public pages, pages for organisers, and copies of events."""
