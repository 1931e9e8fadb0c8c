#!/usr/bin/env python3
"""Writes classifier/reader/testdata/reference.jsonl: turns as the model in floating point reads them.

A line is an agent, as in the turns, or a turn with what the model gives for it.
"""
import argparse
import json
import pathlib
import random
import sys

import torch

import arrays
import data
import model

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import encoder  # noqa: E402

# Messages that no turn holds, each in the state of some turn: what is hard on the tokeniser, nothing, and
# more than is read.
HARD = [
    "",
    "Café Zürich, naïve résumé: 12:30-14:45 & ref. #A1B2-33/c, d'accord?",
    "e\u0301te\u0301 \u4f60\u597d \u2014 \u20ac50 \U0001f600 " + "x" * 130 + " ok\u200bay \ud55c\uae00",
    "send it to 12 Long Lane, flat 3b, and the other one to 77 Short Street please; " * 8,
]


def byte_offsets(text, offsets):
    return [[len(text[:start].encode()), len(text[:end].encode())] for start, end in offsets]


def choose(lines, count):
    """Turns of every kind of state, drawn by chance."""
    by_kind = {}
    for line in lines:
        opened = line["state"].get("open") or {}
        options = bool(opened.get("options"))
        by_kind.setdefault((opened.get("kind"), opened.get("write"), options), []).append(line)
    chance = random.Random(32)
    chosen = []
    while len(chosen) < count:
        for kind in sorted(by_kind, key=str):
            rest = by_kind[kind]
            if rest:
                chosen.append(rest.pop(chance.randrange(len(rest))))
    chosen = chosen[:count]
    return chosen + [dict(chance.choice(chosen), message=text, commands=[]) for text in HARD]


def wanted(out, turn):
    """The probabilities of a turn that is the only one, without rows for nothing."""
    tasks, params = len(turn.agent.titles), len(turn.agent.labels)
    parts = {name: out[name][0, :tasks] for name in ("start", "ask")} | {name: out[name][0, :params] for name in ("correct", "remove")}
    for name in ("inside", "begin"):
        parts[name] = out[name][0, : len(turn.ids), :params]
    if turn.options:
        parts["choose"] = out["choose"][0]
    return {name: rounded(torch.sigmoid(logits)) for name, logits in ({"heads": out["heads"][0]} | parts).items()}


def rounded(tensor):
    """Four places are enough, and the numbers stay short."""
    if tensor.dim() > 1:
        return [rounded(row) for row in tensor]
    return [round(v, 4) for v in tensor.tolist()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=pathlib.Path, help="the folder with the model's package, unpacked")
    parser.add_argument("state", type=pathlib.Path, help="the state dict that fit.py wrote")
    parser.add_argument("out", type=pathlib.Path, help="classifier/reader/testdata/reference.jsonl")
    parser.add_argument("--turns", type=int, default=40, help="how many, beside the hard ones")
    args = parser.parse_args()
    folder = pathlib.Path(__file__).parent / "turns"
    agents, lines = {}, []
    for path in sorted(folder.glob("*.jsonl")):
        for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if "tasks" in line:
                agents[line["agent"]] = line
            else:
                lines.append(line)
    chosen = choose(lines, args.turns)
    rows = [agents[name] for name in sorted({line["agent"] for line in chosen})] + chosen
    args.out.write_text("".join(json.dumps(row) + "\n" for row in rows))
    reader = model.Reader(args.work)
    reader.load_state_dict(torch.load(args.state, map_location="cpu", weights_only=True))
    reader.eval()
    pieces = data.Pieces(args.work)
    turns = data.load(pieces, [args.out])
    numbers = {int(old): new for new, old in enumerate(encoder.useful(pieces.tokenizer.get_vocab())[1])}
    for row, turn in zip(chosen, turns, strict=True):
        with torch.no_grad():
            out = model.forward(reader, arrays.Arrays([turn]).to("cpu"), torch.tensor([0]))
        del row["commands"]
        row.pop("never", None)
        row["ids"] = [numbers[i] for i in turn.ids]
        row["offsets"] = byte_offsets(turn.message, turn.offsets)
        row["want"] = wanted(out, turn)
    args.out.write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
