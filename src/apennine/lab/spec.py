"""What a series of the lab plays, as it is written in a file `SPEC.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from apennine.games import get
from apennine.kernel.data import DataError
from apennine.kernel.game import Game
from apennine.kernel.laying import NATURAL_KEYS
from apennine.kernel.pack import Pack
from apennine.lab.selfplay import Series


class SpecError(DataError):
    """All that is wrong with a file of settings, in one sentence."""


class Sweep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value of the data files, and what it is to be instead: "what if they had one more?"."""

    file: str
    key: str
    """The way to the value, with dots: "markers.air" or "units.HG.steps"."""
    values: list[Any]


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A setting of its own: whatever differs from the rest of the file."""

    name: str
    scenario: str | None = None
    bots: tuple[str, ...] | None = None
    packs: list[str] = []
    options: dict[str, bool] = {}


class Spec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    game: str
    games: int = 100
    seed: str = "lab"
    scenario: str | None = None
    bots: tuple[str, ...] = ("random",)
    packs: list[str] = []
    options: dict[str, bool] = {}
    setting: list[Variant] = []
    sweep: list[Sweep] = []


class Setting(NamedTuple):
    """One of the settings that are compared. All have the same dice: game n has those of game n."""

    name: str
    series: Series


def read_spec(path: Path) -> tuple[list[Setting], str]:
    """The settings of a file, and a fingerprint of all that they mean."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        spec = msgspec.convert(raw, Spec)
    except (OSError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise SpecError(f"{path}: {error}.") from None
    if spec.games < 1:
        raise SpecError(f"{path}, games: at least one game is played, and not {spec.games}.")
    settings = list(_settings(path, spec))
    names = [setting.name for setting in settings]
    if len(set(names)) < len(names):
        raise SpecError(f"{path}: two settings have the same name.")
    return settings, fingerprint(settings)


def fingerprint(settings: list[Setting]) -> str:
    """Equal for settings that play the same games by the same data."""
    digest = sha256()
    for name, series in settings:
        game = get(series.key, series.packs)
        digest.update(
            repr((name, *series[:6], [each.label for each in game.packs])).encode()
            + game.data_digest.encode()
        )
    return digest.hexdigest()[:16]


def _settings(path: Path, spec: Spec) -> Iterator[Setting]:
    game = get(spec.game)
    for variant in spec.setting or [Variant("")]:
        for values in product(*(sweep.values for sweep in spec.sweep)):
            swept = [f"{s.key}={value}" for s, value in zip(spec.sweep, values, strict=True)]
            name = ", ".join(filter(None, (variant.name, *swept))) or "all"
            own = [path.parent / each for each in (*spec.packs, *variant.packs)]
            packs = [
                *own,
                *(
                    what_if(game, f"sweep-{number}", sweep, value)
                    for number, (sweep, value) in enumerate(zip(spec.sweep, values, strict=True))
                ),
            ]
            yield Setting(
                name,
                Series(
                    spec.game,
                    variant.scenario or spec.scenario,
                    {**spec.options, **variant.options},
                    tuple(variant.bots or spec.bots),
                    spec.games,
                    spec.seed,
                    tuple(packs),
                ).checked(),
            )


def what_if(game: Game[Any], name: str, sweep: Sweep, value: Any) -> Pack:
    """A pack that changes one value of the data files of a game, and nothing else."""
    names = sorted(each.name for each in game.data.iterdir() if each.name.endswith(".toml"))
    if sweep.file not in names:
        raise SpecError(f"{game.key} has no file {sweep.file!r}; it has {', '.join(names)}.")
    data = game.read_file(sweep.file).data
    return Pack(
        name=name,
        title=f"{sweep.key} = {value}",
        game=game.key,
        source=f"reconstructed: a series asks what {sweep.key} = {value} would change",
        files={sweep.file: _along(data, sweep.key.split("."), sweep, value)},
    )


def _along(old: Any, way: list[str], sweep: Sweep, value: Any) -> Any:
    """The correction of one value, in the shape of the data that it is laid over."""
    if not way:
        return value
    first, *rest = way
    if isinstance(old, list):
        for entry in old:  # pyright: ignore[reportUnknownVariableType]
            for by in NATURAL_KEYS if isinstance(entry, dict) else ():
                if str(entry.get(by)) == first:  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
                    return [{by: entry[by], **_along(entry, rest, sweep, value)}]
    elif isinstance(old, Mapping) and first in old:
        return {first: _along(old[first], rest, sweep, value)}
    raise SpecError(f"{sweep.file} has nothing at {sweep.key!r}: there is no {first!r}.")
