"""Paper, the player meeting, and the news outside the site."""

from django.urls import URLPattern, path

from tournaments.urls.staff import DESK
from tournaments.views import announcing, meeting, paper, printing_staff

PAPER = f"{DESK}/paper"
MEETING = f"{DESK}/meeting"
NEWS = f"{DESK}/news"

urlpatterns: list[URLPattern] = [
    path(f"{PAPER}/", paper.paper, name="paper"),
    path(f"{PAPER}/check-in/", paper.roster, name="print_roster"),
    path(f"{PAPER}/meeting/", paper.meeting, name="meeting_paper"),
    path(f"{PAPER}/open/", paper.open_tables, name="print_open"),
    path(f"{PAPER}/decks/", paper.decks, name="print_decks"),
    path(f"{PAPER}/slips/", printing_staff.blank_slips, name="blank_slips"),
    path("events/<slug:slug>/meeting/", meeting.meeting, name="meeting"),
    path(f"{MEETING}/", meeting.desk, name="meeting_desk"),
    path(f"{MEETING}/seat/", meeting.seat, name="meeting_seat"),
    path(f"{MEETING}/clear/", meeting.clear, name="meeting_clear"),
    path(f"{NEWS}/", announcing.announcing, name="announcing"),
    path(f"{NEWS}/save/", announcing.save, name="announcing_save"),
    path(f"{NEWS}/test/", announcing.test, name="announcing_test"),
    path("events/<slug:slug>/me/news/", announcing.my_news, name="my_news"),
    path("events/<slug:slug>/me/news/mail/", announcing.my_mail, name="my_mail"),
    path("events/<slug:slug>/me/news/phone/", announcing.my_phone, name="my_phone"),
]
