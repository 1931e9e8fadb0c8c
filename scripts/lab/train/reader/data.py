"""Turns as ids of pieces, with what is to be learned from them."""
import dataclasses
import json
import pathlib
import zlib

from tokenizers import Tokenizer

# The order of each is that of classifier/reader: Head, Kind and Type.
HEADS = (
    "yes no hold stop human help repeat undo resume courtesy out_of_scope unclear start set add remove correct "
    "choose ask_help ask_result ask_other ask_task plain_yes"
).split()
KINDS = "none ended param confirm confirm_write choice offer offer_human more".split()
TYPES = (
    "none text code address person date time datetime daterange duration money integer number boolean phone "
    "email list enum"
).split()
ALIASES = {"id": "code", "name": "person"}

# How much is read: pieces, and values of an enumeration.
QUESTION, MESSAGE, OPTION, TITLE, LABEL, VALUES = 40, 70, 12, 16, 24, 8


class Pieces:
    """The model's own tokeniser, without markers."""

    def __init__(self, work):
        self.tokenizer = Tokenizer.from_file(str(work / "teacher/tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(120)

    def ids(self, text, most):
        return self.located(text, most)[0]

    def located(self, text, most):
        """Ids, and for each the characters that it covers."""
        encoding = self.tokenizer.encode(text, add_special_tokens=False)
        return encoding.ids[:most], encoding.offsets[:most]


def type_of(param):
    if isinstance(param["type"], dict):
        return "enum"
    name = ALIASES.get(param["type"], param["type"])
    return name if name in TYPES else "text"


def label_of(param):
    label = param.get("label") or param["name"].replace("_", " ")
    if isinstance(param["type"], dict):
        label += ": " + ", ".join(map(str, param["type"]["values"][:VALUES]))
    return label


def held(trade):
    """Whether the trade is kept for measuring."""
    return zlib.crc32(trade.encode()) % 11 == 0


class Agent:
    def __init__(self, pieces, sketch):
        self.name, self.tasks, self.params = sketch["agent"], sketch["tasks"], {}
        for task in self.tasks:
            for param in task["params"]:
                self.params.setdefault(param["name"], param)
        self.names = list(self.params)
        self.titles = [pieces.ids(task["title"], TITLE) for task in self.tasks]
        self.labels = [pieces.ids(label_of(param), LABEL) for param in self.params.values()]
        self.types = [TYPES.index(type_of(param)) for param in self.params.values()]

    def needs(self, task_id):
        """The names of a task's params."""
        return {param["name"] for task in self.tasks if task["id"] == task_id for param in task["params"]}


@dataclasses.dataclass
class Turn:
    agent: Agent
    message: str
    held: bool
    kind: int  # of KINDS
    type: int  # of TYPES: the param that is asked for
    question: list  # ids
    ids: list  # of the message
    offsets: list  # of each the characters
    options: list  # ids of each
    task_flags: list  # four of each task
    param_flags: list  # four of each param
    # What is to be learned.
    heads: list | None  # None: not known
    start: list  # by task
    ask: list
    correct: list  # by param
    remove: list
    choose: list  # by option
    marks: list  # (piece, param, whether it is the first)


def kind_of(opened, last):
    if not opened:
        return "ended" if last else "none"
    if opened["kind"] == "confirm" and opened.get("write"):
        return "confirm_write"
    if opened["kind"] == "offer" and opened.get("task") == "human":
        return "offer_human"
    return opened["kind"]


class Labels:
    """What the commands of a turn make of the heads."""

    def __init__(self, agent, options):
        self.agent, self.options = agent, options
        self.tasks = {task["id"]: i for i, task in enumerate(agent.tasks)}
        self.heads = [0] * len(HEADS)
        self.start, self.ask = [0] * len(agent.tasks), [0] * len(agent.tasks)
        self.correct, self.remove = [0] * len(agent.names), [0] * len(agent.names)
        self.choose = [0] * len(options)
        self.spans = []

    def take(self, command, message):
        do = command["do"]
        if do == "ask":
            about = command["about"]
            do = "ask_" + (about if about in ("help", "result", "other") else "task")
            if about in self.tasks:
                self.ask[self.tasks[about]] = 1
        self.heads[HEADS.index(do)] = 1
        if do == "start" and command["task"] in self.tasks:
            self.start[self.tasks[command["task"]]] = 1
        if do == "choose" and command["option"] in self.options:
            self.choose[self.options.index(command["option"])] = 1
        if do in ("set", "add", "remove", "correct") and command["param"] in self.agent.params:
            do = "remove" if command.get("value") is False else do  # a boolean param is as a list of one
            self.value(do, self.agent.names.index(command["param"]), command.get("text"), message)

    def value(self, do, param, text, message):
        if do == "correct":
            self.correct[param] = 1
        elif do == "remove":
            self.remove[param] = 1
        at = message.find(text) if text else -1
        if at >= 0:
            self.spans.append((at, at + len(text), param))


def marked(spans, offsets):
    marks = []
    for start, end, param in spans:
        first = True
        for piece, (begin, behind) in enumerate(offsets):
            if begin < end and behind > start:
                marks.append((piece, param, first))
                first = False
    return marks


def turn_of(pieces, agent, line):
    state, message, commands = line["state"], line["message"], line["commands"]
    opened, last = state.get("open") or {}, state.get("last") or {}
    kind, asked, options = kind_of(opened, last), opened.get("param"), opened.get("options") or []
    labels = Labels(agent, options)
    for command in commands:
        labels.take(command, message)
    plain = kind.startswith("confirm") and all(command["do"] in ("yes", "courtesy") for command in commands)
    labels.heads[HEADS.index("plain_yes")] = int(plain and labels.heads[HEADS.index("yes")])
    ids, offsets = pieces.located(message, MESSAGE)
    task, known = state.get("task"), state.get("known") or {}
    current, before = agent.needs(task), agent.needs(last.get("task"))
    return Turn(
        agent=agent,
        message=message,
        held=held(agent.name),
        kind=KINDS.index(kind),
        type=TYPES.index(type_of(agent.params[asked])) if asked in agent.params else 0,
        question=pieces.ids(opened["text"] if opened else last.get("reply", ""), QUESTION),
        ids=ids,
        offsets=offsets,
        options=[pieces.ids(option, OPTION) for option in options],
        task_flags=[
            [int(t["id"] == task), int(t["id"] == last.get("task")), int(t["id"] == opened.get("task")), int(bool(t.get("writes")))]
            for t in agent.tasks
        ],
        param_flags=[[int(n == asked), int(n in current), int(n in known), int(n in before)] for n in agent.names],
        heads=labels.heads,
        start=labels.start,
        ask=labels.ask,
        correct=labels.correct,
        remove=labels.remove,
        choose=labels.choose,
        marks=marked(labels.spans, offsets),
    )


def load(pieces, paths):
    """The turns of files, each of whose agents stands before its turns."""
    agents, turns = {}, []
    for path in paths:
        for line in map(json.loads, pathlib.Path(path).read_text(encoding="utf-8").splitlines()):
            if "tasks" in line:
                agents[line["agent"]] = Agent(pieces, line)
            else:
                turns.append(turn_of(pieces, agents[line["agent"]], line))
    return turns
