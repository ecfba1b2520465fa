"""Read, validate and compare card data without a database."""
