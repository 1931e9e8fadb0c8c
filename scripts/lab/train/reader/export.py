#!/usr/bin/env python3
"""Writes classifier/reader/reader.bin from a state dict of model.py's Reader.

The format is described in classifier/reader/doc.go. README.md says how to run this.
"""
import argparse
import hashlib
import pathlib
import struct
import sys
import zlib

import numpy as np
import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import encoder  # noqa: E402

MAGIC, NAME = b"SLOTRDR1", b"reader-minilm-l6-int8-v1"
ATTENTION_HEADS = 12
ROWS_AT_ONCE = 16  # of a head's matrix: what the widest kernel takes

# What the heads are, in the order of classifier/reader/heads.go: maps in eight bits, then plain numbers.
MAPS = "heads mproj pmsg omsg wproj oproj oin oplace nin nout member tproj trow pproj prow".split()
NUMBERS = "tin.weight pin.weight oout.weight oout.bias cos".split()
# What the model scales behind a map is scaled in the map: the map, its parts, and the scale of each.
SCALED = [("tproj", 1, [0]), ("pproj", 4, [2, 3, 4, 4]), ("oproj", 1, [5])]


def padded(weight, bias):
    """The map with rows of nought behind it, to a multiple of ROWS_AT_ONCE."""
    missing = -len(bias) % ROWS_AT_ONCE
    return np.pad(weight, ((0, missing), (0, 0))), np.pad(bias, (0, missing))


def scaled(state):
    """The state without its scales, and with the flags of names a row each."""
    state = {name: value.copy() for name, value in state.items()}
    scale = state.pop("scale")
    for name, parts, which in SCALED:
        for kind in ("weight", "bias"):
            for part, of in zip(np.split(state[f"{name}.{kind}"], parts), which, strict=True):
                part *= scale[of]
    for name in ("tin.weight", "pin.weight"):
        state[name] = np.ascontiguousarray(state[name].T)
    state["member.bias"] = np.zeros(len(state["member.weight"]), np.float32)
    return state


def encode(state):
    out, state = encoder.Writer(), scaled(state)

    def norm(name):
        out.put(state[name + ".weight"], "<f4")
        out.put(state[name + ".bias"], "<f4")

    for name in ("seg", "kind", "typ"):
        state[name] = state[name].reshape(-1, state["pos"].shape[1])
    out.put(state["pos"], "<f4")
    norm("norm")
    layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    width = state["pos"].shape[1]
    for layer in range(layers):
        at = f"layers.{layer}."
        weight, bias = state[at + "qkv.weight"].copy(), state[at + "qkv.bias"].copy()
        root = np.float32(np.sqrt(width // ATTENTION_HEADS))
        weight[:width] /= root
        bias[:width] /= root
        out.dense(weight, bias)
        for name, after in (("mix", "n1"), ("up", None), ("down", "n2")):
            out.dense(state[at + name + ".weight"], state[at + name + ".bias"])
            if after:
                norm(at + after)
    for name in ("seg", "kind", "typ"):
        out.put(state[name], "<f4")
    for name in MAPS:
        out.dense(*padded(state[name + ".weight"], state[name + ".bias"]))
    for name in NUMBERS:
        out.put(state[name], "<f4")
    known = ("word", "pos", "seg", "kind", "typ", "norm", "layers", *MAPS)
    if left := [name for name in state if name not in NUMBERS and name.split(".")[0] not in known]:
        sys.exit(f"the state dict holds {left}, which the format does not")
    inner = len(state["layers.0.up.bias"])
    counts = [len(state["kind"]), len(state["typ"]), len(state["heads.bias"])]
    sizes = [layers, width, ATTENTION_HEADS, inner, len(state["pos"]), *counts]
    struct.pack_into("<8s8I", out.data, 0, MAGIC, *sizes)
    out.data[44 : 44 + len(NAME)] = NAME
    struct.pack_into("<I", out.data, 40, zlib.crc32(out.data[44:], zlib.crc32(out.data[:40])))
    return bytes(out.data)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("states", type=pathlib.Path, nargs="+", help="state dicts that fit.py wrote: their mean counts")
    parser.add_argument("out", type=pathlib.Path, help="classifier/reader/reader.bin")
    args = parser.parse_args()
    states = [torch.load(path, map_location="cpu", weights_only=True) for path in args.states]
    data = encode({name: sum(state[name].float() for state in states).numpy() / len(states) for name in states[0]})
    args.out.write_bytes(data)
    print(f"{len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main()
