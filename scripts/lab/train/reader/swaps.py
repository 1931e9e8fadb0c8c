"""Turns with other values: the words of a value become those that somebody else said for one of its type.

What a value looks like is learned from few turns otherwise, and which words stand around it from fewer.
"""
import dataclasses
import random

from data import KINDS, MESSAGE, TYPES, marked

# Types whose values stand for each other. The words of an enumeration, a boolean, a list and a text fit their
# own question only.
SWAPPED = "code address person date time datetime daterange duration money phone email".split()
WHERE = [KINDS.index(kind) for kind in ("none", "ended", "param", "more")]


def values_of(turn):
    """The values of a turn: where the words begin and end, and the param; none where the words are not whole."""
    spans, last = [], None
    for piece, param, is_first in turn.marks:
        start, end = turn.offsets[piece]
        if is_first or last != param:
            spans.append([start, end, param])
        else:
            spans[-1][1] = end
        last = param
    spans.sort()
    overlap = any(after[0] < before[1] for before, after in zip(spans, spans[1:]))
    return [] if overlap else spans


def by_type(turns):
    """All words that were said for a value, by type."""
    said = {name: set() for name in SWAPPED}
    for turn in turns:
        for start, end, param in values_of(turn):
            name = TYPES[turn.agent.types[param]]
            if name in said:
                said[name].add(turn.message[start:end])
    return {name: sorted(words) for name, words in said.items()}


def turn(pieces, chance, said, old):
    """The turn with other values, or nothing."""
    spans = values_of(old)
    if not any(TYPES[old.agent.types[param]] in SWAPPED for *_, param in spans):
        return None
    message, at, places = "", 0, []
    for start, end, param in spans:
        name = TYPES[old.agent.types[param]]
        words = chance.choice(said[name]) if name in SWAPPED else old.message[start:end]
        message += old.message[at:start]
        places.append((len(message), len(message) + len(words), param))
        message, at = message + words, end
    message += old.message[at:]
    ids, offsets = pieces.located(message, MESSAGE)
    return dataclasses.replace(old, message=message, ids=ids, offsets=offsets, marks=marked(places, offsets))


def build(pieces, learned, count, seed=13):
    """Some count turns of those that are learned."""
    said = by_type(learned)
    rows = [one for one in learned if one.kind in WHERE and one.marks]
    chance, turns = random.Random(seed), []
    while len(turns) < count:
        if one := turn(pieces, chance, said, chance.choice(rows)):
            turns.append(one)
    return turns
