"""The reader: the sentence encoder on question, message and options, and heads on its rows.

classifier/reader does the same in eight bits; its heads.go follows forward() line by line.
"""
import pathlib
import sys

import torch
import torch.nn.functional as F
from torch import nn

from data import HEADS, KINDS, TYPES

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from minilm import HEADS as ATTENTION_HEADS  # noqa: E402
from minilm import LAYERS, WIDTH, load_safetensors  # noqa: E402

UNKNOWN, OPEN, CLOSE = 100, 101, 102  # the piece for what is no piece, and the markers
UNREAD = 0.04  # the share of a message's pieces that are unknown while training: words are misspelt, and new
POSITIONS, SHARED = 128, 128  # SHARED: how many numbers a message and a name are compared by
QUESTION, MESSAGE, OPTION, TASK, PARAM, SEGMENTS = range(6)
FLAGS = 4
PLACES = 8  # of options: the first six from the front, the last two from behind


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.mix = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.n1 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.n2 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.drop = nn.Dropout(0.1)

    def forward(self, x, mask):
        n, length, _ = x.shape
        q, k, v = self.qkv(x).view(n, length, 3, ATTENTION_HEADS, -1).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])
        x = self.n1(x + self.drop(self.mix(mixed.transpose(1, 2).reshape(n, length, WIDTH))))
        return self.n2(x + self.drop(self.down(F.gelu(self.up(x)))))

    def take(self, tensors, at):
        """The published weights of a layer."""

        def joined(kind):
            parts = [tensors[f"{at}attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            return torch.cat([torch.from_numpy(part.copy()) for part in parts])

        self.qkv.weight.data, self.qkv.bias.data = joined("weight"), joined("bias")
        for module, name in (
            (self.mix, "attention.output.dense"),
            (self.n1, "attention.output.LayerNorm"),
            (self.up, "intermediate.dense"),
            (self.down, "output.dense"),
            (self.n2, "output.LayerNorm"),
        ):
            module.weight.data = torch.from_numpy(tensors[at + name + ".weight"].copy())
            module.bias.data = torch.from_numpy(tensors[at + name + ".bias"].copy())


class Reader(nn.Module):
    """The rows of the words are those of weights.bin, so they are not learned."""

    def __init__(self, work):
        super().__init__()
        tensors = load_safetensors(work / "teacher/model.safetensors")
        published = lambda name: torch.from_numpy(tensors["embeddings." + name].copy())  # noqa: E731
        positions = published("position_embeddings.weight")[:POSITIONS] + published("token_type_embeddings.weight")[0]
        self.word = nn.Parameter(published("word_embeddings.weight"), requires_grad=False)
        self.pos = nn.Parameter(positions, requires_grad=False)
        self.seg = nn.Parameter(torch.zeros(SEGMENTS + 1, WIDTH))
        self.kind = nn.Parameter(torch.zeros(len(KINDS), WIDTH))
        self.typ = nn.Parameter(torch.zeros(len(TYPES), WIDTH))
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.norm.weight.data, self.norm.bias.data = published("LayerNorm.weight"), published("LayerNorm.bias")
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        for i, layer in enumerate(self.layers):
            layer.take(tensors, f"encoder.layer.{i}.")
        self.drop = nn.Dropout(0.1)
        self.add_heads()

    def add_heads(self):
        self.heads = nn.Linear(2 * WIDTH, len(HEADS))
        # Tasks: start and ask, and the piece of the message that fits best.
        self.tproj, self.mproj = nn.Linear(WIDTH, 2 * SHARED), nn.Linear(2 * WIDTH, 2 * SHARED)
        self.tflag, self.tkind = nn.Linear(FLAGS, 2), nn.Parameter(torch.zeros(len(KINDS), 2 * FLAGS))
        self.tmax, self.tword = nn.Linear(WIDTH, SHARED), nn.Linear(WIDTH, SHARED)
        # Options.
        self.oproj, self.omsg = nn.Linear(WIDTH, SHARED), nn.Linear(2 * WIDTH, SHARED)
        self.oin, self.oout = nn.Linear(2 * WIDTH, SHARED), nn.Linear(SHARED, 1)
        self.oplace = nn.Linear(2 * WIDTH, PLACES)
        # Params: inside, begin, correct and remove.
        self.pproj, self.wproj = nn.Linear(WIDTH, 4 * SHARED), nn.Linear(WIDTH, 2 * SHARED)
        self.pmsg, self.pflag = nn.Linear(2 * WIDTH, 2 * SHARED), nn.Linear(FLAGS, 4)
        self.wflag = nn.Linear(WIDTH, 2 * FLAGS)
        self.scale = nn.Parameter(torch.ones(6) * 0.3)
        self.cos = nn.Parameter(torch.tensor([8.0, 8.0, 4.0, 4.0]))
        with torch.no_grad():  # most of everything is not said
            self.heads.bias.fill_(-2.0)
            self.tflag.bias.fill_(-4.5)
            self.pflag.bias.copy_(torch.tensor([-4.0, -5.0, -4.0, -5.0]))

    def trunk(self, ids, positions, extra, mask):
        x = self.drop(self.norm(self.word[ids] + self.pos[positions] + extra))
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def names(self, rows, segment, types=None):
        """The mean row of each name."""
        if not rows:
            return torch.zeros(0, WIDTH)
        longest = max(map(len, rows)) + 2
        ids = torch.zeros(len(rows), longest, dtype=torch.long)
        mask = torch.zeros(len(rows), longest, dtype=torch.bool)
        for i, row in enumerate(rows):
            ids[i, : len(row) + 2], mask[i, : len(row) + 2] = torch.tensor([OPEN, *row, CLOSE]), True
        extra = self.seg[segment].expand(len(rows), longest, WIDTH)
        if types is not None:
            extra = extra + self.typ[types][:, None, :] * (torch.arange(longest)[None, :, None] == 0)
        x = self.trunk(ids, torch.arange(longest).expand(len(rows), longest), extra, mask)
        counted = mask[..., None].to(x.dtype)
        return (x * counted).sum(1) / counted.sum(1)


class Batch:
    """Marker, question, end, message, end, and each option with its end, as rows of equal length."""

    def __init__(self, turns):
        rows = [self.row(turn) for turn in turns]
        longest = max(len(ids) for ids, *_ in rows)
        self.ids, self.positions, self.segments = (torch.zeros(len(rows), longest, dtype=torch.long) for _ in range(3))
        self.mask, self.message = (torch.zeros(len(rows), longest, dtype=torch.bool) for _ in range(2))
        self.begins, self.options = [row[3] for row in rows], [row[4] for row in rows]
        for i, (ids, positions, segments, begin, _) in enumerate(rows):
            n = len(ids)
            self.ids[i, :n], self.segments[i, :n] = torch.tensor(ids), torch.tensor(segments)
            self.positions[i, :n] = torch.tensor(positions).clamp(max=POSITIONS - 1)
            self.mask[i, :n], self.message[i, begin : begin + len(turns[i].ids)] = True, True

    @staticmethod
    def row(turn):
        ids = [OPEN, *turn.question, CLOSE]
        positions, segments = list(range(len(ids))), [QUESTION] * len(ids)
        begin, options = len(ids), []
        behind = {MESSAGE: 1, OPTION: 1}  # positions go on from option to option: they say which is the second
        for segment, part in [(MESSAGE, turn.ids), *((OPTION, option) for option in turn.options)]:
            if segment == OPTION:
                options.append((len(ids), len(ids) + len(part) + 1))
            ids += [*part, CLOSE]
            positions += range(behind[segment], behind[segment] + len(part) + 1)
            behind[segment] += len(part) + 1
            segments += [segment] * (len(part) + 1)
        return ids, positions, segments, begin, options

    def forget(self):
        """Some pieces of the messages become unknown."""
        self.ids[self.message & (torch.rand(self.ids.shape) < UNREAD)] = UNKNOWN


class Names:
    """The tasks and params of the agents of a batch, and where each agent's lie."""

    def __init__(self, reader, turns):
        titles, labels, types, self.at = [], [], [], {}
        for agent in {id(turn.agent): turn.agent for turn in turns}.values():
            tasks = slice(len(titles), len(titles) + len(agent.titles))
            params = slice(len(labels), len(labels) + len(agent.labels))
            self.at[id(agent)] = tasks, params
            titles, labels, types = titles + agent.titles, labels + agent.labels, types + agent.types
        self.tasks = reader.names(titles, TASK)
        self.params = reader.names(labels, PARAM, torch.tensor(types))


def forward(reader, turns):
    """For each turn the logits of every head."""
    batch = Batch(turns)
    if reader.training:
        batch.forget()
    kinds, types = torch.tensor([t.kind for t in turns]), torch.tensor([t.type for t in turns])
    first = (torch.arange(batch.ids.shape[1]) == 0)[None, :, None]
    extra = reader.seg[batch.segments] + (reader.kind[kinds] + reader.typ[types])[:, None, :] * first
    x = reader.trunk(batch.ids, batch.positions, extra, batch.mask)
    said = batch.message[..., None].to(x.dtype)
    pool = torch.cat([x[:, 0], (x * said).sum(1) / said.sum(1).clamp(min=1)], -1)
    names = Names(reader, turns)
    heads = reader.heads(reader.drop(pool))
    common = dict(
        tasks=reader.tproj(names.tasks), words=reader.tword(names.tasks), params=reader.pproj(names.params),
        to_tasks=reader.mproj(pool), to_params=reader.pmsg(pool), to_options=reader.omsg(pool), to_places=reader.oplace(pool),
        word_params=reader.wproj(x), word_tasks=reader.tmax(x), word_flags=reader.wflag(x),
    )
    out = []
    for i, turn in enumerate(turns):
        tasks, params = names.at[id(turn.agent)]
        at = slice(batch.begins[i], batch.begins[i] + len(turn.ids))
        one = Message(reader, turn, x[i], pool[i], at, {k: v[i] for k, v in common.items() if k.startswith(("to_", "word_"))})
        start, ask = one.tasks(names.tasks[tasks], common["tasks"][tasks], common["words"][tasks])
        inside, begin, correct, remove = one.params(names.params[params], common["params"][params])
        out.append(dict(
            heads=heads[i], start=start, ask=ask, inside=inside, begin=begin, correct=correct, remove=remove,
            choose=one.options(batch.options[i]),
        ))
    return out


class Message:
    """One message of a batch, and its side of every comparison."""

    def __init__(self, reader, turn, x, pool, at, mine):
        self.reader, self.turn, self.x, self.at, self.mine = reader, turn, x, at, mine
        self.said = pool[WIDTH:]
        self.direction = F.normalize(self.said, dim=-1)

    def tasks(self, vectors, compared, words):
        r, mine = self.reader, self.mine
        flags = torch.tensor(self.turn.task_flags, dtype=torch.float32)
        by_kind = r.tkind[self.turn.kind].view(2, FLAGS)
        best = torch.zeros(len(vectors))
        if self.turn.ids:
            best = (mine["word_tasks"][self.at] @ words.T).amax(0)
        near = F.normalize(vectors, dim=-1) @ self.direction
        return [
            (compared[:, part] @ mine["to_tasks"][part]) * r.scale[0] + best * r.scale[1]
            + r.tflag(flags)[:, i] + flags @ by_kind[i] + near * r.cos[i]
            for i, part in enumerate((slice(0, SHARED), slice(SHARED, 2 * SHARED)))
        ]

    def params(self, vectors, compared):
        r, mine = self.reader, self.mine
        flags = torch.tensor(self.turn.param_flags, dtype=torch.float32)
        known, worth, word = r.pflag(flags), mine["word_flags"][self.at], mine["word_params"][self.at]
        near = F.normalize(self.x[self.at], dim=-1) @ F.normalize(vectors, dim=-1).T
        parts = [compared[:, i * SHARED : (i + 1) * SHARED] for i in range(4)]
        to = mine["to_params"]
        inside = near * r.cos[3] + (word[:, :SHARED] @ parts[0].T) * r.scale[2] + known[:, 0] + worth[:, :FLAGS] @ flags.T
        begin = near * r.cos[2] + (word[:, SHARED:] @ parts[1].T) * r.scale[3] + known[:, 1] + worth[:, FLAGS:] @ flags.T
        correct = (parts[2] @ to[:SHARED]) * r.scale[4] + known[:, 2]
        remove = (parts[3] @ to[SHARED:]) * r.scale[4] + known[:, 3]
        return inside, begin, correct, remove

    def options(self, places):
        if not places:
            return None
        r = self.reader
        vectors = torch.stack([self.x[start:end].mean(0) for start, end in places])
        near = F.normalize(vectors, dim=-1) @ self.direction
        inner = torch.relu(r.oin(torch.cat([vectors, vectors * self.said], -1)))
        common = r.oproj(vectors) @ self.mine["to_options"]
        alike = r.oout(inner)[:, 0] + common * r.scale[5] + (near - near.mean()) * r.cos[2]
        return alike + places_of(len(places)) @ self.mine["to_places"].float()


def places_of(count):
    """For each of some options the places that are its own."""
    mine = torch.zeros(count, PLACES)
    for i in range(count):
        if i < PLACES - 2:
            mine[i, i] = 1
        if i >= max(1, count - 2):
            mine[i, PLACES - count + i] = 1
    return mine


def loss(out, turns):
    """The mean over turns; pieces count less in a long message."""

    def cost(logits, labels):
        return F.binary_cross_entropy_with_logits(logits.float(), torch.as_tensor(labels).float(), reduction="sum")

    total = 0.0
    for logits, turn in zip(out, turns, strict=True):
        inside, begin = torch.zeros(logits["inside"].shape), torch.zeros(logits["begin"].shape)
        for piece, param, is_first in turn.marks:
            inside[piece, param] = 1
            begin[piece, param] = int(is_first or begin[piece, param])
        root = max(1, len(turn.ids)) ** 0.5
        if turn.heads is not None:
            total = total + cost(logits["heads"], turn.heads)
        total = total + 2 * cost(logits["start"], turn.start) + cost(logits["ask"], turn.ask)
        total = total + 3 / root * (cost(logits["inside"], inside) + cost(logits["begin"], begin))
        total = total + cost(logits["correct"], turn.correct) + cost(logits["remove"], turn.remove)
        if logits["choose"] is not None:
            total = total + 6 * cost(logits["choose"], turn.choose)
    return total / len(turns)
