"""Land and sea, the outline of the map, and the terrain of every hex."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import sqrt

from apennine.board.hexsets import HexSets
from apennine.board.mistakes import Notes
from apennine.board.notation import Notation
from apennine.hexes import Hex, HexError, Lattice, Mask, bits, mask_of

from .mistakes import FoundryError
from .recipe import Extent, Terms, TerrainRecipe
from .sample import HEX_STATS, Rules, Stats


def hexes_of(lattice: Lattice, terms: Terms, where: str) -> Mask:
    """The hexes that terms name: codes, blocks, distances; no terrain, lines or regions."""
    notes = Notes(where)
    mask, _ = HexSets(Notation(lattice, notes), {}, {}, {}).read(terms, "")
    if notes.mistakes:
        raise FoundryError(str(notes.mistakes[0]))
    return mask


def land_of(
    lattice: Lattice, stats: Mapping[str, Stats], recipe: TerrainRecipe, towns: Iterable[Hex]
) -> Mask:
    """The land: hexes with land enough, and those with towns, less stray islands and ponds."""
    land = mask_of(h for h in lattice if stats[lattice.code(h)]["land"] >= recipe.land)
    if recipe.towns_are_land:
        land |= mask_of(towns)
    try:
        named = mask_of(lattice.parse(code) for code in recipe.islands)
    except HexError as error:
        raise FoundryError(f"terrain.islands: {error}") from None
    for island in lattice.components(land):
        if island.bit_count() < recipe.smallest_island and not island & named:
            land &= ~island
    for sea in lattice.components(lattice.all & ~land):
        if sea.bit_count() < recipe.smallest_sea and not sea & named:
            land |= sea
    return land


def outlined(lattice: Lattice, extent: Extent, land: Mask) -> list[str]:
    """The codes of the hexes that are on the map, in the order of the lattice."""
    present = hexes_of(lattice, extent.hexes, "extent.hexes")
    for hex in bits(present):
        x, y = lattice.pixel(hex)
        across, down = (x / 1.5, y / sqrt(3)) if lattice.flat else (x / sqrt(3), y / 1.5)
        if (
            (extent.top is not None and down < extent.top - 1e-6)
            or (extent.bottom is not None and down > extent.bottom + 1e-6)
            or (extent.left is not None and across < extent.left - 1e-6)
            or (extent.right is not None and across > extent.right + 1e-6)
        ):
            present &= ~(1 << hex)
    if extent.sea_margin is not None:
        present &= lattice.dilate(land & present, extent.sea_margin)
    return [lattice.code(hex) for hex in bits(present)]


def terrain_of(
    lattice: Lattice, land: Mask, stats: Mapping[str, Stats], recipe: TerrainRecipe
) -> dict[Hex, str]:
    """The terrain of every hex by the rules of the recipe, small patches merged."""
    rules = Rules(recipe.rules, HEX_STATS)
    terrain: dict[Hex, str] = {}
    for hex in lattice:
        if not land >> hex & 1:
            terrain[hex] = recipe.sea
            continue
        name = rules.name(stats[lattice.code(hex)])
        if name is None:
            raise FoundryError(f"No rule of the terrain fits hex {lattice.code(hex)}.")
        terrain[hex] = name
    known = set(recipe.legend.values())
    for name in sorted(set(terrain.values()) - known):
        raise FoundryError(f"The legend of the terrain has no letter for {name!r}.")
    for name, least in recipe.min_patch.items():
        _merge(lattice, terrain, name, least, {recipe.sea, *recipe.water})
    return terrain


def _merge(
    lattice: Lattice, terrain: dict[Hex, str], name: str, least: int, water: set[str]
) -> None:
    """Turn patches of a terrain that are too small into what lies around them most."""
    patches = lattice.components(mask_of(h for h, found in terrain.items() if found == name))
    for patch in patches:
        if patch.bit_count() >= least:
            continue
        around = Counter(
            terrain[near]
            for hex in bits(patch)
            for near in lattice.neighbours(hex)
            if terrain[near] != name and terrain[near] not in water
        )
        if around:
            new = min(around, key=lambda t: (-around[t], t))
            for hex in bits(patch):
                terrain[hex] = new
