"""Who plays: signed up, checked in, late, gone, back again."""
