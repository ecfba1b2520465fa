"""What every part of an event needs: who acts, what they may, the log, what is stored."""
