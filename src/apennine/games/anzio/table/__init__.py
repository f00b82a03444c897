"""What lies on the table: the position, the readers of the data files, and the war."""
