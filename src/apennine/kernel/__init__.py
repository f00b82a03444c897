"""The kernel: positions, decisions, matches, dice, saves. It knows no game."""
