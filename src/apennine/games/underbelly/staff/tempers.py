"""The plans that a player turn may be played by: tempers of the staff, by side."""

from __future__ import annotations

from apennine.bots.staff.weights import changed

from .weights import USUAL

ALLIED = (
    USUAL,
    changed(USUAL, {"own_step": (0.25, 1.15), "bold": (0.45, 0.3)}),  # attack wherever it can
    changed(USUAL, {"own_step": (0.8, 1.15), "bold": (0.8, 0.6)}),  # only where it is cheap
    changed(USUAL, {"breach": 0.6, "naples": (16.0, 20.0)}),  # a way north before all
    changed(USUAL, {"axes": 1, "reserve": 0.6}),  # everybody in one place
)
GERMAN = (
    USUAL,
    changed(USUAL, {"ground": (1.5, 2.2)}),  # stand where the front is
    changed(USUAL, {"ground": (0.3, 0.5)}),  # fall back to the best ground
    changed(USUAL, {"own_step": (0.5, 0.7), "tiber_step": 0.6}),  # strike back
    changed(USUAL, {"own_step": (0.5, 2.0), "tiber_step": 1.8}),  # keep to the line
)
TEMPERS = ALLIED, GERMAN
