#!/usr/bin/env python3
"""Divides the logits of a reader by what makes them likeliest on the turns that are kept.

A network that has learned for long is surer than it is right, and the program decides by probabilities.
"""
import argparse
import pathlib

import torch
import torch.nn.functional as F

import arrays
import data
import model

BATCH = 256
DIVISORS = [1 + i / 10 for i in range(31)]
# What is divided together: the outputs, and what of the state makes them: names, and rows of it.
GROUPS = {
    "heads": (["heads"], [("heads.weight", ...), ("heads.bias", ...)]),
    "tasks": (["start", "ask"], [("scale", 0), ("cos", slice(0, 2)), ("trow.weight", ...), ("trow.bias", ...)]),
    "inside": (["inside"], [("scale", 2), ("cos", 3), ("prow.weight", 0), ("prow.bias", 0)]),
    "begin": (["begin"], [("scale", 3), ("cos", 2), ("prow.weight", 1), ("prow.bias", 1)]),
    "options": (["choose"], [("scale", 5), ("cos", 4)] + [(f"{m}.{k}", ...) for m in ("oout", "oplace") for k in ("weight", "bias")]),
}


def known(turns, some, out):
    """For every output its logits and what they should have been, without the rows that stand for nothing."""
    tasks, params, pieces = out["start"].shape[1], out["correct"].shape[1], out["inside"].shape[1]
    spans = out["is_piece"][..., None] & out["is_param"][:, None]
    wanted = {
        "heads": (turns.heads[some], turns.heads[some] >= 0),
        "start": (turns.start[some, :tasks], out["is_task"]),
        "ask": (turns.ask[some, :tasks], out["is_task"]),
        "inside": (turns.inside[some, :pieces, :params], spans),
        "begin": (turns.first[some, :pieces, :params], spans),
    }
    if out["choose"] is not None:
        most = out["choose"].shape[1]
        wanted["choose"] = turns.choose[some, :most], torch.arange(most) < turns.count[some, None]
    return {name: (out[name][counts], labels[counts].float()) for name, (labels, counts) in wanted.items()}


@torch.no_grad()
def all_known(reader, turns):
    found = {}
    for some in torch.arange(len(turns.length)).split(BATCH):
        for name, pair in known(turns, some, model.forward(reader, turns, some)).items():
            found.setdefault(name, []).append(pair)
    return {name: tuple(map(torch.cat, zip(*pairs, strict=True))) for name, pairs in found.items()}


def divisor(pairs):
    """The one that makes what was wanted likeliest."""
    logits, labels = map(torch.cat, zip(*pairs, strict=True))
    return min(DIVISORS, key=lambda by: float(F.binary_cross_entropy_with_logits(logits / by, labels)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=pathlib.Path, help="the folder with the model's package, unpacked")
    parser.add_argument("state", type=pathlib.Path, help="the state dict that fit.py wrote")
    parser.add_argument("out", type=pathlib.Path, help="where the other one goes")
    parser.add_argument("--turns", type=pathlib.Path, default=pathlib.Path(__file__).parent / "turns")
    args = parser.parse_args()
    state = torch.load(args.state, map_location="cpu", weights_only=True)
    reader = model.Reader(args.work)
    reader.load_state_dict(state)
    turns = data.load(data.Pieces(args.work), sorted(args.turns.glob("*.jsonl")))
    found = all_known(reader.eval(), arrays.Arrays([turn for turn in turns if turn.held]).to("cpu"))
    for group, (outputs, parts) in GROUPS.items():
        by = divisor([found[name] for name in outputs])
        for name, rows in parts:
            state[name][rows] /= by
        print(f"{group}: {by}")
    torch.save(state, args.out)


if __name__ == "__main__":
    main()
