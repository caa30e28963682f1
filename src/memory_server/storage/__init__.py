"""All SQL: the one truth, in SQLite."""
