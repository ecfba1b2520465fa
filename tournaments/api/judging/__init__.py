"""What judges do at an event: calls, penalties, notes, the guide and local rulings."""
