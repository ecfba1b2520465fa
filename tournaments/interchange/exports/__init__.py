"""Files made of events. They only read; what is hidden from the reader is in none of them."""
