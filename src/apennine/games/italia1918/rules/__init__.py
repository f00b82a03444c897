"""The rules, chapter by chapter: `c11_movement` has chapter 11."""
