"""Writes the table in the format that memory/embed/doc.go documents, and reads it back."""
import struct
import zlib

import numpy as np

FREE, MAX_WEIGHT, MAX_DIMENSION = 0xFFFFFFFF, 4095, 512
MASK = (1 << 64) - 1


def hash64(key):
    """FNV-1a and a final mix, as table.go has them."""
    h = 14695981039346656037
    for byte in key.encode():
        h = ((h ^ byte) * 1099511628211) & MASK
    h = ((h ^ (h >> 32)) * 0x9E3779B97F4A7C15) & MASK
    return h ^ (h >> 29)


def quantise(vectors):
    """Weights of 12 bits and values of 8, so that weight*value is the vector up to a unit."""
    top = np.abs(vectors).max(1) / 127
    unit = top.max() / MAX_WEIGHT
    weights = np.clip(np.ceil(top / unit), 1, MAX_WEIGHT)
    values = np.clip(np.rint(vectors / (weights[:, None] * unit)), -127, 127)
    return weights.astype("<u2"), values.astype(np.int8)


def index(keys, slots):
    """The open-addressing table: an array of (tag, row)."""
    entries = np.full((slots, 2), FREE, "<u4")
    for row, key in enumerate(keys):
        h = hash64(key)
        tag, slot = h >> 32, ((h & 0xFFFFFFFF) * slots) >> 32
        while entries[slot, 1] != FREE:
            if entries[slot, 0] == tag:
                raise ValueError(f"{key!r} and {keys[entries[slot, 1]]!r} have the same hash")
            slot = (slot + 1) % slots
        entries[slot] = tag, row
    return entries


def encode(name, keys, vectors):
    """The bytes of a table."""
    rows, dimension = vectors.shape
    if rows != len(keys) or dimension % 8 or dimension > MAX_DIMENSION or len(name) > 39:
        raise ValueError("keys, vectors and name do not fit the format")
    slots = rows * 4 // 3 + 1
    weights, values = quantise(vectors)
    head = b"SLOTEMB1" + struct.pack("<III", dimension, rows, slots)
    body = name.encode().ljust(40, b"\0") + index(keys, slots).tobytes() + weights.tobytes()
    body += (values.astype(np.int16) + 128).astype(np.uint8).tobytes()
    return head + struct.pack("<I", zlib.crc32(body, zlib.crc32(head))) + body


def decode(data):
    """The vectors of a table as floats, in the order of its rows."""
    dimension, rows, slots = struct.unpack_from("<III", data, 8)
    at = 64 + 8 * slots
    weights = np.frombuffer(data, "<u2", rows, at).astype(np.float32)
    values = np.frombuffer(data, np.uint8, rows * dimension, at + 2 * rows).astype(np.float32) - 128
    return weights[:, None] * values.reshape(rows, dimension)
