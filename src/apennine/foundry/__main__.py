"""The command line of the foundry: build, check and draw maps."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from apennine.board import MapError, read_map, to_png

from .build import build as build_map
from .check import check_map, terrain_counts
from .draw import draw as draw_map
from .draw import small_png
from .mistakes import FoundryError
from .recipe import map_path, read_overlay, read_recipe

app = typer.Typer(
    name="apennine.foundry", help="Make hex maps from geography.", add_completion=False
)
Key = Annotated[str, typer.Argument(help="The key of the map: the name of its recipe.")]


@app.command()
def build(
    key: Key,
    geodata: Annotated[Path, typer.Option(help="The directory of geographic data.")],
    out: Annotated[Path | None, typer.Option(help="Where to write the map file.")] = None,
) -> None:
    """Build a map from its recipe, its overlay and geographic data, and check it."""
    recipe = read_recipe(key)
    built = build_map(recipe, read_overlay(key), geodata, key)
    for note in built.notes:
        typer.echo(f"note: {note}")
    path = out or map_path(key)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(built.text, encoding="utf-8")
    typer.echo(f"wrote {path}")
    _check(key, path)


@app.command()
def check(
    key: Key, file: Annotated[Path | None, typer.Option(help="Another map file.")] = None
) -> None:
    """Check a built map against its recipe; needs no geographic data."""
    _check(key, file or map_path(key))


def _check(key: str, path: Path) -> None:
    faults = check_map(path, read_recipe(key))
    for fault in faults:
        typer.echo(f"fault: {fault}")
    if faults:
        raise typer.Exit(1)
    counts = terrain_counts(read_map(path))
    hexes = ", ".join(f"{count} {name}" for name, count in counts.items())
    typer.echo(f"{key} is sound: {hexes}")


@app.command()
def draw(
    key: Key,
    out: Annotated[Path, typer.Option(help="The picture: .svg or .png.")] = Path("map.png"),
    size: Annotated[float, typer.Option(help="From the centre of a hex to its corner.")] = 24.0,
    codes: Annotated[bool, typer.Option(help="Print the number of every hex.")] = True,
    theme: Annotated[str, typer.Option(help="light, dark, contrast or print.")] = "light",
    small: Annotated[bool, typer.Option(help="A PNG of 256 colours.")] = False,
    scene: Annotated[str | None, typer.Option(help="Whose fronts and lines to draw.")] = None,
) -> None:
    """Draw a built map."""
    svg = draw_map(read_map(map_path(key)), size=size, codes=codes, theme=theme, scene=scene)
    if out.suffix == ".png":
        png = to_png(svg)
        out.write_bytes(small_png(png) if small else png)
    else:
        out.write_text(svg, encoding="utf-8")
    typer.echo(f"wrote {out}")


def main(args: Sequence[str] | None = None) -> int:
    """Run one command, given as on the command line, and return its exit code."""
    try:
        code: object = app(args, prog_name="apennine.foundry", standalone_mode=False)
    except (FoundryError, MapError, ValueError) as error:
        typer.echo(str(error), err=True)
        return 2
    except typer.Exit as stop:
        return stop.exit_code
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    sys.exit(main())
