"""How good a reader is on turns that it has not learned from."""
import collections

import torch

import model
from data import HEADS, KINDS

COURTESY, PLAIN_YES = HEADS.index("courtesy"), HEADS.index("plain_yes")
FALSE_ONES = (1, 3, 7)  # the recall of a yes is given where so many false ones have passed


class Tally:
    """Counts of what was wanted, what was found and what of it was right."""

    def __init__(self):
        self.wanted = self.found = self.right = 0

    def add(self, wanted, found, right):
        self.wanted, self.found, self.right = self.wanted + wanted, self.found + found, self.right + right

    def __str__(self):
        return f"want {self.wanted:4} P {self.right / max(1, self.found):.3f} R {self.right / max(1, self.wanted):.3f}"


def likely(logits):
    return [int(v > 0) for v in logits.tolist()]


def pieces_of(turn, inside):
    """The pieces of each param, as they should be and as they are."""
    wanted = collections.defaultdict(set)
    for piece, param, _ in turn.marks:
        wanted[param].add(piece)
    found = [set((inside[:, param] > 0).nonzero().flatten().tolist()) for param in range(inside.shape[1])]
    return [(wanted[param], have) for param, have in enumerate(found)]


class Report:
    def __init__(self):
        self.heads = {head: Tally() for head in HEADS}
        self.start, self.spans = Tally(), Tally()
        self.first, self.choose, self.kinds, self.whole = (collections.Counter() for _ in range(4))
        self.turns, self.loss, self.yes = collections.Counter(), 0.0, []

    def add(self, turn, out):
        heads, start = likely(out["heads"]), likely(out["start"])
        for i, head in enumerate(HEADS):
            self.heads[head].add(turn.heads[i], heads[i], turn.heads[i] & heads[i])
        kind = KINDS[turn.kind]
        if kind == "confirm_write":
            self.yes.append((float(out["heads"][PLAIN_YES]), turn.heads[PLAIN_YES]))
        self.start.add(sum(turn.start), sum(start), sum(a & b for a, b in zip(start, turn.start)))
        places = pieces_of(turn, out["inside"])
        for wanted, found in places:
            self.spans.add(bool(wanted), bool(found), bool(wanted) and wanted == found)
        chosen = None if out["choose"] is None else likely(out["choose"])
        if any(turn.start):
            self.first[turn.start[int(out["start"].argmax())]] += 1
        if any(turn.choose):
            self.choose[chosen == turn.choose] += 1
        same = all(heads[i] == turn.heads[i] for i in range(len(HEADS)) if i not in (COURTESY, PLAIN_YES))
        named = start == turn.start and likely(out["ask"]) == turn.ask and chosen in (None, turn.choose)
        self.turns[kind] += 1
        self.kinds[kind] += same
        self.whole[kind] += same and named and all(wanted == found for wanted, found in places)

    def recall(self):
        """The recall of a plain yes that writes, by how many false ones pass with it."""
        wanted, right, false, recall = sum(y for _, y in self.yes), 0, 0, {}
        for _, is_yes in sorted(self.yes, reverse=True):
            right, false = right + is_yes, false + 1 - is_yes
            recall |= {most: round(right / max(1, wanted), 3) for most in FALSE_ONES if false <= most}
        return recall

    def print(self):
        n = sum(self.turns.values())
        whole = {kind: round(self.whole[kind] / self.turns[kind], 3) for kind in KINDS if self.turns[kind]}
        print(f"loss {self.loss / n:.3f}, all right {sum(self.whole.values()) / n:.3f}: {whole}")
        print(f"commands without names and values {sum(self.kinds.values()) / n:.3f}")
        print(f"start: {self.start}, first of all tasks {share(self.first):.3f}")
        print(f"spans: {self.spans}; choose {share(self.choose):.3f}")
        print(f"a plain yes that writes: recall where 1, 3, 7 false ones pass {self.recall()}", flush=True)


def share(counter):
    return counter[True] / max(1, sum(counter.values()))


def measure(reader, turns, batch=64):
    report = Report()
    turns = sorted(turns, key=lambda turn: (turn.agent.name, len(turn.ids)))
    was = reader.training
    reader.eval()
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for at in range(0, len(turns), batch):
            some = turns[at : at + batch]
            out = model.forward(reader, some)
            report.loss += float(model.loss(out, some)) * len(some)
            for turn, logits in zip(some, out, strict=True):
                report.add(turn, logits)
    reader.train(was)
    return report
