"""PNG pictures: written from rows of dots, and made small by a palette."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import accumulate
from struct import pack, unpack
from typing import TypeAlias
from zlib import compress, crc32, decompress

Colour: TypeAlias = tuple[int, int, int]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {2: 3, 6: 4}


def palette_png(
    width: int, dots: bytes, colours: Sequence[Colour], opacity: Sequence[int] = ()
) -> bytes:
    """A picture of one byte a dot, each the number of a colour; `opacity` is 0 to 255 a colour."""
    rows = b"".join(b"\0" + dots[i : i + width] for i in range(0, len(dots), width))
    header = pack(">IIBBBBB", width, len(dots) // width, 8, 3, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"PLTE", bytes(part for rgb in colours for part in rgb))]
    if opacity:
        chunks.append((b"tRNS", bytes(opacity)))
    chunks += [(b"IDAT", compress(rows, 9)), (b"IEND", b"")]
    return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", crc32(kind + data))


def small_png(png: bytes, colours: int = 256) -> bytes:
    """The same picture in a third of the bytes or less: its best 256 colours, none see-through.

    It reads what `board.to_png` writes: eight bits a channel, not interlaced.
    """
    width, channels, rows = _read(png)
    reds, greens, blues = (
        b"".join(bytes(row[channel::channels]) for row in rows) for channel in range(3)
    )
    dots = list(zip(reds, greens, blues))
    palette, index = _palette(Counter(dots), colours)
    return palette_png(width, bytes(map(index.__getitem__, dots)), palette)


def _palette(counts: Counter[Colour], size: int) -> tuple[list[Colour], dict[Colour, int]]:
    """The colours that stand for all, and which of them stands for each: a median cut."""
    # Colours that differ by less than the eye sees stay together.
    alike: dict[int, list[Colour]] = defaultdict(list)
    weights: Counter[int] = Counter()
    for colour, count in counts.items():
        r, g, b = colour
        key = (r >> 3) << 10 | (g >> 3) << 5 | b >> 3
        alike[key].append(colour)
        weights[key] += count
    palette: list[Colour] = []
    index: dict[Colour, int] = {}
    for box in _boxes(weights, size):
        members = [colour for key in box for colour in alike[key]]
        weight = sum(counts[colour] for colour in members)
        r, g, b = (
            round(sum(colour[channel] * counts[colour] for colour in members) / weight)
            for channel in range(3)
        )
        index.update(dict.fromkeys(members, len(palette)))
        palette.append((r, g, b))
    return palette, index


def _boxes(weights: Counter[int], size: int) -> list[list[int]]:
    """The keys of colours in as many boxes as wanted: the widest is cut in two, again and again."""
    boxes = [sorted(weights)]
    while len(boxes) < size:
        widest = max(boxes, key=lambda box: _spread(box)[0] * sum(weights[k] for k in box) ** 0.5)
        spread, shift = _spread(widest)
        if not spread:
            break
        widest.sort(key=lambda key: (key >> shift & 31, key))
        half = sum(weights[key] for key in widest) / 2
        sums = accumulate(weights[key] for key in widest)
        cut = next(i for i, total in enumerate(sums, 1) if total >= half)
        cut = min(cut, len(widest) - 1)
        boxes.remove(widest)
        boxes += [widest[:cut], widest[cut:]]
    return boxes


def _spread(box: list[int]) -> tuple[int, int]:
    """How far apart the colours of a box are, and in which channel."""
    spreads = [
        (max(key >> shift & 31 for key in box) - min(key >> shift & 31 for key in box), shift)
        for shift in (10, 5, 0)
    ]
    return max(spreads)


def _read(png: bytes) -> tuple[int, int, list[bytearray]]:
    """Width, channels a dot and rows of a picture."""
    if not png.startswith(_SIGNATURE):
        raise ValueError("This is not a PNG picture.")
    width, height, depth, kind, _, _, interlaced = unpack(">IIBBBBB", png[16:29])
    if depth != 8 or kind not in _CHANNELS or interlaced:
        raise ValueError("Only PNG pictures of eight bits a channel, not interlaced, can be read.")
    channels = _CHANNELS[kind]
    packed = bytearray()
    at = len(_SIGNATURE)
    while at < len(png):
        size, name = unpack(">I4s", png[at : at + 8])
        if name == b"IDAT":
            packed += png[at + 8 : at + 8 + size]
        at += size + 12
    raw = decompress(bytes(packed))
    stride = width * channels
    rows: list[bytearray] = []
    above = bytearray(stride)
    for i in range(height):
        start = i * (stride + 1)
        row = bytearray(raw[start + 1 : start + 1 + stride])
        above = _unfiltered(raw[start], row, above, channels)
        rows.append(above)
    return width, channels, rows


def _unfiltered(how: int, row: bytearray, above: bytearray, step: int) -> bytearray:
    """A row as it was before PNG wrote only what differs from the dots around."""
    if how == 0:
        return row
    if how == 1:
        for channel in range(step):
            values = list(row[channel::step])
            row[channel::step] = bytes(total & 255 for total in accumulate(values))
        return row
    if how == 2:
        return bytearray((a + b) & 255 for a, b in zip(row, above))
    left = [0] * step
    for i, value in enumerate(row):
        a, b = left[i % step], above[i]
        if how == 3:
            value += (a + b) // 2
        else:
            c = above[i - step] if i >= step else 0
            pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            value += a if pa <= pb and pa <= pc else b if pb <= pc else c
        row[i] = left[i % step] = value & 255
    return row
