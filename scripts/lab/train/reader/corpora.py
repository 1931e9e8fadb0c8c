"""Agents put together from public corpora of requests: tasks by the names of intents, params by those of slots.

They teach which task a message begins and where values stand; of the other heads they say nothing.
"""
import json
import random
import re

from data import KINDS, MESSAGE, QUESTION, TYPES, Agent, Turn, marked

HOMES = "snips hwu64 clinc150 banking77 restaurant8k hwu64 clinc150".split()  # two of them twice as often
CHATTER = "oos general_quirky greeting yes no thank_you goodbye repeat cancel maybe confirm".split()
BY_NAME = {
    "date": "date", "time": "time", "people": "integer", "number": "integer", "name": "person", "city": "address",
    "place": "address", "location": "address", "email": "email",
}
TURNS_AN_AGENT = 16
FOREIGN = 0.12  # the share of messages that fit no task


def useful(name, row):
    """Messages too short, too long or without a value teach little in some corpora."""
    words = len(row["text"].split())
    return {"hwu64": words > 2, "restaurant8k": bool(row["slots"]), "banking77": words < 14}.get(name, True)


def spoken(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").replace(".", " ").lower()


def type_of(slot):
    return next((kind for word, kind in BY_NAME.items() if word in slot.lower()), "text")


class Corpora:
    def __init__(self, folder):
        self.rows = {}
        for name in sorted(set(HOMES)):
            for row in map(json.loads, (folder / name / "train.jsonl").read_text(encoding="utf-8").splitlines()):
                if useful(name, row) and row["intent"] not in CHATTER:
                    self.rows.setdefault((name, row["intent"]), []).append(row)
        self.keys = sorted(self.rows)
        self.slots = {key: sorted({s["name"] for row in self.rows[key] for s in row["slots"]}) for key in self.keys}

    def pick(self, chance):
        """Intents of one corpus, and often two of any."""
        home = chance.choice(HOMES)
        mine = [key for key in self.keys if key[0] == home]
        picked = chance.sample(mine, min(chance.randint(3, 7), len(mine)))
        if chance.random() < 0.6:
            picked += [key for key in chance.sample(self.keys, 2) if key not in picked]
        chance.shuffle(picked)
        return picked

    def agent(self, pieces, chance, picked):
        def params(key):
            return [{"name": slot, "label": spoken(slot), "type": type_of(slot)} for slot in self.slots[key]]

        tasks = [
            {"id": key[1], "title": spoken(key[1]), "writes": chance.random() < 0.5, "params": params(key)} for key in picked
        ]
        if not any(task["params"] for task in tasks):  # an agent has some
            tasks[0]["params"] = [{"name": "note", "label": "note", "type": "text"}]
        return Agent(pieces, {"agent": "corpora", "tasks": tasks})

    def turn(self, pieces, chance, agent, picked):
        key = chance.choice(self.keys if chance.random() < FOREIGN else picked)
        row, ours = chance.choice(self.rows[key]), key in picked
        ids, offsets = pieces.located(row["text"], MESSAGE)
        spans = [(s["start"], s["end"], agent.names.index(s["name"])) for s in row["slots"] if ours and s["name"] in agent.params]
        asked = next((s for s in row.get("requested") or [] if ours and s in agent.params), None)
        current = self.slots[key] if asked else []
        nothing = [0] * len(agent.names)
        return Turn(
            agent=agent,
            message=row["text"],
            held=False,
            kind=KINDS.index("param" if asked else "none"),
            type=TYPES.index(type_of(asked)) if asked else 0,
            question=pieces.ids(f"What is the {spoken(asked)}?", QUESTION) if asked else [],
            ids=ids,
            offsets=offsets,
            options=[],
            task_flags=[[int(bool(asked) and t["id"] == key[1]), 0, 0, int(t["writes"])] for t in agent.tasks],
            param_flags=[[int(name == asked), int(name in current), 0, 0] for name in agent.names],
            heads=None,
            start=[int(ours and t["id"] == key[1] and not asked) for t in agent.tasks],
            ask=[0] * len(agent.tasks),
            correct=nothing,
            remove=nothing,
            choose=[],
            marks=marked(spans, offsets),
        )


def build(pieces, folder, count, seed=7):
    """Some count turns."""
    corpora, chance, turns = Corpora(folder), random.Random(seed), []
    while len(turns) < count:
        picked = corpora.pick(chance)
        agent = corpora.agent(pieces, chance, picked)
        turns += [corpora.turn(pieces, chance, agent, picked) for _ in range(TURNS_AN_AGENT)]
    return turns
