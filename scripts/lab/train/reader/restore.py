#!/usr/bin/env python3
"""Writes a state dict of model.py's Reader from classifier/reader/reader.bin, so that learning can go on from it.

What eight bits rounded away stays away, and the logits stay as calibrate.py divided them. README.md says how to run this.
"""
import argparse
import pathlib
import sys

import numpy as np
import torch

import export
import model

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import encoder  # noqa: E402


class Sections:
    """Reads the sections of the file in their order: the other side of encoder.Writer."""

    def __init__(self, data):
        self.data, self.at = data, 128

    def take(self, count, kind):
        self.at += -self.at % 64
        found = np.frombuffer(self.data, kind, count, self.at)
        self.at += found.nbytes
        return found

    def dense(self, rows, columns):
        scale, bias = self.take(rows, "<f4"), self.take(rows, "<f4")
        self.take(rows, "<i4")  # the sums of the rows
        blocks = self.take(rows * columns, "i1").reshape(
            rows // encoder.ROWS_PER_BLOCK, columns // encoder.DEPTH_PER_BLOCK, encoder.ROWS_PER_BLOCK, encoder.DEPTH_PER_BLOCK
        )
        whole = blocks.transpose(0, 2, 1, 3).reshape(rows, columns)
        return whole * scale[:, None], bias


def restore(data, state):
    """Puts what the file holds in the place of what the state has. The state is that of a new Reader."""
    sections, width = Sections(data), state["pos"].shape[1]

    def numbers(name):
        state[name] = sections.take(state[name].numel(), "<f4").reshape(tuple(state[name].shape))

    def dense(name, rows_at_once=1):
        rows, columns = state[name + ".weight"].shape
        weight, bias = sections.dense(rows + -rows % rows_at_once, columns)
        state[name + ".weight"] = weight[:rows]
        if name + ".bias" in state:
            state[name + ".bias"] = bias[:rows]

    def norm(name):
        numbers(name + ".weight")
        numbers(name + ".bias")

    numbers("pos")
    norm("norm")
    for layer in range(model.LAYERS):
        at = f"layers.{layer}."
        dense(at + "qkv")
        root = np.sqrt(width // export.ATTENTION_HEADS)
        for kind in ("weight", "bias"):
            state[at + "qkv." + kind] = state[at + "qkv." + kind].copy()
            state[at + "qkv." + kind][:width] *= root
        for name, after in (("mix", "n1"), ("up", None), ("down", "n2")):
            dense(at + name)
            if after:
                norm(at + after)
    for name in ("seg", "kind", "typ"):
        numbers(name)
    for name in export.MAPS:
        dense(name, export.ROWS_AT_ONCE)
    for name in export.NUMBERS:
        if name in ("tin.weight", "pin.weight"):
            state[name] = sections.take(state[name].numel(), "<f4").reshape(-1, width).T
        else:
            numbers(name)
    state["scale"] = np.ones(6, np.float32)
    if left := len(data) - sections.at:
        sys.exit(f"{left} bytes of the file are left")
    return {name: torch.tensor(np.ascontiguousarray(value)) for name, value in state.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=pathlib.Path, help="the folder with the model's package, unpacked")
    parser.add_argument("data", type=pathlib.Path, help="classifier/reader/reader.bin")
    parser.add_argument("out", type=pathlib.Path, help="where the state dict goes")
    args = parser.parse_args()
    torch.save(restore(args.data.read_bytes(), model.Reader(args.work).state_dict()), args.out)


if __name__ == "__main__":
    main()
