"""The rules, a module for a section of the book.

A module's name begins with the part, chapter and section of its rules: B4C11a is in `b4c_*.py`,
C5F4 in `c5_*.py`. Part B has the fundamental rules, C the Basic Game, D its supplements, which are
fields of the position, E the Advanced Game, in force where `War.is_advanced` says so; rules that
only ask the map (B2) are in the table's `terrain` and `rivers`.
"""
