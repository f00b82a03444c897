"""What can be wrong with a recipe, an overlay or the data."""

from __future__ import annotations


class FoundryError(ValueError):
    """A map that cannot be made; the sentence says what is wrong and where."""
