"""Packs: folders of corrections that are laid over the data files of a game.

A user who owns the printed game writes down what differs, and nothing else; `docs/packs.md` says
how. A pack with a mistake is refused as a whole.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec

from apennine.board import SourceKind
from apennine.kernel.data import DataError, DataFile
from apennine.kernel.laying import Change, Laying

COVER = "pack.toml"
MAP = "map.toml"
WORDS = ("guide.toml", "ledger.tsv", "outlook.toml")
"""Data files with words about a game, and what was found out about it.

They hold no rules, so that no pack corrects them.
"""

_NAME = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")


class PackError(DataError):
    """All that is wrong with a pack, a sentence each: the pack, the file, the key, the reason."""

    def __init__(self, *mistakes: str) -> None:
        super().__init__(*mistakes)
        self.mistakes = mistakes

    def __str__(self) -> str:
        return "\n".join(self.mistakes)


class Cover(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The file `pack.toml`: what the pack is called, for which game it is, what it rests on."""

    name: str
    title: str
    game: str
    source: str
    """A kind and, after a colon, what it is: "printed: second edition, 2004"."""
    author: str = ""
    note: str = ""


class Pack(Cover, frozen=True, dict=True):
    """A pack as it was read: its cover, and what it says in place of each data file."""

    files: dict[str, dict[str, Any]]

    def __hash__(self) -> int:
        return hash(self.label)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the corrections: comments and the cover do not change it."""
        text = json.dumps(sorted(self.files.items()), ensure_ascii=False, default=str)
        return sha256(text.encode()).hexdigest()[:16]

    @property
    def label(self) -> str:
        """How saves name the pack: its name and its digest."""
        return f"{self.name} {self.digest}"


class Laid(NamedTuple):
    """What packs have made of the data files that they correct, and each single change."""

    files: dict[str, DataFile]
    changes: list[Change]


def read_packs(packs: Iterable[Pack | Path | str]) -> tuple[Pack, ...]:
    """The packs in these folders; those that were read before stay as they are."""
    return tuple(pack if isinstance(pack, Pack) else read_pack(pack) for pack in packs)


def read_pack(folder: Path | str) -> Pack:
    """Read the pack in a folder. Whether it fits its game shows when it is laid over it."""
    folder = Path(folder)
    if not (folder / COVER).is_file():
        raise PackError(f"{folder} is not the folder of a pack: it has no {COVER}.")
    raw = {file.name: _read(file, folder) for file in sorted(folder.glob("*.toml"))}
    try:
        cover = msgspec.convert(raw.pop(COVER), Cover)
    except msgspec.ValidationError as error:
        raise PackError(f"Pack {folder}, {COVER}: {error}.") from None
    kind, _, text = cover.source.partition(":")
    if not _NAME.fullmatch(cover.name):
        raise PackError(
            f"Pack {folder}, {COVER}, name: {cover.name!r} is not a name: "
            "use small letters, digits, '-' and '_'."
        )
    if kind not in get_args(SourceKind) or not text.strip():
        kinds = ", ".join(get_args(SourceKind))
        raise PackError(
            f"Pack {folder}, {COVER}, source: write a kind, a colon and what it is; "
            f"the kinds are {kinds}."
        )
    return Pack(**msgspec.structs.asdict(cover), files=raw)


def _read(file: Path, folder: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PackError(f"Pack {folder}, {file.name}: it cannot be read: {error}.") from None


def lay(packs: Sequence[Pack], game: str, data: Traversable) -> Laid:
    """Lay packs, one after the other, over the data files of a game in a folder.

    Raises `PackError` with all that is wrong with the first pack that does not fit.
    """
    known = sorted(
        file.name
        for file in data.iterdir()
        if file.name.endswith(".toml") and file.name not in WORDS
    )
    laid = Laid({}, [])
    for number, pack in enumerate(packs):
        if pack.game != game:
            raise PackError(f"Pack {pack.name} is for {pack.game}, not for {game}.")
        if any(pack.name == other.name for other in packs[:number]):
            raise PackError(f"Two packs have the name {pack.name}.")
        mistakes: list[str] = []
        for name, new in pack.files.items():
            if name not in known:
                has = ", ".join(known)
                mistakes.append(
                    f"Pack {pack.name}, {name}: {game} has no such file to correct; it has {has}."
                )
                continue
            old = laid.files.get(name) or DataFile.open(data / name)
            laying = Laying(pack.name, name, pack.source, is_map=name == MAP)
            laid.files[name] = DataFile(name, laying.lay(old.data, new))
            laid.changes.extend(laying.changes)
            mistakes += laying.mistakes
        if mistakes:
            raise PackError(*mistakes)
    return laid
