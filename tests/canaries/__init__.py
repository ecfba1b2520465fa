"""What only some may know sings in one event: who hears it, and where it must not be found."""
