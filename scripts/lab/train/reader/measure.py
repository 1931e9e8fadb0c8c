"""How good a reader is on turns that it has not learned from."""
import collections

import torch

import model
from data import HEADS, KINDS

COURTESY, PLAIN_YES = HEADS.index("courtesy"), HEADS.index("plain_yes")
FALSE_ONES = (1, 3, 7)  # the recall of a yes is given where so many false ones have passed
BATCH = 256


class Tally:
    """Counts of what was wanted, what was found and what of it was right."""

    def __init__(self):
        self.wanted = self.found = self.right = 0

    def add(self, wanted, found, right=None):
        right = wanted & found if right is None else right
        self.wanted, self.found, self.right = self.wanted + int(wanted.sum()), self.found + int(found.sum()), self.right + int(right.sum())

    def __str__(self):
        return f"want {self.wanted:5} P {self.right / max(1, self.found):.3f} R {self.right / max(1, self.wanted):.3f}"


class Report:
    def __init__(self):
        self.heads = {head: Tally() for head in HEADS}
        self.start, self.spans, self.first, self.choose = Tally(), Tally(), Tally(), Tally()
        self.turns, self.kinds, self.whole = (collections.Counter() for _ in range(3))
        self.loss, self.yes = 0.0, []

    def add(self, turns, some, out):
        wanted = {name: getattr(turns, name)[some] > 0 for name in ("heads", "start", "ask", "choose")}
        found = {name: out[name] > 0 for name in ("heads", "start", "ask")}
        for i, head in enumerate(HEADS):
            self.heads[head].add(wanted["heads"][:, i], found["heads"][:, i])
        counted = [i for i in range(len(HEADS)) if i not in (COURTESY, PLAIN_YES)]
        commands = (wanted["heads"] == found["heads"])[:, counted].all(1)
        whole = commands & self.tasks(wanted, found, out) & self.spans_of(turns, some, out)
        if out["choose"] is not None:
            whole &= self.options(turns, some, out["choose"], wanted["choose"])
        for kind, name in enumerate(KINDS):
            of_kind = turns.kind[some] == kind
            self.turns[name] += int(of_kind.sum())
            self.kinds[name] += int((commands & of_kind).sum())
            self.whole[name] += int((whole & of_kind).sum())
        at_write = turns.kind[some] == KINDS.index("confirm_write")
        self.yes += zip(out["heads"][at_write, PLAIN_YES].tolist(), wanted["heads"][at_write, PLAIN_YES].tolist(), strict=True)

    def tasks(self, wanted, found, out):
        """Whether the tasks that a message begins and asks about are right."""
        right = torch.ones(len(out["start"]), dtype=torch.bool, device=out["start"].device)
        for name in ("start", "ask"):
            found[name] &= out["is_task"]
            wanted[name] = wanted[name][:, : found[name].shape[1]]
            right &= (wanted[name] == found[name]).all(1)
        self.start.add(wanted["start"], found["start"])
        best = out["start"].masked_fill(~out["is_task"], -1e9).argmax(1, keepdim=True)
        begins = wanted["start"].any(1)
        self.first.add(begins, begins, begins & wanted["start"].gather(1, best)[:, 0])
        return right

    def spans_of(self, turns, some, out):
        """Whether the pieces of all values are."""
        found = (out["inside"] > 0) & out["is_piece"][..., None] & out["is_param"][:, None]
        wanted = turns.inside[some, : found.shape[1], : found.shape[2]]
        same = (found == wanted).all(1)
        self.spans.add(wanted.any(1), found.any(1), wanted.any(1) & same)
        return same.all(1)

    def options(self, turns, some, logits, wanted):
        """Whether the options that a message takes are."""
        most = logits.shape[1]
        found = (logits > 0) & (torch.arange(most, device=some.device) < turns.count[some, None])
        same, chosen = (found == wanted[:, :most]).all(1), wanted.any(1)
        self.choose.add(chosen, chosen, chosen & same)
        return same

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
        print(f"loss {self.loss / n:.3f}, all right {sum(self.whole.values()) / n:.4f}: {whole}")
        print(f"commands without names and values {sum(self.kinds.values()) / n:.4f}")
        print(f"start: {self.start}; first of all tasks: {self.first}")
        print(f"spans: {self.spans}; choose: {self.choose}")
        print(f"a plain yes that writes: recall where 1, 3, 7 false ones pass {self.recall()}", flush=True)


@torch.no_grad()
def measure(reader, turns, numbers, device):
    """numbers is a list of the turns to measure with."""
    report = Report()
    lengths = turns.length.tolist()
    numbers = sorted(numbers, key=lambda i: lengths[i])
    was = reader.training
    reader.eval()
    for at in range(0, len(numbers), BATCH):
        some = torch.tensor(numbers[at : at + BATCH], device=device)
        with torch.autocast(device.type, torch.bfloat16):
            out = model.forward(reader, turns, some)
        report.loss += float(model.loss(out, turns, some)) * len(some)
        report.add(turns, some, out)
    reader.train(was)
    return report
