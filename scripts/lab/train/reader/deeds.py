"""Yeses whose verb is the question's deed, which are one, or another deed, which are none.

"Yes, ship it" says yes to sending and not to cancelling, and the turns hold too few of either for the verb to
be learned. A yes that names another deed is unclear: the program asks again and nothing is written. What
stands twice in a list comes twice as often.
"""
import dataclasses
import random
import re

from data import HEADS, KINDS, MESSAGE

ENDING = "cancel stop end terminate delete remove close withdraw drop block revoke release".split()
ENDING_BY_MORE_WORDS = ("give up", "call off", "have", "get rid")
# Any of these undoes what was made; for a task that begins with one of the second list it is its own deed too.
UNDO = [
    "cancel", "call off", "scrap", "drop", "stop", "delete", "remove", "end", "kill", "void", "terminate", "withdraw",
    "bin", "get rid of", "undo", "close",
]
UNDONE_BY_ANY = "cancel stop end terminate withdraw delete remove".split()
MAKE = [
    "ship", "send", "deliver", "keep", "restore", "bring", "order", "dispatch", "save", "rescue", "pause", "postpone",
    "hold on to", "hand over", "hold", "resume", "continue with", "go on with", "proceed with", "complete", "process",
    "extend", "renew", "reactivate", "leave", "store", "move", "complete", "fulfil", "finish", "use", "take", "have",
    "get", "start", "build", "reserve", "make", "prepare", "pack", "release to me",
]
HOPE = [
    "i want {}", "i need {}", "i'll take {}", "i'd like to keep {}", "{} should arrive", "let {} come", "let {} be",
    "get {} to me", "make sure {} arrives", "have {} delivered", "i still want {}", "it may come", "put {} on hold",
    "let them deliver {}", "i'd rather have {}", "confirm {} order",
]
PLAIN = [
    "do it", "go ahead", "do that", "go on", "that's right", "that's it", "sounds good", "all good", "please do",
]
YES = [
    "yes", "yes", "yes", "ok", "yep", "sure", "yeah", "okay", "right", "alright", "yes yes", "fine", "yup", "please",
    "of course", "absolutely",
]
THINGS = ["it", "it", "it", "that", "this", "them", "that one", "the thing"]
BETWEEN = [", ", " ", " ", ", please ", " please ", ". ", " and "]
BEHIND = ["", "", "", " please", ".", "!", ", thanks", " now", " then", " for me"]
# Deeds of another task that tell little: reading is none, and these may be the question's own by another name.
READING = ("see", "find", "look", "ask")
NEAR_ANY = "order book arrange request hire report register reserve have get set".split()


def deed(task):
    return task["title"].split()[0].lower()


def ends(task):
    """Whether the task ends something."""
    title = task["title"].lower()
    return deed(task) in ENDING or title.startswith(ENDING_BY_MORE_WORDS) and any(word in title for word in ENDING)


def thing(chance, task):
    """What the deed is done to, in other words or by the last word of the title."""
    nouns = re.findall(r"[a-z]+", task["title"].lower())[1:]
    return "the " + nouns[-1] if nouns and chance.random() < 0.35 else chance.choice(THINGS)


def said(chance, agent, task):
    """The words behind the yes, whether it is one, and a number of chance: how bare it is."""
    own, ending, what = deed(task), ends(task), thing(chance, task)
    kind, bare = chance.random(), chance.random()
    if kind < 0.32:
        verb = chance.choice(UNDO) if ending and own in UNDONE_BY_ANY else own
        return f"{verb} {what}", True, bare
    if kind < 0.62:
        return f"{chance.choice(MAKE if ending else UNDO)} {what}", False, bare
    if kind < 0.80 and ending:
        return chance.choice(HOPE).format(what), False, bare
    if kind < 0.86 and not ending and any(deed(other) != own for other in agent.tasks):
        others = [deed(other) for other in agent.tasks if deed(other) not in (own, *READING)]
        verb = chance.choice(others or [None])
        return (None if verb in (None, *NEAR_ANY) else f"{verb} {what}"), False, bare
    return chance.choice(PLAIN), True, bare


def turn(pieces, chance, asked):
    """The turn with another answer to its question, or nothing."""
    agent = asked.agent
    task = next((task for task, flags in zip(agent.tasks, asked.task_flags, strict=True) if flags[0]), None)
    if task is None:
        return None
    words, is_yes, bare = said(chance, agent, task)
    if words is None:
        return None
    lead = chance.choice(YES) + chance.choice(BETWEEN) if not is_yes or bare < 0.7 else ""
    if not is_yes and bare > 0.92:
        lead = ""
    message = lead + words + chance.choice(BEHIND)
    if chance.random() < 0.4:
        message = message[:1].upper() + message[1:]
    ids, offsets = pieces.located(message, MESSAGE)
    heads = [0] * len(HEADS)
    for head in ("yes", "plain_yes") if is_yes else ("unclear",):
        heads[HEADS.index(head)] = 1
    return dataclasses.replace(
        asked,
        message=message,
        ids=ids,
        offsets=offsets,
        heads=heads,
        start=[0] * len(agent.tasks),
        ask=[0] * len(agent.tasks),
        correct=[0] * len(agent.names),
        remove=[0] * len(agent.names),
        choose=[0] * len(asked.options),
        marks=[],
    )


def build(pieces, learned, count, seed=5):
    """So many turns at the confirmations before a write of those that are learned."""
    asked = [turn for turn in learned if turn.kind == KINDS.index("confirm_write")]
    chance, turns = random.Random(seed), []
    while len(turns) < count:
        one = turn(pieces, chance, chance.choice(asked))
        if one:
            turns.append(one)
    return turns
