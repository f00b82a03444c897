"""The plans that a player turn may be played by: tempers of the staff, by side."""

from __future__ import annotations

from apennine.bots.staff.weights import changed

from .weights import USUAL

ALLIED = (
    USUAL,
    changed(USUAL, {"own_step": (0.1, 0.95), "good_enough": 0.0}),  # attack wherever it can
    changed(USUAL, {"own_step": (0.7, 0.95), "good_enough": 0.5}),  # only where it is cheap
    changed(USUAL, {"thrust": 0.0}),  # on a broad front
    changed(USUAL, {"thrust": 15.0}),  # everything for one town
)
GERMAN = (
    USUAL,
    changed(USUAL, {"losses": (1.2,)}),  # stand where the front is
    changed(USUAL, {"losses": (0.15,)}),  # fall back to the best ground
    changed(USUAL, {"own_step": (0.35, 0.5), "strike": 0.1}),  # strike back
    changed(USUAL, {"strike": 3.0}),  # keep to the line
)
TEMPERS = ALLIED, GERMAN
