"""Turns as arrays of equal length, which a model takes many at a time."""
import numpy as np
import torch

from data import HEADS, LABEL, MESSAGE, OPTION, QUESTION, Agent

OPEN, CLOSE = 101, 102  # the markers
POSITIONS = 128
IN_QUESTION, IN_MESSAGE, IN_OPTION, IN_TASK, IN_PARAM = range(5)  # segments
OPTIONS, FLAGS = 12, 4
LONGEST = 3 + QUESTION + MESSAGE + OPTIONS * (OPTION + 1)
NAME = LABEL + 2


class Arrays:
    """Every array has a row a turn, but those of the names, which have one a name. -1 is no name, and a head that is not known."""

    def __init__(self, turns):
        n = len(turns)
        self.tasks = max(len(turn.agent.titles) for turn in turns)
        self.params = max(len(turn.agent.labels) for turn in turns)
        zeros = lambda *shape, of=np.int16: np.zeros(shape, of)  # noqa: E731
        self.ids, self.positions, self.segments = zeros(n, LONGEST), zeros(n, LONGEST), zeros(n, LONGEST)
        self.length, self.begin, self.said = zeros(n), zeros(n), zeros(n)  # said: how many pieces the message has
        self.options, self.count = zeros(n, OPTIONS, 2), zeros(n)
        self.kind, self.type, self.agent, self.held = zeros(n), zeros(n), zeros(n, of=np.int32), zeros(n, of=bool)
        self.task_names, self.param_names = zeros(n, self.tasks, of=np.int32) - 1, zeros(n, self.params, of=np.int32) - 1
        self.task_flags, self.param_flags = zeros(n, self.tasks, FLAGS), zeros(n, self.params, FLAGS)
        self.needs = zeros(n, self.params, self.tasks)  # whether the task has the param
        self.heads = zeros(n, len(HEADS)) - 1
        self.start, self.ask = zeros(n, self.tasks), zeros(n, self.tasks)
        self.correct, self.remove = zeros(n, self.params), zeros(n, self.params)
        self.choose = zeros(n, OPTIONS)
        self.inside, self.first = zeros(n, MESSAGE, self.params, of=bool), zeros(n, MESSAGE, self.params, of=bool)
        names, agents = Names(), {}
        for i, turn in enumerate(turns):
            self.agent[i] = agents.setdefault(id(turn.agent), len(agents))
            self.enter(i, turn)
            self.name(i, turn, names)
            self.label(i, turn)
        self.name_ids, self.name_length, self.name_segment, self.name_type = names.arrays()

    def enter(self, i, turn):
        """Marker, question, end, message, end, and each option with its end. Positions go on from option to option."""
        ids, segments = [OPEN, *turn.question, CLOSE], [IN_QUESTION] * (len(turn.question) + 2)
        positions = list(range(len(ids)))
        self.begin[i], self.said[i], self.count[i] = len(ids), len(turn.ids), len(turn.options[:OPTIONS])
        behind = {IN_MESSAGE: 1, IN_OPTION: 1}
        options = turn.options[:OPTIONS]
        for segment, part in [(IN_MESSAGE, turn.ids), *((IN_OPTION, option) for option in options)]:
            ids += [*part, CLOSE]
            positions += range(behind[segment], behind[segment] + len(part) + 1)
            behind[segment] += len(part) + 1
            segments += [segment] * (len(part) + 1)
        end = len(ids)
        for k, option in reversed(list(enumerate(options))):
            self.options[i, k] = end - len(option) - 1, end
            end -= len(option) + 1
        n = self.length[i] = len(ids)
        self.ids[i, :n], self.segments[i, :n] = ids, segments
        self.positions[i, :n] = np.minimum(positions, POSITIONS - 1)
        self.kind[i], self.type[i], self.held[i] = turn.kind, turn.type, turn.held

    def name(self, i, turn, names):
        """The names of the agent, and what is known of them."""
        agent: Agent = turn.agent
        tasks, params = len(agent.titles), len(agent.labels)
        self.task_names[i, :tasks] = [names.number(IN_TASK, title, 0) for title in agent.titles]
        self.param_names[i, :params] = [names.number(IN_PARAM, *label) for label in zip(agent.labels, agent.types, strict=True)]
        self.task_flags[i, :tasks], self.param_flags[i, :params] = turn.task_flags, turn.param_flags
        for k, task in enumerate(agent.tasks):
            for param in task["params"]:
                self.needs[i, agent.names.index(param["name"]), k] = 1

    def label(self, i, turn):
        if turn.heads is not None:
            self.heads[i] = turn.heads
        self.start[i, : len(turn.start)], self.ask[i, : len(turn.ask)] = turn.start, turn.ask
        self.correct[i, : len(turn.correct)], self.remove[i, : len(turn.remove)] = turn.correct, turn.remove
        self.choose[i, : self.count[i]] = turn.choose[: self.count[i]]
        for piece, param, is_first in turn.marks:
            self.inside[i, piece, param] = True
            self.first[i, piece, param] |= is_first

    def to(self, device):
        """The same as tensors."""
        for name, array in vars(self).items():
            if isinstance(array, np.ndarray):
                setattr(self, name, torch.from_numpy(array).to(device))
        return self


class Names:
    """Every name once."""

    def __init__(self):
        self.numbers = {}

    def number(self, segment, ids, kind):
        return self.numbers.setdefault((segment, tuple(ids), kind), len(self.numbers))

    def arrays(self):
        rows = [[OPEN, *ids, CLOSE] for _, ids, _ in self.numbers]
        ids = np.zeros((len(rows), NAME), np.int16)
        for i, row in enumerate(rows):
            ids[i, : len(row)] = row
        segments, types = np.array([[segment, kind] for segment, _, kind in self.numbers], np.int16).T
        return ids, np.array([len(row) for row in rows], np.int16), segments, types
