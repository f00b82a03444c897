"""What lies on the table: the position, the data files, and all that never changes."""
