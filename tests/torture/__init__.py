"""A small game with all that is hard for the kernel: interrupts, chains, nesting, secrets."""

from .drill import deep_battle, drill, inputs_since_checkpoint
from .game import Torture

__all__ = ["Torture", "deep_battle", "drill", "game", "inputs_since_checkpoint"]


def game() -> Torture:
    """The game itself."""
    return Torture()
