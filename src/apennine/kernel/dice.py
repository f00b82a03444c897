"""Dice that can be committed to, replayed and forked at no cost."""

from __future__ import annotations

import secrets
from hashlib import blake2b, sha256
from math import prod

Faces = tuple[int, ...]


class DiceError(ValueError):
    """Dice that cannot be: a wrong number of them, or a face that the die does not have."""


def make_seed(seed: int | str | bytes | None = None) -> bytes:
    """32 bytes from whatever a person likes to type; from the system's randomness if None.

    Bytes of length 32 are taken as they are, so that a revealed seed can be used again.
    """
    if seed is None:
        return secrets.token_bytes(32)
    if isinstance(seed, bytes) and len(seed) == 32:
        return seed
    text = seed if isinstance(seed, bytes) else str(seed).encode()
    return sha256(b"apennine dice " + text).digest()


class SeededDice:
    """Roll *n* is a keyed hash of the seed and *n*: nothing to copy, nothing to advance.

    >>> dice = SeededDice(make_seed(7))
    >>> dice.roll(0, (6, 6)) == dice.roll(0, (6, 6))
    True
    >>> len(dice.commitment)
    64
    """

    __slots__ = ("seed",)

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    @property
    def commitment(self) -> str:
        """What may be published before the first roll: the hash that the seed must match."""
        return sha256(self.seed).hexdigest()

    def roll(self, n: int, sides: tuple[int, ...]) -> Faces:
        """The faces of roll number n with these dice, each combination equally likely."""
        combinations = prod(sides)
        limit = (1 << 128) - (1 << 128) % combinations
        attempt = 0
        while True:
            message = b"%d %d" % (n, attempt)
            number = int.from_bytes(
                blake2b(message, key=self.seed, digest_size=16).digest(), "little"
            )
            if number < limit:
                break
            attempt += 1
        faces: list[int] = []
        for side in sides:
            number, face = divmod(number, side)
            faces.append(face + 1)
        return tuple(faces)


def check_faces(faces: Faces, sides: tuple[int, ...]) -> None:
    """Raise DiceError unless these faces can come up on these dice."""
    if len(faces) != len(sides):
        raise DiceError(f"{len(sides)} dice are asked for, {len(faces)} were given.")
    for face, side in zip(faces, sides, strict=True):
        if not 1 <= face <= side:
            raise DiceError(f"A die with {side} sides cannot show {face}.")
