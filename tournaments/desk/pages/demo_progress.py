"""Progress of the demo event, which is made in a thread beside the running server."""

from threading import Event

being_made = Event()
"""Set while this process makes the demo event."""
