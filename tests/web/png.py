"""Makes a screenshot's file small: at most 256 colours, as well packed as can be."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from operator import itemgetter

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOURS = 256
Colour = tuple[int, int, int]


def shrink(png: bytes) -> bytes:
    """Return the same picture in at most 256 colours."""
    width, height, rows = _pixels(png)
    palette, index_of = _palette(Counter(pixel for row in rows for pixel in row))
    packed = b"".join(b"\0" + bytes(index_of[pixel] for pixel in row) for row in rows)
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", b"".join(bytes(colour) for colour in palette)),
        (b"IDAT", zlib.compress(packed, 9)),
        (b"IEND", b""),
    ]
    return SIGNATURE + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(SIGNATURE)
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def _pixels(png: bytes) -> tuple[int, int, list[list[Colour]]]:
    """Return width, height and the rows of a picture with 8 bits a channel; what shows through is left out."""
    chunks = list(_chunks(png))
    width, height, depth, kind = struct.unpack(">IIBB", chunks[0][1][:10])
    assert (depth, kind) in {(8, 2), (8, 6)}, "Chromium writes RGB or RGBA"
    size = 3 if kind == 2 else 4
    packed = zlib.decompress(b"".join(body for name, body in chunks if name == b"IDAT"))
    stride = width * size
    before = bytes(stride)
    rows = []
    for y in range(height):
        start = y * (stride + 1)
        line = _unfiltered(packed[start], packed[start + 1 : start + 1 + stride], before, size)
        rows.append(list(zip(line[0::size], line[1::size], line[2::size], strict=True)))
        before = line
    return width, height, rows


def _unfiltered(kind: int, line: bytes, above: bytes, size: int) -> bytes:
    """Undo a row's filter, as PNG describes them."""
    if kind == 0:
        return line
    out = bytearray(len(line))
    for at, value in enumerate(line):
        left, corner = (out[at - size], above[at - size]) if at >= size else (0, 0)
        up = above[at]
        match kind:
            case 1:
                guess = left
            case 2:
                guess = up
            case 3:
                guess = (left + up) // 2
            case _:
                guess = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
        out[at] = (value + guess) & 255
    return bytes(out)


def _palette(counts: Counter[Colour]) -> tuple[list[Colour], dict[Colour, int]]:
    """Cut the colours, again and again, where the widest box of them has as many pixels on either side."""
    boxes = [_measured(list(counts), counts)]
    while len(boxes) < COLOURS:
        number = max(range(len(boxes)), key=lambda one: boxes[one][0])
        span, channel, box = boxes[number]
        if not span:
            break
        box.sort(key=itemgetter(channel))
        half, seen, cut = sum(counts[colour] for colour in box) / 2, 0, 0
        while cut < len(box) - 1 and seen < half:
            seen += counts[box[cut]]
            cut += 1
        boxes[number : number + 1] = [_measured(box[:cut], counts), _measured(box[cut:], counts)]
    index_of = {colour: number for number, (_, _, box) in enumerate(boxes) for colour in box}
    return [_mean(box, counts) for _, _, box in boxes], index_of


def _measured(box: list[Colour], counts: Counter[Colour]) -> tuple[float, int, list[Colour]]:
    """Return how much a box asks to be cut, in which channel, and the box."""
    weight = sum(counts[colour] for colour in box) ** 0.5
    spans = [max(colour[c] for colour in box) - min(colour[c] for colour in box) for c in range(3)]
    return max(spans) * weight, spans.index(max(spans)), box


def _mean(box: list[Colour], counts: Counter[Colour]) -> Colour:
    total = sum(counts[colour] for colour in box)
    red, green, blue = (round(sum(colour[c] * counts[colour] for colour in box) / total) for c in range(3))
    return red, green, blue
