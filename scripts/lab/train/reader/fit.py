#!/usr/bin/env python3
"""Fine-tunes the sentence encoder to read a question and a message together. README.md says how to run this."""
import argparse
import pathlib
import random
import time

import torch

import choices
import corpora
import data
import deeds
import model
import swaps
from measure import measure

BATCH, AGENT_BATCH = 32, 16  # turns at least, of which so many of one agent: its names are read once


def pieces_in(turn):
    return len(turn.question) + len(turn.ids) + sum(len(option) + 1 for option in turn.options)


def batches(turns):
    """The turns once, those of about equal length together, in an order of chance."""
    by_agent = {}
    for turn in turns:
        by_agent.setdefault(id(turn.agent), []).append(turn)
    groups = []
    for mine in by_agent.values():
        mine = sorted(mine, key=lambda turn: pieces_in(turn) + random.random() * 6)
        groups += [mine[at : at + AGENT_BATCH] for at in range(0, len(mine), AGENT_BATCH)]
    groups.sort(key=lambda group: max(map(pieces_in, group)) + random.random() * 6)
    out, current = [], []
    for group in groups:
        current += group
        if len(current) >= BATCH:
            out.append(current)
            current = []
    random.shuffle(out)
    return out


def endless(turns):
    while True:
        yield from batches(turns)


def optimiser(reader, args, steps):
    """The heads begin from nothing, so they learn up to ten times as fast as the layers."""
    learned = [(name, p) for name, p in reader.named_parameters() if p.requires_grad]
    layers = [p for name, p in learned if name.startswith("layers")]
    rest = [p for name, p in learned if not name.startswith("layers")]
    adam = torch.optim.AdamW([
        {"params": layers, "lr": args.rate, "weight_decay": 0.01},
        {"params": rest, "lr": args.head_rate, "weight_decay": 0.0},
    ])
    warm = max(1, steps // 20)
    return adam, torch.optim.lr_scheduler.LambdaLR(adam, lambda step: min(1, (step + 1) / warm) * max(0.02, 1 - step / steps))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=pathlib.Path, help="the folder with the model's package, unpacked")
    parser.add_argument("out", type=pathlib.Path, help="where the state dict goes")
    parser.add_argument("--turns", type=pathlib.Path, default=pathlib.Path(__file__).parent / "turns")
    parser.add_argument("--corpora", type=pathlib.Path, help="the folder with the public corpora of requests")
    parser.add_argument("--extra", type=int, default=9000, help="how many turns to make from them")
    parser.add_argument("--choices", type=int, default=0, help="how many answers to choices to put together")
    parser.add_argument("--deeds", type=int, default=0, help="how many yeses with a verb to put together")
    parser.add_argument("--swaps", type=int, default=0, help="how many turns to give other values")
    parser.add_argument("--init", type=pathlib.Path, help="the state dict to go on from")
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--head-rate", type=float, default=2e-3)
    args = parser.parse_args()
    torch.manual_seed(7)
    random.seed(7)
    pieces = data.Pieces(args.work)
    turns = data.load(pieces, sorted(args.turns.glob("*.jsonl")))
    learned, kept = ([turn for turn in turns if turn.held == held] for held in (False, True))
    made = choices.build(pieces, learned, args.choices) + deeds.build(pieces, learned, args.deeds)
    made += swaps.build(pieces, learned, args.swaps)
    if args.corpora:
        made += corpora.build(pieces, args.corpora, args.extra)
    trades = len({turn.agent.name for turn in kept})
    print(f"{len(learned)} turns and {len(made)} made ones to learn from, {len(kept)} of {trades} trades kept")
    reader = model.Reader(args.work)
    if args.init:
        reader.load_state_dict(torch.load(args.init, map_location="cpu", weights_only=True))
    fit(reader, learned + made, kept, args)


def fit(reader, learned, kept, args):
    steps = int(args.epochs * len(batches(learned)))
    adam, schedule = optimiser(reader, args, steps)
    began, source = time.time(), endless(learned)
    reader.train()
    for step in range(1, steps + 1):
        some = next(source)
        with torch.autocast("cpu", torch.bfloat16):
            out = model.forward(reader, some)
        cost = model.loss(out, some)
        adam.zero_grad()
        cost.backward()
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        adam.step()
        schedule.step()
        if step % 50 == 0:
            print(f"{step}/{steps} loss {cost.item():.3f} {time.time() - began:.0f}s", flush=True)
        if step % 400 == 0:
            torch.save(reader.state_dict(), args.out)
            measure(reader, kept[::4]).print()
    torch.save(reader.state_dict(), args.out)
    report = measure(reader, kept)
    report.print()
    for head, tally in report.heads.items():
        print(f"    {head:12} {tally}")


if __name__ == "__main__":
    main()
