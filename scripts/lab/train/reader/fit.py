#!/usr/bin/env python3
"""Fine-tunes the sentence encoder to read a question and a message together. README.md says how to run this."""
import argparse
import pathlib
import random
import time

import numpy as np
import torch

import arrays
import choices
import corpora
import data
import deeds
import model
import swaps
from measure import measure

AGENT_BATCH = 8  # so many turns of one agent stand together, whose names are read once


def batches(length, agent, size):
    """The turns once, those of about equal length together, in an order of chance. Both are arrays by turn."""
    chance = np.random.default_rng(random.getrandbits(32))
    order = np.lexsort((length + chance.random(len(length)) * 8, agent))
    ends = [*(np.flatnonzero(np.diff(agent[order])) + 1), len(order)]
    groups = [order[at : min(at + AGENT_BATCH, end)] for start, end in zip([0, *ends], ends) for at in range(start, end, AGENT_BATCH)]
    groups.sort(key=lambda group: length[group].max() + chance.random() * 8)
    order = np.concatenate(groups)
    out = [order[at : at + size] for at in range(0, len(order) - size + 1, size)]
    chance.shuffle(out)
    return out


def endless(*args):
    while True:
        yield from batches(*args)


def optimiser(reader, args):
    """The heads begin from nothing, so they learn up to ten times as fast as the layers."""
    learned = [(name, p) for name, p in reader.named_parameters() if p.requires_grad]
    layers = [p for name, p in learned if name.startswith("layers")]
    rest = [p for name, p in learned if not name.startswith("layers")]
    adam = torch.optim.AdamW([
        {"params": layers, "lr": args.rate, "weight_decay": 0.01},
        {"params": rest, "lr": args.head_rate, "weight_decay": 0.0},
    ])
    rates = [group["lr"] for group in adam.param_groups]

    def set_rates(part):
        """part: how much of the time is over, 0 to 1."""
        for group, rate in zip(adam.param_groups, rates, strict=True):
            group["lr"] = rate * min(1, 0.02 + part / 0.05) * max(0.02, 1 - part)

    return adam, set_rates


def learn_from(args, pieces):
    """The turns to learn from, and those that are kept."""
    turns = data.load(pieces, sorted(args.turns.glob("*.jsonl")))
    learned, kept = ([turn for turn in turns if turn.held == held] for held in (False, True))
    made = choices.build(pieces, learned, args.choices) + deeds.build(pieces, learned, args.deeds)
    made += swaps.build(pieces, learned, args.swaps)
    if args.corpora:
        made += corpora.build(pieces, args.corpora, args.extra)
    trades = len({turn.agent.name for turn in kept})
    print(f"{len(learned)} turns and {len(made)} made ones to learn from, {len(kept)} of {trades} trades kept", flush=True)
    return learned + made, kept


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
    parser.add_argument("--keep", type=float, default=0, help="the share of that state dict in the mean that is written")
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end sooner, with the rates gone down by then")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--head-rate", type=float, default=2e-3)
    args = parser.parse_args()
    torch.manual_seed(7)
    random.seed(7)
    learned, kept = learn_from(args, data.Pieces(args.work))
    reader = model.Reader(args.work)
    if args.init:
        reader.load_state_dict(torch.load(args.init, map_location="cpu", weights_only=True))
    fit(reader, arrays.Arrays(learned + kept), len(learned), args)


def fit(reader, turns, learned, args):
    """Learns from the first turns, and measures with those behind them."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    length, agent = turns.length[:learned].astype(float), turns.agent[:learned]
    steps = int(args.epochs * len(batches(length, agent, args.batch)))
    kept = list(range(learned, len(turns.length)))
    turns.to(device)
    reader.to(device).train()
    adam, set_rates = optimiser(reader, args)
    began, source, step, part = time.time(), endless(length, agent, args.batch), 0, 0.0
    while part < 1:
        set_rates(part)
        some = torch.from_numpy(next(source)).to(device)
        with torch.autocast(device.type, torch.bfloat16):
            out = model.forward(reader, turns, some)
        cost = model.loss(out, turns, some)
        adam.zero_grad()
        cost.backward()
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        adam.step()
        step += 1
        part = max(step / steps, (time.time() - began) / args.seconds)
        if step % 100 == 0:
            print(f"{step}/{steps} loss {cost.item():.3f} {time.time() - began:.0f}s", flush=True)
        if step % 800 == 0:
            measure(reader, turns, kept[::4], device).print()
    if args.keep:
        mix(reader, args)
    torch.save({name: value.cpu() for name, value in reader.state_dict().items()}, args.out)
    report = measure(reader, turns, kept, device)
    report.print()
    for head, tally in report.heads.items():
        print(f"    {head:12} {tally}")


@torch.no_grad()
def mix(reader, args):
    """The mean of what was there and what was learned: it often knows more than either."""
    before = torch.load(args.init, map_location="cpu", weights_only=True)
    for name, value in reader.state_dict().items():
        value.lerp_(before[name].to(value), args.keep)


if __name__ == "__main__":
    main()
