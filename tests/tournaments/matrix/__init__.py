"""Every address of the events app: who may use it, and an event in which each leads somewhere."""
