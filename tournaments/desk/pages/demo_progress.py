"""Progress of the demo event, which a thread of the running server creates."""

from threading import Event

# Set while this process creates the demo event.
being_made = Event()
