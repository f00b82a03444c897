"""NATO symbols of land units, drawn after the joint standard (APP-6): frame, arm, size.

A symbol is put together from strokes in `currentColor`, so that whoever shows it decides its
colours. Words for kinds of troops and sizes are those of the games' unit files.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape

WIDTH, HEIGHT = 60, 40
"""The frame; the marks of the size stand above it."""
ABOVE = 16
MOST_KEPT = 400
"""Symbols that are not put together anew: more than all games have."""
LONGEST = 60
"""Letters of a kind of troops or a size that may be asked for."""

_CROSS = '<path d="M0 0 60 40M0 40 60 0"/>'
_SLASH = '<path d="M0 40 60 0"/>'
_TRACKS = '<rect x="11" y="11" width="38" height="18" rx="9"/>'
_PEAK = '<path d="M23 40 30 28 37 40Z" fill="currentColor"/>'
_PARACHUTE = '<path d="M22 36q4-6 8 0q4-6 8 0"/>'
_WHEELS = (
    '<circle cx="20" cy="44" r="3" fill="currentColor"/>'
    '<circle cx="40" cy="44" r="3" fill="currentColor"/>'
)
_GUN = '<circle cx="30" cy="20" r="5" fill="currentColor"/>'
_DOME = '<path d="M4 40Q30 14 56 40"/>'

ARMS = {
    "infantry": _CROSS,
    "armoured": _TRACKS,
    "mechanised": _CROSS + _TRACKS,
    "motorised": _CROSS + _WHEELS,
    "mountain": _CROSS + _PEAK,
    "parachute": _CROSS + _PARACHUTE,
    "glider": _CROSS + '<path d="M18 33h24"/>',
    "cavalry": _SLASH,
    "reconnaissance": _SLASH + _TRACKS,
    "cyclist": _CROSS + '<circle cx="30" cy="44" r="3"/>',
    "artillery": _GUN,
    "anti-tank": '<path d="M0 40 30 4 60 40"/>',
    "flak": _DOME + _GUN,
    "engineer": '<path d="M18 29V13h24v16M30 13v12"/>',
    "headquarters": '<path d="M0 13h60"/>',
    "supply": '<path d="M0 30h60"/>',
}
"""What stands in the frame."""

SAME = {
    "airborne": "parachute",
    "alpine": "mountain",
    "alpini": "mountain",
    "armor": "armoured",
    "armored-engineers": "engineer",
    "armored-infantry": "mechanised",
    "armour": "armoured",
    "army-artillery": "artillery",
    "bersaglieri": "cyclist",
    "corps-artillery": "artillery",
    "depot": "supply",
    "engineers": "engineer",
    "fallschirmjaeger": "parachute",
    "gebirgsjaeger": "mountain",
    "machine-gun": "infantry",
    "marine": "infantry",
    "nebelwerfer": "artillery",
    "panzer": "armoured",
    "panzergrenadier": "mechanised",
    "recon": "reconnaissance",
    "support": "artillery",
    "tank": "armoured",
}
"""Words of the games for the same arm."""

LETTERED = {
    "arditi": ("infantry", "AR"),
    "armor-ersatz": ("armoured", "E"),
    "assault": ("infantry", "A"),
    "commando": ("infantry", "CDO"),
    "ersatz": ("infantry", "E"),
    "fortress": ("infantry", "F"),
    "goum": ("infantry", "G"),
    "italian-replacement": ("infantry", "R"),
    "jaeger": ("infantry", "L"),
    "ranger": ("infantry", "RGR"),
    "replacement": ("infantry", "R"),
    "static": ("infantry", "S"),
    "stosstruppen": ("infantry", "ST"),
    "sturmbataillon": ("infantry", "ST"),
    "trucks": ("motorised", "T"),
}
"""Arms that letters at the foot of the frame tell from another one."""

SIZES = {
    "company": "I",
    "battalion": "II",
    "detachment": "II",
    "regiment": "III",
    "group": "III",
    "brigade": "X",
    "division": "XX",
    "corps": "XXX",
    "army": "XXXX",
}


@lru_cache(MOST_KEPT)
def symbol(troops: str, size: str) -> str:
    """The symbol as the text of an SVG picture.

    A kind of troops that no standard knows gets an empty frame with its initials.
    """
    word = troops.casefold().replace(" ", "-").replace("_", "-")
    word = SAME.get(word, word)
    inside, letters = ARMS.get(word), ""
    if word in LETTERED:
        arm, letters = LETTERED[word]
        inside = ARMS[arm]
    if inside is None:
        inside, letters = "", "".join(part[0] for part in word.split("-") if part)[:3].upper()
        place = f'<text x="30" y="27" font-size="20"{_PLAIN}>{escape(letters)}</text>'
    else:
        place = f'<text x="30" y="38" font-size="10"{_PLAIN}>{letters}</text>' if letters else ""
    title = escape(f"{troops} {size}".strip())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 {-ABOVE} 66 {HEIGHT + ABOVE + 10}" '
        f'role="img"><title>{title}</title>'
        '<g fill="none" stroke="currentColor" stroke-width="3" stroke-linejoin="round">'
        f'<rect class="frame" width="{WIDTH}" height="{HEIGHT}"/>{inside}{_size(size)}</g>'
        f"{place}</svg>"
    )


_PLAIN = (
    ' text-anchor="middle" font-family="sans-serif" font-weight="bold" fill="currentColor"'
    ' stroke="none"'
)


def _size(size: str) -> str:
    """The marks above the frame: strokes up to a regiment, crosses from a brigade on."""
    marks = SIZES.get(size.casefold(), "")
    if not marks:
        return ""
    step = 8 if marks[0] == "I" else 12
    left = WIDTH / 2 - step * (len(marks) - 1) / 2
    paths: list[str] = []
    for number, mark in enumerate(marks):
        x = left + step * number
        if mark == "I":
            paths.append(f"M{x:g}-13V-4")
        else:
            paths.append(f"M{x - 4:g}-13 {x + 4:g}-4M{x - 4:g}-4 {x + 4:g}-13")
    return f'<path d="{"".join(paths)}"/>'
