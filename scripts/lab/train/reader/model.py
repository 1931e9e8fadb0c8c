"""The reader: the sentence encoder on question, message, options and names, and heads on its rows.

classifier/reader does the same in eight bits; its heads.go follows forward() line by line.
"""
import pathlib
import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from arrays import FLAGS, IN_PARAM, IN_TASK, POSITIONS
from data import HEADS, KINDS, TYPES

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from minilm import HEADS as ATTENTION_HEADS  # noqa: E402
from minilm import LAYERS, WIDTH, load_safetensors  # noqa: E402

UNKNOWN = 100  # the piece for what is no piece
UNREAD = 0.04  # the share of a message's pieces that are unknown while training: words are misspelt, and new
SHARED = 128  # how many numbers a message and a name are compared by
SEGMENTS = 6  # one of them never used
PLACES = 8  # of options: the first six from the front, the last two from behind
STEP = 32  # of what a pass has is a multiple of this, so that a device meets few shapes


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
        with sdpa_kernel(SDPBackend.MATH):  # on a processor the backward pass of the others takes twice as long
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


def pooled(x, mask):
    """The mean of the rows that the mask holds."""
    counted = mask[..., None].to(x.dtype)
    return (x * counted).sum(-2) / counted.sum(-2).clamp(min=1)


def unit(x):
    return F.normalize(x.float(), dim=-1)


def up_to(count, most):
    """A length for a device: a multiple of STEP."""
    return min(most, -(-int(count) // STEP) * STEP)


class Reader(nn.Module):
    """The rows of the words are those of weights.bin, so they are not learned."""

    def __init__(self, work):
        super().__init__()
        tensors = load_safetensors(work / "teacher/model.safetensors")
        published = lambda name: torch.from_numpy(tensors["embeddings." + name].copy())  # noqa: E731
        positions = published("position_embeddings.weight")[:POSITIONS] + published("token_type_embeddings.weight")[0]
        self.word = nn.Parameter(published("word_embeddings.weight"), requires_grad=False)
        self.pos = nn.Parameter(positions, requires_grad=False)
        self.seg = nn.Parameter(torch.zeros(SEGMENTS, WIDTH))
        self.kind = nn.Parameter(torch.zeros(len(KINDS), WIDTH))
        self.typ = nn.Parameter(torch.zeros(len(TYPES), WIDTH))
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.norm.weight.data, self.norm.bias.data = published("LayerNorm.weight"), published("LayerNorm.bias")
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        for i, layer in enumerate(self.layers):
            layer.take(tensors, f"encoder.layer.{i}.")
        self.drop = nn.Dropout(0.1)
        self.add_names()
        self.add_heads()

    def add_names(self):
        """What makes a row of a name for the pass of a message, and what the row adds to the name behind it."""
        self.nin, self.nout = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.tin, self.pin = nn.Linear(FLAGS, WIDTH, bias=False), nn.Linear(FLAGS, WIDTH, bias=False)
        self.member = nn.Linear(WIDTH, WIDTH, bias=False)
        nn.init.eye_(self.nin.weight)
        for weight in (self.nin.bias, self.nout.weight, self.nout.bias, self.tin.weight, self.pin.weight, self.member.weight):
            nn.init.zeros_(weight)

    def add_heads(self):
        self.heads = nn.Linear(2 * WIDTH, len(HEADS))
        # Tasks: start and ask.
        self.tproj, self.mproj, self.trow = nn.Linear(WIDTH, 2 * SHARED), nn.Linear(2 * WIDTH, 2 * SHARED), nn.Linear(WIDTH, 2)
        # Params: inside, begin, correct and remove.
        self.pproj, self.wproj = nn.Linear(WIDTH, 4 * SHARED), nn.Linear(WIDTH, 2 * SHARED)
        self.pmsg, self.prow = nn.Linear(2 * WIDTH, 2 * SHARED), nn.Linear(WIDTH, 4)
        # Options.
        self.oproj, self.omsg = nn.Linear(WIDTH, SHARED), nn.Linear(2 * WIDTH, SHARED)
        self.oin, self.oout = nn.Linear(2 * WIDTH, SHARED), nn.Linear(SHARED, 1)
        self.oplace = nn.Linear(2 * WIDTH, PLACES)
        self.scale = nn.Parameter(torch.ones(6) * 0.3)
        self.cos = nn.Parameter(torch.tensor([8.0, 8.0, 4.0, 4.0, 4.0]))  # start, ask, begin, inside, options
        with torch.no_grad():  # most of everything is not said
            self.heads.bias.fill_(-2.0)
            for row, bias in ((self.trow, [-4.5, -4.5]), (self.prow, [-4.0, -5.0, -4.0, -5.0])):
                row.weight.zero_()
                row.bias.copy_(torch.tensor(bias))

    def through(self, x, mask):
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def names(self, turns, numbers):
        """The mean row of each name."""
        length = up_to(turns.name_length[numbers].max(), turns.name_ids.shape[1])
        at = torch.arange(length, device=numbers.device)
        mask = at[None] < turns.name_length[numbers][:, None]
        segment, kind = turns.name_segment[numbers].long(), self.typ[turns.name_type[numbers].long()]
        kind = kind * (segment == IN_PARAM)[:, None]
        extra = self.seg[segment][:, None] + kind[:, None] * (at == 0)[None, :, None]
        x = self.norm(self.word[turns.name_ids[numbers, :length].long()] + self.pos[at] + extra)
        return pooled(self.through(self.drop(x), mask), mask)

    def enter(self, turns, some, length):
        """What the pass takes of question, message and options."""
        at = torch.arange(length, device=some.device)
        ids, begin = turns.ids[some, :length].long(), turns.begin[some].long()[:, None]
        said = (at >= begin) & (at < begin + turns.said[some].long()[:, None])
        if self.training:  # some pieces are forgotten
            ids = ids.masked_fill(said & (torch.rand(ids.shape, device=ids.device) < UNREAD), UNKNOWN)
        first = self.kind[turns.kind[some].long()] + self.typ[turns.type[some].long()]
        extra = self.seg[turns.segments[some, :length].long()] + first[:, None] * (at == 0)[None, :, None]
        x = self.norm(self.word[ids] + self.pos[turns.positions[some, :length].long()] + extra)
        return x, at < turns.length[some].long()[:, None], said

    def enter_names(self, turns, some, tasks, params):
        """The names, and a row for each: its name, what is known of it, and of a param the tasks that have it."""
        task_names, param_names = turns.task_names[some, :tasks].long(), turns.param_names[some, :params].long()
        numbers, places = torch.unique(torch.cat([task_names, param_names], 1).clamp(min=0), return_inverse=True)
        numbers = F.pad(numbers, (0, -len(numbers) % STEP))
        names = self.names(turns, numbers)[places]
        needs = turns.needs[some, :params, :tasks].float()
        users = needs / needs.sum(2, keepdim=True).clamp(min=1) @ names[:, :tasks].float()
        of_task = self.seg[IN_TASK] + self.tin(turns.task_flags[some, :tasks].float())
        of_param = self.seg[IN_PARAM] + self.pin(turns.param_flags[some, :params].float()) + self.member(users)
        rows = self.norm((self.nin(names) + torch.cat([of_task, of_param], 1)).float())
        return names, rows, task_names >= 0, param_names >= 0


def forward(reader, turns, some):
    """The logits of every head for some of the turns: a row a turn. some is a tensor of their numbers."""
    length = up_to(turns.length[some].max(), turns.ids.shape[1])
    tasks, params = (up_to((names[some] >= 0).sum(1).max(), names.shape[1]) for names in (turns.task_names, turns.param_names))
    x, mask, said = reader.enter(turns, some, length)
    names, rows, is_task, is_param = reader.enter_names(turns, some, tasks, params)
    x = reader.through(reader.drop(torch.cat([x, rows], 1)), torch.cat([mask, is_task, is_param], 1))
    x, rows = x[:, :length], x[:, length:]
    names = names + reader.nout(rows)
    one = Messages(reader, turns, some, x, said)
    start, ask = one.tasks(names[:, :tasks], rows[:, :tasks])
    inside, begin, correct, remove = one.params(names[:, tasks:], rows[:, tasks:])
    return dict(
        heads=reader.heads(reader.drop(one.pool)).float(), start=start, ask=ask, inside=inside, begin=begin,
        correct=correct, remove=remove, choose=one.options(), is_task=is_task, is_param=is_param, is_piece=one.is_piece,
    )


class Messages:
    """Some messages, and their side of every comparison."""

    def __init__(self, reader, turns, some, x, said):
        self.reader, self.turns, self.some, self.x = reader, turns, some, x
        self.mean = pooled(x, said)
        self.pool = torch.cat([x[:, 0], self.mean], -1)
        count = turns.said[some].long()
        at = torch.arange(up_to(count.max().clamp(min=1), turns.inside.shape[1]), device=some.device)
        self.is_piece = at < count[:, None]
        places = (turns.begin[some].long()[:, None] + at).clamp(max=x.shape[1] - 1)
        self.pieces = x.gather(1, places[..., None].expand(-1, -1, WIDTH))

    def tasks(self, names, rows):
        r = self.reader
        mine, theirs = r.mproj(self.pool).unflatten(-1, (1, 2, SHARED)), r.tproj(names).unflatten(-1, (2, SHARED))
        near = unit(names) @ unit(self.mean)[..., None]
        out = (theirs * mine).sum(-1) * r.scale[0] + near * r.cos[:2] + r.trow(rows)
        return out.float().unbind(-1)

    def params(self, names, rows):
        r = self.reader
        parts, alone, words = r.pproj(names).split(SHARED, -1), r.prow(rows), r.wproj(self.pieces).split(SHARED, -1)
        near, mine = unit(self.pieces) @ unit(names).transpose(1, 2), r.pmsg(self.pool).split(SHARED, -1)
        inside = near * r.cos[3] + words[0] @ parts[0].transpose(1, 2) * r.scale[2] + alone[:, None, :, 0]
        begin = near * r.cos[2] + words[1] @ parts[1].transpose(1, 2) * r.scale[3] + alone[:, None, :, 1]
        correct, remove = ((parts[2 + i] @ mine[i][..., None])[..., 0] * r.scale[4] + alone[..., 2 + i] for i in range(2))
        return inside.float(), begin.float(), correct.float(), remove.float()

    def options(self):
        """Of every option that one of the messages may have; none where no message has any."""
        r, count = self.reader, self.turns.count[self.some].long()
        most = int(count.max())
        if not most:
            return None
        at = torch.arange(self.x.shape[1], device=count.device)
        ends = self.turns.options[self.some, :most].long()
        vectors = pooled(self.x[:, None], (at >= ends[..., :1]) & (at < ends[..., 1:]))
        is_option = torch.arange(most, device=count.device) < count[:, None]
        near = (unit(vectors) @ unit(self.mean)[..., None])[..., 0]
        near = near - (near * is_option).sum(1, keepdim=True) / count.clamp(min=1)[:, None]
        inner = torch.relu(r.oin(torch.cat([vectors, vectors * self.mean[:, None].to(vectors.dtype)], -1)))
        common = (r.oproj(vectors) @ r.omsg(self.pool)[..., None])[..., 0]
        place = (places_of(count, most) @ r.oplace(self.pool).float()[..., None])[..., 0]
        return (r.oout(inner)[..., 0] + common * r.scale[5] + near * r.cos[4] + place).float()


def places_of(count, most):
    """For each of the options the places that are its own."""
    i = torch.arange(most, device=count.device)[None, :, None]
    place = torch.arange(PLACES, device=count.device)
    count = count[:, None, None]
    from_front, from_behind = i < PLACES - 2, i >= (count - 2).clamp(min=1)
    return ((place == i) & from_front | (place == PLACES - count + i) & from_behind).float()


def loss(out, turns, some):
    """The mean over turns; pieces count less in a long message."""

    def cost(logits, labels, counts, weight=1.0):
        each = F.binary_cross_entropy_with_logits(logits, labels.float(), reduction="none") * counts
        return (each.flatten(1).sum(1) * weight).mean()

    tasks, params, pieces = out["start"].shape[1], out["correct"].shape[1], out["inside"].shape[1]
    heads, is_task, is_param = turns.heads[some], out["is_task"], out["is_param"]
    total = cost(out["heads"], heads.clamp(min=0), heads >= 0)
    total += 2 * cost(out["start"], turns.start[some, :tasks], is_task) + cost(out["ask"], turns.ask[some, :tasks], is_task)
    counts, root = out["is_piece"][..., None] & is_param[:, None], turns.said[some].clamp(min=1).float().rsqrt()
    total += 3 * cost(out["inside"], turns.inside[some, :pieces, :params], counts, root)
    total += 3 * cost(out["begin"], turns.first[some, :pieces, :params], counts, root)
    for name in ("correct", "remove"):
        total += cost(out[name], getattr(turns, name)[some, :params], is_param)
    if out["choose"] is not None:
        most = out["choose"].shape[1]
        is_option = torch.arange(most, device=some.device) < turns.count[some, None]
        total += 6 * cost(out["choose"], turns.choose[some, :most], is_option)
    return total
