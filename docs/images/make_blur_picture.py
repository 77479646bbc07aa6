#!/usr/bin/env python3
"""Makes blur-before.png, the picture that docs/blur.md shows blurred: python3 make_blur_picture.py blur-before.png

The picture is made by this program alone and is dedicated to the public domain (CC0 1.0).
"""
import math
import struct
import sys
import zlib

WIDTH, HEIGHT = 192, 128


def pixel(x, y):
    """Red, green, blue and alpha: rings on a checkerboard in a disc, thin lines, and nothing around them."""
    dx, dy = x - 64, y - 64
    distance = math.hypot(dx, dy)
    if distance < 56:
        ring = int(distance // 8) % 2
        check = (x // 8 + y // 8) % 2
        return (230, 60 + 150 * ring, 40 + 60 * check, 255)
    if x >= 128 and (x % 8 < 2 or y % 16 < 2):
        return (30, 90 + x // 2, 200, 255)
    return (0, 255, 0, 0)


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def main():
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(WIDTH)) for y in range(HEIGHT))
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 6, 0, 0, 0)
    licence = b"Copyright\0Public domain (CC0 1.0)"
    with open(sys.argv[1], "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"sRGB", b"\0") + chunk(b"tEXt", licence)
                   + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


if __name__ == "__main__":
    main()
