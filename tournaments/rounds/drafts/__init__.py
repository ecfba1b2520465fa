"""The work of the job "pair the round": from the closed rounds to a draft."""
