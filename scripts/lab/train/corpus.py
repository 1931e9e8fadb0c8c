"""The sentences on which the word vectors are fitted to the teacher.

Two sources, none of them a benchmark: WordNet's definitions and example sentences, and
short requests and questions of the kind that people send to an assistant, put together
here from frames and from WordNet's most used nouns, verbs and adjectives.
"""
import collections
import pathlib
import random
import re

FRAMES = """
i want to {v} my {n}
i would like to {v} a {n}
i need to {v} the {n} for my {n}
how do i {v} my {n}
how can i {v} a {a} {n}
how much does the {n} cost
how long does it take to {v} a {n}
how many {n} do i have
can you {v} the {n}
can you please {v} my {n}
could you {v} the {n} for me
could you tell me about the {n}
would you {v} this {n}
please {v} my {a} {n}
please {v} the {n} and {v} the {n}
what is the {n} of my {n}
what is the {a} {n}
what does {n} mean
what do i do with a {a} {n}
what kind of {n} is {a}
what is my {n} {n}
what happens if i {v} my {n}
where is my {n}
where can i {v} a {n}
where do i find the {n} {n}
when will my {n} be {a}
when is the next {n}
when can i {v} the {n}
why is my {n} {a}
why was my {n} not {a}
why did my {n} {v}
why can't i {v} my {n}
who is the {n} of the {n}
who can {v} my {n}
which {n} should i {v}
is the {n} {a}
is there a {n} near the {n}
is it possible to {v} a {n}
is my {n} {a} today
are there any {a} {n} in the {n}
are you a {n}
do you have a {a} {n}
do i need a {n} to {v} a {n}
does the {n} {v}
did my {n} {v}
did you {v} the {n} yesterday
my {n} is {a}
my {n} does not {v}
my {n} has not {v} yet
my {a} {n} won't {v}
the {n} is {a} and i can't {v} it
the {n} {n} was {a}
the {n} in my {n} is {a}
there is a problem with my {n}
there is a {a} {n} on my {n}
i have a {a} {n}
i have a question about the {n}
i lost my {n}
i don't know the {n} of my {n}
i don't want to {v} my {n}
i didn't {v} this {n}
i think my {n} is {a}
i am looking for a {a} {n}
i am trying to {v} my {n}
i tried to {v} the {n} but it is {a}
i just {v} my {n}
i can't {v} the {n}
i forgot my {n}
i love the {a} {n}
i hate this {n}
i bought a {n} for my {n}
i went to the {n} with my {n}
let me {v} the {n}
let's {v} a {n}
tell me the {n}
tell me how to {v} a {n}
tell me something about {n}
show me the {n}
show me all {a} {n}
give me a {n}
give me the {n} for the {n}
find me a {a} {n}
find the {n} in the {n}
get me a {n}
add {n} to my {n}
remove {n} from my {n} list
put the {n} on the {n}
set the {n} to {a}
set a {n} for tomorrow
turn on the {n}
turn off the {n}
turn the {n} up
turn down the {n}
play some {n}
play the {a} {n}
start the {n}
stop the {n}
open the {n}
close the {n}
send a {n} to my {n}
call the {n}
check my {n}
check if the {n} is {a}
book a {n} for the {n}
order a {a} {n}
cancel my {n}
change my {n}
change the {n} of the {n}
update my {n}
remind me to {v} the {n}
remind me of the {n}
explain the {n}
help me {v} the {n}
{v} the {n}
{v} my {n}
{v} a {a} {n}
{v} {n}
{a} {n}
{n} {n}
{n}
{n} of the {n}
{n} for {n}
{n} not {a}
no {n}
more {n} please
{a} {n} in the {n}
the {n} and the {n}
he {v} the {n}
she has a {a} {n}
they {v} their {n}
we {v} a {n} last year
we are going to {v} a {n}
it is a {a} {n}
it was {a} to {v} the {n}
you should {v} your {n}
your {n} is {a}
thanks for the {n}
sorry about the {n}
hello i need a {n}
""".strip().splitlines()


def read_wordnet(folder):
    """Definitions and example sentences with their lemmas, and the used words by part of speech."""
    folder = pathlib.Path(folder)
    used = {"n": collections.Counter(), "v": collections.Counter(), "a": collections.Counter()}
    part = {"1": "n", "2": "v", "3": "a", "5": "a"}
    for line in (folder / "index.sense").read_text("latin-1").splitlines():
        key, _, _, count = line.split()
        lemma, rest = key.split("%")
        if rest[0] in part and re.fullmatch("[a-z]+(_[a-z]+)?", lemma):
            used[part[rest[0]]][lemma.replace("_", " ")] += int(count)
    texts = []
    for name in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{name}").read_text("latin-1").splitlines():
            if line.startswith("  "):
                continue
            head, gloss = line.split(" | ", 1)
            fields = head.split()
            words = [fields[4 + 2 * i].split("(")[0].replace("_", " ") for i in range(int(fields[3], 16))]
            texts.append((words, gloss.strip()))
    return used, texts


def glosses(texts, known, rng, definitions):
    """Every example sentence, and the definitions of known words, a sample of them."""
    examples, defined = [], []
    for words, gloss in texts:
        examples += [e for e in re.findall('"([^"]+)"', gloss) if len(e.split()) > 1]
        meaning = re.sub('[;:]? *"[^"]*"', "", gloss).strip(" ;")
        common = [w for w in words if w.lower() in known]
        if common and meaning:
            defined.append(f"{common[0]}: {meaning}")
            if len(common) > 1:
                defined.append(", ".join(common))
    rng.shuffle(defined)
    return examples + defined[:definitions]


def requests(used, rng, count):
    """Frames filled with words, the more used the likelier."""
    choices = {}
    for part, counter in used.items():
        words = [w for w, _ in sorted(counter.items(), key=lambda x: (-x[1], x[0]))[:6000]]
        weights = [1 / (60 + i) for i in range(len(words))]
        choices[part] = (words, weights)

    def fill(match):
        words, weights = choices[match[1]]
        return rng.choices(words, weights)[0]

    return [re.sub(r"\{(\w)\}", fill, rng.choice(FRAMES)) for _ in range(count)]


def build(wordnet, known, definitions, frames, seed=1):
    """The corpus: unique sentences, in a fixed order."""
    rng = random.Random(seed)
    used, texts = read_wordnet(wordnet)
    sentences = glosses(texts, known, rng, definitions) + requests(used, rng, frames)
    return sorted(set(sentences))
