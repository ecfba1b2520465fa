"""Card data as sources give it: read, checked and compared, without a database."""
