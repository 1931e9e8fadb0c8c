"""Answers to choices put together: by name, by part, by place, by leaving out, several, and none.

The turns hold few choices, and which option is the second is learned only from many. What stands twice in
a list comes twice as often.
"""
import random

from data import HEADS, KINDS, MESSAGE, OPTION, QUESTION, TYPES, Turn, type_of

ANSWERS_AN_AGENT = 4
PLACES = [
    ("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"), ("fifth", "5th"), ("sixth", "6th"),
]
BEFORE = [
    "", "", "", "ok ", "um ", "I'd say ", "let's do ", "I'll take ", "give me ", "then ", "make it ", "oh ", "well, ",
    "go with ", "probably ", "hmm, ", "rather ",
]
BEHIND = [
    "", "", "", " please", " then", ", thanks", " for me", " would be best", " is fine", " works", "!", ".", " I think",
    ", that suits us better", " because it's nearer",
]
QUESTIONS = [
    "Which one: %s?", "%s?", "There are %s. Which do you want?", "Which would you like, %s?",
    "I have %s. Which one is it?", "Do you mean %s?",
]
# Options of a param that is no enumeration: what a system of records would give.
DAYS = [
    "Tuesday 1 December, 9:00", "Tuesday 1 December, 14:30", "Wednesday 2 December, 10:15",
    "Thursday 3 December, 8:45", "Friday 4 December, 16:00", "Saturday 5 December, 11:00", "Monday 7 December, 17:30",
]
ORDERS = [
    "O-3311, garden hose", "O-3340, two lamps", "O-3352, winter boots", "O-3398, kettle", "O-3401, bath mat",
    "O-3417, toaster, red",
]
LAST = ["the last one", "last", "the last", "the latter", "the bottom one", "the final one"]
MIDDLE = ["the middle one", "middle", "the one in the middle"]
TOP = ["the former", "the top one", "the one you said first"]
NOT_THAT = [
    "not the %s", "anything but %s", "not %s, the other", "%s won't do, so the other one", "the one that isn't %s",
    "not %s",
]
BOTH = ["both", "both of them", "both please"]
TWO = ["%s and %s", "%s, and %s too", "the %s and the %s"]
NONE = [
    "none of these", "neither", "none of them", "not any of those", "no, none", "neither of them suits",
]


def offered(chance, agent):
    """A param, and options for it."""
    params = list(agent.params.values())
    enums = [param for param in params if isinstance(param["type"], dict) and len(param["type"]["values"]) >= 2]
    others = [param for param in params if not isinstance(param["type"], dict)]
    if enums and (chance.random() < 0.6 or not others):
        param = chance.choice(enums)
        options = [str(value) for value in param["type"]["values"]]
        chance.shuffle(options)
        return param, options[: chance.randint(2, min(5, len(options)))]
    param, listed = chance.choice(others), chance.choice([DAYS, ORDERS])
    return param, chance.sample(listed, chance.randint(2, 5))


def by_part(chance, options, at):
    """A word that no other option holds, if there is one."""
    rest = options[:at] + options[at + 1 :]
    words = [word for word in options[at].replace(",", " ").split() if len(word) > 2]
    own = [word for word in words if not any(word in other for other in rest)]
    if not own:
        return None
    word = chance.choice(own)
    return chance.choice([word, f"the {word} one", f"the one with {word}", f"the {word}", f"{word} one"]).lower()


def by_place(chance, count, at):
    if at == count - 1 and chance.random() < 0.5:
        return chance.choice(LAST)
    if count == 3 and at == 1 and chance.random() < 0.4:
        return chance.choice(MIDDLE)
    if at == 0 and chance.random() < 0.2:
        return chance.choice(TOP)
    place, number = chance.choice(PLACES[at]), at + 1
    return chance.choice([
        f"the {place}", f"{place} one", place, f"the {place} one", f"number {number}", f"no. {number}",
        f"option {number}", f"option {'abcdef'[at]}", f"the {place} of these",
    ])


def answered(chance, options):
    """The words, and the places of the options that they mean; no words where they cannot be put together."""
    count, at, kind = len(options), chance.randrange(len(options)), chance.random()
    name = options[at]
    if kind < 0.34:
        return chance.choice([name, f"the {name} one", f"the {name}", name.lower(), name.upper()]), [at]
    if kind < 0.46:
        return by_part(chance, options, at), [at]
    if kind < 0.70:
        return by_place(chance, count, at), [at]
    if kind < 0.82 and count == 2:
        return chance.choice(NOT_THAT) % options[1 - at], [at]
    if kind < 0.88:
        every = BOTH if count == 2 else ["all of them", f"all {count}", "every one of them"]
        return chance.choice(every), list(range(count))
    if kind < 0.94 and count > 2:
        other = chance.choice([place for place in range(count) if place != at])
        return chance.choice(TWO) % (name, options[other]), [at, other]
    return chance.choice(NONE), []


def turn(pieces, chance, agent):
    """A turn, or nothing."""
    param, options = offered(chance, agent)
    message, wanted = answered(chance, options)
    if message is None:
        return None
    if wanted:
        message = chance.choice(BEFORE) + message + chance.choice(BEHIND)
    if chance.random() < 0.5:
        message = message[:1].upper() + message[1:]
    question = chance.choice(QUESTIONS) % (", ".join(options[:-1]) + " or " + options[-1])
    ids, offsets = pieces.located(message, MESSAGE)
    heads = [0] * len(HEADS)
    heads[HEADS.index("choose" if wanted else "no")] = 1
    task = next(task for task in agent.tasks if param["name"] in agent.needs(task["id"]))
    current = agent.needs(task["id"])
    return Turn(
        agent=agent,
        message=message,
        held=False,
        kind=KINDS.index("choice"),
        type=TYPES.index(type_of(param)),
        question=pieces.ids(question, QUESTION),
        ids=ids,
        offsets=offsets,
        options=[pieces.ids(option, OPTION) for option in options],
        task_flags=[[int(t is task), 0, 0, int(bool(t.get("writes")))] for t in agent.tasks],
        param_flags=[[int(name == param["name"]), int(name in current), 0, 0] for name in agent.names],
        heads=heads,
        start=[0] * len(agent.tasks),
        ask=[0] * len(agent.tasks),
        correct=[0] * len(agent.names),
        remove=[0] * len(agent.names),
        choose=[int(place in wanted) for place in range(len(options))],
        marks=[],
    )


def build(pieces, learned, count, seed=11):
    """Some count turns of the agents of those that are learned."""
    agents = list({id(turn.agent): turn.agent for turn in learned}.values())
    chance, turns = random.Random(seed), []
    while len(turns) < count:
        agent = chance.choice(agents)
        made = [turn(pieces, chance, agent) for _ in range(ANSWERS_AN_AGENT)]
        turns += [one for one in made if one]
    return turns
