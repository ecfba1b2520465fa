"""Events as the API tells them. Players go by their number in the event."""
